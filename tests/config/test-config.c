/* colloquy.conf as an application that embeds the host reads it. */
#include "clq-host-private.h"

#include <glib/gstdio.h>
#include <string.h>

static const char graph_text[] =
    "[graph]\nformat=1\nname=one\ninitial=asking\n[state asking]\nnode=basic.reply\nagent=%s\n[state over]\nfinal=true\n"
    "[state denied]\nfinal=true\n[state failed]\nfinal=true\n"
    "[transitions]\nasking.replied=over\nasking.silent=over\nasking.failed=denied if event.class == \"auth\" ; failed\n";

typedef struct
{
  char *folder;
  char *path;
  ClqHost *host;
  ClqFindings *findings;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *graphs = NULL;

  self->folder = g_dir_make_tmp ("clq-config-XXXXXX", &error);
  g_assert_no_error (error);
  self->path = g_build_filename (self->folder, "colloquy.conf", NULL);
  graphs = g_build_filename (self->folder, "graphs", NULL);
  self->host = clq_host_new (NULL);
  clq_host_set_graph_folders (self->host, (const char *[]){ "/nowhere/graphs", graphs, NULL });
  g_assert_true (clq_host_use_store (self->host, "memory", &error));
  self->findings = clq_findings_new ();
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  clq_findings_free (self->findings);
  clq_host_close (self->host);
  g_object_unref (self->host);
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->path);
  g_free (self->folder);
}

static gboolean
configure (Fixture *self, const char *text)
{
  g_assert_true (g_file_set_contents (self->path, text, -1, NULL));
  return clq_host_configure (self->host, self->findings);
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  GString *error = user_data;

  if (news->type == CLQ_NEWS_TAKEN && news->error != NULL)
    g_string_append_printf (error, ": %s", news->error);
}

/* The state that a conversation with an agent ends in, and the error that led there. */
static char *
ask (Fixture *self, const char *agent)
{
  g_autofree char *text = g_strdup_printf (graph_text, agent);
  g_autoptr (ClqGraph) graph = clq_host_load_graph_text (self->host, "one", text, self->findings);
  g_autoptr (ClqSession) session = NULL;
  g_autoptr (GString) error = g_string_new (NULL);
  guint8 id[16];

  g_assert_nonnull (graph);
  clq_host_observe (self->host, on_news, error);
  clq_host_new_id (self->host, id);
  clq_host_open_session (self->host, graph, id, NULL, "hello", NULL, NULL, NULL);
  clq_host_settle (self->host);
  clq_host_unobserve (self->host, on_news, error);
  session = clq_host_get_session (self->host, id);
  return g_strconcat (clq_session_get_state (session), error->str, NULL);
}

static void
assert_findings (Fixture *self, const char *const *messages)
{
  GPtrArray *all = clq_findings_get_all (self->findings);

  for (guint i = 0; messages[i] != NULL; i++)
    {
      g_autofree char *expected = NULL;
      const ClqFinding *finding;

      g_assert_cmpuint (i, <, all->len);
      finding = g_ptr_array_index (all, i);
      expected = g_strdup_printf ("%u: %s", finding->line, finding->message);
      g_assert_cmpstr (finding->file, ==, self->path);
      g_assert_cmpstr (expected, ==, messages[i]);
    }
  g_assert_cmpuint (all->len, ==, g_strv_length ((char **) messages));
}

static void
test_agents (Fixture *self, gconstpointer data)
{
  g_autofree char *said = NULL;

  g_setenv ("CLQ_TEST_KEY", "right", TRUE);
  g_assert_true (configure (self, "[agent porter]\nkind=keyed.agent\napi-key=env:CLQ_TEST_KEY\nx-note=free\n[x-anything]\nat=all\n"));
  said = ask (self, "porter");
  g_assert_cmpstr (said, ==, "over");
  g_unsetenv ("CLQ_TEST_KEY");
}

