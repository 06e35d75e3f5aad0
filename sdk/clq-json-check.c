#define G_LOG_DOMAIN "clq-json"

#include "clq-json.h"

#include <math.h>
#include <string.h>

/* The deepest nesting a caller may ask for; it bounds the frames of one check. */
#define MAX_DEPTH 512

/* Up to here an object's keys are compared one by one, which is faster than hashing them. */
#define SMALL_OBJECT 16

/* Keys of all open objects together that need no allocation. */
#define INLINE_KEYS 128

/* Longer pieces of the text are cut short in messages. */
#define MAX_QUOTED 40

/* A Mersenne prime: the modulus of the key hash. */
#define HASH_PRIME G_GUINT64_CONSTANT (0x7fffffff)

#define EACH_BYTE(b) (G_GUINT64_CONSTANT (0x0101010101010101) * (b))

typedef struct
{
  const char *start;
  gsize length;
  char *decoded; /* the key without its escapes, if it has any; start points to it then */
  guint32 hash;  /* only of keys in a big object */
} Key;

typedef struct
{
  gsize first_key;
  guint32 *slots; /* only of a big object: 1 + the key's distance from first_key, 0 is free */
  guint32 n_slots;
  gboolean is_object;
} Frame;

typedef enum
{
  WANT_VALUE,
  WANT_ITEM_OR_END,
  WANT_KEY,
  WANT_KEY_OR_END,
  WANT_COLON,
  WANT_MORE_ITEMS,
  WANT_MORE_KEYS,
  WANT_END,
} Want;

static const char *const want_words[] = {
  [WANT_VALUE] = "a value",
  [WANT_ITEM_OR_END] = "a value or ']'",
  [WANT_KEY] = "a key in double quotes",
  [WANT_KEY_OR_END] = "a key in double quotes or '}'",
  [WANT_COLON] = "':'",
  [WANT_MORE_ITEMS] = "',' or ']'",
  [WANT_MORE_KEYS] = "',' or '}'",
  [WANT_END] = "the end of the text",
};

typedef struct
{
  const char *text;
  const char *pos;
  const char *end;
  Want want;
  guint depth;
  guint max_depth;
  Key *keys;
  gsize n_keys;
  gsize keys_size;
  guint64 hash_factor;
  GError **error;
  Key inline_keys[INLINE_KEYS];
  Frame frames[MAX_DEPTH];
} Checker;

/**
 * clq_json_error_quark:
 *
 * Returns: the domain of the errors of [func@Clq.json_check]
 */
GQuark
clq_json_error_quark (void)
{
  return g_quark_from_static_string ("clq-json-error-quark");
}

/* Lines and columns are only counted here, so that text without mistakes does not pay for them. */
static gboolean G_GNUC_PRINTF (4, 5)
fail (Checker *self,
      const char *where,
      ClqJsonError code,
      const char *format,
      ...)
{
  const char *line_start = self->text;
  const char *newline;
  gsize line = 1;
  gsize column = 1;
  g_autofree char *message = NULL;
  va_list args;

  while ((newline = memchr (line_start, '\n', where - line_start)) != NULL)
    {
      line++;
      line_start = newline + 1;
    }
  for (const char *p = line_start; p < where; p++)
    column += ((guchar) *p & 0xc0) != 0x80;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, CLQ_JSON_ERROR, code, "%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT ": %s", line, column, message);
  return FALSE;
}

/* Returns the length of the UTF-8 sequence that starts with a byte above 0x7f, 0 if it is not valid. */
static inline gsize
utf8_sequence (const char *pos,
               const char *end)
{
  const guchar *p = (const guchar *) pos;
  gsize left = end - pos;

  if (p[0] < 0xc2 || p[0] > 0xf4 || left < 2 || (p[1] & 0xc0) != 0x80)
    return 0;
  if (p[0] < 0xe0)
    return 2;
  if (left < 3 || (p[2] & 0xc0) != 0x80)
    return 0;
  if (p[0] < 0xf0)
    {
      gboolean overlong = p[0] == 0xe0 && p[1] < 0xa0;
      gboolean surrogate = p[0] == 0xed && p[1] >= 0xa0;

      return overlong || surrogate ? 0 : 3;
    }
  if (left < 4 || (p[3] & 0xc0) != 0x80)
    return 0;
  return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90) ? 0 : 4;
}

