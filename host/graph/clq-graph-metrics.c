#define G_LOG_DOMAIN "clq-graph"

#include "clq-graph-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  char *of;
  char *target;
  char *alert;
  gint64 window;
  char *when;
  gint64 at_least;
} MetricValues;

static const ClqSetting metric_settings[] = {
  CLQ_STRING (MetricValues, of, NULL, "what is counted: STATE.EVENT, STATE.* or EVENT, separated by ; and with / against what"),
  CLQ_STRING (MetricValues, target, NULL, "what should hold: > 75% or < 5% of a rate, a number for a count"),
  CLQ_STRING (MetricValues, alert, NULL, "what raises an alert, written like target"),
  CLQ_INT (MetricValues, window, 50, 1, 1e6, "over how many events"),
  CLQ_STRING (MetricValues, when, NULL, "a guard: only if it holds does an event count"),
  CLQ_INT (MetricValues, at_least, 1, 1, 1e6, "how many events there must be before alert is compared"),
  { NULL },
};

/* Private: frees a metric. */
void
clq_metric_free (gpointer metric)
{
  ClqMetric *self = metric;

  g_free (self->name);
  g_strfreev (self->of);
  g_strfreev (self->per);
  g_free (self);
}

static void
check_item (ClqCompiler *self, ClqPlace place, const char *item)
{
  const char *dot = strchr (item, '.');
  g_autofree char *state = dot != NULL ? g_strndup (item, dot - item) : NULL;

  if (state != NULL)
    clq_compiler_find_state (self, place, state);
  if (dot == NULL || strcmp (dot, ".*") != 0)
    clq_compiler_find_event (self, place, dot != NULL ? dot + 1 : item);
}

/* Events, separated by `;`. */
static char **
read_items (ClqCompiler *self, ClqPlace place, const char *text)
{
  char **items = g_strsplit (text, ";", -1);

  for (guint i = 0; items[i] != NULL; i++)
    {
      g_strstrip (items[i]);
      if (*items[i] == '\0')
        clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "there is no event in '%s'; expected STATE.EVENT, STATE.* or EVENT", text);
      else
        check_item (self, place, items[i]);
    }
  return items;
}

static void
read_of (ClqCompiler *self, ClqPlace place, const char *text, ClqMetric *metric)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", -1);
  guint n = g_strv_length (parts);

  if (n == 0 || n > 2)
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "'%s' is nothing to count; expected EVENTS or EVENTS / EVENTS", text);
      return;
    }
  metric->of = read_items (self, place, parts[0]);
  metric->per = n == 2 ? read_items (self, place, parts[1]) : NULL;
}

/* `> 75%`, or `> 3` for a plain count. */
static void
read_bound (ClqCompiler *self, ClqPlace place, const char *text, gboolean is_rate, char *sign, double *bound)
{
  const char *start = text + 1;
  char *end = NULL;
  double number = 0;
  gboolean good = *text == '<' || *text == '>';

  if (good)
    {
      while (g_ascii_isspace (*start))
        start++;
      good = g_ascii_isdigit (*start);
      number = g_ascii_strtod (start, &end);
    }
  good = good && isfinite (number) && strcmp (end, is_rate ? "%" : "") == 0 && (!is_rate || number <= 100);
  if (!good)
    {
      clq_compiler_report (self, place, CLQ_GRAPH_ERROR_VALUE, "'%s' is no bound of a %s; expected '<' or '>' and %s", text,
                           is_rate ? "rate" : "count", is_rate ? "0% to 100%, for example > 75%" : "a number, for example > 3");
      return;
    }
  *sign = *text;
  *bound = is_rate ? number / 100 : number;
}

static void
read_metric (ClqCompiler *self, const ClqGroup *group, const char *name)
{
  ClqMetric *metric = g_new0 (ClqMetric, 1);
  MetricValues values = { 0 };
  ClqPlace of = { group, g_hash_table_lookup (group->index, "of") };

  metric->name = g_strdup (name);
  g_ptr_array_add (self->graph->metrics, metric);
  clq_settings_set_defaults (metric_settings, sizeof (ClqSetting), &values, NULL);
  clq_compiler_read_group (self, group, metric_settings, &values);
  metric->window = (guint) values.window;
  metric->at_least = (guint) MIN (values.at_least, values.window);
  if (values.when != NULL)
    metric->when = clq_compiler_get_guard (self, (ClqPlace){ group, g_hash_table_lookup (group->index, "when") }, values.when);
  if (values.of == NULL)
    clq_compiler_report (self, of, CLQ_GRAPH_ERROR_VALUE, "it counts nothing; expected of=EVENTS or of=EVENTS / EVENTS");
  else
    read_of (self, of, values.of, metric);
  /* Whether a bound is one depends on what is counted. */
  if (values.target != NULL && metric->of != NULL)
    read_bound (self, (ClqPlace){ group, g_hash_table_lookup (group->index, "target") }, values.target, metric->per != NULL,
                &metric->target_sign, &metric->target);
  if (values.alert != NULL && metric->of != NULL)
    read_bound (self, (ClqPlace){ group, g_hash_table_lookup (group->index, "alert") }, values.alert, metric->per != NULL,
                &metric->alert_sign, &metric->alert);
  clq_settings_clear (metric_settings, sizeof (ClqSetting), &values);
}

/* Private: whether an event that leads away from a state is one of STATE.EVENT, STATE.* or EVENT. */
gboolean
clq_metric_matches (char **patterns, const char *state, const char *event)
{
  gsize length = strlen (state);

  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    {
      const char *dot = strchr (patterns[i], '.');

      if (dot == NULL ? strcmp (patterns[i], event) == 0
                      : length == (gsize) (dot - patterns[i]) && strncmp (patterns[i], state, length) == 0 &&
                            (strcmp (dot + 1, "*") == 0 || strcmp (dot + 1, event) == 0))
        return TRUE;
    }
  return FALSE;
}

/* Private: whether a value is on that side of a bound. */
gboolean
clq_bound_holds (char sign, double bound, double value)
{
  return sign == '<' ? value < bound : sign == '>' && value > bound;
}

/* Private: reads all [metric NAME]. */
void
clq_compiler_read_metrics (ClqCompiler *self)
{
  GPtrArray *groups = clq_keyfile_get_groups (self->graph->keyfile);

  for (guint i = 0; i < groups->len; i++)
    {
      const ClqGroup *group = g_ptr_array_index (groups, i);
      ClqPlace place = { group, NULL };

      if (strcmp (group->name, "metric") == 0)
        clq_compiler_report (self, place, CLQ_GRAPH_ERROR_SYNTAX, "the metric has no name; expected [metric NAME]");
      else if (g_str_has_prefix (group->name, "metric ") &&
               clq_compiler_check_name (self, place, "a metric", group->name + strlen ("metric ")))
        read_metric (self, group, group->name + strlen ("metric "));
    }
  self->graph->is_measured = self->graph->metrics->len > 0;
  for (guint i = 0; i < self->graph->n_states; i++)
    self->graph->is_measured = self->graph->is_measured || self->graph->states[i].alert > 0;
}
