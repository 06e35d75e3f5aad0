/* Strategies: how the conversation is brought into the window. */
#include "chat.h"

/* A summary for which there is less room is of no use. */
#define MIN_SUMMARY 8

static char *
dup_instruction (guint64 tokens)
{
  return g_strdup_printf ("Summarise what was said so far in at most %" G_GUINT64_FORMAT " words.", MAX (tokens * 3 / 4, 1));
}

static const ChatEntry *
get_entry (const ChatContext *self, guint index)
{
  return g_ptr_array_index (self->entries, index);
}

/* How many tokens a summary may have: a quarter of the window, if system and newest message leave that. */
static guint64
get_summary_room (const ChatContext *self)
{
  guint64 needed = chat_context_count_from (self, self->entries->len - 1);

  return needed < self->window ? MIN (self->window / 4, self->window - needed) : 0;
}

/* The first of the newest entries that stay as they are: they fill half of what is allowed, the newest at least. */
static guint
find_first_kept (const ChatContext *self)
{
  guint64 room = (guint64) (self->threshold * (double) self->window / 2);
  guint first = self->entries->len - 1;

  while (first > self->first && chat_context_count_from (self, first - 1) <= room)
    first--;
  return first;
}

/* ---- left out ---- */

/* The summary that there is stays if it has room beside the newest message. */
static void
fit_without_agent (ChatContext *self)
{
  guint64 needed = chat_context_count_from (self, self->entries->len - 1);

  if (self->summary != NULL && needed + chat_context_count_summary (self) > self->window)
    {
      g_clear_pointer (&self->summary, g_free);
      self->summary_changed = TRUE;
    }
  chat_context_slide (self, self->window);
}

static void
forget (ChatContext *self)
{
  if (chat_context_count_shown (self) <= self->window)
    return;
  self->first = self->entries->len - 1;
  g_clear_pointer (&self->summary, g_free);
  self->summary_changed = TRUE;
}

/* ---- summarised ---- */

static void summarise_next (ChatContext *self);

static void
give_up_summary (ChatContext *self, const char *why)
{
  clq_change_warn (clq_visit_get_change (self->visit), "no summary: %s; the oldest messages are left out", why);
  fit_without_agent (self);
  self->func (self);
}

/* The new summary must have room with its label; it is cut if the agent was asked in vain to be short. */
static void
keep_summary (ChatContext *self, const char *text)
{
  guint64 room = get_summary_room (self);
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  const char *end = NULL;

  g_free (self->summary);
  self->summary = chat_context_clip (self, stripped, room);
  if (strlen (self->summary) > CHAT_MAX_SUMMARY && !g_utf8_validate (self->summary, CHAT_MAX_SUMMARY, &end))
    self->summary[end - self->summary] = '\0';
  else if (strlen (self->summary) > CHAT_MAX_SUMMARY)
    self->summary[CHAT_MAX_SUMMARY] = '\0';
  while (*self->summary != '\0' && chat_context_count_summary (self) > room)
    {
      g_autofree char *longer = g_steal_pointer (&self->summary);

      self->summary = g_utf8_substring (longer, 0, g_utf8_strlen (longer, -1) * 3 / 4);
    }
  self->summary_changed = TRUE;
  if (*self->summary == '\0')
    g_clear_pointer (&self->summary, g_free);
}

static void
on_summary (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  ChatContext *self = user_data;
  const char *text = clq_call_get_text (call);

  if (clq_call_get_error (call) != NULL)
    {
      give_up_summary (self, clq_call_get_error (call)->message);
      return;
    }
  if (text[strspn (text, " \t\r\n")] == '\0')
    {
      give_up_summary (self, "the agent said nothing");
      return;
    }
  chat_context_spend (self, call);
  keep_summary (self, text);
  self->first = self->until;
  summarise_next (self);
}

/* An entry that is larger than any request could be is shown to whoever summarises as far as it goes. */
static void
shorten_entry (ChatContext *self, guint index, guint64 tokens)
{
  ChatEntry *entry = g_ptr_array_index (self->entries, index);
  char *shorter = chat_context_clip (self, entry->text, tokens);

  g_free (entry->text);
  entry->text = shorter;
  entry->tokens = chat_context_count (self, shorter);
}

/* One request after the other, each with the summary so far and as many of the older entries as it has room for. */
static void
summarise_next (ChatContext *self)
{
  g_autofree char *instruction = dup_instruction (get_summary_room (self));
  g_autofree char *request = NULL, *key = NULL;
  guint kept = find_first_kept (self);
  guint64 used = chat_context_count (self, instruction) + chat_context_count_summary (self);

  if (self->first >= kept)
    {
      fit_without_agent (self);
      self->func (self);
      return;
    }
  if (get_summary_room (self) < MIN_SUMMARY || used + MIN_SUMMARY > self->window)
    {
      give_up_summary (self, "the window is too small");
      return;
    }
  if (used + get_entry (self, self->first)->tokens > self->window)
    shorten_entry (self, self->first, self->window - used);
  self->until = self->first;
  while (self->until < kept && used + get_entry (self, self->until)->tokens <= self->window)
    used += get_entry (self, self->until++)->tokens;
  request = chat_context_dup_request (self, self->until, FALSE, instruction);
  key = g_strdup_printf ("summary/%u", ++self->n_summaries);
  clq_visit_call_agent (self->visit, key, self->agent, request, FALSE, on_summary, self);
}

/* Brings what is shown into the window, then calls @func; a message for which there is no room at all fails the visit. */
void
chat_context_fit (ChatContext *self, ChatContextFunc func)
{
  guint64 needed;

  self->func = func;
  if (self->entries->len == 0)
    {
      func (self);
      return;
    }
  needed = chat_context_count_from (self, self->entries->len - 1);
  if (needed > self->window)
    {
      clq_visit_fail (self->visit, CLQ_FAILURE_USER, "the message and the system messages have %" G_GUINT64_FORMAT " tokens; the window has %" G_GUINT64_FORMAT,
                      needed, self->window);
      return;
    }
  if (g_strcmp0 (self->strategy, "summarize") == 0 && (double) chat_context_count_shown (self) > self->threshold * (double) self->window)
    {
      summarise_next (self);
      return;
    }
  if (g_strcmp0 (self->strategy, "forget") == 0)
    forget (self);
  else
    fit_without_agent (self);
  func (self);
}