/* Limits of an agent are the host's business; its plugin does not see them. */
static void
test_budget (Fixture *self, gconstpointer data)
{
  g_auto (GStrv) agents = NULL;

  g_assert_true (configure (self, "[budget]\ntokens-per-day=1000\nx-why=enough\n[agent porter]\nkind=keyed.agent\ncost-per-day=0.5\n[agent other]\nkind=keyed.agent\n"));
  g_assert_cmpint (clq_host_get_budget (self->host, NULL).tokens_per_day, ==, 1000);
  g_assert_cmpfloat (clq_host_get_budget (self->host, NULL).cost_per_day, ==, 0);
  g_assert_cmpint (clq_host_get_budget (self->host, "porter").tokens_per_day, ==, 0);
  g_assert_cmpfloat (clq_host_get_budget (self->host, "porter").cost_per_day, ==, 0.5);
  g_assert_cmpfloat (clq_host_get_budget (self->host, "other").cost_per_day, ==, 0);
  agents = clq_host_dup_limited_agents (self->host);
  g_assert_cmpuint (g_strv_length (agents), ==, 1);
  g_assert_cmpstr (agents[0], ==, "porter");
}

static void
test_bad_budget (Fixture *self, gconstpointer data)
{
  g_assert_false (configure (self, "[budget]\ntokens-per-day=1k\ncost-per-dya=1\n[agent porter]\nkind=keyed.agent\ncost-per-day=-1\n"));
  assert_findings (self, (const char *[]){
                             "2: [budget] tokens-per-day: '1k' is no whole number",
                             "3: [budget] cost-per-dya: there is no such limit; did you mean 'cost-per-day'?",
                             "6: [agent porter] cost-per-day: -1 is out of range; expected 0 to 1000000000000",
                             NULL });
  g_assert_cmpint (clq_host_get_budget (self->host, NULL).tokens_per_day, ==, 0);
}

static void
test_no_file (Fixture *self, gconstpointer data)
{
  g_assert_true (clq_host_configure (self->host, self->findings));
  g_assert_cmpuint (clq_findings_get_all (self->findings)->len, ==, 0);
}

/* Everything at once, and then nothing of the file counts. */
static void
test_mistakes (Fixture *self, gconstpointer data)
{
  g_autofree char *said = NULL;

  g_assert_false (configure (self, "[agent good]\nkind=keyed.agent\n"
                                   "[agent none]\nendpoint=x\n"
                                   "[agent bad]\nkind=keyed.agnt\n"
                                   "[agent worse]\nkind=keyed.agent\nend-point=x\nmax-tokens=0\napi-key=hunter2\n"
                                   "[agent broken]\nkind=keyed.agent\nbroken=true\n"
                                   "[agnt x]\nkind=keyed.agent\n"
                                   "[agent]\n"));
  assert_findings (self, (const char *[]){
                             "3: [agent none]: the agent has no kind; expected kind=PLUGIN.NAME",
                             "6: [agent bad] kind: kind 'keyed.agnt': plugin 'keyed' has no agent of that name; did you mean 'agent'?",
                             "9: [agent worse] end-point: 'keyed.agent' has no such setting; did you mean 'endpoint'?",
                             "10: [agent worse] max-tokens: 0 is out of range; expected 1 to 1000",
                             "11: [agent worse] api-key: a secret is not written into the file; expected env:NAME, file:PATH or secret:NAME",
                             "12: [agent broken]: agent 'agent': it is broken",
                             "15: [agnt x]: unknown group; expected [agent NAME], [budget], [tool KIND]",
                             "17: [agent]: unknown group; expected [agent NAME], [budget], [tool KIND]",
                             NULL });
  said = ask (self, "good");
  g_assert_cmpstr (said, ==, "failed: there is no agent 'good'");
}

