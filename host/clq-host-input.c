#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <string.h>

/* ---- opening ---- */

/**
 * clq_host_new_id:
 * @self: a host
 * @id: (out caller-allocates): a new id for a session
 */
void
clq_host_new_id (ClqHost *self, guint8 id[16])
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  clq_clock_new_id (&self->engine->clock, id);
}

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
  char *owner;
  ClqEvent *event;
} Opening;

/* A session that is there already refuses to be opened, unless it was the same input that opened it. */
static void
on_looked_up (ClqLive *live, const GError *error, gpointer user_data)
{
  Opening *opening = user_data;
  ClqReplyFunc func = (ClqReplyFunc) opening->event->func;

  if (error != NULL)
    {
      if (func != NULL)
        func (&(ClqReply){ .id = opening->id, .error = error }, opening->event->user_data);
      clq_event_unref (opening->event);
    }
  else
    {
      if (live == NULL)
        live = clq_live_new (opening->host->engine, opening->graph, opening->id);
      if (live->is_new && opening->owner != NULL)
        clq_extra_writable (&live->head.extra)->owner = g_strdup (opening->owner);
      clq_engine_queue_input (live, opening->event);
    }
  clq_graph_unref (opening->graph);
  g_free (opening->owner);
  g_free (opening);
}

static void
begin_session (ClqHost *self, ClqGraph *graph, const guint8 id[16], const char *owner, ClqEvent *event, ClqReplyFunc func, gpointer user_data)
{
  Opening *opening = g_new (Opening, 1);

  *opening = (Opening){ .host = self, .graph = clq_graph_ref (graph), .owner = g_strdup (owner), .event = event };
  memcpy (opening->id, id, 16);
  event->func = func;
  event->user_data = user_data;
  if (event->key != NULL)
    clq_live_load (self->engine, id, on_looked_up, opening);
  else
    on_looked_up (clq_live_find (self->engine, id), NULL, opening);
}

/**
 * clq_host_open_session:
 * @self: a host with a store
 * @graph: what the session runs on
 * @id: its id, from clq_host_new_id ()
 * @owner: (nullable): whose it is
 * @input: (nullable): the first thing that is said
 * @key: (nullable): idempotency key
 * @func: (nullable): gets the answer when the session is durable
 * @user_data: for @func
 */
void
clq_host_open_session (ClqHost *self, ClqGraph *graph, const guint8 id[16], const char *owner, const char *input, const char *key, ClqReplyFunc func, gpointer user_data)
{
  ClqEvent *event;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && graph != NULL);
  event = clq_event_new (CLQ_EVENT_ACTION, "open");
  event->purpose = CLQ_PURPOSE_OPEN;
  event->text = g_strdup (input);
  event->role = input != NULL ? CLQ_ROLE_USER : CLQ_ROLE_NONE;
  event->key = g_strdup (key);
  begin_session (self, graph, id, owner, event, func, user_data);
}

static ClqEvent *
put_event (const char *payload)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_ACTION, "put");

  event->purpose = CLQ_PURPOSE_PUT;
  event->payload = g_strdup (payload);
  return event;
}

/* What goes through no rules. */
static ClqEvent *
plain_event (const ClqInput *input, const char *name, ClqPurpose purpose)
{
  ClqEvent *event = clq_event_new (CLQ_EVENT_ACTION, name);

  event->purpose = purpose;
  event->payload = g_strdup (input->payload);
  event->actor = g_strdup (input->actor);
  event->key = g_strdup (input->key);
  return event;
}

/**
 * clq_host_place_session:
 * @self: a host with a store
 * @graph: what the session runs on
 * @id: its id, from clq_host_new_id ()
 * @owner: (nullable): whose it is
 * @put: a JSON object that says where it is: state, data, question, schedule, nextRunAt, counters
 * @func: (nullable): gets the answer when the session is durable
 * @user_data: for @func
 *
 * Opens a session in the middle of its graph. No node is entered.
 */
void
clq_host_place_session (ClqHost *self, ClqGraph *graph, const guint8 id[16], const char *owner, const char *put, ClqReplyFunc func, gpointer user_data)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && graph != NULL && put != NULL);
  begin_session (self, graph, id, owner, put_event (put), func, user_data);
}

/* ---- sending ---- */

static GError *
no_such_event (const ClqGraph *graph, const char *what, const char *name)
{
  g_autofree char *hint = clq_did_you_mean (name, (const char *const *) graph->event_names);

  return g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "graph '%s' has no %s '%s'%s", graph->name, what, name, hint);
}

