/* What remains of a conversation: decisions and artifacts on the way, the crystal at its end. */
#include "chat.h"

#define MAX_RESULTS 32
#define DECISION_LENGTH 160

/* ---- on the way ---- */

/* Adds to a list in the data; the oldest give way. */
static char *
dup_list_with (const char *list, const char *item)
{
  ClqJsonSpan root = clq_json_span (list, -1), key, value;
  g_autoptr (GString) shorter = g_string_new ("[");
  ClqJsonIter iter;
  guint n = 0, i = 0;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    n++;
  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &key, &value))
    if (++i + MAX_RESULTS > n + 1)
      {
        if (shorter->len > 1)
          g_string_append_c (shorter, ',');
        g_string_append_len (shorter, value.start, (gssize) value.length);
      }
  g_string_append_c (shorter, ']');
  root = clq_json_span (shorter->str, -1);
  return chat_dup_joined (&root, item);
}

/* What follows a word and a colon at the start of a line; NULL if the line begins otherwise. */
static const char *
skip_word (const char *line, const char *word)
{
  gsize length = strlen (word);

  line += strspn (line, " \t*_#>-");
  if (g_ascii_strncasecmp (line, word, length) != 0)
    return NULL;
  line += length + strspn (line + length, "*_");
  if (*line != ':')
    return NULL;
  line++;
  return line + strspn (line, " \t*_");
}

static void
add_to (char **list, const char *item)
{
  char *longer = dup_list_with (*list, item);

  g_free (*list);
  *list = longer;
}

/* A line `Decision: …` is a decision, a fenced block of code an artifact. */
void
chat_note_results (const ChatStep *step, const char *text, gint64 turn)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *decisions = chat_dup_data (step->view, "decisions", "[]");
  g_autofree char *artifacts = chat_dup_data (step->view, "artifacts", "[]");
  gboolean decided = FALSE, made = FALSE;
  int fence = -1;

  for (int i = 0; lines[i] != NULL; i++)
    {
      const char *decision = fence < 0 ? skip_word (lines[i], "decision") : NULL;

      if (decision != NULL && *decision != '\0')
        {
          g_autofree char *clipped = chat_clip (decision, DECISION_LENGTH);
          g_autofree char *item = clq_json_quote (clipped);

          add_to (&decisions, item);
          decided = TRUE;
        }
      if (!g_str_has_prefix (lines[i], "```"))
        continue;
      if (fence >= 0)
        {
          g_autoptr (GString) item = g_string_new (NULL);
          g_autofree char *language = chat_clip (lines[fence] + 3, 24);

          chat_add_number (item, "turn", turn);
          chat_add_text (item, "language", language);
          chat_add_number (item, "lines", i - fence - 1);
          g_string_append_c (item, '}');
          add_to (&artifacts, item->str);
          made = TRUE;
        }
      fence = fence < 0 ? i : -1;
    }
  if (decided)
    clq_change_set_json (step->change, "decisions", decisions);
  if (made)
    clq_change_set_json (step->change, "artifacts", artifacts);
}

/* ---- flush ---- */

/* What was said is safe as soon as it is answered; what may be pending is the digest of it. */
gboolean
chat_flush (const ChatStep *step, GError **error)
{
  gint64 turns = clq_view_get_int (step->view, "turnCount");
  gint64 pending = MAX (turns - clq_view_get_int (step->view, "digest.turns"), 0);
  g_autofree char *result = g_strdup_printf ("{\"flushed\":%" G_GINT64_FORMAT "}", pending);

  clq_change_set_int (step->change, "digest.turns", turns);
  clq_change_set_int (step->change, "digest.pending", pending);
  clq_change_set_result (step->change, result);
  return TRUE;
}

/* ---- crystallize and harvest ---- */

static char *
dup_summary (const ChatStep *step)
{
  char *summary = clq_view_dup_string (step->view, "digest.summary");
  g_autofree char *closing = clq_view_dup_string (step->view, "closing");
  const char *title = clq_view_get_title (step->view);
  gint64 turns = clq_view_get_int (step->view, "turnCount");

  if (summary == NULL)
    summary = clq_view_dup_string (step->view, "context.summary");
  if (summary != NULL)
    return summary;
  if (turns == 0)
    return g_strdup ("Nothing was said.");
  return g_strdup_printf ("%" G_GINT64_FORMAT " turn%s. It began with: %s It ended with: %s", turns, turns == 1 ? "" : "s",
                          title != NULL ? title : "…", closing != NULL ? closing : "…");
}