static gboolean
fail_encoding (Checker *self,
               const char *where)
{
  return fail (self, where, CLQ_JSON_ERROR_ENCODING, "byte 0x%02x is not UTF-8; expected UTF-8 text", (guchar) *where);
}

static inline gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* A whole word such as NaN says more than its first letter. */
static gboolean
fail_word (Checker *self,
           const char *where,
           const char *expected)
{
  const char *p = where;
  gboolean cut;

  while (p < self->end && is_word (*p) && p - where <= MAX_QUOTED)
    p++;
  cut = p - where > MAX_QUOTED;
  return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "unexpected '%.*s%s'; expected %s",
               (int) MIN (p - where, MAX_QUOTED), where, cut ? "..." : "", expected);
}

/* What would be hard to see between quotes gets a name. */
static const char *
name_of (const char *where,
         const char *end)
{
  switch (*where)
    {
    case ' ':
      return "space";

    case '\t':
      return "tab";

    case '\n':
    case '\r':
      return "line break";

    case '\'':
      return "single quote";

    case '/':
      return end - where >= 2 && (where[1] == '/' || where[1] == '*') ? "comment" : NULL;

    default:
      return NULL;
    }
}

static gboolean
fail_unexpected (Checker *self,
                 const char *where,
                 const char *expected)
{
  const char *end = self->end;
  const char *name;
  gunichar c;

  if (where >= end)
    return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "unexpected end of text; expected %s", expected);
  if ((guchar) *where >= 0x80 && utf8_sequence (where, end) == 0)
    return fail_encoding (self, where);
  if (is_word (*where))
    return fail_word (self, where, expected);

  name = name_of (where, end);
  if (name != NULL)
    return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "unexpected %s; expected %s", name, expected);
  c = *where == '\0' ? 0 : g_utf8_get_char (where);
  if (c == 0xfeff && where == self->text)
    return fail (self, where, CLQ_JSON_ERROR_ENCODING, "unexpected byte order mark; expected %s", expected);
  if (g_unichar_isgraph (c) && c != 0x2028 && c != 0x2029)
    return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "unexpected '%.*s'; expected %s",
                 (int) (g_utf8_next_char (where) - where), where, expected);
  return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "unexpected U+%04X; expected %s", c, expected);
}

static gboolean
fail_control (Checker *self,
              const char *where)
{
  static const char short_names[] = "btn?fr"; /* from U+0008 on */
  guchar c = (guchar) *where;

  if (c == 0)
    return fail (self, where, CLQ_JSON_ERROR_ENCODING, "U+0000 in a string; expected any other character");
  if (c >= 0x08 && c <= 0x0d && c != 0x0b)
    return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "control character U+%04X in a string; expected the escape \\%c",
                 c, short_names[c - 0x08]);
  return fail (self, where, CLQ_JSON_ERROR_SYNTAX, "control character U+%04X in a string; expected the escape \\u%04x",
               c, c);
}

/* Reads the four digits of a \u escape at the position. */
static gboolean
check_hex (Checker *self,
           const char *digits,
           guint *code)
{
  *code = 0;
  for (int i = 0; i < 4; i++)
    {
      if (digits + i >= self->end || !g_ascii_isxdigit (digits[i]))
        return fail_unexpected (self, digits + i, "a hexadecimal digit");
      *code = *code * 16 + g_ascii_xdigit_value (digits[i]);
    }
  return TRUE;
}

/* Checks the escape whose backslash is at *pos and moves *pos behind it. */
static gboolean
check_escape (Checker *self,
              const char **pos)
{
  const char *start = *pos;
  const char *letter = start + 1;
  guint code;
  guint low;

  if (letter >= self->end)
    return fail_unexpected (self, letter, "an escape");
  if (*letter != 'u')
    {
      if (*letter == 'n' || (*letter != '\0' && strchr ("\"\\/bfnrt", *letter) != NULL))
        {
          *pos = letter + 1;
          return TRUE;
        }
      if (!g_ascii_isgraph (*letter))
        return fail_unexpected (self, letter, "one of \"\\/bfnrtu after a backslash");
      return fail (self, start, CLQ_JSON_ERROR_SYNTAX,
                   "unknown escape \\%c; expected one of \"\\/bfnrtu after a backslash", *letter);
    }

  if (!check_hex (self, letter + 1, &code))
    return FALSE;
  *pos = start + 6;
  if (code == 0)
    return fail (self, start, CLQ_JSON_ERROR_ENCODING, "U+0000 in a string; expected any other character");
  if (code < 0xd800 || code > 0xdfff)
    return TRUE;

  if (code < 0xdc00 && self->end - *pos >= 2 && (*pos)[0] == '\\' && (*pos)[1] == 'u')
    {
      if (!check_hex (self, *pos + 2, &low))
        return FALSE;
      *pos += 6;
      if (low >= 0xdc00 && low <= 0xdfff)
        return TRUE;
    }
  return fail (self, start, CLQ_JSON_ERROR_ENCODING,
               "lone surrogate \\u%04x; expected a pair such as \\ud83d\\ude00", code);
}

