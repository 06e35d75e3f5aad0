#include "talk.h"

#include <glib/gstdio.h>

/* @...: names and values of the settings of the agent `assistant`, which is watch.agent. */
Talk *
talk_new (const char *store, const char *const *overrides, ...)
{
  static guint64 seed; /* two hosts on one store give different ids */
  Talk *self = g_new0 (Talk, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  const char *name;
  va_list arguments;

  va_start (arguments, overrides);
  while ((name = va_arg (arguments, const char *)) != NULL)
    g_hash_table_insert (settings, (gpointer) name, va_arg (arguments, char *));
  va_end (arguments);
  self->host = clq_host_new (NULL);
  clq_host_set_manual_clock (self->host, G_TIME_SPAN_DAY, ++seed);
  clq_host_set_max_live (self->host, 4);
  g_assert_true (clq_host_use_store (self->host, store, &error));
  g_assert_true (clq_host_add_agent (self->host, "assistant", "watch.agent", settings, &error));
  g_assert_no_error (error);
  self->graph = clq_host_load_graph (self->host, "chat-merge", overrides, FALSE, findings);
  g_assert_nonnull (self->graph);
  talk_open (self);
  return self;
}

void
talk_free (Talk *self)
{
  clq_graph_unref (self->graph);
  clq_host_close (self->host);
  g_object_unref (self->host);
  g_free (self->result);
  g_clear_error (&self->error);
  g_free (self);
}

/* Another conversation on the same host, started. */
void
talk_open (Talk *self)
{
  clq_host_new_id (self->host, self->id);
  clq_host_open_session (self->host, self->graph, self->id, NULL, NULL, NULL, NULL, NULL);
  talk_act (self, "start", "{}");
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Talk *self = user_data;

  g_clear_error (&self->error);
  g_free (self->result);
  self->result = g_strdup (reply->result);
  if (reply->error != NULL)
    self->error = g_error_copy (reply->error);
}

static gboolean
act (Talk *self, const ClqInput *input)
{
  clq_host_send (self->host, self->id, input, on_reply, self);
  clq_host_settle (self->host);
  return self->error == NULL;
}

gboolean
talk_try (Talk *self, const char *action, const char *format, ...)
{
  g_autofree char *payload = NULL;
  va_list arguments;

  va_start (arguments, format);
  payload = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return act (self, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = action, .payload = payload });
}

void
talk_act (Talk *self, const char *action, const char *format, ...)
{
  g_autofree char *payload = NULL;
  va_list arguments;

  va_start (arguments, format);
  payload = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  act (self, &(ClqInput){ .kind = CLQ_INPUT_ACTION, .name = action, .payload = payload });
  g_assert_no_error (self->error);
}

void
talk_say (Talk *self, const char *text)
{
  act (self, &(ClqInput){ .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = text });
  g_assert_no_error (self->error);
}

/* Sets data as a graph of one's own might. */
void
talk_put (Talk *self, const char *format, ...)
{
  g_autofree char *payload = NULL;
  va_list arguments;

  va_start (arguments, format);
  payload = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  act (self, &(ClqInput){ .kind = CLQ_INPUT_PUT, .payload = payload });
  g_assert_no_error (self->error);
}

/* ---- looking ---- */

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  ClqSession **found = user_data;

  g_assert_no_error (error);
  *found = g_object_ref (session);
}

static ClqSession *
get_session (Talk *self)
{
  ClqSession *session = NULL;

  clq_host_find_session (self->host, self->id, on_session, &session);
  clq_host_settle (self->host);
  g_assert_nonnull (session);
  return session;
}

char *
talk_dup_data (Talk *self)
{
  g_autoptr (ClqSession) session = get_session (self);

  return g_strdup (clq_session_get_data (session));
}

char *
talk_dup_state (Talk *self)
{
  g_autoptr (ClqSession) session = get_session (self);

  return g_strdup_printf ("%s %s", clq_session_get_state (session), clq_session_get_status (session));
}

guint64
talk_get_seq (Talk *self)
{
  g_autoptr (ClqSession) session = get_session (self);

  return clq_session_get_seq (session);
}

gint64
talk_get_int (Talk *self, const char *path)
{
  g_autofree char *data = talk_dup_data (self);
  ClqJsonSpan span = clq_json_find (data, -1, path);

  return clq_json_span_get_int (&span);
}

char *
talk_dup_string (Talk *self, const char *path)
{
  g_autofree char *data = talk_dup_data (self);

  return clq_json_find_string (data, path);
}

/* The data without what belongs to the conversation as a whole. */
char *
talk_dup_kept (Talk *self)
{
  static const char *const names[] = { "branch", "branches", "checkpoints", "checkpointCount", "metrics" };
  g_autofree char *data = talk_dup_data (self);
  GString *kept = g_string_new (data);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    clq_json_unset (kept, names[i]);
  return g_string_free (kept, FALSE);
}

static void
on_seen (GPtrArray *records, const GError *error, gpointer user_data)
{
  GString *out = user_data;

  g_assert_no_error (error);
  for (guint i = records->len; i > 0; i--)
    {
      const ClqRecord *record = g_ptr_array_index (records, i - 1);
      gsize length;
      const char *body = clq_record_get_body (record, &length);
      ClqJsonSpan text = clq_json_find (body, (gssize) length, "text");
      g_autofree char *said = clq_json_span_dup_string (&text);

      g_string_append_printf (out, "%s ", said);
    }
}

/* What is seen of the conversation, oldest first. */
char *
talk_dup_seen (Talk *self)
{
  GString *out = g_string_new (NULL);

  clq_host_read_conversation (self->host, self->id, 1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT, 0, on_seen, out);
  clq_host_settle (self->host);
  return g_string_free (out, FALSE);
}

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  gsize *bytes = user_data;

  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    {
      gsize length;

      clq_record_get_body (g_ptr_array_index (records, i), &length);
      *bytes += length + 50;
    }
}

/* How much was appended to the journal after a record. */
gsize
talk_count_bytes (Talk *self, guint64 after)
{
  gsize bytes = 0;

  clq_host_read_journal (self->host, self->id, 0, after, 0, on_records, &bytes);
  clq_host_settle (self->host);
  return bytes;
}

/* A folder that a store was in. */
void
talk_remove (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (file), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}
