#define G_LOG_DOMAIN "colloquy"

#include "pipe.h"

#include <stdio.h>
#include <string.h>

/*
 * Random walks over a graph, with its nodes and a manual clock: actions that are valid, messages, answers that fit, and
 * time that passes. Every step is a request of `pipe`; a run in which the session fails is printed as such.
 */
typedef struct
{
  const char *graph_name;
  char **overrides;
  ClqGraph *graph; /* of the first run, to count by */
  GRand *chance;
  guint n_steps;
  guint n_requests;
  guint n_failed;
  GHashTable *taken; /* "STATE.EVENT=TARGET" → how often */
  guint64 *visits;   /* per state */
} Simulation;

static const char *const texts[] = { "hello", "yes", "no", "stop", "build me a page with a form", "how does this work?", "change the colour", "done" };

/* ---- steps ---- */

static const char *
choose (Simulation *self, const char *const *items, guint n)
{
  return items[g_rand_int_range (self->chance, 0, (gint32) n)];
}

static guint
count_options (const char *question)
{
  ClqJsonSpan options = clq_json_find (question, -1, "options"), option;
  ClqJsonIter iter;
  guint n = 0;

  if (options.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &options))
    while (clq_json_iter_next (&iter, NULL, &option))
      n++;
  return n;
}

static void
append_answer (Simulation *self, GString *out, const ClqJsonSpan *question)
{
  g_autofree char *text = g_strndup (question->start, question->length);
  g_autofree char *key = clq_json_find_string (text, "key");
  g_autofree char *type = clq_json_find_string (text, "type");

  cli_json_member (out, key);
  if (g_strcmp0 (type, "confirmation") == 0)
    g_string_append (out, g_rand_boolean (self->chance) ? "true" : "false");
  else if (g_strcmp0 (type, "choice") == 0)
    g_string_append_printf (out, "%d", g_rand_int_range (self->chance, 1, 1 + (gint32) MAX (count_options (text), 1)));
  else
    clq_json_append_string (out, choose (self, texts, G_N_ELEMENTS (texts)), -1);
}

static gboolean
append_answers (Simulation *self, GString *request, ClqSession *session)
{
  g_autofree char *questions = clq_session_dup_questions (session);
  ClqJsonSpan list = clq_json_span (questions, -1), question;
  ClqJsonIter iter;
  guint n = 0;

  clq_json_iter_init (&iter, &list);
  g_string_append (request, "{\"do\":\"answer\",\"values\":{");
  while (clq_json_iter_next (&iter, NULL, &question))
    {
      append_answer (self, request, &question);
      n++;
    }
  g_string_append (request, "}}");
  return n > 0;
}

static void
append_advance (Simulation *self, GString *request)
{
  static const int seconds[] = { 1, 5, 60, 600, 3600, 86400 };

  g_string_append_printf (request, "{\"do\":\"advance\",\"seconds\":%d}", seconds[g_rand_int_range (self->chance, 0, G_N_ELEMENTS (seconds))]);
}

static void
append_action (Simulation *self, GString *request, char **actions)
{
  const char *action = choose (self, (const char *const *) actions, g_strv_length (actions));

  g_string_append_c (request, '{');
  cli_json_string (request, "do", strcmp (action, "message") == 0 ? "message" : "action");
  if (strcmp (action, "message") == 0)
    cli_json_string (request, "text", choose (self, texts, G_N_ELEMENTS (texts)));
  else
    cli_json_string (request, "name", action);
  g_string_append_c (request, '}');
}

/* What somebody might do next. */
static char *
dup_step (Simulation *self, ClqSession *session)
{
  GString *request = g_string_new (NULL);
  g_auto (GStrv) actions = clq_session_dup_actions (session);
  guint n = 0;

  for (guint i = 0; actions[i] != NULL; i++)
    if (strcmp (actions[i], "answer") != 0)
      actions[n++] = actions[i];
    else
      g_free (actions[i]);
  actions[n] = NULL;
  if (g_rand_int_range (self->chance, 0, 3) == 0 && append_answers (self, request, session))
    return g_string_free (request, FALSE);
  g_string_truncate (request, 0);
  if (n == 0 || g_rand_int_range (self->chance, 0, 4) == 0)
    append_advance (self, request);
  else
    append_action (self, request, actions);
  return g_string_free (request, FALSE);
}