/* The engine's name for what was sent; its index and purpose depend on the session's graph. */
static gboolean
resolve (ClqLive *live, ClqEvent *event, ClqInputKind kind, const char *name, GError **error)
{
  const ClqGraph *graph = live->graph;

  event->index = name != NULL ? clq_engine_find_event (live->engine, graph, name) : -1;
  if (event->index >= 0)
    event->name = graph->events[event->index].name;
  if (kind == CLQ_INPUT_EVENT)
    {
      if (!graph->bare)
        *error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "events come from nodes and timers; only with --bare they can be sent");
      else if (event->index < 0)
        *error = no_such_event (graph, "event", name);
      else if (!graph->events[event->index].is_action)
        event->kind = CLQ_EVENT_OUTCOME;
    }
  else if (kind == CLQ_INPUT_ACTION && !graph->bare && event->index == graph->engine_events[CLQ_ENGINE_ANSWER])
    {
      event->purpose = CLQ_PURPOSE_ANSWER;
      if (event->payload == NULL)
        event->payload = g_strdup ("{}");
    }
  else if ((kind == CLQ_INPUT_ACTION || kind == CLQ_INPUT_MESSAGE) && (event->index < 0 || !graph->events[event->index].is_action))
    *error = clq_live_refusal (live, name);
  return *error == NULL;
}

static const char *
name_of (const ClqInput *input)
{
  switch (input->kind)
    {
    case CLQ_INPUT_MESSAGE:
      return "message";
    case CLQ_INPUT_ANSWER:
      return "answer";
    case CLQ_INPUT_PUT:
      return NULL;
    case CLQ_INPUT_ACTION:
    case CLQ_INPUT_EVENT:
    default:
      return input->name;
    }
}

static inline char *
dup_text (const char *text)
{
  return text != NULL ? g_strdup (text) : NULL;
}

static ClqEvent *
event_from_input (ClqEngine *engine, const ClqInput *input)
{
  ClqEvent *event;

  if (input->kind == CLQ_INPUT_PUT)
    return put_event (input->payload);
  if (input->kind == CLQ_INPUT_CANCEL)
    return plain_event (input, "cancel", CLQ_PURPOSE_CANCEL);
  if (input->kind == CLQ_INPUT_READ)
    return plain_event (input, "read", CLQ_PURPOSE_READ);
  event = clq_engine_new_event (engine);
  event->payload = dup_text (input->payload);
  event->text = dup_text (input->text);
  event->role = input->role;
  event->actor = dup_text (input->actor);
  event->key = dup_text (input->key);
  event->to = input->kind == CLQ_INPUT_EVENT ? dup_text (input->to) : NULL;
  if (input->kind == CLQ_INPUT_ANSWER)
    event->purpose = CLQ_PURPOSE_ANSWER;
  if (input->kind == CLQ_INPUT_ACTION && input->text == NULL && input->payload != NULL && strcmp (input->name, "message") == 0)
    {
      /* The action `message` says the same as a message. */
      g_autofree char *role = clq_json_find_string (input->payload, "role");
      ClqRole known = CLQ_ROLE_USER;

      event->text = clq_json_find_string (input->payload, "text");
      clq_role_from_string (role, &known);
      event->role = known;
    }
  return event;
}

static void
answer_nobody (const guint8 id[16], const ClqEvent *event, const GError *error)
{
  ClqReplyFunc func = (ClqReplyFunc) event->func;

  if (func != NULL)
    func (&(ClqReply){ .id = id, .error = error }, event->user_data);
}

/* The session is in memory. An answer that is not `answer` in its graph keeps the name that it was sent with. */
static void
hand_over (ClqLive *live, ClqEvent *event, ClqInputKind kind, const char *name)
{
  GError *error = NULL;

  if (!resolve (live, event, kind, name, &error))
    {
      answer_nobody (live->head.id, event, error);
      g_error_free (error);
      clq_event_unref (event);
      return;
    }
  if (event->name == NULL)
    event->name = event->owned_name = g_strdup (name);
  clq_engine_queue_input (live, event);
}

/* An input whose session has to be loaded first. */
typedef struct
{
  ClqEvent *event;
  ClqInputKind kind;
  char *name;
  guint8 id[16];
} Sending;

static void
on_session (ClqLive *live, const GError *load_error, gpointer user_data)
{
  Sending *sending = user_data;
  g_autoptr (ClqEvent) event = sending->event;
  g_autoptr (GError) error = NULL;

  if (live == NULL && load_error != NULL)
    answer_nobody (sending->id, event, load_error);
  else if (live == NULL)
    {
      char text[CLQ_ID_LENGTH + 1];

      clq_id_print (sending->id, text);
      error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no session %s", text);
      answer_nobody (sending->id, event, error);
    }
  else
    hand_over (live, g_steal_pointer (&event), sending->kind, sending->name);
  g_free (sending->name);
  g_free (sending);
}

