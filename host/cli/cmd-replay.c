#define G_LOG_DOMAIN "colloquy"

#include "cli.h"
#include "replay-report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `replay ID | FILE | --all`: stored conversations are run again, and what comes is compared with what came. */

#define PAGE 200

typedef struct
{
  ClqHost *past;
  ClqReplay *replay;
  gboolean json;
  gboolean all;
  gboolean shows_progress;
  guint n_equal;
  guint n_different;
  guint n_failed;
  guint64 n_records;
  int status;
  guint8 id[16]; /* of the session that is run */
  /* listing */
  ClqSessionFilter filter;
  guint8 last_id[16];
  GByteArray *ids; /* of the page */
  GError *error;
} Replaying;

/* ---- what was found ---- */

static void
on_report (const ClqReplayReport *report, const GError *error, gpointer user_data)
{
  Replaying *self = user_data;
  char id[CLQ_ID_LENGTH + 1];

  clq_id_print (self->id, id);
  if (error != NULL)
    {
      self->n_failed++;
      self->status = self->all ? CLI_FAILURE : cli_status_of (error);
      cli_complain ("replay: %s: %s", id, error->message);
      return;
    }
  self->n_records += report->n_records;
  if (report->is_equal)
    self->n_equal++;
  else
    {
      self->n_different++;
      self->status = CLI_FAILURE;
    }
  if (self->json)
    replay_print_json (report, id);
  else if (!report->is_equal)
    replay_print_difference (report, id);
  else if (!self->all)
    printf ("%s: equal, %" G_GUINT64_FORMAT " records\n", id, report->n_records);
}

static void
replay_one (Replaying *self, const guint8 id[16])
{
  memcpy (self->id, id, sizeof self->id);
  clq_replay_run (self->replay, id, on_report, self);
  clq_host_settle (self->past);
}

/* ---- all of them ---- */

static void
on_heads (GPtrArray *heads, const GError *error, gpointer user_data)
{
  Replaying *self = user_data;

  if (error != NULL)
    self->error = g_error_copy (error);
  for (guint i = 0; error == NULL && i < heads->len; i++)
    {
      const ClqHead *head = g_ptr_array_index (heads, i);

      g_byte_array_append (self->ids, clq_head_get_id (head), 16);
      memcpy (self->last_id, clq_head_get_id (head), 16);
      self->filter.after_id = self->last_id;
      self->filter.after_time = clq_head_get_updated_at (head);
    }
}

static void
tell_progress (const Replaying *self)
{
  if (self->shows_progress)
    fprintf (stderr, "\r%u sessions, %u different\033[K", self->n_equal + self->n_different + self->n_failed, self->n_different);
}

static void
replay_all (Replaying *self)
{
  self->ids = g_byte_array_new ();
  do
    {
      g_byte_array_set_size (self->ids, 0);
      self->filter.limit = PAGE;
      clq_host_list_sessions (self->past, &self->filter, on_heads, self);
      clq_host_settle (self->past);
      for (guint i = 0; i < self->ids->len; i += 16)
        replay_one (self, self->ids->data + i);
      tell_progress (self);
    }
  while (self->error == NULL && self->ids->len == PAGE * 16);
  if (self->shows_progress)
    fputs ("\r\033[K", stderr);
  if (self->error != NULL)
    self->status = cli_fail (self->error);
  if (!self->json)
    printf ("%u sessions: %u equal, %u different, %u could not be run; %" G_GUINT64_FORMAT " records\n",
            self->n_equal + self->n_different + self->n_failed, self->n_equal, self->n_different, self->n_failed, self->n_records);
  g_byte_array_unref (self->ids);
  g_clear_error (&self->error);
}

/* ---- one of them ---- */