/* ---- runs ---- */

static void
on_news (const ClqNews *news, gpointer user_data)
{
  Simulation *self = user_data;
  int state;

  if (news->type != CLQ_NEWS_TAKEN || news->to == NULL)
    return;
  state = clq_graph_find_state (self->graph, news->to);
  if (state >= 0)
    self->visits[state]++;
  {
    char *key = g_strdup_printf ("%s.%s=%s", news->from, news->event, news->to);
    gsize n = GPOINTER_TO_SIZE (g_hash_table_lookup (self->taken, key));

    g_hash_table_replace (self->taken, key, GSIZE_TO_POINTER (n + 1));
  }
}

static void
print_failure (const Simulation *self, GPtrArray *script, const char *why, guint64 seed)
{
  printf ("# run with seed %" G_GUINT64_FORMAT " fails: %s\n# colloquy pipe %s --clock=manual", seed, why, self->graph_name);
  for (guint i = 0; self->overrides != NULL && self->overrides[i] != NULL; i++)
    printf (" --set '%s'", self->overrides[i]);
  putchar ('\n');
  for (guint i = 0; i < script->len; i++)
    puts (g_ptr_array_index (script, i));
}

static gboolean
prepare (Simulation *self, Pipe *pipe, GError **error)
{
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 now = 0;

  clq_time_parse ("2026-01-01T00:00:00Z", &now);
  clq_host_set_manual_clock (pipe->host, now, 1);
  pipe->is_manual = TRUE;
  pipe->graph = cli_load_graph (pipe->host, self->graph_name, self->overrides, FALSE);
  if (pipe->graph == NULL || !clq_host_use_store (pipe->host, "memory", error))
    return FALSE;
  g_hash_table_insert (settings, (gpointer) "fallback", (gpointer) "All right.");
  clq_host_set_standard_agent (pipe->host, "scripted.agent", settings);
  clq_host_new_id (pipe->host, pipe->id);
  if (self->graph == NULL)
    {
      self->graph = clq_graph_ref (pipe->graph);
      self->visits = g_new0 (guint64, self->graph->n_states);
    }
  self->visits[self->graph->initial]++;
  clq_host_observe (pipe->host, on_news, self);
  return TRUE;
}

static gboolean
is_failure (const GError *error)
{
  static const char *const words[] = { "failed", "unhandled", "store", NULL };

  return g_strv_contains (words, clq_input_error_to_string (error));
}

static void
walk (Simulation *self, Pipe *pipe, guint64 seed)
{
  g_autoptr (GPtrArray) script = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *why = NULL;

  g_ptr_array_add (script, g_strdup ("{\"do\":\"show\"}"));
  pipe_run_line (pipe, "{\"do\":\"show\"}", strlen ("{\"do\":\"show\"}"), &pipe->error);
  for (guint i = 0; i < self->n_steps && pipe->error == NULL && pipe->session != NULL && why == NULL; i++)
    {
      char *request = dup_step (self, pipe->session);
      const char *failure;

      g_ptr_array_add (script, request);
      self->n_requests++;
      pipe_run_line (pipe, request, strlen (request), &pipe->error);
      failure = clq_session_get_error (pipe->session);
      if (failure != NULL)
        why = clq_json_find_string (failure, "message");
      else if (pipe->error != NULL && is_failure (pipe->error))
        why = g_strdup (pipe->error->message);
      else
        g_clear_error (&pipe->error); /* what was sent was refused, and nothing has changed */
    }
  if (why == NULL)
    return;
  self->n_failed++;
  print_failure (self, script, why, seed);
}

/* ---- what was covered ---- */

typedef struct
{
  guint n_all;
  guint n_taken;
} Coverage;