static char *
dup_counts (const ChatStep *step)
{
  GString *out = g_string_new (NULL);
  ClqJsonSpan branches = clq_view_find (step->view, "branches");
  g_auto (GStrv) names = chat_dup_keys (&branches);

  chat_add_number (out, "turns", clq_view_get_int (step->view, "turnCount"));
  chat_add_number (out, "branches", g_strv_length (names));
  chat_add_number (out, "checkpoints", clq_view_get_int (step->view, "checkpointCount"));
  chat_add_number (out, "tokensIn", clq_view_get_int (step->view, "metrics.tokensIn"));
  chat_add_number (out, "tokensOut", clq_view_get_int (step->view, "metrics.tokensOut"));
  g_string_append_c (out, '}');
  return g_string_free (out, FALSE);
}

/* Decisions that the agent has found are better than those that were found line by line. */
static char *
dup_decisions (const ChatStep *step)
{
  ClqJsonSpan found = clq_view_find (step->view, "digest.decisions");

  return found.type == CLQ_JSON_ARRAY ? chat_dup_span (&found, NULL) : chat_dup_data (step->view, "decisions", "[]");
}

gboolean
chat_crystallize (const ChatStep *step, GError **error)
{
  static const char *const members[] = { "title", NULL };
  g_autofree char *title = NULL, *found = clq_view_dup_string (step->view, "digest.title");
  g_autofree char *summary = dup_summary (step), *decisions = dup_decisions (step), *counts = dup_counts (step);
  g_autofree char *artifacts = chat_dup_data (step->view, "artifacts", "[]"), *result = NULL;
  g_autoptr (GString) crystal = g_string_new (NULL);
  const char *known = clq_view_get_title (step->view);

  if (!chat_expect (step, members, error) || !chat_get_text (step, "title", &title, error))
    return FALSE;
  if (title != NULL && strlen (title) > 1024)
    return chat_refuse (error, CLQ_INPUT_ERROR_BAD_INPUT, "crystallize: title: expected at most 1024 bytes");
  chat_add_text (crystal, "title", title != NULL ? title : found != NULL ? found
                                                       : known != NULL   ? known
                                                                         : "Untitled");
  chat_add_text (crystal, "summary", summary);
  chat_add_json (crystal, "decisions", decisions);
  chat_add_json (crystal, "artifacts", artifacts);
  chat_add_json (crystal, "counts", counts);
  g_string_append_c (crystal, '}');
  if (title != NULL && *title != '\0')
    clq_change_set_title (step->change, title);
  clq_change_set_json (step->change, "crystal", crystal->str);
  clq_change_append (step->change, CLQ_RECORD_ARTIFACT, CLQ_ROLE_NONE, crystal->str);
  result = g_strdup_printf ("{\"crystal\":%s}", crystal->str);
  clq_change_set_result (step->change, result);
  return TRUE;
}

gboolean
chat_harvest (const ChatStep *step, GError **error)
{
  g_autofree char *crystal = chat_dup_data (step->view, "crystal", "null");
  g_autofree char *result = g_strdup_printf ("{\"crystal\":%s}", crystal);

  clq_change_set_result (step->change, result);
  return TRUE;
}

/* ---- reset ---- */

/* The conversation goes on from before its first word. What was said stays where it is, its end under a name. */
gboolean
chat_reset (const ChatStep *step, GError **error)
{
  gint64 conversation = MAX (clq_view_get_int (step->view, "conversation"), 1);
  g_autofree char *mark = g_strdup_printf ("conversation/%" G_GINT64_FORMAT, conversation);

  clq_change_mark (step->change, mark);
  clq_change_go_to_record (step->change, 1);
  clq_change_set_int (step->change, "conversation", conversation + 1);
  clq_change_set_result (step->change, "{}");
  return TRUE;
}