/* Plain is what needs no look: no quote, backslash, control character or byte above 0x7f. */
static inline gboolean
is_plain (char c)
{
  return (guchar) c >= 0x20 && (guchar) c < 0x80 && c != '"' && c != '\\';
}

/* Tells the same of eight bytes at once: bits are set in bytes that are not plain, and maybe in bytes behind them. */
static inline guint64
find_odd (const char *pos)
{
  guint64 bytes;
  guint64 quote;
  guint64 backslash;
  guint64 odd;

  memcpy (&bytes, pos, sizeof bytes);
  quote = bytes ^ EACH_BYTE ('"');
  backslash = bytes ^ EACH_BYTE ('\\');
  odd = bytes | (bytes - EACH_BYTE (0x20)) | ((quote - EACH_BYTE (1)) & ~quote) | ((backslash - EACH_BYTE (1)) & ~backslash);
  return odd & EACH_BYTE (0x80);
}

/* The first byte that is not plain, or the end. */
static inline const char *
skip_plain (const char *p,
            const char *end)
{
  while (end - p >= 8)
    {
      guint64 odd = find_odd (p);

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
      if (odd != 0)
        return p + __builtin_ctzll (odd) / 8;
#else
      if (odd != 0)
        break;
#endif
      p += 8;
    }
  while (p < end && is_plain (*p))
    p++;
  return p;
}

/* The position is at the opening quote; afterwards it is behind the closing one. */
static gboolean
check_string (Checker *self,
              gboolean *escaped)
{
  const char *p = self->pos + 1;
  const char *end = self->end;

  *escaped = FALSE;
  for (;;)
    {
      guchar c;
      gsize length;

      p = skip_plain (p, end);
      if (p >= end)
        return fail_unexpected (self, p, "a closing quote");

      c = (guchar) *p;
      if (c == '"')
        break;
      if (c == '\\')
        {
          *escaped = TRUE;
          if (!check_escape (self, &p))
            return FALSE;
        }
      else if (c < 0x20)
        {
          return fail_control (self, p);
        }
      else
        {
          length = utf8_sequence (p, end);
          if (length == 0)
            return fail_encoding (self, p);
          p += length;
        }
    }
  self->pos = p + 1;
  return TRUE;
}

static gboolean
fail_range (Checker *self,
            const char *start,
            const char *expected)
{
  gsize length = self->pos - start;
  gboolean cut = length > MAX_QUOTED;

  return fail (self, start, CLQ_JSON_ERROR_NUMBER, "number %.*s%s is out of range; expected %s",
               (int) MIN (length, MAX_QUOTED), start, cut ? "..." : "", expected);
}

static gboolean
check_integer_range (Checker *self,
                     const char *start,
                     const char *digits)
{
  gsize n_digits = self->pos - digits;
  const char *limit = digits > start ? "9223372036854775808" : "9223372036854775807";

  /* There are no leading zeros, so the count and the digits' order decide. */
  if (n_digits < 19 || (n_digits == 19 && memcmp (digits, limit, 19) <= 0))
    return TRUE;
  return fail_range (self, start, "an integer from -9223372036854775808 to 9223372036854775807");
}

static gboolean
check_double_range (Checker *self,
                    const char *start,
                    gint64 magnitude)
{
  g_autofree char *copy = NULL;

  /* The number is less than ten to the power of its magnitude; only what comes near the edge is worth a conversion. */
  if (magnitude <= 308)
    return TRUE;
  copy = g_strndup (start, self->pos - start);
  if (isfinite (g_ascii_strtod (copy, NULL)))
    return TRUE;
  return fail_range (self, start, "a number between -1.8e308 and 1.8e308");
}

static inline const char *
skip_digits (const char *p,
             const char *end)
{
  while (p < end && g_ascii_isdigit (*p))
    p++;
  return p;
}