/* A fixture is a session that was exported: it is read into a store of its own. */
static gboolean
read_fixture (Replaying *self, const char *path, guint8 id[16])
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (CliAnswer) answer = { NULL };

  if (!g_file_get_contents (path, &text, NULL, &error))
    {
      cli_complain ("replay: '%s' is neither the id of a session nor a file: %s", path, error->message);
      self->status = CLI_NOT_FOUND;
      return FALSE;
    }
  clq_host_import_session (self->past, text, FALSE, cli_on_answer, &answer);
  clq_host_settle (self->past);
  if (answer.error != NULL)
    self->status = cli_fail (answer.error);
  return answer.error == NULL && clq_id_parse (answer.text, id);
}

/* Only what is equal today can be a measure for tomorrow. */
static void
promote (Replaying *self, const guint8 id[16], const char *path)
{
  g_autoptr (GError) error = NULL;
  g_auto (CliAnswer) answer = { NULL };

  if (self->status != CLI_OK)
    {
      cli_complain ("replay: %s is not written: what differs today cannot be a measure for tomorrow", path);
      return;
    }
  clq_host_export_session (self->past, id, cli_on_answer, &answer);
  clq_host_settle (self->past);
  if (answer.error != NULL)
    self->status = cli_fail (answer.error);
  else if (!g_file_set_contents_full (path, answer.text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    self->status = cli_fail (error);
}

static gboolean
set_graph (Replaying *self, const char *name)
{
  g_autoptr (ClqGraph) graph = name != NULL ? cli_load_graph (clq_replay_get_host (self->replay), name, NULL, FALSE) : NULL;

  if (graph == NULL)
    return name == NULL;
  clq_replay_set_graph (self->replay, graph);
  return TRUE;
}

static int
run (Replaying *self, const char *what, const char *store, const char *graph, const char *fixture)
{
  g_autoptr (ClqHost) past = clq_host_new (NULL);
  g_autoptr (ClqReplay) replay = NULL;
  g_autoptr (GError) error = NULL;
  guint8 id[16];
  gboolean is_id = what != NULL && clq_id_parse (what, id);

  self->past = past;
  clq_host_set_passive (past, TRUE);
  if (what != NULL && !is_id ? !clq_host_use_store (past, "memory", &error) : !cli_view_store (past, store, &error))
    return cli_fail (error);
  self->replay = replay = clq_replay_new (past, &error);
  if (replay == NULL)
    return cli_fail (error);
  if (!set_graph (self, graph))
    return CLI_FAILURE;
  if (what == NULL)
    replay_all (self);
  else if (is_id || read_fixture (self, what, id))
    {
      replay_one (self, id);
      if (fixture != NULL)
        promote (self, id, fixture);
    }
  g_clear_pointer (&replay, clq_replay_free);
  clq_host_close (past);
  return self->status;
}

int
cmd_replay (int argc, char **argv)
{
  g_autofree char *store = NULL, *graph = NULL, *fixture = NULL;
  Replaying self = { NULL };
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where sessions are kept (default: sqlite)", "sqlite:PATH" },
    { "all", 0, 0, G_OPTION_ARG_NONE, &self.all, "Every stored session, the latest first", NULL },
    { "graph", 0, 0, G_OPTION_ARG_STRING, &graph, "Run the past on this graph and say where it leads elsewhere", "GRAPH" },
    { "promote", 0, 0, G_OPTION_ARG_FILENAME, &fixture, "Write a file with all that colloquy replay FILE needs, if nothing differs", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &self.json, "One JSON object per session", NULL },
    { NULL },
  };
  const CliCommand *command = cli_find_command ("replay");
  int status;

  if (!cli_parse (command, entries, &argc, &argv, 0, 1, &status))
    return status;
  if (self.all == (argc > 1) || (self.all && fixture != NULL))
    {
      cli_complain ("replay: expected %s%s; see colloquy replay --help", command->arguments, self.all && fixture != NULL ? ", and --promote with one session only" : "");
      return CLI_USAGE;
    }
  self.shows_progress = self.all && !self.json && cli_is_terminal (STDERR_FILENO);
  return run (&self, argc > 1 ? argv[1] : NULL, store, graph, fixture);
}
