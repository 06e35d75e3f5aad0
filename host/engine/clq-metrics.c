#define G_LOG_DOMAIN "clq-metrics"

#include "clq-metrics.h"

#include <string.h>

/*
 * Metrics of a graph: rates over the newest events of all its sessions, and stays that are too long. What is measured is
 * what the journals say, so it is the same after a restart: a meter begins with reading them, and what has crossed its
 * bound before does not cross it again.
 */

/* A rate: how much each of the newest events counts. */
typedef struct
{
  guint16 *slots;
  guint n_slots; /* in use, up to the window */
  guint next;
  guint64 sum;
  gboolean is_alerted;
} Gauge;

typedef struct
{
  ClqGraph *graph;
  Gauge *gauges;   /* one per metric */
  gboolean *lates; /* one per state: the last stay was too long, or is */
  GArray *pending; /* ClqMove, since reading began; NULL when it is read */
} Meter;

static Meter *
meter_new (ClqGraph *graph)
{
  Meter *self = g_new0 (Meter, 1);

  self->graph = clq_graph_ref (graph);
  self->gauges = g_new0 (Gauge, graph->metrics->len);
  self->lates = g_new0 (gboolean, graph->n_states);
  return self;
}

static void
meter_free (gpointer data)
{
  Meter *self = data;

  for (guint i = 0; i < self->graph->metrics->len; i++)
    g_free (self->gauges[i].slots);
  g_free (self->gauges);
  g_free (self->lates);
  g_clear_pointer (&self->pending, g_array_unref);
  clq_graph_unref (self->graph);
  g_free (self);
}

/* ---- measuring ---- */

static void
open_slot (Gauge *gauge, guint window)
{
  if (gauge->slots == NULL)
    gauge->slots = g_new0 (guint16, window);
  if (gauge->n_slots == window)
    gauge->sum -= gauge->slots[gauge->next];
  else
    gauge->n_slots++;
  gauge->slots[gauge->next] = 0;
  gauge->next = (gauge->next + 1) % window;
}

/* What counts is counted with the newest of the events against which it is measured. */
static void
gauge_take (Gauge *gauge, const ClqMetric *metric, guint index, const ClqMove *move)
{
  gboolean counts = clq_metric_matches (metric->of, move->from, move->event) && (metric->when == NULL || (move->counts >> index & 1) != 0);

  if (metric->per != NULL && clq_metric_matches (metric->per, move->from, move->event))
    open_slot (gauge, metric->window);
  if (!counts || (metric->per != NULL && gauge->n_slots == 0))
    return;
  gauge->sum++;
  if (metric->per != NULL)
    gauge->slots[(gauge->next + metric->window - 1) % metric->window]++;
}

static double
gauge_get (const Gauge *gauge, const ClqMetric *metric)
{
  if (metric->per == NULL)
    return gauge->sum;
  return gauge->n_slots > 0 ? (double) gauge->sum / gauge->n_slots : 0;
}

static gboolean
gauge_is_bad (const Gauge *gauge, const ClqMetric *metric)
{
  return metric->alert_sign != 0 && (metric->per == NULL || gauge->n_slots >= metric->at_least) &&
         clq_bound_holds (metric->alert_sign, metric->alert, gauge_get (gauge, metric));
}

/* ---- printing ---- */

static void
append_name (GString *out, const char *name, const char *value)
{
  g_string_append_printf (out, "%s\"%s\":", out->str[out->len - 1] == '{' ? "" : ",", name);
  if (value != NULL)
    clq_json_append_string (out, value, -1);
}

static void
append_double (GString *out, const char *name, double value)
{
  append_name (out, name, NULL);
  clq_json_append_double (out, value);
}

static void
append_bound (GString *out, const char *name, const ClqMetric *metric, char sign, double bound)
{
  g_autofree char *text = NULL;

  if (sign == 0)
    return;
  text = g_strdup_printf (metric->per != NULL ? "%c %g%%" : "%c %g", sign, metric->per != NULL ? bound * 100 : bound);
  append_name (out, name, text);
}