/* Reads the exponent behind the e; one that no number needs stays at a value that is too big all the same. */
static gboolean
check_exponent (Checker *self,
                const char *p,
                gint64 *exponent)
{
  gboolean negative = FALSE;

  *exponent = 0;
  if (p < self->end && (*p == '+' || *p == '-'))
    {
      negative = *p == '-';
      p++;
    }
  if (p >= self->end || !g_ascii_isdigit (*p))
    return fail_unexpected (self, p, "a digit");
  for (; p < self->end && g_ascii_isdigit (*p); p++)
    if (*exponent < G_GINT64_CONSTANT (100000000000000000))
      *exponent = *exponent * 10 + (*p - '0');
  if (negative)
    *exponent = -*exponent;
  self->pos = p;
  return TRUE;
}

static gboolean
check_number (Checker *self)
{
  const char *start = self->pos;
  const char *end = self->end;
  const char *digits = start + (*start == '-');
  const char *p = skip_digits (digits, end);
  gint64 magnitude = p - digits;
  gint64 exponent = 0;

  if (magnitude == 0)
    return fail_unexpected (self, p, "a digit");
  if (*digits == '0' && magnitude > 1)
    return fail (self, start, CLQ_JSON_ERROR_SYNTAX, "leading zero; expected a number without one");
  self->pos = p;
  if (p >= end || (*p != '.' && *p != 'e' && *p != 'E'))
    return check_integer_range (self, start, digits);

  if (*p == '.')
    {
      const char *fraction = p + 1;

      p = skip_digits (fraction, end);
      if (p == fraction)
        return fail_unexpected (self, p, "a digit");
      self->pos = p;
    }
  if (p < end && (*p == 'e' || *p == 'E') && !check_exponent (self, p + 1, &exponent))
    return FALSE;
  return check_double_range (self, start, magnitude + exponent);
}

static gboolean
check_word (Checker *self,
            const char *word,
            gsize length)
{
  const char *pos = self->pos;

  if ((gsize) (self->end - pos) < length || memcmp (pos, word, length) != 0 ||
      (pos + length < self->end && is_word (pos[length])))
    return fail_unexpected (self, pos, want_words[self->want]);
  self->pos += length;
  return TRUE;
}