/**
 * clq_host_send:
 * @self: a host with a store
 * @id: a session
 * @input: what is sent
 * @func: (nullable): gets the answer when what was sent is durable, or why it was not taken
 * @user_data: for @func
 *
 * %CLQ_INPUT_CANCEL ends the visit that runs, or waits to be tried again, as if it had failed, with what it had said so
 * far as the event's partial text; it is not tried again. Where no rule takes the failure, the session stays where it is.
 * If no visit is open it is refused. %CLQ_INPUT_READ notes which notifications were read, by the numbers of their records;
 * the rules are not asked.
 */
void
clq_host_send (ClqHost *self, const guint8 id[16], const ClqInput *input, ClqReplyFunc func, gpointer user_data)
{
  ClqEvent *event;
  ClqLive *live;
  Sending *sending;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && input != NULL);
  g_return_if_fail (input->name != NULL || (input->kind != CLQ_INPUT_ACTION && input->kind != CLQ_INPUT_EVENT));
  g_return_if_fail (input->payload != NULL || (input->kind != CLQ_INPUT_ANSWER && input->kind != CLQ_INPUT_PUT && input->kind != CLQ_INPUT_READ));
  event = event_from_input (self->engine, input);
  event->func = func;
  event->user_data = user_data;
  live = clq_live_find (self->engine, id);
  if (live != NULL)
    {
      hand_over (live, event, input->kind, name_of (input));
      return;
    }
  sending = g_new (Sending, 1);
  sending->event = event;
  sending->kind = input->kind;
  sending->name = g_strdup (name_of (input));
  memcpy (sending->id, id, 16);
  clq_live_load (self->engine, id, on_session, sending);
}

/* ---- reading ---- */

typedef struct
{
  ClqEngine *engine;
  ClqRecordsFunc func;
  gpointer user_data;
} Reading;

static void
on_records (ClqQuery *query, gpointer user_data)
{
  Reading *reading = user_data;

  reading->engine->n_queries--;
  reading->func (query->records, query->error, reading->user_data);
  g_free (reading);
}

/**
 * clq_host_read_journal:
 * @self: a host with a store
 * @id: a session
 * @types: bits `1 << ClqRecordType`; 0 = all
 * @after: only records with a larger number
 * @limit: how many at the most; 0 = all
 * @func: gets the records, oldest first, as they were written, on all branches
 * @user_data: for @func
 */
void
clq_host_read_journal (ClqHost *self, const guint8 id[16], guint types, guint64 after, guint limit, ClqRecordsFunc func, gpointer user_data)
{
  Reading *reading;
  ClqQuery *query;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  reading = g_new (Reading, 1);
  *reading = (Reading){ self->engine, func, user_data };
  query = clq_query_new (on_records, reading);
  memcpy (query->id, id, 16);
  query->types = types;
  query->after = after;
  query->limit = limit > 0 ? limit : G_MAXUINT;
  self->engine->n_queries++;
  self->store->journal (self->store_self, query);
}

typedef struct
{
  ClqEngine *engine;
  guint types;
  guint limit;
  ClqRecordsFunc func;
  gpointer user_data;
} Listening;

static void
on_speaker (ClqLive *live, const GError *error, gpointer user_data)
{
  Listening *listening = user_data;
  g_autoptr (GPtrArray) nothing = g_ptr_array_new ();

  if (live == NULL)
    listening->func (nothing, error, listening->user_data);
  else
    clq_conversation_read (listening->engine, live->head.id, live->head.segment, listening->types, 0, 0, listening->limit, listening->func, listening->user_data);
  g_free (listening);
}

/**
 * clq_host_read_conversation:
 * @self: a host with a store
 * @id: a session
 * @types: bits `1 << ClqRecordType`; 0 = all
 * @limit: how many at the most; 0 = all
 * @func: gets the records, newest first, as the conversation is seen: on its current branch, with what was merged into it
 * @user_data: for @func
 */
void
clq_host_read_conversation (ClqHost *self, const guint8 id[16], guint types, guint limit, ClqRecordsFunc func, gpointer user_data)
{
  Listening *listening;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  listening = g_new (Listening, 1);
  *listening = (Listening){ self->engine, types, limit > 0 ? limit : G_MAXUINT, func, user_data };
  clq_live_load (self->engine, id, on_speaker, listening);
}
