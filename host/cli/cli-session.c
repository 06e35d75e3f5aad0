#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <string.h>

static gboolean
open_store (ClqHost *host, const char *place, gboolean (*open) (ClqHost *host, const char *place, GError **error), GError **error)
{
  g_autoptr (GError) local = NULL;

  if (place != NULL)
    return open (host, place, error);
  if (open (host, "sqlite", &local))
    return TRUE;
  if (!g_error_matches (local, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  cli_complain ("there is no plugin sqlite, so nothing is kept when this ends");
  return clq_host_use_store (host, "memory", error);
}

/*
 * Opens the store for conversations that are to be found again: @place, else the user's own database. Without the plugin
 * for that nothing is kept, and stderr says so.
 */
gboolean
cli_use_store (ClqHost *host, const char *place, GError **error)
{
  return open_store (host, place, clq_host_use_store, error);
}

/* The same, only to look at it: a worker may have it open. */
gboolean
cli_view_store (ClqHost *host, const char *place, GError **error)
{
  return open_store (host, place, clq_host_view_store, error);
}

/* Complains if it is none. */
gboolean
cli_parse_id (const char *command, const char *text, guint8 id[16])
{
  if (clq_id_parse (text, id))
    return TRUE;
  cli_complain ("%s: '%s' is no id; expected one like 01890a5d-ac96-774b-bcce-b302099a8057, see colloquy sessions", command, text);
  return FALSE;
}

/* The arguments of a command that takes the id of a session, up to @max words in all, and --store. */
gboolean
cli_parse_session (const char *command, int *argc, char ***argv, int max, char **store, guint8 id[16], int *status)
{
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, store, "Where the session is kept (default: sqlite)", "sqlite:PATH" },
    { NULL },
  };

  if (!cli_parse (cli_find_command (command), entries, argc, argv, 1, max, status))
    return FALSE;
  if (cli_parse_id (command, (*argv)[1], id))
    return TRUE;
  *status = CLI_USAGE;
  return FALSE;
}

static gboolean
has_rule (const ClqGraph *graph, const char *action)
{
  int event = clq_graph_find_event (graph, action);
  guint n_rules = 0;

  if (event < 0 || !graph->events[event].is_action)
    return FALSE;
  clq_graph_get_rules (graph, graph->initial, (guint) event, &n_rules);
  return n_rules > 0;
}

/*
 * Whether somebody who has only a text to say has to take the action `start` first: nothing runs where a session begins,
 * a message is not taken there, and `start` is.
 */
gboolean
cli_starts_first (const ClqGraph *graph)
{
  return graph->states[graph->initial].entry == NULL && has_rule (graph, "start") && !has_rule (graph, "message");
}

/* Whether a message always leads away from the beginning: then what is said first is one, not the way in which it is opened. */
gboolean
cli_speaks_first (const ClqGraph *graph)
{
  int event = clq_graph_find_event (graph, "message");
  guint n_rules = 0;
  const ClqRule *rules = event >= 0 ? clq_graph_get_rules (graph, graph->initial, (guint) event, &n_rules) : NULL;

  return n_rules == 1 && rules[0].guard == NULL && rules[0].target >= 0 && rules[0].target != (int) graph->initial;
}

/* What is scheduled, for people; NULL if nothing is. */
char *
cli_dup_scheduled (ClqSession *session)
{
  const char *schedule = clq_session_get_schedule (session);
  char *headline = schedule != NULL ? clq_session_dup_headline (session) : NULL;

  return headline != NULL ? headline : g_strdup (schedule);
}

/* Until a session ends, rests or waits for somebody; a visit that waits for the clock or for an agent is waited for. */
void
cli_run_to_rest (ClqHost *host, const guint8 id[16])
{
  for (;;)
    {
      g_autoptr (ClqSession) session = NULL;

      clq_host_settle (host);
      session = clq_host_get_session (host, id);
      if (session == NULL || strcmp (clq_session_get_status (session), "running") != 0)
        return;
      g_main_context_iteration (NULL, TRUE);
    }
}

/* A callback that keeps the answer in a CliAnswer. */
void
cli_on_answer (const char *text, const GError *error, gpointer answer)
{
  CliAnswer *self = answer;

  self->text = g_strdup (text);
  if (error != NULL)
    self->error = g_error_copy (error);
}

void
cli_answer_clear (CliAnswer *answer)
{
  g_clear_pointer (&answer->text, g_free);
  g_clear_error (&answer->error);
}