static void
append_gauge (GString *out, const Gauge *gauge, const ClqMetric *metric)
{
  append_double (out, "count", (double) gauge->sum);
  if (metric->per != NULL)
    {
      append_double (out, "of", gauge->n_slots);
      append_name (out, "rate", NULL);
      if (gauge->n_slots > 0)
        clq_json_append_double (out, gauge_get (gauge, metric));
      else
        g_string_append (out, "null");
      append_double (out, "window", metric->window);
    }
  append_bound (out, "target", metric, metric->target_sign, metric->target);
  append_bound (out, "alert", metric, metric->alert_sign, metric->alert);
}

/* ---- alerts ---- */

/* A signal, a notification and a line in the log. */
static void
raise_alert (ClqEngine *engine, const ClqMove *move, GString *alert)
{
  g_autofree char *notification = g_strconcat ("{\"type\":\"alert\",", alert->str + 1, NULL);
  ClqNews news = { .type = CLQ_NEWS_ALERT, .id = move->id, .seq = move->seq, .at = move->at, .text = alert->str };

  g_info ("alert: %s", alert->str);
  clq_engine_tell (engine, &news);
  news.type = CLQ_NEWS_NOTIFIED;
  news.text = notification;
  clq_engine_tell (engine, &news);
  g_string_free (alert, TRUE);
}

static GString *
begin_alert (const Meter *self)
{
  GString *out = g_string_new ("{");

  append_name (out, "graph", self->graph->name);
  return out;
}

static void
raise_rate (ClqEngine *engine, const Meter *self, const Gauge *gauge, const ClqMetric *metric, const ClqMove *move)
{
  GString *out = begin_alert (self);

  append_name (out, "metric", metric->name);
  append_gauge (out, gauge, metric);
  g_string_append_c (out, '}');
  raise_alert (engine, move, out);
}

static void
raise_stay (ClqEngine *engine, const Meter *self, const ClqState *state, const ClqMove *move)
{
  GString *out = begin_alert (self);

  append_name (out, "state", state->name);
  append_double (out, "ms", (double) move->ms);
  append_double (out, "target", (double) (state->target / 1000));
  append_double (out, "alert", (double) (state->alert / 1000));
  g_string_append_c (out, '}');
  raise_alert (engine, move, out);
}

/* A stay counts when it is known what to think of it: one that is too long as soon as it is, any other at its end. */
static void
take_stay (Meter *self, ClqEngine *engine, const ClqMove *move)
{
  int index = clq_graph_find_state (self->graph, move->from);
  const ClqState *state = index >= 0 ? &self->graph->states[index] : NULL;
  gboolean was_late;

  if (state == NULL || state->alert == 0 || move->was_late)
    return;
  was_late = self->lates[index];
  self->lates[index] = move->is_late || move->ms * 1000 > state->alert;
  if (engine != NULL && self->lates[index] && !was_late)
    raise_stay (engine, self, state, move);
}

/* @engine: (nullable): who raises alerts; %NULL: they were raised before */
static void
meter_take (Meter *self, ClqEngine *engine, const ClqMove *move)
{
  take_stay (self, engine, move);
  if (move->is_late)
    return;
  for (guint i = 0; i < self->graph->metrics->len; i++)
    {
      const ClqMetric *metric = g_ptr_array_index (self->graph->metrics, i);
      Gauge *gauge = &self->gauges[i];
      gboolean was_alerted = gauge->is_alerted;

      gauge_take (gauge, metric, i, move);
      gauge->is_alerted = gauge_is_bad (gauge, metric);
      if (engine != NULL && gauge->is_alerted && !was_alerted)
        raise_rate (engine, self, gauge, metric, move);
    }
}

/* ---- the engine ---- */

