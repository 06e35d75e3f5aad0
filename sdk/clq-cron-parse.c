#define G_LOG_DOMAIN "clq-cron"

#include "clq-private.h"

#include "clq-cron-private.h"

#include <string.h>

#define MAX_LENGTH 1024

static const char *const month_names[] = { "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC", NULL };
static const char *const weekday_names[] = { "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", NULL };

static const struct
{
  const char *name;
  int min;
  int max;
  const char *const *words;
  const char *expected;
} parts[CRON_N_PARTS] = {
  { "minute", 0, 59, NULL, "0 to 59" },
  { "hour", 0, 23, NULL, "0 to 23" },
  { "day of the month", 1, 31, NULL, "1 to 31" },
  { "month", 1, 12, month_names, "1 to 12 or JAN to DEC" },
  { "day of the week", 0, 7, weekday_names, "0 to 7 (0 and 7 are Sunday) or SUN to SAT" },
};

static const struct
{
  const char *name;
  const char *expression;
} nicknames[] = {
  { "@yearly", "0 0 1 1 *" },
  { "@annually", "0 0 1 1 *" },
  { "@monthly", "0 0 1 * *" },
  { "@weekly", "0 0 * * 0" },
  { "@daily", "0 0 * * *" },
  { "@midnight", "0 0 * * *" },
  { "@hourly", "0 * * * *" },
};

/* Where the parser is. */
typedef struct
{
  const char *text;
  const char *next;
  CronPart part;
  GError **error;
} Parser;