/* A polynomial over a prime field whose point nobody outside knows: keys cannot be chosen so that they collide. */
static guint32
hash_key (Checker *self,
          const Key *key)
{
  guint64 hash = 1;

  if (self->hash_factor == 0)
    self->hash_factor = 256 + g_random_int () % (HASH_PRIME - 512);
  for (gsize i = 0; i < key->length; i++)
    {
      hash = hash * self->hash_factor + (guchar) key->start[i];
      hash = (hash & HASH_PRIME) + (hash >> 31);
      hash = (hash & HASH_PRIME) + (hash >> 31);
    }
  return (guint32) ((hash * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32);
}

static inline gboolean
key_equal (const Key *a,
           const Key *b)
{
  return a->length == b->length && memcmp (a->start, b->start, a->length) == 0;
}

/* Returns the slot that holds the key, or the free one where it belongs. */
static guint32 *
find_slot (Checker *self,
           Frame *frame,
           const Key *key)
{
  guint32 mask = frame->n_slots - 1;
  guint32 i = key->hash & mask;

  while (frame->slots[i] != 0)
    {
      const Key *other = &self->keys[frame->first_key + frame->slots[i] - 1];

      if (other->hash == key->hash && key_equal (other, key))
        break;
      i = (i + 1) & mask;
    }
  return &frame->slots[i];
}

static void
grow_slots (Checker *self,
            Frame *frame)
{
  gsize count = self->n_keys - frame->first_key;
  gboolean hashed = frame->slots != NULL;

  g_free (frame->slots);
  frame->n_slots = hashed ? frame->n_slots * 2 : SMALL_OBJECT * 4;
  frame->slots = g_new0 (guint32, frame->n_slots);
  for (gsize i = 0; i < count; i++)
    {
      Key *key = &self->keys[frame->first_key + i];

      if (!hashed)
        key->hash = hash_key (self, key);
      *find_slot (self, frame, key) = i + 1;
    }
}

/* Looks the key up among those of the innermost object; a new one of a big object takes its slot. */
static gboolean
is_duplicate (Checker *self,
              Key *key)
{
  Frame *frame = &self->frames[self->depth - 1];
  gsize count = self->n_keys - frame->first_key;
  guint32 *slot;

  if (count < SMALL_OBJECT)
    {
      for (gsize i = frame->first_key; i < self->n_keys; i++)
        if (key_equal (&self->keys[i], key))
          return TRUE;
      return FALSE;
    }

  if (frame->slots == NULL || count >= frame->n_slots / 2)
    grow_slots (self, frame);
  key->hash = hash_key (self, key);
  slot = find_slot (self, frame, key);
  if (*slot != 0)
    return TRUE;
  *slot = count + 1;
  return FALSE;
}

static void
push_key (Checker *self,
          const Key *key)
{
  if (self->n_keys == self->keys_size)
    {
      self->keys_size *= 2;
      if (self->keys == self->inline_keys)
        {
          self->keys = g_new (Key, self->keys_size);
          memcpy (self->keys, self->inline_keys, sizeof self->inline_keys);
        }
      else
        {
          self->keys = g_renew (Key, self->keys, self->keys_size);
        }
    }
  self->keys[self->n_keys++] = *key;
}

static gboolean
fail_duplicate (Checker *self,
                const char *start,
                gsize length)
{
  gboolean cut = length > MAX_QUOTED;

  if (cut)
    for (length = MAX_QUOTED; ((guchar) start[length] & 0xc0) == 0x80;)
      length--;
  return fail (self, start - 1, CLQ_JSON_ERROR_DUPLICATE, "duplicate key \"%.*s%s\"; expected each key once",
               (int) length, start, cut ? "..." : "");
}

static gboolean
check_key (Checker *self)
{
  const char *start = self->pos + 1;
  gsize length;
  gboolean escaped;
  Key key = { 0 };

  if (self->pos >= self->end || *self->pos != '"')
    return fail_unexpected (self, self->pos, want_words[self->want]);
  if (!check_string (self, &escaped))
    return FALSE;

  length = self->pos - 1 - start;
  key.start = start;
  key.length = length;
  if (escaped)
    {
      ClqJsonSpan span = { CLQ_JSON_STRING, start - 1, length + 2 };

      key.decoded = clq_json_span_dup_string (&span);
      key.start = key.decoded;
      key.length = strlen (key.decoded);
    }
  if (is_duplicate (self, &key))
    {
      g_free (key.decoded);
      return fail_duplicate (self, start, length);
    }
  push_key (self, &key);
  self->want = WANT_COLON;
  return TRUE;
}

static gboolean
open_frame (Checker *self,
            gboolean is_object)
{
  Frame *frame;

  if (self->depth >= self->max_depth)
    return fail (self, self->pos, CLQ_JSON_ERROR_DEPTH, "nesting too deep; expected at most %u levels", self->max_depth);
  frame = &self->frames[self->depth++];
  frame->first_key = self->n_keys;
  frame->slots = NULL;
  frame->n_slots = 0;
  frame->is_object = is_object;
  self->want = is_object ? WANT_KEY_OR_END : WANT_ITEM_OR_END;
  self->pos++;
  return TRUE;
}

static inline void
value_done (Checker *self)
{
  if (self->depth == 0)
    self->want = WANT_END;
  else
    self->want = self->frames[self->depth - 1].is_object ? WANT_MORE_KEYS : WANT_MORE_ITEMS;
}

static void
drop_frame (Checker *self)
{
  Frame *frame = &self->frames[--self->depth];

  while (self->n_keys > frame->first_key)
    g_free (self->keys[--self->n_keys].decoded);
  g_free (frame->slots);
}

static void
close_frame (Checker *self)
{
  drop_frame (self);
  value_done (self);
  self->pos++;
}

static gboolean
check_value (Checker *self)
{
  char c = self->pos < self->end ? *self->pos : '\0';
  gboolean escaped;
  gboolean ok;

  if (c == '"')
    ok = check_string (self, &escaped);
  else if (c == '{' || c == '[')
    return open_frame (self, c == '{');
  else if (c == '-' || g_ascii_isdigit (c))
    ok = check_number (self);
  else if (c == 't')
    ok = check_word (self, "true", 4);
  else if (c == 'f')
    ok = check_word (self, "false", 5);
  else if (c == 'n')
    ok = check_word (self, "null", 4);
  else
    ok = fail_unexpected (self, self->pos, want_words[self->want]);

  if (ok)
    value_done (self);
  return ok;
}

/* Takes one of the marks between values, or fails. */
static gboolean
check_mark (Checker *self)
{
  char c = self->pos < self->end ? *self->pos : '\0';

  if (self->want == WANT_COLON && c == ':')
    self->want = WANT_VALUE;
  else if (self->want == WANT_MORE_ITEMS && c == ',')
    self->want = WANT_VALUE;
  else if (self->want == WANT_MORE_KEYS && c == ',')
    self->want = WANT_KEY;
  else
    return fail_unexpected (self, self->pos, want_words[self->want]);
  self->pos++;
  return TRUE;
}

static inline void
skip_space (Checker *self)
{
  const char *p = self->pos;

  while (p < self->end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
    p++;
  self->pos = p;
}

/* One turn of the loop per token; what is open is kept in the frames, never on the call stack. */
static gboolean
check_text (Checker *self)
{
  for (;;)
    {
      char c;
      gboolean ok = TRUE;

      skip_space (self);
      c = self->pos < self->end ? *self->pos : '\0';
      switch (self->want)
        {
        case WANT_ITEM_OR_END:
        case WANT_MORE_ITEMS:
          if (c == ']')
            close_frame (self);
          else if (self->want == WANT_MORE_ITEMS)
            ok = check_mark (self);
          else
            ok = check_value (self);
          break;

        case WANT_KEY_OR_END:
        case WANT_MORE_KEYS:
          if (c == '}')
            close_frame (self);
          else if (self->want == WANT_MORE_KEYS)
            ok = check_mark (self);
          else
            ok = check_key (self);
          break;

        case WANT_VALUE:
          ok = check_value (self);
          break;

        case WANT_KEY:
          ok = check_key (self);
          break;

        case WANT_END:
          if (self->pos == self->end)
            return TRUE;
          return fail_unexpected (self, self->pos, want_words[WANT_END]);

        case WANT_COLON:
        default:
          ok = check_mark (self);
          break;
        }
      if (!ok)
        return FALSE;
    }
}

/**
 * clq_json_check:
 * @text: (array length=length) (element-type guint8): the text; need not end in a NUL if @length is given
 * @length: its length in bytes, or -1 if it ends in a NUL
 * @limits: (nullable): how long and how deep the text may be, or %NULL for the defaults
 * @error: return location for an error in the domain %CLQ_JSON_ERROR
 *
 * Checks that a text is one JSON value as RFC 8259 has it, in valid UTF-8 and without a byte order mark.
 *
 * Beyond the RFC it refuses what would be read differently by different programs, or not be kept by ours: equal keys in
 * one object (after their escapes are resolved), the character U+0000, lone surrogates, integers that do not fit into 64
 * bits with a sign, and numbers that are not finite as a double.
 *
 * The nesting limit cannot be set above 512. A text over the size limit is refused without being read.
 *
 * The message has the form `line:column: what was found; what was expected`; the column counts characters from 1.
 *
 * Returns: %TRUE if the text may be given to any JSON reader
 */
gboolean
clq_json_check (const char *text,
                gssize length,
                const ClqJsonLimits *limits,
                GError **error)
{
  Checker self;
  gsize max_size = limits != NULL && limits->max_size > 0 ? limits->max_size : CLQ_JSON_MAX_SIZE;
  gsize size;
  gboolean ok;

  g_return_val_if_fail (text != NULL || length == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (text == NULL)
    text = "";
  if (length >= 0)
    size = length;
  else
    size = strnlen (text, max_size < G_MAXSIZE ? max_size + 1 : max_size);

  /* Field by field: clearing the frames would cost more than checking a short text. */
  self.text = text;
  self.pos = text;
  self.end = text + size;
  self.want = WANT_VALUE;
  self.depth = 0;
  self.max_depth = limits != NULL && limits->max_depth > 0 ? MIN (limits->max_depth, MAX_DEPTH) : CLQ_JSON_MAX_DEPTH;
  self.keys = self.inline_keys;
  self.n_keys = 0;
  self.keys_size = INLINE_KEYS;
  self.hash_factor = 0;
  self.error = error;

  if (size > max_size)
    return fail (&self, text, CLQ_JSON_ERROR_SIZE, "the text is too long; expected at most %" G_GSIZE_FORMAT " bytes", max_size);

  ok = check_text (&self);
  while (self.depth > 0)
    drop_frame (&self);
  if (self.keys != self.inline_keys)
    g_free (self.keys);
  return ok;
}
