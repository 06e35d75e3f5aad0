#define G_LOG_DOMAIN "clq-graph"

#include "clq-keyfile.h"
#include "clq-keyfile-private.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#define MAX_SIZE (1024 * 1024)

typedef struct
{
  ClqKeyfile *keyfile;
  ClqFindings *findings;
  const char *file;
  guint line;
  ClqGroup *group;
  gboolean in_group; /* a header was seen, even one that could not be read */
  GHashTable *seen;  /* groups of this text; older ones may be extended */
  GHashTable *keys;  /* keys of this text, as ClqKey */
} Reader;

static void report (Reader *reader, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
report (Reader *reader, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  clq_findings_add (reader->findings, CLQ_FINDING_ERROR, code, reader->file, reader->line, "%s", message);
}

/* Neither bytes that are no text nor characters that nobody can see. */
static gboolean
check_characters (Reader *reader, const char *line, gsize length)
{
  const char *bad = NULL;

  for (gsize i = 0; i < length; i++)
    if (line[i] != '\t' && g_ascii_iscntrl (line[i]))
      {
        report (reader, CLQ_GRAPH_ERROR_SYNTAX, "the control character 0x%02x stands at byte %" G_GSIZE_FORMAT " of the line; expected text",
                (guchar) line[i], i + 1);
        return FALSE;
      }
  if (!g_utf8_validate_len (line, length, &bad))
    {
      report (reader, CLQ_GRAPH_ERROR_SYNTAX, "byte %" G_GSIZE_FORMAT " of the line is no UTF-8; expected UTF-8 text",
              (gsize) (bad - line) + 1);
      return FALSE;
    }
  return TRUE;
}

/* Runs of white space in the name of a group count as one space. */
static char *
tidy_name (const char *start, gsize length)
{
  GString *name = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isspace (start[i]))
      g_string_append_c (name, start[i]);
    else if (name->len > 0 && name->str[name->len - 1] != ' ')
      g_string_append_c (name, ' ');
  if (name->len > 0 && name->str[name->len - 1] == ' ')
    g_string_truncate (name, name->len - 1);
  return g_string_free (name, FALSE);
}

static void
read_group (Reader *reader, const char *line)
{
  const char *end = strchr (line, ']');
  g_autofree char *name = tidy_name (line + 1, end != NULL ? (gsize) (end - line - 1) : strlen (line + 1));

  reader->in_group = TRUE;
  reader->group = NULL;
  if (end == NULL)
    report (reader, CLQ_GRAPH_ERROR_SYNTAX, "'%s' is a group without an end; expected [%s]", line, name);
  else if (end[1] != '\0')
    report (reader, CLQ_GRAPH_ERROR_SYNTAX, "'%s' stands behind the group [%s]; expected nothing there", end + 1, name);
  if (*name == '\0')
    {
      report (reader, CLQ_GRAPH_ERROR_SYNTAX, "the group has no name; expected [NAME]");
      return;
    }
  if (strchr (name, '[') != NULL)
    {
      report (reader, CLQ_GRAPH_ERROR_SYNTAX, "[%s]: the name of a group holds no '['", name);
      return;
    }
  reader->group = clq_keyfile_add_group (reader->keyfile, name, reader->file, reader->line);
  if (g_hash_table_contains (reader->seen, reader->group->name))
    report (reader, CLQ_GRAPH_ERROR_DUPLICATE, "[%s]: the group stands here again; expected it once, as in line %u",
            name, GPOINTER_TO_UINT (g_hash_table_lookup (reader->seen, reader->group->name)));
  else
    g_hash_table_insert (reader->seen, reader->group->name, GUINT_TO_POINTER (reader->line));
}