static gboolean complain (const Parser *self, const char *at, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Says what is wrong at one place; positions count characters from 1. */
static gboolean
complain (const Parser *self, const char *at, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (self->error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "cron '%s', position %ld: %s",
               self->text, g_utf8_strlen (self->text, at - self->text) + 1, what);
  return FALSE;
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static gboolean
ends_field (char c)
{
  return c == '\0' || is_blank (c);
}

static void
skip_blanks (Parser *self)
{
  while (is_blank (*self->next))
    self->next++;
}

static gboolean
parse_word (Parser *self, int *value)
{
  const char *start = self->next, *const *words = parts[self->part].words;
  g_autofree char *word = NULL, *hint = NULL;

  while (g_ascii_isalpha (*self->next))
    self->next++;
  word = g_ascii_strup (start, self->next - start);
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    if (strcmp (word, words[i]) == 0)
      {
        *value = parts[self->part].min + (int) i;
        return TRUE;
      }
  hint = words != NULL && clq_nearest (word, words) != NULL ? clq_did_you_mean (word, words)
                                                            : g_strdup_printf ("; expected %s", parts[self->part].expected);
  return complain (self, start, "'%.*s' is no %s%s", (int) (self->next - start), start, parts[self->part].name, hint);
}

/* Digits, as many as there are; larger numbers than any field has are all the same. */
static int
read_number (Parser *self)
{
  int number = 0;

  for (; g_ascii_isdigit (*self->next); self->next++)
    number = MIN (number * 10 + (*self->next - '0'), 100000);
  return number;
}

static gboolean
parse_value (Parser *self, int *value)
{
  const char *start = self->next;

  if (g_ascii_isalpha (*start))
    return parse_word (self, value);
  if (!g_ascii_isdigit (*start))
    {
      if (ends_field (*start))
        return complain (self, start, "the %s ends too early; expected %s", parts[self->part].name, parts[self->part].expected);
      return complain (self, start, "'%.*s' is no %s; expected * or %s", (int) (g_utf8_next_char (start) - start), start,
                       parts[self->part].name, parts[self->part].expected);
    }
  *value = read_number (self);
  if (*value < parts[self->part].min || *value > parts[self->part].max)
    return complain (self, start, "the %s %.*s is out of range; expected %s", parts[self->part].name,
                     (int) (self->next - start), start, parts[self->part].expected);
  return TRUE;
}

/* Behind a slash. */
static gboolean
parse_step (Parser *self, int *step)
{
  const char *start = ++self->next;
  int most = parts[self->part].max - parts[self->part].min;

  *step = read_number (self);
  if (self->next == start)
    return complain (self, start, "a step is missing; expected a number from 1 to %d", most);
  if (*step < 1 || *step > most)
    return complain (self, start, "the step %.*s is out of range; expected 1 to %d", (int) (self->next - start), start, most);
  return TRUE;
}

static gboolean
parse_range (Parser *self, int *first, int *last)
{
  const char *start;

  *first = parts[self->part].min;
  *last = parts[self->part].max;
  if (*self->next == '*')
    {
      self->next++;
      return TRUE;
    }
  if (!parse_value (self, first))
    return FALSE;
  if (*self->next != '-')
    {
      /* Alone it is one value; with a step it is where that begins. */
      *last = *self->next == '/' ? *last : *first;
      return TRUE;
    }
  start = ++self->next;
  if (!parse_value (self, last))
    return FALSE;
  if (self->part == CRON_WEEKDAY && *last == 0 && *first > 0)
    *last = 7; /* a week may end with Sunday */
  if (*last < *first)
    return complain (self, start, "the range ends before it begins; expected a %s not before %d", parts[self->part].name, *first);
  return TRUE;
}

/* One element of a list: a value, a range or an asterisk, maybe with a step. */
static gboolean
parse_element (Parser *self, CronField *field)
{
  gboolean is_star = *self->next == '*';
  int first, last, step = 1;

  if (!parse_range (self, &first, &last))
    return FALSE;
  if (*self->next == '/' && !parse_step (self, &step))
    return FALSE;
  if (self->part == CRON_WEEKDAY && is_star)
    last = 6;
  for (int value = first; value <= last; value += step)
    field->values |= G_GUINT64_CONSTANT (1) << (self->part == CRON_WEEKDAY ? value % 7 : value);
  field->any |= is_star && step == 1;
  return TRUE;
}

static gboolean
parse_field (Parser *self, CronField *field)
{
  skip_blanks (self);
  if (*self->next == '\0')
    return complain (self, self->next, "the %s is missing; expected five fields: minute, hour, day of the month, month, day of the week",
                     parts[self->part].name);
  for (;;)
    {
      if (!parse_element (self, field))
        return FALSE;
      if (ends_field (*self->next))
        return TRUE;
      if (*self->next != ',')
        return complain (self, self->next, "unexpected '%.*s' in the %s; expected a comma or the next field",
                         (int) (g_utf8_next_char (self->next) - self->next), self->next, parts[self->part].name);
      self->next++;
    }
}

/* A nickname stands for five fields. */
static const char *
find_nickname (const Parser *self, const char *name)
{
  const char *names[G_N_ELEMENTS (nicknames) + 1] = { NULL };
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (nicknames); i++)
    {
      if (g_ascii_strcasecmp (name, nicknames[i].name) == 0)
        return nicknames[i].expression;
      names[i] = nicknames[i].name;
    }
  hint = clq_did_you_mean (name, names);
  complain (self, self->next, "'%s' is no nickname%s", name, hint);
  return NULL;
}

/* A day of the month that none of the months has can only be reached through the days of the week. */
static gboolean
can_happen (const ClqCron *self)
{
  static const guint8 lengths[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

  if (!self->fields[CRON_WEEKDAY].any)
    return TRUE;
  for (guint month = 1; month <= 12; month++)
    if ((self->fields[CRON_MONTH].values >> month & 1) != 0 &&
        (self->fields[CRON_DAY].values & ((G_GUINT64_CONSTANT (1) << (lengths[month - 1] + 1)) - 1)) != 0)
      return TRUE;
  return FALSE;
}

static const char *
start_of_field (const char *text, CronPart part)
{
  for (guint i = 0;; i++)
    {
      while (is_blank (*text))
        text++;
      if (i == part)
        return text;
      while (!ends_field (*text))
        text++;
    }
}

/* Private: reads the fields of @expression into a cron that has none yet. */
gboolean
clq_cron_parse (ClqCron *self, const char *expression, GError **error)
{
  Parser parser = { .text = expression, .next = expression, .error = error };

  if (strlen (expression) > MAX_LENGTH || !g_utf8_validate (expression, -1, NULL))
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "cron: expected UTF-8 text of at most %d bytes", MAX_LENGTH);
      return FALSE;
    }
  skip_blanks (&parser);
  if (*parser.next == '@')
    {
      g_autofree char *name = g_strdup (parser.next);
      const char *whole = find_nickname (&parser, g_strchomp (name));

      return whole != NULL && clq_cron_parse (self, whole, error);
    }
  for (guint i = 0; i < CRON_N_PARTS; i++)
    {
      parser.part = i;
      if (!parse_field (&parser, &self->fields[i]))
        return FALSE;
    }
  skip_blanks (&parser);
  if (*parser.next != '\0')
    return complain (&parser, parser.next, "there are more than five fields; expected the end after the day of the week");
  if (!can_happen (self))
    return complain (&parser, start_of_field (expression, CRON_DAY), "no month that is allowed has such a day; expected a date that exists");
  return TRUE;
}
