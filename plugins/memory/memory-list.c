#define G_LOG_DOMAIN "memory-list"

#include "memory.h"

#include <string.h>

static gboolean
is_wanted (const char *wanted, const char *text)
{
  return wanted == NULL || strcmp (wanted, text) == 0;
}

/**
 * memory_filter_init:
 * @self: a filter
 * @memory: the store
 * @query: what is asked for
 *
 * Compares texts once per shape, so that a row is looked at without reading its head.
 */
void
memory_filter_init (MemoryFilter *self, Memory *memory, ClqQuery *query)
{
  const char *graph = clq_query_get_filter (query, "graph");
  const char *state = clq_query_get_filter (query, "state");
  const char *status = clq_query_get_filter (query, "status");
  const char *owner = clq_query_get_filter (query, "owner");
  guint n_shapes = memory->heads.shapes->len;

  *self = (MemoryFilter){ .unread = clq_query_get_filter (query, "unread") != NULL ? memory->unread : NULL };
  if (owner != NULL)
    {
      self->owner = memory_heads_find_owner (&memory->heads, owner);
      self->is_hopeless = self->owner == 0;
    }
  if (graph == NULL && state == NULL && status == NULL)
    return;
  self->shapes = g_new0 (guint8, n_shapes);
  for (guint i = 0; i < n_shapes; i++)
    {
      const MemoryShape *shape = memory_heads_get_shape (&memory->heads, i);

      self->shapes[i] = is_wanted (graph, shape->graph) && is_wanted (state, shape->state) && is_wanted (status, shape->status);
    }
}

/**
 * memory_filter_clear:
 * @self: a filter
 */
void
memory_filter_clear (MemoryFilter *self)
{
  g_clear_pointer (&self->shapes, g_free);
}

/**
 * memory_filter_match:
 * @self: a filter
 * @row: a row
 *
 * Returns: whether the session is one of those asked for
 */
gboolean
memory_filter_match (const MemoryFilter *self, const MemoryRow *row)
{
  return !self->is_hopeless && (self->owner == 0 || self->owner == row->owner) &&
         (self->shapes == NULL || self->shapes[row->shape]) && (self->unread == NULL || g_hash_table_contains (self->unread, row));
}

static int
compare_oldest (gconstpointer a, gconstpointer b)
{
  const MemoryRow *one = *(const MemoryRow *const *) a, *other = *(const MemoryRow *const *) b;

  if (one->updated_at != other->updated_at)
    return one->updated_at < other->updated_at ? -1 : 1;
  return memcmp (one->id, other->id, sizeof one->id);
}

static int
compare_newest (gconstpointer a, gconstpointer b)
{
  return compare_oldest (b, a);
}

/* Where a page lies. */
typedef struct
{
  guint64 after;
  guint64 before;
  const guint8 *id; /* of the last head of the page before; NULL = the first page */
  gboolean newest_first;
} Place;

static gboolean
is_on_page (const Place *place, const MemoryRow *row)
{
  guint64 time = row->updated_at;

  if (place->id != NULL && time == (place->newest_first ? place->before : place->after))
    {
      int order = memcmp (row->id, place->id, sizeof row->id);

      return place->newest_first ? order < 0 : order > 0;
    }
  return (place->after == 0 || time > place->after) && (place->before == 0 || time < place->before);
}

/* Keeps the first @limit rows. Sorting only when twice as many have gathered costs little for each. */
static void
cut (GPtrArray *rows, guint limit, GCompareFunc compare)
{
  g_ptr_array_sort (rows, compare);
  if (limit > 0 && rows->len > limit)
    g_ptr_array_set_size (rows, limit);
}

/* Rows on their way to a page. */
typedef struct
{
  MemoryFilter filter;
  Place place;
  guint limit;
  GCompareFunc compare;
  GPtrArray *rows;
} Page;

static void
offer (Page *page, MemoryRow *row)
{
  if (!memory_filter_match (&page->filter, row) || !is_on_page (&page->place, row))
    return;
  g_ptr_array_add (page->rows, row);
  if (page->limit > 0 && page->rows->len / 2 >= MAX (page->limit, 64))
    cut (page->rows, page->limit, page->compare);
}

/* All rows that may be meant: few are unread, so these are looked at alone. */
static void
fill (Page *page, Memory *memory)
{
  GHashTableIter iter;
  gpointer row;

  if (page->filter.unread == NULL)
    {
      for (guint i = 0; i < memory->rows.n_rows; i++)
        offer (page, memory_rows_get (&memory->rows, i));
    }
  else
    {
      g_hash_table_iter_init (&iter, page->filter.unread);
      while (g_hash_table_iter_next (&iter, &row, NULL))
        offer (page, row);
    }
  cut (page->rows, page->limit, page->compare);
}

/**
 * memory_list:
 * @self: the store
 * @query: which sessions
 *
 * Answers @query with heads.
 */
void
memory_list (gpointer self, ClqQuery *query)
{
  Memory *memory = self;
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  gboolean newest_first = clq_query_get_newest_first (query);
  Page page = {
    .place = {
        .after = clq_query_get_after (query),
        .before = clq_query_get_before (query),
        .id = clq_query_has_id (query) ? clq_query_get_id (query) : NULL,
        .newest_first = newest_first,
    },
    .limit = clq_query_get_limit (query),
    .compare = newest_first ? compare_newest : compare_oldest,
    .rows = rows,
  };

  memory_filter_init (&page.filter, memory, query);
  fill (&page, memory);
  for (guint i = 0; i < rows->len && error == NULL; i++)
    {
      ClqHead *head = memory_head_read (&memory->heads, g_ptr_array_index (rows, i), &error);

      if (head != NULL)
        clq_query_add_head (query, head);
    }
  memory_filter_clear (&page.filter);
  clq_query_done (query, error);
}