static gboolean
check_key (Reader *reader, const char *group, const char *key)
{
  if (*key == '\0')
    {
      report (reader, CLQ_GRAPH_ERROR_SYNTAX, "[%s]: there is no key before '='; expected KEY=VALUE", group);
      return FALSE;
    }
  for (const char *c = key; *c != '\0'; c = g_utf8_next_char (c))
    if (!g_ascii_isalnum (*c) && strchr ("_-.", *c) == NULL)
      {
        report (reader, CLQ_GRAPH_ERROR_SYNTAX, "[%s] %s: '%.*s' is no character of a key; expected letters, digits, '_', '-' and '.'",
                group, key, (int) (g_utf8_next_char (c) - c), c);
        return FALSE;
      }
  return TRUE;
}

/* GKeyFile's escapes. Those of lists and of quoted strings mean something to whoever reads the value, so they stay. */
static char *
unescape (Reader *reader, const char *group, const char *key, const char *raw)
{
  static const char letters[] = "sntr\\";
  static const char meanings[] = " \n\t\r\\";
  GString *value = g_string_new (NULL);
  gboolean good = TRUE;

  for (const char *c = raw; *c != '\0'; c++)
    {
      const char *letter;

      if (*c != '\\')
        {
          g_string_append_c (value, *c);
          continue;
        }
      c++;
      letter = *c != '\0' ? strchr (letters, *c) : NULL;
      if (letter != NULL)
        g_string_append_c (value, meanings[letter - letters]);
      else if (*c == ';' || *c == '"')
        g_string_append_printf (value, "\\%c", *c);
      else
        {
          report (reader, CLQ_GRAPH_ERROR_SYNTAX, "[%s] %s: '\\%.*s' is no escape; expected \\s, \\n, \\t, \\r, \\\\, \\; or \\\"",
                  group, key, *c != '\0' ? (int) (g_utf8_next_char (c) - c) : 0, c);
          good = FALSE;
          break;
        }
    }
  return g_string_free (value, !good);
}

/* Splits and checks KEY=VALUE. */
static gboolean
split_line (Reader *reader, const char *group, const char *line, char **key, char **value)
{
  const char *equals = strchr (line, '=');
  g_autofree char *name = NULL;
  g_autofree char *raw = NULL;

  if (equals == NULL)
    {
      report (reader, CLQ_GRAPH_ERROR_SYNTAX, "[%s]: '%s' has no '='; expected KEY=VALUE, [GROUP] or # comment", group, line);
      return FALSE;
    }
  name = g_strstrip (g_strndup (line, equals - line));
  if (!check_key (reader, group, name))
    return FALSE;
  raw = g_strstrip (g_strdup (equals + 1));
  *value = unescape (reader, group, name, raw);
  if (*value == NULL)
    return FALSE;
  *key = g_steal_pointer (&name);
  return TRUE;
}

static void
read_key (Reader *reader, const char *line)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;
  const ClqKey *old;

  if (reader->group == NULL)
    {
      if (!reader->in_group)
        report (reader, CLQ_GRAPH_ERROR_SYNTAX, "'%s' stands before the first group; expected [GROUP] or # comment", line);
      /* Once is enough. */
      reader->in_group = TRUE;
      return;
    }
  if (!split_line (reader, reader->group->name, line, &key, &value))
    return;
  old = g_hash_table_lookup (reader->group->index, key);
  if (old != NULL && g_hash_table_contains (reader->keys, old))
    {
      report (reader, CLQ_GRAPH_ERROR_DUPLICATE, "[%s] %s: the key stands here again; expected it once, as in line %u",
              reader->group->name, key, old->line);
      return;
    }
  clq_keyfile_put (reader->keyfile, reader->group, key, value, reader->file, reader->line);
  g_hash_table_add (reader->keys, g_hash_table_lookup (reader->group->index, key));
}

static void
read_line (Reader *reader, const char *start, gsize length)
{
  g_autofree char *line = NULL;

  if (length > 0 && start[length - 1] == '\r')
    length--;
  if (!check_characters (reader, start, length))
    return;
  line = g_strstrip (g_strndup (start, length));
  if (*line == '\0' || *line == '#')
    return;
  if (*line == '[')
    read_group (reader, line);
  else
    read_key (reader, line);
}

