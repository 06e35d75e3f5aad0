/* What an agent is shown of the conversation. */
#include "chat.h"

#define SUMMARY_LABEL "Summary so far: "
#define CONTEXT_LABEL "Context: "
#define FALLBACK_WINDOW 8192

static void
free_entry (gpointer data)
{
  ChatEntry *entry = data;

  g_free (entry->text);
  g_free (entry);
}

static void
free_context (gpointer data)
{
  ChatContext *self = data;

  g_free (self->agent);
  g_free (self->strategy);
  g_free (self->summary);
  g_ptr_array_unref (self->system);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

/* ---- counting ---- */

guint64
chat_context_count (const ChatContext *self, const char *text)
{
  return clq_visit_estimate_tokens (self->visit, self->agent, text);
}

guint64
chat_context_count_summary (const ChatContext *self)
{
  g_autofree char *text = self->summary != NULL ? g_strconcat (SUMMARY_LABEL, self->summary, NULL) : NULL;

  return text != NULL ? chat_context_count (self, text) : 0;
}

static guint64
count_entries (const GPtrArray *entries, guint first)
{
  guint64 tokens = 0;

  for (guint i = first; i < entries->len; i++)
    tokens += ((const ChatEntry *) g_ptr_array_index (entries, i))->tokens;
  return tokens;
}

/* The system messages and the entries from @first on. */
guint64
chat_context_count_from (const ChatContext *self, guint first)
{
  return count_entries (self->system, 0) + count_entries (self->entries, first);
}

guint64
chat_context_count_shown (const ChatContext *self)
{
  return chat_context_count_from (self, self->first) + chat_context_count_summary (self);
}

/* The beginning of a text that has at most so many tokens. */
char *
chat_context_clip (const ChatContext *self, const char *text, guint64 tokens)
{
  gsize length = (gsize) g_utf8_strlen (text, -1);
  g_autofree char *clipped = g_strdup (text);

  while (length > 0 && chat_context_count (self, clipped) > tokens)
    {
      gsize most = tokens < G_MAXINT32 ? (gsize) tokens * 4 : length;

      length = MIN (length * 3 / 4, most);
      g_free (clipped);
      clipped = g_utf8_substring (text, 0, (glong) length);
    }
  return g_steal_pointer (&clipped);
}

/* Whatever the agent says of tokens counts more than an estimate. */
void
chat_context_spend (ChatContext *self, ClqCall *call)
{
  guint64 in = 0, out = 0;

  clq_call_get_usage (call, &in, &out);
  self->tokens_in += in > 0 ? in : chat_context_count_shown (self);
  self->tokens_out += out > 0 ? out : chat_context_count (self, clq_call_get_text (call));
}

/* Leaves out the oldest entries until the rest has room; the newest always stays. */
void
chat_context_slide (ChatContext *self, guint64 room)
{
  guint64 tokens = chat_context_count_shown (self);

  while (self->first + 1 < self->entries->len && tokens > room)
    tokens -= ((const ChatEntry *) g_ptr_array_index (self->entries, self->first++))->tokens;
}

/* ---- requests ---- */

static void
add_messages (ClqPrompt *prompt, const GPtrArray *entries, guint first, guint until)
{
  for (guint i = first; i < until; i++)
    {
      const ChatEntry *entry = g_ptr_array_index (entries, i);

      clq_prompt_add (prompt, entry->role, entry->text);
    }
}

/* What the agent is sent: system messages, summary, the entries before @until, an instruction if there is one. */
char *
chat_context_dup_request (const ChatContext *self, guint until, gboolean with_system, const char *instruction)
{
  ClqPrompt *prompt = clq_prompt_new ();

  if (with_system)
    add_messages (prompt, self->system, 0, self->system->len);
  if (self->summary != NULL)
    {
      g_autofree char *text = g_strconcat (SUMMARY_LABEL, self->summary, NULL);

      clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, text);
    }
  add_messages (prompt, self->entries, self->first, until);
  if (instruction != NULL)
    clq_prompt_add (prompt, CLQ_ROLE_USER, instruction);
  return clq_prompt_finish (prompt);
}

/* ---- reading ---- */

static void
add_entry (const ChatContext *self, GPtrArray *entries, ClqRole role, char *text, guint age)
{
  ChatEntry *entry = g_new (ChatEntry, 1);

  *entry = (ChatEntry){ role, text, chat_context_count (self, text), age };
  g_ptr_array_add (entries, entry);
}

static void
read_system (ChatContext *self, ClqView *view)
{
  ClqJsonSpan known = clq_view_find (view, "context.system"), key, value;
  g_autofree char *prompt = clq_view_dup_string (view, "systemPrompt");
  ClqJsonIter iter;

  if (prompt != NULL && *prompt != '\0')
    add_entry (self, self->system, CLQ_ROLE_SYSTEM, g_steal_pointer (&prompt), 0);
  if (known.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &known))
    while (clq_json_iter_next (&iter, &key, &value))
      add_entry (self, self->system, CLQ_ROLE_SYSTEM, clq_json_span_dup_string (&value), 0);
}

/* System messages are shown before everything else, not in their place. */
static gboolean
is_shown_before (const ChatContext *self, ClqRole role, const char *text)
{
  for (guint i = 0; role == CLQ_ROLE_SYSTEM && i < self->system->len; i++)
    if (strcmp (((const ChatEntry *) g_ptr_array_index (self->system, i))->text, text) == 0)
      return TRUE;
  return FALSE;
}

static void
read_record (ChatContext *self, const ClqRecord *record, guint age)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, (gssize) length, "text");
  ClqRole role = clq_record_get_role (record);
  g_autofree char *text = span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;

  if (text == NULL || *text == '\0' || is_shown_before (self, role, text))
    return;
  if (clq_record_get_record_type (record) == CLQ_RECORD_CONTEXT)
    add_entry (self, self->entries, CLQ_ROLE_SYSTEM, g_strconcat (CONTEXT_LABEL, text, NULL), age);
  else
    add_entry (self, self->entries, role, g_steal_pointer (&text), age);
}

static void
on_journal (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  ChatContext *self = user_data;

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  for (guint i = n_records; i > 0; i--)
    read_record (self, records[i - 1], i);
  self->func (self);
}

/* Reads what no summary covers yet. The context hangs on the visit's cancellable: it goes with the visit, however that ends. */
void
chat_context_read (ClqVisit *visit, ChatContextFunc func)
{
  ClqView *view = clq_visit_get_view (visit);
  ChatContext *self = g_new0 (ChatContext, 1);

  self->visit = visit;
  self->agent = clq_view_dup_string (view, "agent");
  if (self->agent == NULL)
    self->agent = g_strdup ("assistant");
  self->strategy = clq_view_dup_string (view, "context.strategy");
  self->window = (guint64) clq_view_get_int (view, "context.window");
  if (self->window == 0)
    self->window = FALLBACK_WINDOW;
  self->threshold = clq_view_get_double (view, "context.threshold");
  self->summary = clq_view_dup_string (view, "context.summary");
  self->system = g_ptr_array_new_with_free_func (free_entry);
  self->entries = g_ptr_array_new_with_free_func (free_entry);
  self->func = func;
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), "chat-context", self, free_context);
  read_system (self, view);
  clq_visit_read_journal (visit, 1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_CONTEXT, 0,
                          (guint) CLAMP (clq_view_get_int (view, "context.fresh"), 1, G_MAXINT32), on_journal, self);
}
