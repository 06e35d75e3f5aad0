#include "random-cron.h"

static const int least[5] = { 0, 0, 1, 1, 0 }, most[5] = { 59, 23, 31, 12, 7 };
static const char *const words[] = { "jan", "FEB", "Mar", "apr", "MAY", "jun", "JUL", "aug", "sep", "oct", "nov", "dec" };
static const char *const days[] = { "sun", "MON", "Tue", "wed", "THU", "fri", "SAT" };

static void
allow (RandomCron *self, int part, int first, int last, int step)
{
  for (int value = first; value <= last; value += step)
    self->allowed[part][part == 4 ? value % 7 : value] = TRUE;
}

static void
append_value (GString *out, GRand *rand, int part, int value)
{
  if (part == 3 && g_rand_int_range (rand, 0, 3) == 0)
    g_string_append (out, words[value - 1]);
  else if (part == 4 && value < 7 && g_rand_int_range (rand, 0, 3) == 0)
    g_string_append (out, days[value]);
  else
    g_string_append_printf (out, "%d", value);
}

static void
add_element (RandomCron *self, GString *out, GRand *rand, int part)
{
  int first = g_rand_int_range (rand, least[part], most[part] + 1), last = g_rand_int_range (rand, first, most[part] + 1);
  int step = g_rand_int_range (rand, 1, MIN (13, most[part] - least[part] + 1));

  switch (g_rand_int_range (rand, 0, 6))
    {
    case 0:
      g_string_append_printf (out, "*/%d", step);
      allow (self, part, least[part], part == 4 ? 6 : most[part], step);
      self->any[part] |= step == 1;
      break;
    case 1:
      append_value (out, rand, part, first);
      g_string_append_c (out, '-');
      append_value (out, rand, part, last);
      allow (self, part, first, last, 1);
      break;
    case 2:
      g_string_append_printf (out, "%d-%d/%d", first, last, step);
      allow (self, part, first, last, step);
      break;
    case 3:
      g_string_append_printf (out, "%d/%d", first, step);
      allow (self, part, first, most[part], step);
      break;
    default:
      append_value (out, rand, part, first);
      allow (self, part, first, first, 1);
    }
}

/* Asterisks are as frequent as in real ones, so that most crons run on most days. */
static void
add_field (RandomCron *self, GString *out, GRand *rand, int part)
{
  static const int stars_of_10[5] = { 1, 4, 7, 8, 6 };
  int n = g_rand_int_range (rand, 0, 4) == 0 ? g_rand_int_range (rand, 2, 5) : 1;

  if (part > 0)
    g_string_append_c (out, ' ');
  if (g_rand_int_range (rand, 0, 10) < stars_of_10[part])
    {
      g_string_append_c (out, '*');
      allow (self, part, least[part], part == 4 ? 6 : most[part], 1);
      self->any[part] = TRUE;
      return;
    }
  for (int i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      add_element (self, out, rand, part);
    }
}

static gboolean
can_happen (const RandomCron *self)
{
  static const int lengths[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

  for (int month = 1; month <= 12; month++)
    for (int day = 1; day <= lengths[month - 1]; day++)
      if (self->allowed[3][month] && (self->allowed[2][day] || !self->any[4]))
        return TRUE;
  return FALSE;
}

void
random_cron_make (RandomCron *self, GRand *rand)
{
  do
    {
      g_autoptr (GString) out = g_string_new (NULL);

      *self = (RandomCron){ 0 };
      for (int part = 0; part < 5; part++)
        add_field (self, out, rand, part);
      g_assert_cmpuint (out->len, <, sizeof self->text);
      g_strlcpy (self->text, out->str, sizeof self->text);
    }
  while (!can_happen (self));
}

/* If both day fields are restricted either will do. */
gboolean
random_cron_allows_day (const RandomCron *self, int day, int month, int weekday)
{
  gboolean by_day = self->allowed[2][day], by_weekday = self->allowed[4][weekday];

  if (!self->allowed[3][month])
    return FALSE;
  return !self->any[2] && !self->any[4] ? by_day || by_weekday : by_day && by_weekday;
}
