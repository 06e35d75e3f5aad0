#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <errno.h>
#include <string.h>

#define STANDARD_WHY 10
#define STANDARD_HISTORY 20
#define RECALLED 6

static const TermStyle dim = { TERM_DIM, TERM_DEFAULT };

static char *
dup_member (const ClqRecord *record, const char *name)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, (gssize) length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

/* A number behind a command, or what counts if there is none. FALSE: there is something else. */
static gboolean
read_number (Chat *self, const char *command, const char *arguments, guint *number)
{
  guint64 parsed;

  if (*arguments == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (arguments, 10, 1, 100000, &parsed, NULL))
    {
      chat_reject (self, "/%s: '%s' is no number; expected how many, from 1 on", command, arguments);
      return FALSE;
    }
  *number = (guint) parsed;
  return TRUE;
}

/* ---- reading ---- */

/* Something that is read from the store. Until it has come no line is taken. */
static void
begin_reading (Chat *self, guint types, guint limit, ClqRecordsFunc func)
{
  self->n_pending++;
  clq_host_read_conversation (self->host, self->id, types, limit, func, self);
}

/* FALSE if there is nothing to show. */
static gboolean
end_reading (Chat *self, const GError *error)
{
  self->n_pending--;
  if (self->is_over)
    return FALSE;
  if (error != NULL)
    chat_complain (self, "%s", error->message);
  chat_update (self);
  return error == NULL;
}

/* ---- why ---- */

static char *
dup_duration (const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan ms = clq_json_find (body, (gssize) length, "ms");
  gint64 after = ms.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&ms) : 0;

  if (after < 1000)
    return g_strdup_printf ("%d ms", (int) after);
  if (after < 60000)
    return g_strdup_printf ("%.1f s", (double) after / 1000);
  return g_strdup_printf ("%" G_GINT64_FORMAT " min", after / 60000);
}

static void
add_transition (GPtrArray *lines, const ClqRecord *record, int columns)
{
  g_autoptr (GDateTime) at = g_date_time_new_from_unix_local (clq_record_get_at (record) / G_TIME_SPAN_SECOND);
  g_autofree char *clock = g_date_time_format (at, "%H:%M:%S");
  g_autofree char *from = dup_member (record, "from");
  g_autofree char *event = dup_member (record, "event");
  g_autofree char *to = dup_member (record, "to");
  g_autofree char *reason = dup_member (record, "reason");
  g_autofree char *error = dup_member (record, "error");
  g_autofree char *after = to != NULL ? dup_duration (record) : NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree char *safe = NULL;

  g_string_append_printf (line, "%s  ", clock);
  if (to != NULL)
    g_string_append_printf (line, "%s --%s--> %s, after %s", from, event, to, after);
  else
    g_string_append_printf (line, "%s, no transition", event);
  if (reason != NULL)
    g_string_append_printf (line, ": %s", reason);
  if (error != NULL)
    g_string_append_printf (line, ": %s", error);
  safe = term_safe_dup (line->str, -1);
  term_wrap (safe, columns, "", "          ", lines);
}

static void
on_events (GPtrArray *records, const GError *error, gpointer user_data)
{
  Chat *self = user_data;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  if (!end_reading (self, error))
    return;
  for (guint i = records->len; i > 0; i--)
    add_transition (lines, g_ptr_array_index (records, i - 1), term_text_columns (&self->term));
  chat_print (self, lines);
}

void
chat_why (Chat *self, const char *arguments)
{
  guint limit = STANDARD_WHY;

  if (read_number (self, "why", arguments, &limit))
    begin_reading (self, 1u << CLQ_RECORD_EVENT, limit, on_events);
}

/* ---- history ---- */

static void
print_messages (Chat *self, const GPtrArray *records)
{
  chat_begin (self);
  for (guint i = records->len; i > 0; i--)
    {
      const ClqRecord *record = g_ptr_array_index (records, i - 1);
      g_autofree char *text = dup_member (record, "text");

      if (text != NULL)
        chat_print_message (self, clq_record_get_role (record), text);
    }
  if (records->len == 0)
    chat_print_line (self, dim, "nothing was said yet");
  chat_end (self);
}

static void
on_messages (GPtrArray *records, const GError *error, gpointer user_data)
{
  Chat *self = user_data;

  if (end_reading (self, error))
    print_messages (self, records);
}

