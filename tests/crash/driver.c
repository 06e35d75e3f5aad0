/*
 * crash-driver STORE GRAPH...: many sessions in one host, driven by lines of JSON, answered as soon as something is durable.
 *
 *   {"do":"open","id":ID,"graph":INDEX}                                       → {"id":ID,"ok":true,"actions":[…]}
 *   {"do":"send","id":ID,"key":KEY,"action":NAME} or {…,"text":TEXT}          → {"id":ID,"key":KEY,"ok":…,"actions":[…]}
 *   {"do":"calls","id":ID}                                                    → the same for what tools and agents answered
 *   {"do":"events","id":ID}                                                   → {"id":ID,"events":[{"seq":…,"event":…,"from":…,"to":…,"key":…}]}
 */
#include "clq-host-private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipe.h"

typedef struct
{
  ClqHost *host;
  GPtrArray *graphs;
  GMainLoop *loop;
} Driver;

/* Who asked. */
typedef struct
{
  Driver *driver;
  char *id;
  char *key;
} Asker;

static Asker *
asker_new (Driver *driver, const char *line)
{
  Asker *asker = g_new (Asker, 1);

  *asker = (Asker){ driver, clq_json_find_string (line, "id"), clq_json_find_string (line, "key") };
  return asker;
}

static void
asker_free (Asker *asker)
{
  g_free (asker->id);
  g_free (asker->key);
  g_free (asker);
}

static void
print_line (GString *line)
{
  g_string_append (line, "}\n");
  fputs (line->str, stdout);
  fflush (stdout);
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Asker *asker = user_data;
  ClqLive *live = clq_live_find (asker->driver->host->engine, reply->id);
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "id", asker->id);
  cli_json_string (out, "key", asker->key);
  cli_json_bool (out, "ok", reply->error == NULL);
  if (reply->error != NULL)
    cli_json_string (out, "error", reply->error->message);
  if (live != NULL)
    {
      g_auto (GStrv) actions = clq_live_dup_actions (live);
      g_autofree char *joined = g_strjoinv (" ", actions);

      cli_json_string (out, "state", live->head.state);
      cli_json_string (out, "actions", joined);
    }
  print_line (out);
  asker_free (asker);
}

static void
on_events (GPtrArray *records, const GError *error, gpointer user_data)
{
  Asker *asker = user_data;
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "id", asker->id);
  if (error != NULL)
    cli_json_string (out, "error", error->message);
  cli_json_member (out, "events");
  for (guint i = 0; i < records->len; i++)
    {
      gsize length;
      const char *body = clq_record_get_body (g_ptr_array_index (records, i), &length);

      g_string_append_printf (out, "%s{\"seq\":%" G_GUINT64_FORMAT ",%.*s", i > 0 ? "," : "[", clq_record_get_seq (g_ptr_array_index (records, i)), (int) length - 1, body + 1);
    }
  g_string_append (out, records->len > 0 ? "]" : "[]");
  print_line (out);
  asker_free (asker);
}

static void
run_line (Driver *driver, const char *line)
{
  g_autofree char *what = clq_json_find_string (line, "do");
  Asker *asker = asker_new (driver, line);
  guint8 id[16] = { 0 };

  clq_id_parse (asker->id, id);
  if (strcmp (what, "open") == 0)
    {
      ClqJsonSpan graph = clq_json_find (line, -1, "graph");

      clq_host_open_session (driver->host, g_ptr_array_index (driver->graphs, clq_json_span_get_int (&graph)), id, NULL, NULL, asker->key, on_reply, asker);
    }
  else if (strcmp (what, "send") == 0)
    {
      g_autofree char *action = clq_json_find_string (line, "action");
      g_autofree char *text = clq_json_find_string (line, "text");
      const ClqInput input = {
        .kind = text != NULL ? CLQ_INPUT_MESSAGE : CLQ_INPUT_ACTION,
        .name = action,
        .text = text,
        .role = CLQ_ROLE_USER,
        .key = asker->key,
      };

      clq_host_send (driver->host, id, &input, on_reply, asker);
    }
  else
    clq_host_read_journal (driver->host, id, 1u << (strcmp (what, "calls") == 0 ? CLQ_RECORD_CALL : CLQ_RECORD_EVENT), 0, 0, on_events, asker);
}

static void
on_line (const char *line, gsize length, const GError *error, gpointer user_data)
{
  Driver *driver = user_data;

  if (line == NULL)
    g_main_loop_quit (driver->loop);
  else
    run_line (driver, line);
}

static gboolean
set_up (Driver *driver, int argc, char **argv)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;

  for (int i = 2; i < argc; i++)
    {
      ClqGraph *graph = clq_host_load_graph (driver->host, argv[i], NULL, FALSE, findings);

      if (graph == NULL)
        error = clq_findings_to_error (findings);
      else
        g_ptr_array_add (driver->graphs, graph);
    }
  if (error == NULL)
    clq_host_use_store (driver->host, argv[1], &error);
  if (error != NULL)
    fprintf (stderr, "%s\n", error->message);
  return error == NULL;
}

int
main (int argc, char **argv)
{
  Driver driver = { clq_host_new (NULL), g_ptr_array_new_with_free_func ((GDestroyNotify) clq_graph_unref), g_main_loop_new (NULL, FALSE) };
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  int status = 1;

  g_hash_table_insert (settings, (gpointer) "fallback", (gpointer) "so be it");
  if (set_up (&driver, argc, argv) && clq_host_add_agent (driver.host, "assistant", "scripted.agent", settings, NULL))
    {
      PipeLines *lines = pipe_lines_new (STDIN_FILENO, 1 << 20, on_line, &driver);

      clq_host_start (driver.host);
      g_main_loop_run (driver.loop);
      pipe_lines_free (lines);
      status = 0;
    }
  clq_host_close (driver.host);
  g_object_unref (driver.host);
  g_ptr_array_unref (driver.graphs);
  g_main_loop_unref (driver.loop);
  return status;
}
