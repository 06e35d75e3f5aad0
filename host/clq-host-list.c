#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <string.h>

/* ---- which sessions there are ---- */

typedef struct
{
  ClqEngine *engine;
  ClqHeadsFunc func;
  gpointer user_data;
} Listing;

static void
on_heads (ClqQuery *query, gpointer user_data)
{
  Listing *listing = user_data;

  listing->engine->n_queries--;
  listing->func (query->heads, query->error, listing->user_data);
  g_free (listing);
}

/**
 * clq_host_list_sessions:
 * @self: a host with a store
 * @filter: (nullable): which sessions; %NULL = all
 * @func: gets heads of sessions, #ClqHead, those written last first; they are read with the functions of clq-store.h
 * @user_data: for @func
 *
 * The page after this one is asked for with `after_id` and `after_time` of the last head, clq_head_get_updated_at ().
 */
void
clq_host_list_sessions (ClqHost *self, const ClqSessionFilter *filter, ClqHeadsFunc func, gpointer user_data)
{
  static const ClqSessionFilter everything = { NULL };
  Listing *listing;
  ClqQuery *query;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  if (filter == NULL)
    filter = &everything;
  listing = g_new (Listing, 1);
  *listing = (Listing){ self->engine, func, user_data };
  query = clq_query_new (on_heads, listing);
  query->newest_first = TRUE;
  query->limit = filter->limit;
  clq_query_set_filter (query, "owner", filter->owner);
  clq_query_set_filter (query, "graph", filter->graph);
  clq_query_set_filter (query, "state", filter->state);
  clq_query_set_filter (query, "status", filter->status);
  clq_query_set_filter (query, "unread", filter->unread ? "true" : NULL);
  if (filter->after_id != NULL)
    {
      memcpy (query->id, filter->after_id, sizeof query->id);
      query->before = (guint64) filter->after_time;
    }
  self->engine->n_queries++;
  self->store->list (self->store_self, query);
}

/* ---- the shape of one session ---- */

typedef struct
{
  ClqEngine *engine;
  ClqTreeFunc func;
  gpointer user_data;
} Growing;

static void
on_tree (ClqQuery *query, gpointer user_data)
{
  Growing *growing = user_data;
  const ClqHead *head = query->heads->len > 0 ? g_ptr_array_index (query->heads, 0) : NULL;

  growing->engine->n_queries--;
  if (head == NULL)
    growing->func (NULL, query->error, growing->user_data);
  else
    {
      ClqTree tree = {
        .head = head,
        .current = head->segment,
        .segments = (const ClqSegment *) (gpointer) query->segments->data,
        .n_segments = query->segments->len,
        .marks = (const ClqMark *) (gpointer) query->marks->data,
        .n_marks = query->marks->len,
      };

      growing->func (&tree, NULL, growing->user_data);
    }
  g_free (growing);
}

/**
 * clq_host_read_tree:
 * @self: a host with a store
 * @id: a session
 * @func: gets its head, its segments and its marks; %NULL without an error if there is no such session
 * @user_data: for @func
 */
void
clq_host_read_tree (ClqHost *self, const guint8 id[16], ClqTreeFunc func, gpointer user_data)
{
  Growing *growing;
  ClqQuery *query;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  growing = g_new (Growing, 1);
  *growing = (Growing){ self->engine, func, user_data };
  query = clq_query_new (on_tree, growing);
  memcpy (query->id, id, sizeof query->id);
  query->limit = 1;
  self->engine->n_queries++;
  self->store->load (self->store_self, query);
}
