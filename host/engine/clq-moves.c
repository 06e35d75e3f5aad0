#define G_LOG_DOMAIN "clq-moves"

#include "clq-metrics.h"

#include <string.h>

/*
 * The newest transitions of all sessions of a graph. Sessions are read from the one that was written last on, each from its
 * end, until those that are left cannot have newer ones. So it takes as long as what is wanted, however much there is.
 */
#define PAGE 50

typedef struct
{
  ClqEngine *engine;
  ClqGraph *graph;
  guint limit;
  GArray *moves;    /* ClqMove */
  GPtrArray *heads; /* ClqHead, of this page */
  guint next;
  guint8 id[16]; /* of the session that is read */
  GError *error;
  ClqMovesFunc func;
  gpointer user_data;
  guint depth; /* of answers that came from inside */
  gboolean must_go_on;
} Reading;

static void go_on (Reading *self);

static int
compare (gconstpointer a, gconstpointer b)
{
  const ClqMove *one = a, *other = b;
  int by_id = memcmp (one->id, other->id, sizeof one->id);

  if (one->at != other->at)
    return one->at < other->at ? -1 : 1;
  if (by_id != 0)
    return by_id;
  return one->seq < other->seq ? -1 : one->seq > other->seq;
}

/* The newest at the end, no more than wanted. */
static void
trim (Reading *self)
{
  g_array_sort (self->moves, compare);
  if (self->moves->len > self->limit)
    g_array_remove_range (self->moves, 0, self->moves->len - self->limit);
}

static void
end (Reading *self)
{
  trim (self);
  self->func (self->moves, self->error, self->user_data);
  g_array_unref (self->moves);
  g_clear_pointer (&self->heads, g_ptr_array_unref);
  g_clear_error (&self->error);
  clq_graph_unref (self->graph);
  g_free (self);
}

/* A store may answer from inside; then the one further up on the stack goes on. */
static void
continue_reading (Reading *self)
{
  if (self->depth > 0)
    self->must_go_on = TRUE;
  else
    go_on (self);
}

static guint64
read_counts (const Reading *self, const char *body, gsize length)
{
  ClqJsonSpan list = clq_json_find (body, (gssize) length, "counts"), key, value;
  ClqJsonIter iter;
  guint64 counts = 0;

  if (list.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &list))
    while (clq_json_iter_next (&iter, &key, &value))
      for (guint i = 0; i < MIN (self->graph->metrics->len, 64); i++)
        if (clq_json_span_string_equal (&value, ((const ClqMetric *) g_ptr_array_index (self->graph->metrics, i))->name))
          counts |= (guint64) 1 << i;
  return counts;
}

static const char *
intern (const char *body, gsize length, const char *name)
{
  ClqJsonSpan span = clq_json_find (body, (gssize) length, name);
  g_autofree char *text = span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;

  return text != NULL ? g_intern_string (text) : NULL;
}

/* A stay that has become too long. What was read before is newer: the end of the same stay, if it has come. */
static void
add_late (Reading *self, const ClqRecord *record, const char *state)
{
  ClqMove move = { .seq = clq_record_get_seq (record), .at = clq_record_get_at (record), .from = state, .event = g_intern_static_string ("alert"), .is_late = TRUE };
  ClqMove *end = self->moves->len > 0 ? &g_array_index (self->moves, ClqMove, self->moves->len - 1) : NULL;

  memcpy (move.id, self->id, sizeof move.id);
  if (end != NULL && memcmp (end->id, move.id, sizeof move.id) == 0)
    end->was_late = !end->is_late;
  g_array_append_val (self->moves, move);
}

