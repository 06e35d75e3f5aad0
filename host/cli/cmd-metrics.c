#define G_LOG_DOMAIN "colloquy"

#include "cli-table.h"

#include <md4c.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SESSIONS 1000 /* in which graphs are looked for if none is named */

/* ---- reading a report ---- */

static double
get_number (const ClqJsonSpan *object, const char *name)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, name);

  return span.type == CLQ_JSON_NUMBER ? clq_json_span_get_double (&span) : -1;
}

static char *
dup_text (const ClqJsonSpan *object, const char *name)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : g_strdup ("");
}

static gboolean
is_alerted (const ClqJsonSpan *object)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, "alerted");

  return clq_json_span_is_true (&span);
}

typedef void (*RowFunc) (const char *name, const ClqJsonSpan *value, gpointer user_data);

static void
foreach_member (const char *report, const char *group, RowFunc func, gpointer user_data)
{
  ClqJsonSpan object = clq_json_find (report, -1, group), key, value;
  ClqJsonIter iter;

  if (object.type == CLQ_JSON_OBJECT && clq_json_iter_init (&iter, &object))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        g_autofree char *name = clq_json_span_dup_string (&key);

        func (name, &value, user_data);
      }
}

/* ---- for people ---- */

typedef struct
{
  TermTable *table;
  gboolean has_bar;
} Drawing;

static void
begin_table (Drawing *drawing, const char *const *head)
{
  drawing->table = term_table_new ();
  term_table_begin_row (drawing->table);
  for (guint i = 0; head[i] != NULL; i++)
    term_table_add_cell (drawing->table, head[i], i == 0 ? MD_ALIGN_LEFT : MD_ALIGN_RIGHT);
}

static void
add_cell (Drawing *drawing, MD_ALIGN align, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
add_cell (Drawing *drawing, MD_ALIGN align, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  term_table_add_cell (drawing->table, text, align);
}

/* Nothing if it is not there. */
static void
add_time (Drawing *drawing, double ms)
{
  g_autofree char *text = ms >= 0 ? clq_duration_print ((GTimeSpan) (ms * 1000)) : g_strdup ("");

  add_cell (drawing, MD_ALIGN_RIGHT, "%s", text);
}

static void
add_state (const char *name, const ClqJsonSpan *value, gpointer user_data)
{
  Drawing *drawing = user_data;
  double mean = get_number (value, "ms"), target = get_number (value, "target"), alert = get_number (value, "alert");
  g_autoptr (GString) bar = g_string_new (NULL);

  term_table_begin_row (drawing->table);
  add_cell (drawing, MD_ALIGN_LEFT, "%s", name);
  add_cell (drawing, MD_ALIGN_RIGHT, "%.0f", get_number (value, "count"));
  add_time (drawing, mean);
  add_time (drawing, get_number (value, "p95Ms"));
  add_time (drawing, get_number (value, "maxMs"));
  add_time (drawing, target);
  add_time (drawing, alert);
  if (drawing->has_bar && alert > 0)
    cli_bar_append (bar, mean / alert, mean > alert ? TERM_RED : mean > target ? TERM_YELLOW
                                                                               : TERM_GREEN);
  g_string_append (bar, is_alerted (value) ? " ALERT" : "");
  term_table_add_cell (drawing->table, bar->str, MD_ALIGN_LEFT);
}

/* Whether a rate is on the good side of its target, which is written like `> 75%`. */
static gboolean
meets (double rate, const char *target)
{
  double bound = *target != '\0' ? g_ascii_strtod (target + 1, NULL) / 100 : 0;

  return *target == '\0' || clq_bound_holds (*target, bound, rate);
}

static void
add_metric (const char *name, const ClqJsonSpan *value, gpointer user_data)
{
  Drawing *drawing = user_data;
  double rate = get_number (value, "rate"), of = get_number (value, "of");
  g_autofree char *target = dup_text (value, "target"), *alert = dup_text (value, "alert");
  g_autoptr (GString) text = g_string_new (NULL);

  term_table_begin_row (drawing->table);
  add_cell (drawing, MD_ALIGN_LEFT, "%s", name);
  if (of >= 0)
    add_cell (drawing, MD_ALIGN_RIGHT, "%.0f of %.0f", get_number (value, "count"), of);
  else
    add_cell (drawing, MD_ALIGN_RIGHT, "%.0f", get_number (value, "count"));
  if (rate >= 0)
    g_string_append_printf (text, "%3.0f %% ", rate * 100);
  if (rate >= 0 && drawing->has_bar)
    cli_bar_append (text, rate, is_alerted (value) ? TERM_RED : meets (rate, target) ? TERM_GREEN
                                                                                     : TERM_YELLOW);
  term_table_add_cell (drawing->table, text->str, MD_ALIGN_LEFT);
  add_cell (drawing, MD_ALIGN_RIGHT, "%s", target);
  add_cell (drawing, MD_ALIGN_RIGHT, "%s", alert);
  add_cell (drawing, MD_ALIGN_LEFT, "%s", is_alerted (value) ? "ALERT" : "");
}

static void
print_tables (const char *report)
{
  static const char *const states[] = { "state", "stays", "mean", "95 %", "longest", "target", "alert", "", NULL };
  static const char *const metrics[] = { "metric", "events", "rate", "target", "alert", "", NULL };
  Drawing drawing = { .has_bar = cli_is_terminal (STDOUT_FILENO) };
  g_autofree char *graph = clq_json_find_string (report, "graph");
  Term term;

  term_init (&term, STDOUT_FILENO, !drawing.has_bar);
  term_say (&term, (TermStyle){ TERM_BOLD, TERM_DEFAULT }, "%s\n", graph);
  begin_table (&drawing, states);
  foreach_member (report, "states", add_state, &drawing);
  cli_table_draw (&term, drawing.table);
  if (clq_json_find (report, -1, "metrics").length > strlen ("{}"))
    {
      term_draw_line (&term, "");
      begin_table (&drawing, metrics);
      foreach_member (report, "metrics", add_metric, &drawing);
      cli_table_draw (&term, drawing.table);
    }
  term_flush (&term);
  term_clear (&term);
}

/* ---- for Prometheus ---- */

/* One number of every state or metric of a report. */
typedef struct
{
  const char *name;
  const char *help;
  const char *group; /* of the report */
  const char *label;
  const char *member;
  double factor;
} Sample;

static const Sample samples[] = {
  { "colloquy_stays", "Stays in a state, of those that are looked at.", "states", "state", "count", 1 },
  { "colloquy_stay_mean_seconds", "How long stays in a state were.", "states", "state", "ms", 0.001 },
  { "colloquy_stay_p95_seconds", "How long 95 % of the stays in a state were at most.", "states", "state", "p95Ms", 0.001 },
  { "colloquy_stay_max_seconds", "How long the longest stay in a state was.", "states", "state", "maxMs", 0.001 },
  { "colloquy_stay_alert", "Whether the last stay in a state was too long.", "states", "state", "alerted", 1 },
  { "colloquy_metric_events", "Events that a metric has counted.", "metrics", "metric", "count", 1 },
  { "colloquy_metric_ratio", "A rate that the graph names.", "metrics", "metric", "rate", 1 },
  { "colloquy_metric_alert", "Whether a metric is beyond its alert.", "metrics", "metric", "alerted", 1 },
};

typedef struct
{
  const Sample *sample;
  const char *graph;
} Printing;

static void
print_sample (const char *name, const ClqJsonSpan *value, gpointer user_data)
{
  const Printing *printing = user_data;
  ClqJsonSpan span = clq_json_find (value->start, (gssize) value->length, printing->sample->member);
  g_autoptr (GString) number = g_string_new (NULL);

  if (span.type != CLQ_JSON_NUMBER && span.type != CLQ_JSON_BOOL)
    return;
  clq_json_append_double (number, span.type == CLQ_JSON_BOOL ? clq_json_span_is_true (&span) : clq_json_span_get_double (&span) * printing->sample->factor);
  printf ("%s{graph=\"%s\",%s=\"%s\"} %s\n", printing->sample->name, printing->graph, printing->sample->label, name, number->str);
}

/* Names of graphs, states and metrics need no escaping: they are letters, digits, - and _. */
static void
print_prometheus (GPtrArray *reports)
{
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      printf ("# HELP %s %s\n# TYPE %s gauge\n", samples[i].name, samples[i].help, samples[i].name);
      for (guint j = 0; j < reports->len; j++)
        {
          g_autofree char *graph = clq_json_find_string (reports->pdata[j], "graph");

          foreach_member (reports->pdata[j], samples[i].group, print_sample, &(Printing){ &samples[i], graph });
        }
    }
}

