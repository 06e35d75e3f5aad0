#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <string.h>

typedef struct
{
  ClqHost *host;
  guint8 id[16];
  gboolean removes;
  ClqTextFunc func;
  gpointer user_data;
} Request;

/* What came meanwhile is refused with the session, or has its turn if that stays. */
static void
end_removal (ClqEngine *engine, ClqLive *live, gboolean is_gone)
{
  if (is_gone)
    {
      clq_live_free (live);
      return;
    }
  live->work->holds--;
  clq_due_raise (live);
  clq_engine_make_ready (engine, live);
}

static void
on_done (ClqQuery *query, gpointer user_data)
{
  Request *request = user_data;
  ClqLive *live = request->removes ? clq_live_find (request->host->engine, request->id) : NULL;

  request->host->engine->n_queries--;
  if (live != NULL)
    end_removal (request->host->engine, live, query->error == NULL);
  request->func (query->answer, query->error, request->user_data);
  g_free (request);
}

static Request *
request_new (ClqHost *host, ClqTextFunc func, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  request->host = host;
  request->func = func;
  request->user_data = user_data;
  return request;
}

static void
not_offered (Request *request, const char *what)
{
  g_autoptr (GError) error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "this store cannot %s", what);

  request->func (NULL, error, request->user_data);
  g_free (request);
}

/**
 * clq_host_maintain_store:
 * @self: a host with a store
 * @what: `check`, `stats`, `backup`, or what else the store knows
 * @text: (nullable): the place of a backup
 * @func: gets a JSON object
 * @user_data: for @func
 */
void
clq_host_maintain_store (ClqHost *self, const char *what, const char *text, ClqTextFunc func, gpointer user_data)
{
  Request *request;
  ClqQuery *query;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && what != NULL && func != NULL);
  request = request_new (self, func, user_data);
  if (self->store->maintain == NULL)
    {
      not_offered (request, what);
      return;
    }
  query = clq_query_new (on_done, request);
  query->text = g_strdup (text);
  self->engine->n_queries++;
  self->store->maintain (self->store_self, what, query);
}

/* It is in memory only to be taken away; what runs in it ends. */
static void
on_found (ClqLive *live, const GError *error, gpointer user_data)
{
  Request *request = user_data;
  ClqHost *host = request->host;
  ClqQuery *query;

  if (live == NULL)
    {
      g_autoptr (GError) missing = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no such session");

      request->func (NULL, error != NULL ? error : missing, request->user_data);
      g_free (request);
      return;
    }
  if (live->pins > 1 || (live->work != NULL && (live->work->draft != NULL || live->work->holds > 0)))
    {
      g_autoptr (GError) busy = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BUSY, "the session is in use");

      request->func (NULL, busy, request->user_data);
      g_free (request);
      return;
    }
  clq_run_close (live);
  clq_live_work (live)->holds++; /* it takes no event any more */
  query = clq_query_new (on_done, request);
  memcpy (query->id, request->id, 16);
  host->engine->n_queries++;
  host->store->remove (host->store_self, query);
}

/**
 * clq_host_remove_session:
 * @self: a host with a store
 * @id: a session that nobody looks at
 * @func: hears when it is gone for good, with its journal
 * @user_data: for @func
 */
void
clq_host_remove_session (ClqHost *self, const guint8 id[16], ClqTextFunc func, gpointer user_data)
{
  Request *request;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  request = request_new (self, func, user_data);
  memcpy (request->id, id, 16);
  request->removes = TRUE;
  if (self->store->remove == NULL)
    not_offered (request, "take sessions away");
  else
    clq_live_load (self->engine, id, on_found, request);
}