/**
 * clq_keyfile_read_text:
 * @self: a keyfile
 * @name: what stands in place of the file in findings
 * @text: a text
 * @length: its length in bytes, or -1 if it ends in a NUL
 * @findings: where to say what is wrong with it
 *
 * Reads a text. What was in the keyfile before stays, unless the text has the same keys.
 *
 * Returns: whether all of the text could be read
 */
gboolean
clq_keyfile_read_text (ClqKeyfile *self, const char *name, const char *text, gssize length, ClqFindings *findings)
{
  Reader reader = { 0 };
  const char *end;
  guint n_errors;

  g_return_val_if_fail (self != NULL && name != NULL && text != NULL && findings != NULL, FALSE);

  end = text + (length < 0 ? strlen (text) : (gsize) length);
  n_errors = clq_findings_get_n_errors (findings);
  if (end - text > MAX_SIZE)
    {
      clq_findings_add (findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_SYNTAX, name, 0,
                        "the file is too large; expected at most %d bytes", MAX_SIZE);
      return FALSE;
    }
  reader.keyfile = self;
  reader.findings = findings;
  reader.file = clq_keyfile_own_file (self, name);
  reader.seen = g_hash_table_new (g_str_hash, g_str_equal);
  reader.keys = g_hash_table_new (NULL, NULL);
  /* Editors of other systems put a mark before the first line. */
  if (end - text >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  while (text < end)
    {
      const char *stop = memchr (text, '\n', end - text);

      reader.line++;
      read_line (&reader, text, (stop != NULL ? stop : end) - text);
      text = stop != NULL ? stop + 1 : end;
    }
  g_hash_table_unref (reader.seen);
  g_hash_table_unref (reader.keys);
  return clq_findings_get_n_errors (findings) == n_errors;
}

/**
 * clq_keyfile_read_file:
 * @self: a keyfile
 * @path: a file of at most 1 MiB
 * @findings: where to say what is wrong with it
 *
 * Reads a file, see [method@Clq.Keyfile.read_text].
 *
 * Returns: whether all of the file could be read
 */
gboolean
clq_keyfile_read_file (ClqKeyfile *self, const char *path, ClqFindings *findings)
{
  g_autofree char *text = NULL;
  FILE *stream;
  gsize length = 0;
  int reason = 0;

  g_return_val_if_fail (self != NULL && path != NULL && findings != NULL, FALSE);

  stream = g_fopen (path, "rb");
  if (stream == NULL)
    reason = errno;
  else
    {
      /* A pipe has no size to be asked for, so one byte more than allowed is read. */
      text = g_malloc (MAX_SIZE + 1);
      length = fread (text, 1, MAX_SIZE + 1, stream);
      if (ferror (stream))
        reason = errno != 0 ? errno : EIO;
      fclose (stream);
    }
  if (reason != 0)
    {
      clq_findings_add (findings, CLQ_FINDING_ERROR, CLQ_GRAPH_ERROR_NOT_FOUND, path, 0,
                        "the file cannot be read: %s", g_strerror (reason));
      return FALSE;
    }
  return clq_keyfile_read_text (self, path, text, length, findings);
}

/**
 * clq_keyfile_set_line:
 * @self: a keyfile
 * @group: the name of a group
 * @line: `KEY=VALUE` as it would stand in a file
 * @origin: what stands in place of the file in findings
 * @findings: where to say what is wrong with it
 *
 * Sets a key that does not come from a file but is written like one.
 *
 * Returns: whether the line could be read
 */
gboolean
clq_keyfile_set_line (ClqKeyfile *self, const char *group, const char *line, const char *origin, ClqFindings *findings)
{
  Reader reader = { .keyfile = self, .findings = findings, .file = origin };
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;

  g_return_val_if_fail (self != NULL && group != NULL && line != NULL && origin != NULL && findings != NULL, FALSE);

  if (!check_characters (&reader, line, strlen (line)) || !split_line (&reader, group, line, &key, &value))
    return FALSE;
  clq_keyfile_set (self, group, key, value, origin);
  return TRUE;
}