typedef struct
{
  ClqEngine *engine;
  Meter *meter;
} Beginning;

static gboolean
is_pending (const Meter *self, const ClqMove *move)
{
  for (guint i = 0; i < self->pending->len; i++)
    {
      const ClqMove *other = &g_array_index (self->pending, ClqMove, i);

      if (memcmp (other->id, move->id, sizeof move->id) == 0 && other->seq <= move->seq)
        return TRUE;
    }
  return FALSE;
}

static void
on_moves (GArray *moves, const GError *error, gpointer user_data)
{
  g_autofree Beginning *beginning = user_data;
  Meter *meter = beginning->meter;
  g_autoptr (GArray) pending = meter->pending;

  for (guint i = 0; i < moves->len; i++)
    if (!is_pending (meter, &g_array_index (moves, ClqMove, i)))
      meter_take (meter, NULL, &g_array_index (moves, ClqMove, i));
  meter->pending = NULL;
  for (guint i = 0; i < pending->len; i++)
    meter_take (meter, beginning->engine, &g_array_index (pending, ClqMove, i));
}

static Meter *
get_meter (ClqEngine *engine, ClqGraph *graph, const ClqMove *move)
{
  Meter *meter = engine->meters != NULL ? g_hash_table_lookup (engine->meters, graph) : NULL;
  Beginning *beginning;

  if (meter != NULL)
    return meter;
  if (engine->meters == NULL)
    engine->meters = g_hash_table_new_full (NULL, NULL, NULL, meter_free);
  meter = meter_new (graph);
  g_hash_table_insert (engine->meters, graph, meter);
  meter->pending = g_array_new (FALSE, FALSE, sizeof (ClqMove));
  g_array_append_val (meter->pending, *move);
  beginning = g_new (Beginning, 1);
  *beginning = (Beginning){ engine, meter };
  clq_moves_read (engine, graph, clq_metrics_get_limit (graph), on_moves, beginning);
  return NULL;
}

static void
note (ClqEngine *engine, const ClqDraft *draft, const char *from, gboolean is_late)
{
  ClqMove move = {
    .seq = g_array_index (draft->commit.records, ClqRecord, 0).seq,
    .at = draft->now,
    .from = from,
    .event = draft->event->owned_name == NULL ? draft->event->name : g_intern_string (draft->event->name),
    .ms = draft->moved_ms,
    .counts = draft->counts,
    .is_late = is_late,
    .was_late = !is_late && draft->was_late,
  };
  Meter *meter;

  memcpy (move.id, draft->live->head.id, sizeof move.id);
  meter = get_meter (engine, draft->live->graph, &move);
  if (meter != NULL && meter->pending != NULL)
    g_array_append_val (meter->pending, move);
  else if (meter != NULL)
    meter_take (meter, engine, &move);
}

/* Private: a transition is durable. */
void
clq_metrics_note (ClqEngine *engine, const ClqDraft *draft, const char *from)
{
  note (engine, draft, from, FALSE);
}

/* Private: it is durable that a stay has become too long. */
void
clq_metrics_note_late (ClqEngine *engine, const ClqDraft *draft)
{
  note (engine, draft, draft->live->head.state, TRUE);
}

/* Private: of metrics with a condition, those for which the event counts: bits by index. */
guint64
clq_metrics_find_counts (ClqDraft *draft)
{
  const ClqGraph *graph = draft->live->graph;
  guint64 counts = 0;

  for (guint i = 0; i < MIN (graph->metrics->len, 64); i++)
    {
      const ClqMetric *metric = g_ptr_array_index (graph->metrics, i);

      if (metric->when != NULL && clq_metric_matches (metric->of, draft->live->head.state, draft->event->name) &&
          clq_guard_eval (metric->when, &draft->view, draft->event, graph->modality_self) == CLQ_TRUE)
        counts |= (guint64) 1 << i;
    }
  return counts;
}

