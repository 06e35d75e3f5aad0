#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

#include <string.h>

static const TermStyle plain = { 0, TERM_DEFAULT };
static const TermStyle strong = { TERM_BOLD, TERM_DEFAULT };

/* ---- what an action gave ---- */

static char *
dup_member (const char *result, const char *name)
{
  ClqJsonSpan span = clq_json_find (result, -1, name);

  if (span.type == CLQ_JSON_STRING)
    return clq_json_span_dup_string (&span);
  return span.type != CLQ_JSON_NONE ? g_strndup (span.start, span.length) : g_strdup ("?");
}

/* Sends an action with what was typed behind its command. */
static void
act_on (Chat *self, const char *action, const char *arguments, ChatDoneFunc done)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *payload = chat_dup_payload (action, arguments, &error);

  if (error != NULL)
    chat_reject (self, "/%s: %s", action, error->message);
  else
    chat_act (self, action, payload, done);
}

static void
complain_result (Chat *self, const GError *error)
{
  chat_complain (self, "%s", error->message);
}

/* ---- branches ---- */

static void
on_fork_confirmed (Chat *self, const char *result, const GError *error)
{
  g_autofree char *branch = NULL;

  if (error != NULL)
    {
      complain_result (self, error);
      return;
    }
  branch = dup_member (result, "branch");
  chat_note (self, "on branch %s now; /switch goes back, /tree draws the branches", branch);
}

/* Who types /fork has decided; the graph asks for it in a second step. */
static void
on_forked (Chat *self, const char *result, const GError *error)
{
  if (error != NULL)
    complain_result (self, error);
  else if (chat_can (self, "confirm_fork"))
    chat_act (self, "confirm_fork", NULL, on_fork_confirmed);
  else
    on_fork_confirmed (self, result, NULL);
}

void
chat_fork (Chat *self, const char *arguments)
{
  act_on (self, "fork", arguments, on_forked);
}

static void
on_switched (Chat *self, const char *result, const GError *error)
{
  g_autofree char *branch = NULL;

  if (error != NULL)
    {
      complain_result (self, error);
      return;
    }
  branch = clq_json_find_string (clq_session_get_data (self->session), "branch");
  chat_note (self, "on branch %s now", branch != NULL ? branch : "?");
}

void
chat_switch (Chat *self, const char *arguments)
{
  if (*arguments == '\0')
    chat_reject (self, "/switch: expected the name of a branch; /tree draws them");
  else
    act_on (self, "switch", arguments, on_switched);
}

/* ---- going back ---- */

static void
on_rewound (Chat *self, const char *result, const GError *error)
{
  g_autofree char *turn = NULL;

  if (error != NULL)
    {
      complain_result (self, error);
      return;
    }
  turn = dup_member (result, "turn");
  chat_note (self, "back at turn %s; what came after it is kept, but not part of this branch any more", turn);
}

void
chat_rewind (Chat *self, const char *arguments)
{
  act_on (self, "rewind", arguments, on_rewound);
}

static void
on_checkpoint (Chat *self, const char *result, const GError *error)
{
  g_autofree char *checkpoint = NULL;

  if (error != NULL)
    {
      complain_result (self, error);
      return;
    }
  checkpoint = dup_member (result, "checkpoint");
  chat_note (self, "checkpoint %s; /rewind %s comes back here", checkpoint, checkpoint);
}

void
chat_checkpoint (Chat *self, const char *arguments)
{
  act_on (self, "checkpoint", arguments, on_checkpoint);
}

/* ---- merging ---- */

static void
on_merge_confirmed (Chat *self, const char *result, const GError *error)
{
  if (error != NULL)
    complain_result (self, error);
  else
    chat_note (self, "merged %s", self->merging != NULL ? self->merging : "");
  g_clear_pointer (&self->merging, g_free);
}

static char *
dup_value (const char *conflict, const char *name)
{
  ClqJsonSpan span = clq_json_find (conflict, -1, name);

  return span.type != CLQ_JSON_NONE ? g_strndup (span.start, span.length) : g_strdup ("nothing");
}

static void
draw_conflict (Chat *self, const char *conflict)
{
  g_autofree char *id = dup_member (conflict, "id");
  g_autofree char *base = dup_value (conflict, "base");
  g_autofree char *branch = dup_value (conflict, "branch");

  chat_print_line (self, strong, "conflict %s", id);
  chat_print_line (self, plain, "  /resolve_conflict %s base     %s", id, base);
  chat_print_line (self, plain, "  /resolve_conflict %s branch   %s", id, branch);
}

/* Draws what both branches have set differently; says how much that is. */
static guint
draw_conflicts (Chat *self, const char *result)
{
  ClqJsonSpan conflicts = clq_json_find (result, -1, "conflicts"), value;
  ClqJsonIter iter;
  guint n_conflicts = 0;

  chat_begin (self);
  clq_json_iter_init (&iter, &conflicts);
  while (clq_json_iter_next (&iter, NULL, &value))
    {
      g_autofree char *conflict = g_strndup (value.start, value.length);

      if (n_conflicts++ == 0)
        chat_leave_gap (self);
      draw_conflict (self, conflict);
    }
  chat_end (self);
  return n_conflicts;
}

static void
on_merged (Chat *self, const char *result, const GError *error)
{
  if (error != NULL)
    complain_result (self, error);
  else if (draw_conflicts (self, result) > 0)
    chat_note (self, "resolve each with one of these, then /confirm_merge; /cancel_merge leaves all as it was");
  else if (chat_can (self, "confirm_merge"))
    chat_act (self, "confirm_merge", NULL, on_merge_confirmed);
  else
    on_merge_confirmed (self, result, NULL);
}

void
chat_merge (Chat *self, const char *arguments)
{
  g_auto (GStrv) words = g_strsplit (arguments, " ", 2);
  g_autoptr (GString) payload = g_string_new ("{}");
  g_autofree char *branch = NULL, *strategy = NULL;

  if (*arguments == '\0')
    {
      chat_reject (self, "/merge: expected the name of a branch; /tree draws them");
      return;
    }
  g_free (self->merging);
  self->merging = g_strdup (words[0]);
  branch = clq_json_quote (words[0]);
  clq_json_set (payload, "branch", branch);
  if (words[1] != NULL)
    {
      strategy = clq_json_quote (g_strstrip (words[1]));
      clq_json_set (payload, "strategy", strategy);
    }
  chat_act (self, "merge", *arguments == '{' ? arguments : payload->str, on_merged);
}