static void
print_rule (Simulation *self, guint state, guint event, const ClqRule *rule, Coverage *coverage)
{
  const ClqGraph *graph = self->graph;
  g_autofree char *key = NULL;
  gsize n;

  if (rule->target < 0)
    return;
  key = g_strdup_printf ("%s.%s=%s", graph->states[state].name, graph->events[event].name, graph->states[rule->target].name);
  n = GPOINTER_TO_SIZE (g_hash_table_lookup (self->taken, key));
  coverage->n_all++;
  coverage->n_taken += n > 0;
  printf ("  %-50s %" G_GSIZE_FORMAT "%s\n", key, n, n == 0 ? "  never" : "");
}

static void
print_coverage (Simulation *self, guint n_runs)
{
  const ClqGraph *graph = self->graph;
  Coverage coverage = { 0, 0 };
  guint n_visited = 0;

  puts ("states:");
  for (guint i = 0; i < graph->n_states; i++)
    {
      n_visited += self->visits[i] > 0;
      printf ("  %-50s %" G_GUINT64_FORMAT "%s\n", graph->states[i].name, self->visits[i], self->visits[i] == 0 ? "  never" : "");
    }
  puts ("transitions:");
  for (guint i = 0; i < graph->n_states; i++)
    for (guint j = 0; j < graph->n_events; j++)
      {
        guint n_rules;
        const ClqRule *rules = clq_graph_get_rules (graph, i, j, &n_rules);

        for (guint k = 0; k < n_rules; k++)
          print_rule (self, i, j, &rules[k], &coverage);
      }
  printf ("runs: %u, requests: %u, failed: %u, states: %u of %u, transitions: %u of %u\n",
          n_runs, self->n_requests, self->n_failed, n_visited, graph->n_states, coverage.n_taken, coverage.n_all);
}

static int
simulate (Simulation *self, guint n_runs, guint64 seed)
{
  for (guint i = 0; i < n_runs; i++)
    {
      g_autoptr (GError) error = NULL;
      Pipe pipe;
      gboolean ready;

      self->chance = g_rand_new_with_seed ((guint32) (seed + i));
      pipe_init (&pipe);
      ready = prepare (self, &pipe, &error);
      if (ready)
        walk (self, &pipe, seed + i);
      pipe_clear (&pipe);
      g_rand_free (self->chance);
      if (!ready)
        return error != NULL ? cli_fail (error) : CLI_FAILURE;
      if (cli_is_terminal (2) && (i + 1) % 100 == 0)
        fprintf (stderr, "\r%u of %u runs", i + 1, n_runs);
    }
  if (cli_is_terminal (2) && n_runs >= 100)
    fputs ("\r\033[K", stderr);
  print_coverage (self, n_runs);
  return self->n_failed > 0 ? CLI_FAILURE : CLI_OK;
}

int
cmd_simulate (int argc, char **argv)
{
  int n_runs = 100, n_steps = 30, status;
  gint64 seed = 1;
  Simulation self = { NULL };
  const GOptionEntry entries[] = {
    { "runs", 0, 0, G_OPTION_ARG_INT, &n_runs, "How many walks (default: 100)", "N" },
    { "steps", 0, 0, G_OPTION_ARG_INT, &n_steps, "How long each is at the most (default: 30)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "Where chance begins; run i has the seed S + i (default: 1)", "S" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.overrides, "Change a key of the graph; may be repeated", "GROUP.KEY=VALUE" },
    { NULL },
  };

  if (!cli_parse (cli_find_command ("simulate"), entries, &argc, &argv, 1, 1, &status))
    return status;
  if (n_runs < 1 || n_steps < 1 || seed < 0)
    {
      cli_complain ("simulate: --runs and --steps must be at least 1, --seed not below 0");
      return CLI_USAGE;
    }
  self.graph_name = argv[1];
  self.n_steps = (guint) n_steps;
  self.taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  status = simulate (&self, (guint) n_runs, (guint64) seed);
  g_hash_table_unref (self.taken);
  g_clear_pointer (&self.graph, clq_graph_unref);
  g_free (self.visits);
  g_strfreev (self.overrides);
  return status;
}
