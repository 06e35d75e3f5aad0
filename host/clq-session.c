#define G_LOG_DOMAIN "clq-session"

#include "clq-host-private.h"

#include <string.h>

struct _ClqSession
{
  GObject parent_instance;
  ClqHost *host;
  guint8 id[16];
  char id_text[CLQ_ID_LENGTH + 1];
};

G_DEFINE_TYPE (ClqSession, clq_session, G_TYPE_OBJECT)

static guint news_signal;

/* The session itself, or NULL once the host is closed. */
static ClqLive *
get_live (ClqSession *self)
{
  return self->host->engine != NULL ? clq_live_find (self->host->engine, self->id) : NULL;
}

static void
clq_session_finalize (GObject *object)
{
  ClqSession *self = CLQ_SESSION (object);

  if (get_live (self) != NULL)
    clq_live_unpin (get_live (self));
  g_hash_table_remove (self->host->handles, self->id);
  g_object_unref (self->host);
  G_OBJECT_CLASS (clq_session_parent_class)->finalize (object);
}

static void
clq_session_class_init (ClqSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clq_session_finalize;
  news_signal = clq_host_add_news_signal (CLQ_TYPE_SESSION);
}

static void
clq_session_init (ClqSession *self)
{
}

/* Private: something has happened in this session. */
void
clq_session_tell (ClqSession *self, const ClqNews *news)
{
  clq_host_emit_news (G_OBJECT (self), news_signal, news);
}

static ClqSession *
handle_for (ClqHost *host, const guint8 id[16])
{
  ClqSession *self = g_hash_table_lookup (host->handles, id);

  if (self != NULL)
    return g_object_ref (self);
  self = g_object_new (CLQ_TYPE_SESSION, NULL);
  self->host = g_object_ref (host);
  memcpy (self->id, id, 16);
  clq_id_print (id, self->id_text);
  g_hash_table_insert (host->handles, self->id, self);
  clq_live_pin (get_live (self));
  return self;
}

/**
 * clq_host_get_session:
 * @host: a host
 * @id: a session
 *
 * Returns: (transfer full) (nullable): a handle on it, if it is in memory
 */
ClqSession *
clq_host_get_session (ClqHost *host, const guint8 id[16])
{
  g_return_val_if_fail (CLQ_IS_HOST (host) && host->engine != NULL, NULL);
  return clq_live_find (host->engine, id) != NULL ? handle_for (host, id) : NULL;
}

typedef struct
{
  ClqHost *host;
  ClqSessionFunc func;
  gpointer user_data;
} Finding;

static void
on_found (ClqLive *live, const GError *error, gpointer user_data)
{
  Finding *finding = user_data;
  g_autoptr (ClqSession) session = live != NULL ? handle_for (finding->host, live->head.id) : NULL;

  finding->func (session, error, finding->user_data);
  g_free (finding);
}

/**
 * clq_host_find_session:
 * @host: a host with a store
 * @id: a session
 * @func: gets a handle; %NULL without an error if there is no such session
 * @user_data: for @func
 */
void
clq_host_find_session (ClqHost *host, const guint8 id[16], ClqSessionFunc func, gpointer user_data)
{
  Finding *finding;

  g_return_if_fail (CLQ_IS_HOST (host) && host->engine != NULL && host->store != NULL && func != NULL);
  finding = g_new (Finding, 1);
  *finding = (Finding){ host, func, user_data };
  clq_live_load (host->engine, id, on_found, finding);
}

/**
 * clq_session_get_id:
 * @self: a session
 *
 * Returns: (transfer none): its id
 */
const char *
clq_session_get_id (ClqSession *self)
{
  g_return_val_if_fail (CLQ_IS_SESSION (self), NULL);
  return self->id_text;
}

/**
 * clq_session_get_graph:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the name of its graph
 */
const char *
clq_session_get_graph (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? live->graph->name : NULL;
}

/**
 * clq_session_get_state:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): where it is
 */
const char *
clq_session_get_state (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? live->head.state : NULL;
}

/**
 * clq_session_get_status:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): `resting`, `running`, `waiting`, `done` or `failed`
 */
const char *
clq_session_get_status (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? clq_status_to_string (clq_live_get_status (live)) : NULL;
}

/**
 * clq_session_get_data:
 * @self: a session
 *
 * Returns: (transfer none): its data, a JSON object; valid until the session goes on
 */
const char *
clq_session_get_data (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? clq_head_get_data (&live->head) : "{}";
}

static const ClqExtra *
get_extra (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? live->head.extra : NULL;
}

/**
 * clq_session_get_schedule:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): its schedule, a JSON object
 */
const char *
clq_session_get_schedule (ClqSession *self)
{
  const ClqExtra *extra = get_extra (self);

  return extra != NULL ? extra->schedule : NULL;
}

/**
 * clq_session_get_next_run:
 * @self: a session
 *
 * Returns: when its schedule is due next, or 0
 */
gint64
clq_session_get_next_run (ClqSession *self)
{
  const ClqExtra *extra = get_extra (self);

  return extra != NULL ? extra->next_run : 0;
}

/**
 * clq_session_get_error:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): why it has failed, a JSON object with code and message
 */
const char *
clq_session_get_error (ClqSession *self)
{
  const ClqExtra *extra = get_extra (self);

  return extra != NULL ? extra->error : NULL;
}

/**
 * clq_session_get_seq:
 * @self: a session
 *
 * Returns: the number of its newest record
 */
guint64
clq_session_get_seq (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? live->head.seq : 0;
}

