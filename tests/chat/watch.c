/* watch: an agent that looks at what it is shown, and answers in ways that tests can foresee. */
#include <colloquy.h>

#include <string.h>

typedef struct
{
  gint64 window;
  char *must_see;
  gboolean count_words;
  gboolean no_summary;
  gboolean one_session;
  guint n_summaries;
} Watch;

static const ClqSetting settings[] = {
  CLQ_INT (Watch, window, 0, 0, 1000000000, "how many tokens a request may have; 0 = any number"),
  CLQ_STRING (Watch, must_see, NULL, "a text that every request but those for summaries begins with"),
  CLQ_BOOL (Watch, count_words, false, "a token is a word"),
  CLQ_BOOL (Watch, one_session, false, "all requests are of one conversation: the second summary must be of the first, too"),
  CLQ_BOOL (Watch, no_summary, false, "fail when asked for a summary"),
  { NULL },
};

static guint64
count_words (const char *text)
{
  guint64 n = 0;

  for (gboolean in_word = FALSE; *text != '\0'; text++)
    {
      n += !in_word && *text != ' ';
      in_word = *text != ' ';
    }
  return MAX (n, 1);
}

static guint64
estimate_tokens (gpointer self, const char *text)
{
  const Watch *watch = self;

  return watch->count_words ? count_words (text) : 0;
}

static guint64
count (const Watch *self, const char *text)
{
  return self->count_words ? count_words (text) : ((guint64) g_utf8_strlen (text, -1) + 3) / 4;
}

/* What the user said last; checks everything else on the way. */
static char *
look_at (const Watch *self, const char *request)
{
  ClqJsonSpan messages = clq_json_find (request, -1, "messages"), key, message;
  g_autofree char *newest = NULL, *first = NULL;
  guint64 tokens = 0;
  ClqJsonIter iter;

  g_assert_true (clq_json_iter_init (&iter, &messages));
  while (clq_json_iter_next (&iter, &key, &message))
    {
      ClqJsonSpan text = clq_json_find (message.start, (gssize) message.length, "text");
      ClqJsonSpan role = clq_json_find (message.start, (gssize) message.length, "role");

      g_free (newest);
      newest = clq_json_span_dup_string (&text);
      if (first == NULL)
        first = g_strdup (newest);
      tokens += count (self, newest);
      g_assert_true (clq_json_span_string_equal (&role, "user") || clq_json_span_string_equal (&role, "assistant") || clq_json_span_string_equal (&role, "system"));
    }
  g_assert_nonnull (newest);
  if (self->window > 0)
    g_assert_cmpuint (tokens, <=, self->window);
  if (self->must_see != NULL && !g_str_has_prefix (newest, "Summarise"))
    g_assert_cmpstr (first, ==, self->must_see);
  return g_steal_pointer (&newest);
}

static void
on_late (ClqCall *call, gpointer user_data)
{
  clq_call_return (call, "too late");
}

/* fail… fails, slow… says a part and the rest after 100 seconds, what is to be summarised is, all else is answered. */
static void
watch_complete (gpointer self, ClqCall *call)
{
  Watch *watch = self;
  g_autofree char *heard = look_at (watch, clq_call_get_request (call));
  g_autofree char *answer = NULL;

  if (g_str_has_prefix (heard, "Summarise"))
    {
      if (watch->no_summary)
        {
          clq_call_fail (call, CLQ_FAILURE_RECOVERABLE, "no summaries here");
          return;
        }
      if (watch->n_summaries++ > 0 && watch->one_session)
        g_assert_nonnull (strstr (clq_call_get_request (call), "Summary so far: S"));
      answer = g_strdup_printf ("S%u and much more that was said and is not worth a word but makes it long, longer than it may be", watch->n_summaries);
      clq_call_return (call, answer);
      return;
    }
  if (g_str_has_prefix (heard, "fail"))
    {
      clq_call_fail (call, CLQ_FAILURE_CRITICAL, "as you wish");
      return;
    }
  if (g_str_has_prefix (heard, "slow"))
    {
      clq_call_piece (call, "p", -1);
      clq_call_piece (call, heard, -1);
      clq_call_after (call, 100 * G_TIME_SPAN_SECOND, on_late, NULL);
      return;
    }
  answer = g_strconcat ("r", heard, NULL);
  clq_call_return (call, answer);
}

static const ClqAgentInfo agent = {
  CLQ_AGENT_INFO,
  .name = "agent",
  .summary = "Looks at what it is shown",
  .settings = settings,
  .self_size = sizeof (Watch),
  .complete = watch_complete,
  .estimate_tokens = estimate_tokens,
};

CLQ_PLUGIN ("watch", "1.0", "An agent that looks at what it is shown", &agent.feature);