/* ---- reports ---- */

/* Private: how many transitions are enough to fill all windows, as a rule. */
guint
clq_metrics_get_limit (const ClqGraph *graph)
{
  guint window = 50;

  for (guint i = 0; i < graph->metrics->len; i++)
    window = MAX (window, ((const ClqMetric *) g_ptr_array_index (graph->metrics, i))->window);
  return MIN (window * (graph->n_states + 2), 100000);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, other = *(const gint64 *) b;

  return one < other ? -1 : one > other;
}

static void
append_stays (GString *out, const ClqState *state, gboolean is_late, GArray *times)
{
  gint64 sum = 0;

  g_array_sort (times, compare_times);
  for (guint i = 0; i < times->len; i++)
    sum += g_array_index (times, gint64, i);
  append_name (out, state->name, NULL);
  g_string_append_c (out, '{');
  append_double (out, "count", times->len);
  append_double (out, "ms", (double) (sum / times->len));
  append_double (out, "medianMs", (double) g_array_index (times, gint64, times->len / 2));
  append_double (out, "p95Ms", (double) g_array_index (times, gint64, (times->len - 1) * 95 / 100));
  append_double (out, "maxMs", (double) g_array_index (times, gint64, times->len - 1));
  append_double (out, "sumMs", (double) sum);
  if (state->target > 0)
    append_double (out, "target", (double) (state->target / 1000));
  if (state->alert > 0)
    {
      append_double (out, "alert", (double) (state->alert / 1000));
      append_name (out, "alerted", NULL);
      g_string_append (out, is_late ? "true" : "false");
    }
  g_string_append_c (out, '}');
}

static void
append_states (GString *out, const Meter *meter, const GArray *moves)
{
  const ClqGraph *graph = meter->graph;

  for (guint i = 0; i < graph->n_states; i++)
    {
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));

      for (guint j = 0; j < moves->len; j++)
        {
          const ClqMove *move = &g_array_index (moves, ClqMove, j);

          if (!move->is_late && strcmp (move->from, graph->states[i].name) == 0)
            g_array_append_val (times, move->ms);
        }
      if (times->len > 0)
        append_stays (out, &graph->states[i], meter->lates[i], times);
    }
}

/**
 * clq_metrics_dup_report:
 * @graph: a graph
 * @moves: (element-type ClqMove): transitions of its sessions, oldest first
 *
 * Returns: (transfer full): a JSON object: how long stays were, by state, and rates, by metric
 */
char *
clq_metrics_dup_report (const ClqGraph *graph, const GArray *moves)
{
  Meter *meter = meter_new ((ClqGraph *) graph);
  GString *out = g_string_new ("{");
  guint n_late = 0;

  for (guint i = 0; i < moves->len; i++)
    {
      meter_take (meter, NULL, &g_array_index (moves, ClqMove, i));
      n_late += g_array_index (moves, ClqMove, i).is_late;
    }
  append_name (out, "graph", graph->name);
  append_double (out, "transitions", moves->len - n_late);
  append_name (out, "states", NULL);
  g_string_append_c (out, '{');
  append_states (out, meter, moves);
  g_string_append_c (out, '}');
  append_name (out, "metrics", NULL);
  g_string_append_c (out, '{');
  for (guint i = 0; i < graph->metrics->len; i++)
    {
      const ClqMetric *metric = g_ptr_array_index (graph->metrics, i);

      append_name (out, metric->name, NULL);
      g_string_append_c (out, '{');
      append_gauge (out, &meter->gauges[i], metric);
      if (metric->alert_sign != 0)
        {
          append_name (out, "alerted", NULL);
          g_string_append (out, meter->gauges[i].is_alerted ? "true" : "false");
        }
      g_string_append_c (out, '}');
    }
  g_string_append (out, "}}");
  meter_free (meter);
  return g_string_free (out, FALSE);
}