/**
 * clq_session_dup_questions:
 * @self: a session
 *
 * Returns: (transfer full): the open questions, a JSON array
 */
char *
clq_session_dup_questions (ClqSession *self)
{
  const ClqExtra *extra = get_extra (self);
  char *open = extra != NULL ? clq_questions_dup_open (extra->questions) : NULL;

  return open != NULL ? open : g_strdup ("[]");
}

/**
 * clq_session_dup_actions:
 * @self: a session
 *
 * Returns: (transfer full) (array zero-terminated=1): the actions that are valid now
 */
char **
clq_session_dup_actions (ClqSession *self)
{
  ClqLive *live = get_live (self);

  return live != NULL ? clq_live_dup_actions (live) : g_new0 (char *, 1);
}

/**
 * clq_session_has_action:
 * @self: a session
 * @name: a name
 *
 * Returns: whether its graph has an action of this name, valid now or not
 */
gboolean
clq_session_has_action (ClqSession *self, const char *name)
{
  ClqLive *live = get_live (self);
  int event = live != NULL ? clq_graph_find_event (live->graph, name) : -1;

  return event >= 0 && live->graph->events[event].is_action;
}

/**
 * clq_session_dup_summary:
 * @self: a session
 *
 * Returns: (transfer full): where the session stands, for people: the modality's words, else the state's
 */
char *
clq_session_dup_summary (ClqSession *self)
{
  ClqLive *live = get_live (self);
  ClqView view;

  if (live == NULL)
    return g_strdup ("");
  if (live->graph->modality != NULL && live->graph->modality->describe != NULL)
    {
      clq_view_from_head (&view, &live->head, live->graph, clq_clock_now (&live->engine->clock));
      return live->graph->modality->describe (live->graph->modality_self, &view);
    }
  if (live->graph->states[live->state].title != NULL)
    return g_strdup (live->graph->states[live->state].title);
  return g_strdup (live->head.state);
}

/* ---- reports ---- */

typedef struct
{
  ClqSession *session;
  ClqTextFunc func;
  gpointer user_data;
} Report;

/* What was said, if the modality has no words of its own. */
static char *
dup_transcript (const GPtrArray *records)
{
  GString *out = g_string_new (NULL);

  for (guint i = records->len; i > 0; i--)
    {
      const ClqRecord *record = g_ptr_array_index (records, i - 1);
      gsize length;
      const char *body = clq_record_get_body (record, &length);
      ClqJsonSpan span = clq_json_find (body, (gssize) length, "text");
      g_autofree char *text = clq_json_span_dup_string (&span);

      if (clq_record_get_record_type (record) == CLQ_RECORD_MESSAGE && text != NULL)
        g_string_append_printf (out, "%s**%s**\n\n%s\n", out->len > 0 ? "\n" : "", clq_role_to_string (clq_record_get_role (record)), text);
    }
  return g_string_free (out, FALSE);
}

static char *
dup_report (ClqLive *live, GPtrArray *records)
{
  const ClqModalityInfo *modality = live->graph->modality;
  g_autoptr (GPtrArray) oldest_first = NULL;
  ClqView view;

  if (modality == NULL || modality->report == NULL)
    return dup_transcript (records);
  oldest_first = g_ptr_array_sized_new (records->len);
  for (guint i = records->len; i > 0; i--)
    g_ptr_array_add (oldest_first, g_ptr_array_index (records, i - 1));
  clq_view_from_head (&view, &live->head, live->graph, clq_clock_now (&live->engine->clock));
  return modality->report (live->graph->modality_self, &view, (ClqRecord *const *) oldest_first->pdata, oldest_first->len);
}

static void
on_report_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  Report *report = user_data;
  ClqLive *live = get_live (report->session);
  g_autofree char *text = error == NULL && live != NULL ? dup_report (live, records) : NULL;

  report->func (text, error, report->user_data);
  g_object_unref (report->session);
  g_free (report);
}

/**
 * clq_session_report:
 * @self: a session
 * @func: gets the report
 * @user_data: for @func
 *
 * Makes a text of the whole conversation, for people: what the modality makes of it, else what was said. It is Markdown.
 */
void
clq_session_report (ClqSession *self, ClqTextFunc func, gpointer user_data)
{
  Report *report;

  g_return_if_fail (CLQ_IS_SESSION (self) && func != NULL);
  report = g_new (Report, 1);
  *report = (Report){ g_object_ref (self), func, user_data };
  clq_host_read_conversation (self->host, self->id, 0, 0, on_report_records, report);
}

/**
 * clq_session_dup_headline:
 * @self: a session
 *
 * Returns: (transfer full) (nullable): where the session stands, in a few words of its modality, or %NULL if it has none
 */
char *
clq_session_dup_headline (ClqSession *self)
{
  ClqLive *live = get_live (self);
  ClqView view;

  if (live == NULL || live->graph->modality == NULL || live->graph->modality->headline == NULL)
    return NULL;
  clq_view_from_head (&view, &live->head, live->graph, clq_clock_now (&live->engine->clock));
  return live->graph->modality->headline (live->graph->modality_self, &view);
}

/**
 * clq_session_send:
 * @self: a session
 * @input: what is sent
 * @func: (nullable): gets the answer
 * @user_data: for @func
 *
 * Like clq_host_send ().
 */
void
clq_session_send (ClqSession *self, const ClqInput *input, ClqReplyFunc func, gpointer user_data)
{
  g_return_if_fail (CLQ_IS_SESSION (self));
  clq_host_send (self->host, self->id, input, func, user_data);
}