static void
add_record (Reading *self, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan ms = clq_json_find (body, (gssize) length, "ms");
  ClqMove move = {
    .seq = clq_record_get_seq (record),
    .at = clq_record_get_at (record),
    .from = intern (body, length, "from"),
    .event = intern (body, length, "event"),
    .ms = ms.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&ms) : 0,
  };

  const char *late = move.from == NULL && move.event == g_intern_static_string ("alert") ? intern (body, length, "payload.state") : NULL;

  if (late != NULL)
    add_late (self, record, late);
  if (move.from == NULL || move.event == NULL || clq_json_find (body, (gssize) length, "to").type != CLQ_JSON_STRING)
    return;
  memcpy (move.id, self->id, sizeof move.id);
  move.counts = read_counts (self, body, length);
  g_array_append_val (self->moves, move);
}

/* A session that cannot be read is left out. */
static void
on_records (ClqQuery *query, gpointer user_data)
{
  Reading *self = user_data;

  self->engine->n_queries--;
  for (guint i = 0; i < query->records->len && query->error == NULL; i++)
    add_record (self, g_ptr_array_index (query->records, i));
  continue_reading (self);
}

static void
read_session (Reading *self, const ClqHead *head)
{
  ClqQuery *query = clq_query_new (on_records, self);

  memcpy (self->id, clq_head_get_id (head), sizeof self->id);
  memcpy (query->id, self->id, sizeof query->id);
  query->types = 1u << CLQ_RECORD_EVENT;
  query->newest_first = TRUE;
  query->limit = self->limit;
  self->engine->n_queries++;
  self->engine->store->journal (self->engine->store_self, query);
}

static void
on_heads (ClqQuery *query, gpointer user_data)
{
  Reading *self = user_data;

  self->engine->n_queries--;
  g_clear_pointer (&self->heads, g_ptr_array_unref);
  self->heads = g_ptr_array_ref (query->heads);
  self->next = 0;
  if (query->error != NULL)
    self->error = g_error_copy (query->error);
  continue_reading (self);
}

static void
read_page (Reading *self)
{
  ClqQuery *query = clq_query_new (on_heads, self);
  const ClqHead *last = self->heads != NULL && self->heads->len > 0 ? g_ptr_array_index (self->heads, self->heads->len - 1) : NULL;

  query->newest_first = TRUE;
  query->limit = PAGE;
  clq_query_set_filter (query, "graph", self->graph->name);
  if (last != NULL)
    {
      memcpy (query->id, clq_head_get_id (last), sizeof query->id);
      query->before = (guint64) clq_head_get_updated_at (last);
    }
  self->engine->n_queries++;
  self->engine->store->list (self->engine->store_self, query);
}

/* Whether a session that was written then can have nothing that is wanted. */
static gboolean
is_enough (Reading *self, gint64 written_at)
{
  if (self->moves->len < self->limit)
    return FALSE;
  trim (self);
  return written_at < g_array_index (self->moves, ClqMove, 0).at;
}

static void
go_on (Reading *self)
{
  gboolean is_over = FALSE;

  self->must_go_on = TRUE;
  while (self->must_go_on && !is_over)
    {
      const ClqHead *head = self->heads != NULL && self->next < self->heads->len ? g_ptr_array_index (self->heads, self->next) : NULL;

      self->must_go_on = FALSE;
      self->depth++;
      if (self->error != NULL || self->engine->closed || (self->heads != NULL && head == NULL && self->heads->len < PAGE) ||
          (head != NULL && is_enough (self, clq_head_get_updated_at (head))))
        is_over = TRUE;
      else if (head == NULL)
        read_page (self);
      else
        {
          self->next++;
          read_session (self, head);
        }
      self->depth--;
    }
  if (is_over)
    end (self);
}

/* Private: gives the newest transitions of all sessions of a graph, oldest first. The answer may come from inside. */
void
clq_moves_read (ClqEngine *engine, ClqGraph *graph, guint limit, ClqMovesFunc func, gpointer user_data)
{
  Reading *self = g_new0 (Reading, 1);

  self->engine = engine;
  self->graph = clq_graph_ref (graph);
  self->limit = limit;
  self->moves = g_array_new (FALSE, FALSE, sizeof (ClqMove));
  self->func = func;
  self->user_data = user_data;
  go_on (self);
}