/* A run that does not use an agent does not need its key. */
static void
test_missing_secret (Fixture *self, gconstpointer data)
{
  g_autofree char *locked = NULL, *open = NULL, *broken = NULL;

  g_setenv ("CLQ_TEST_KEY", "right", TRUE);
  g_unsetenv ("CLQ_TEST_NO_KEY");
  g_assert_true (configure (self, "[agent locked]\nkind=keyed.agent\napi-key=env:CLQ_TEST_NO_KEY\n"
                                  "[agent gone]\nkind=keyed.agent\napi-key=file:${here}/none\n"
                                  "[agent open]\nkind=keyed.agent\napi-key=env:CLQ_TEST_KEY\n"));
  open = ask (self, "open");
  g_assert_cmpstr (open, ==, "over");
  locked = ask (self, "locked");
  g_assert_cmpstr (locked, ==, "denied: agent 'locked': api-key: the environment has no variable 'CLQ_TEST_NO_KEY', or it is empty");
  broken = ask (self, "gone");
  g_assert_nonnull (strstr (broken, "/none' cannot be read: No such file or directory"));
  g_unsetenv ("CLQ_TEST_KEY");
}

/* Also what is wrong beside a secret that is not there is found. */
static void
test_missing_secret_and_mistakes (Fixture *self, gconstpointer data)
{
  g_assert_false (configure (self, "[agent locked]\nkind=keyed.agent\napi-key=env:CLQ_TEST_NO_KEY\nmax-tokens=many\n"));
  assert_findings (self, (const char *[]){ "4: [agent locked] max-tokens: 'many' is no whole number", NULL });
}

static char *
timezone_of (Fixture *self)
{
  HostPart *part = g_hash_table_lookup (self->host->tools, "clock.now");
  const ClqFeature *feature = part != NULL ? part->feature : NULL;

  return feature != NULL ? clq_setting_print (clq_settings_find (feature->settings, feature->setting_size, "timezone"), part->self) : NULL;
}

static void
test_tools (Fixture *self, gconstpointer data)
{
  g_autofree char *zone = NULL;

  g_assert_true (configure (self, "[tool clock.now]\ntimezone=Asia/Tokyo\nx-note=free\n[tool files.read]\nroot=${here}\n"));
  zone = timezone_of (self);
  g_assert_cmpstr (zone, ==, "Asia/Tokyo");
  g_assert_nonnull (g_hash_table_lookup (self->host->tools, "files.read"));
}

static void
test_tool_mistakes (Fixture *self, gconstpointer data)
{
  g_assert_false (configure (self, "[tool clock.now]\ntimezone=Asia/Tokyo\n"
                                   "[tool clock.then]\n"
                                   "[tool files.read]\nrot=/\nmax-size=0\n"
                                   "[tool files.list]\nroot=somewhere\n"
                                   "[tool http-get.get]\nhosts=https://example.org\n"));
  assert_findings (self, (const char *[]){
                             "3: [tool clock.then]: kind 'clock.then': plugin 'clock' has no tool of that name; expected now",
                             "5: [tool files.read] rot: 'files.read' has no such setting; did you mean 'root'?",
                             "6: [tool files.read] max-size: 0 is out of range; expected 1 to 1048576",
                             "7: [tool files.list]: tool 'list': root: expected an absolute path, found 'somewhere'",
                             "9: [tool http-get.get]: tool 'get': hosts: 'https://example.org' is no host; expected a name, *.NAME or an address, with :PORT if it is not 80 or 443",
                             NULL });
  g_assert_null (timezone_of (self));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/colloquy/config/agents", test_agents);
  ADD ("/colloquy/config/budget", test_budget);
  ADD ("/colloquy/config/bad-budget", test_bad_budget);
  ADD ("/colloquy/config/no-file", test_no_file);
  ADD ("/colloquy/config/mistakes", test_mistakes);
  ADD ("/colloquy/config/missing-secret", test_missing_secret);
  ADD ("/colloquy/config/missing-secret-and-mistakes", test_missing_secret_and_mistakes);
  ADD ("/colloquy/config/tools", test_tools);
  ADD ("/colloquy/config/tool-mistakes", test_tool_mistakes);
  return g_test_run ();
}