/* ---- the command ---- */

static void
on_heads (GPtrArray *heads, const GError *error, gpointer user_data)
{
  GPtrArray *names = user_data;

  for (guint i = 0; error == NULL && i < heads->len; i++)
    {
      const char *name = clq_head_get_graph_name (g_ptr_array_index (heads, i));

      if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, g_strdup (name));
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static int
read_report (ClqHost *host, const char *name, GPtrArray *reports)
{
  g_autoptr (ClqGraph) graph = cli_load_graph (host, name, NULL, FALSE);
  g_auto (CliAnswer) answer = { NULL };

  if (graph == NULL)
    return CLI_FAILURE;
  clq_host_read_metrics (host, graph, cli_on_answer, &answer);
  clq_host_settle (host);
  if (answer.error != NULL)
    return cli_fail (answer.error);
  g_ptr_array_add (reports, g_steal_pointer (&answer.text));
  return CLI_OK;
}

static int
read_reports (ClqHost *host, const char *graph, GPtrArray *reports)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  int status = CLI_OK;

  clq_host_set_passive (host, TRUE);
  if (graph != NULL)
    g_ptr_array_add (names, g_strdup (graph));
  else
    {
      clq_host_list_sessions (host, &(ClqSessionFilter){ .limit = SESSIONS }, on_heads, names);
      clq_host_settle (host);
      g_ptr_array_sort (names, compare_names);
    }
  for (guint i = 0; i < names->len && status == CLI_OK; i++)
    status = read_report (host, names->pdata[i], reports);
  return status;
}

int
cmd_metrics (int argc, char **argv)
{
  gboolean json = FALSE, prometheus = FALSE;
  g_autofree char *store = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per graph", NULL },
    { "prometheus", 0, 0, G_OPTION_ARG_NONE, &prometheus, "The text format of Prometheus", NULL },
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where the sessions are kept (default: sqlite)", "sqlite:PATH" },
    { NULL },
  };
  g_autoptr (GPtrArray) reports = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClqHost) host = NULL;
  int status;

  if (!cli_parse (cli_find_command ("metrics"), entries, &argc, &argv, 0, 1, &status))
    return status;
  host = clq_host_new (NULL);
  if (!cli_view_store (host, store, &error))
    status = cli_fail (error);
  else
    status = read_reports (host, argc > 1 ? argv[1] : NULL, reports);
  if (status == CLI_OK && prometheus)
    print_prometheus (reports);
  for (guint i = 0; status == CLI_OK && !prometheus && i < reports->len; i++)
    {
      if (json)
        puts (reports->pdata[i]);
      else
        print_tables (reports->pdata[i]);
    }
  clq_host_close (host);
  return status;
}