void
chat_history (Chat *self, const char *arguments)
{
  guint limit = STANDARD_HISTORY;

  if (read_number (self, "history", arguments, &limit))
    begin_reading (self, 1u << CLQ_RECORD_MESSAGE, limit, on_messages);
}

static void
on_recalled (GPtrArray *records, const GError *error, gpointer user_data)
{
  Chat *self = user_data;

  if (end_reading (self, error) && records->len > 0)
    print_messages (self, records);
}

/* Shows the end of a conversation that goes on. */
void
chat_recall (Chat *self)
{
  begin_reading (self, 1u << CLQ_RECORD_MESSAGE, RECALLED, on_recalled);
}

/* ---- export ---- */

static char *
dup_markdown (Chat *self, const GPtrArray *records)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "# %s\n", clq_session_get_graph (self->session));
  for (guint i = records->len; i > 0; i--)
    {
      const ClqRecord *record = g_ptr_array_index (records, i - 1);
      g_autofree char *text = dup_member (record, "text");
      g_autofree char *at = clq_time_print (clq_record_get_at (record));

      if (text != NULL)
        g_string_append_printf (out, "\n## %s, %s\n\n%s\n", clq_role_to_string (clq_record_get_role (record)), at, text);
    }
  return g_string_free (out, FALSE);
}

static char *
dup_json (Chat *self, const GPtrArray *records)
{
  GString *out = g_string_new ("{");

  cli_json_string (out, "session", clq_session_get_id (self->session));
  cli_json_string (out, "graph", clq_session_get_graph (self->session));
  cli_json_string (out, "state", clq_session_get_state (self->session));
  cli_json_raw (out, "data", clq_session_get_data (self->session));
  cli_json_member (out, "messages");
  g_string_append_c (out, '[');
  for (guint i = records->len; i > 0; i--)
    {
      const ClqRecord *record = g_ptr_array_index (records, i - 1);
      g_autofree char *text = dup_member (record, "text");

      if (text == NULL)
        continue;
      g_string_append (out, out->str[out->len - 1] == '[' ? "\n{" : ",\n{");
      cli_json_string (out, "role", clq_role_to_string (clq_record_get_role (record)));
      cli_json_time (out, "at", clq_record_get_at (record));
      cli_json_string (out, "text", text);
      g_string_append_c (out, '}');
    }
  g_string_append (out, "]}\n");
  return g_string_free (out, FALSE);
}

/* A file that is there stays as it is. */
static void
write_export (Chat *self, const char *path, const char *text)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (GFileOutputStream) stream = NULL;
  g_autoptr (GError) error = NULL;

  stream = g_file_create (file, G_FILE_CREATE_PRIVATE, NULL, &error);
  if (stream == NULL || !g_output_stream_write_all (G_OUTPUT_STREAM (stream), text, strlen (text), NULL, NULL, &error) ||
      !g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, &error))
    chat_complain (self, "/export: %s", error->message);
  else
    chat_note (self, "written to %s", path);
}

static void
on_exported (GPtrArray *records, const GError *error, gpointer user_data)
{
  Chat *self = user_data;
  g_autofree char *path = g_steal_pointer (&self->export_path);
  g_autofree char *text = NULL;

  if (!end_reading (self, error))
    return;
  text = g_str_has_suffix (path, ".json") ? dup_json (self, records) : dup_markdown (self, records);
  write_export (self, path, text);
}

void
chat_export (Chat *self, const char *arguments)
{
  if (*arguments == '\0')
    {
      chat_reject (self, "/export: expected a file, for example /export talk.md or /export talk.json");
      return;
    }
  g_free (self->export_path);
  self->export_path = g_strdup (arguments);
  begin_reading (self, 1u << CLQ_RECORD_MESSAGE, 0, on_exported);
}

/* ---- tree ---- */

static void
on_tree (GPtrArray *lines, const GError *error, gpointer user_data)
{
  Chat *self = user_data;

  if (end_reading (self, error) && lines != NULL)
    chat_print (self, lines);
}

void
chat_tree (Chat *self, const char *arguments)
{
  self->n_pending++;
  cli_tree_draw (self->host, self->id, term_text_columns (&self->term), on_tree, self);
}
