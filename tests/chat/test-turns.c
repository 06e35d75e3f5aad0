/* Turns, context and cost of the chat flow. */
#include "talk.h"

/* ---- ends of turns ---- */

static void
on_warning (const ClqNews *news, gpointer user_data)
{
  GString *log = user_data;

  if (news->type == CLQ_NEWS_WARNED)
    g_string_append_printf (log, "%s\n", news->text);
}

static void
assert_turn (Talk *talk, gint64 count, const char *seen, gboolean cut_off)
{
  g_autofree char *said = talk_dup_seen (talk), *state = talk_dup_state (talk), *data = talk_dup_data (talk);
  ClqJsonSpan span = clq_json_find (data, -1, "turn.cutOff");

  g_assert_cmpstr (said, ==, seen);
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, count);
  g_assert_cmpstr (state, ==, "STREAMING resting");
  g_assert_cmpint (clq_json_span_is_true (&span), ==, cut_off);
}

static void
test_turns_cut_off_by_the_clock (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  clq_host_observe (talk->host, on_warning, log);
  talk_say (talk, "slow");
  clq_host_advance (talk->host, 59 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, 0);
  clq_host_advance (talk->host, G_TIME_SPAN_SECOND);
  assert_turn (talk, 1, "slow pslow ", TRUE);
  g_assert_cmpstr (log->str, ==, "the reply of turn 1 took longer than 60s and was cut off\n");
  clq_host_advance (talk->host, G_TIME_SPAN_HOUR);
  assert_turn (talk, 1, "slow pslow ", TRUE);
  talk_say (talk, "on");
  assert_turn (talk, 2, "slow pslow on ron ", FALSE);
}

static void
on_record (GPtrArray *records, const GError *error, gpointer user_data)
{
  gsize length;
  const char *body = clq_record_get_body (g_ptr_array_index (records, records->len - 1), &length);

  *(char **) user_data = g_strndup (body, length);
}

/* Whoever reads the conversation later sees that it was cut off. */
static void
test_turns_cut_off_is_marked (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  g_autofree char *body = NULL;

  talk_say (talk, "slow");
  clq_host_advance (talk->host, G_TIME_SPAN_MINUTE);
  clq_host_read_journal (talk->host, talk->id, 1u << CLQ_RECORD_MESSAGE, 0, 0, on_record, &body);
  clq_host_settle (talk->host);
  g_assert_cmpstr (body, ==, "{\"text\":\"pslow\",\"cutOff\":true}");
}

static void
test_turns_cut_off_by_stop (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  g_autofree char *seen = NULL, *state = NULL;

  talk_say (talk, "slow");
  talk_act (talk, "stop", "{}");
  seen = talk_dup_seen (talk);
  state = talk_dup_state (talk);
  g_assert_cmpstr (seen, ==, "slow pslow ");
  g_assert_cmpstr (state, ==, "DRAINING resting");
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, 1);
}

static void
test_turns_cancelled (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);

  talk_say (talk, "slow");
  clq_host_send (talk->host, talk->id, &(ClqInput){ .kind = CLQ_INPUT_CANCEL }, NULL, NULL);
  clq_host_settle (talk->host);
  assert_turn (talk, 1, "slow pslow ", TRUE);
}

static void
test_turns_failed (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  g_autoptr (GString) log = g_string_new (NULL);
  g_autofree char *before = NULL, *after = NULL;

  clq_host_observe (talk->host, on_warning, log);
  talk_say (talk, "one");
  before = talk_dup_data (talk);
  talk_say (talk, "fail");
  after = talk_dup_data (talk);
  g_assert_cmpstr (after, ==, before);
  assert_turn (talk, 1, "one rone ", FALSE);
  g_assert_cmpstr (log->str, ==, "turn 2 was not taken: as you wish\n");
  talk_say (talk, "two");
  assert_turn (talk, 2, "one rone two rtwo ", FALSE);
}

/* ---- system messages ---- */

static void
test_turns_too_many_system_messages (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  g_autofree char *text = g_strnfill (5000, 's');

  talk_act (talk, "message", "{\"role\":\"system\",\"text\":\"%s\"}", text);
  g_assert_false (talk_try (talk, "message", "{\"role\":\"system\",\"text\":\"%s\"}", text));
  g_assert_error (talk->error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_LIMIT);
}

/* ---- the window ---- */

/* Words of many lengths; every tenth message is as long as the window allows. */
static void
talk_long (Talk *talk, guint n_turns, gsize longest)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < n_turns; i++)
    {
      gsize length = (gsize) g_rand_int_range (random, 1, i % 10 == 0 ? (int) longest : 60);
      g_autofree char *text = g_strnfill (length, 'a' + (char) (i % 26));

      talk_say (talk, text);
      g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, i + 1);
      g_assert_cmpint (talk_get_int (talk, "context.tokens"), <=, talk_get_int (talk, "context.window"));
      if (i % 100 == 99)
        talk_act (talk, "inject_context", "{\"text\":\"Something to know.\"}");
      if (i == n_turns / 2)
        talk_act (talk, "message", "{\"role\":\"system\",\"text\":\"Be kind.\"}");
    }
}

static void
run_long (const char *strategy, guint n_turns)
{
  g_autofree char *override = g_strconcat ("modality.context-strategy=", strategy, NULL);
  const char *const overrides[] = { override, "modality.context-window=120", "modality.system-prompt=You are here.", NULL };
  g_autoptr (Talk) talk = talk_new ("memory", overrides, "window", "120", "must-see", "You are here.", "one-session", "true", NULL);
  g_autofree char *data = NULL, *summary = NULL;

  talk_long (talk, n_turns, 400);
  data = talk_dup_data (talk);
  g_assert_cmpuint (strlen (data), <, 4096);
  summary = talk_dup_string (talk, "context.summary");
  g_assert_cmpint (summary != NULL, ==, strcmp (strategy, "summarize") == 0);
}

/* The agent itself looks whether a request is over the window, begins with the prompt and ends with the newest message. */
static void
test_context_summarize (void)
{
  run_long ("summarize", SANITIZED ? 500 : 10000);
}

static void
test_context_sliding (void)
{
  run_long ("sliding", SANITIZED ? 200 : 2000);
}

static void
test_context_forget (void)
{
  run_long ("forget", SANITIZED ? 200 : 2000);
}

/* Without summaries the oldest messages are left out, and each turn warns. */
static void
test_context_without_summaries (void)
{
  const char *const overrides[] = { "modality.context-window=64", NULL };
  g_autoptr (Talk) talk = talk_new ("memory", overrides, "window", "64", "no-summary", "true", NULL);
  g_autoptr (GString) log = g_string_new (NULL);

  clq_host_observe (talk->host, on_warning, log);
  talk_long (talk, 200, 200);
  g_assert_cmpint (talk_get_int (talk, "context.fresh"), <, 100);
  g_assert_true (g_str_has_prefix (log->str, "no summary: no summaries here; the oldest messages are left out\n"));
}

/* An agent may count otherwise. */
static void
test_context_own_estimate (void)
{
  const char *const overrides[] = { "modality.context-window=16", "modality.context-strategy=sliding", NULL };
  g_autoptr (Talk) talk = talk_new ("memory", overrides, "window", "16", "count-words", "true", NULL);
  g_autofree char *long_word = g_strnfill (1000, 'w');

  talk_say (talk, long_word);
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, 1);
  g_assert_cmpint (talk_get_int (talk, "context.tokens"), ==, 2);
  talk_say (talk, "a b c d e f g h i j k l m n o p q");
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, 1); /* no room */
  talk_say (talk, "a b c d e f g h i j k l m n o p");
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, 2);
}

/* A merged branch is new to the agent: a summary that does not know it must not hide it. */
static void
test_context_after_merge (void)
{
  static const char *const strategies[] = { "append-branch", "sequential", "interleave" };
  const char *const overrides[] = { "modality.context-window=120", NULL };
  g_autoptr (Talk) talk = talk_new ("memory", overrides, "window", "120", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
    {
      talk_open (talk);
      talk_long (talk, 30, 60);
      talk_act (talk, "fork", "{\"name\":\"other\"}");
      talk_act (talk, "confirm_fork", "{}");
      for (guint j = 0; j < 20; j++)
        talk_say (talk, "said on the other branch");
      talk_act (talk, "switch", "{\"branch\":\"main\"}");
      for (guint j = 0; j < 20; j++)
        talk_say (talk, "said on main");
      g_assert_cmpint (talk_get_int (talk, "context.fresh"), <, 40); /* the rest is in the summary */
      talk_act (talk, "merge", "{\"branch\":\"other\",\"strategy\":\"%s\"}", strategies[i]);
      talk_act (talk, "confirm_merge", "{}");
      g_assert_cmpint (talk_get_int (talk, "context.fresh"), >=, strcmp (strategies[i], "interleave") == 0 ? 80 : 40);
      talk_say (talk, "and so on");
      g_assert_cmpint (talk_get_int (talk, "context.fresh"), <, 40);
    }
}

/* ---- cost ---- */

typedef struct
{
  gsize turn;
  gsize checkpoint;
  gsize rewind;
  gsize go_back;
  gsize fork;
  gsize switches;
} Cost;

static gsize
measure (Talk *talk, const char *action, const char *payload)
{
  guint64 before = talk_get_seq (talk);

  talk_act (talk, action, "%s", payload);
  return talk_count_bytes (talk, before);
}

static Cost
measure_all (Talk *talk)
{
  guint64 before = talk_get_seq (talk);
  Cost cost;

  talk_say (talk, "How much is it?");
  cost.turn = talk_count_bytes (talk, before);
  cost.checkpoint = measure (talk, "checkpoint", "{\"name\":\"here\"}");
  talk_say (talk, "And now?");
  talk_say (talk, "And now?");
  cost.go_back = measure (talk, "rewind", "{\"turns\":2}");
  cost.rewind = measure (talk, "rewind", "{\"checkpoint\":\"here\"}");
  cost.fork = measure (talk, "fork", "{\"name\":\"idea\"}") + measure (talk, "confirm_fork", "{}");
  cost.switches = measure (talk, "switch", "{\"branch\":\"main\"}");
  return cost;
}

/* Numbers have more digits later on, and every 64th event brings a snapshot. */
static void
assert_no_dearer (gsize late, gsize early)
{
  g_assert_cmpuint (late, <=, early + 1024);
}

static Cost
measure_at (guint n_turns)
{
  const char *const overrides[] = { "modality.context-window=200", NULL };
  g_autoptr (Talk) talk = talk_new ("memory", overrides, NULL);

  for (guint i = 0; i < n_turns; i++)
    talk_say (talk, "Something is said that is neither long nor short.");
  return measure_all (talk);
}

static void
test_cost (void)
{
  Cost early = measure_at (20), late = measure_at (SANITIZED ? 500 : 10000);

  assert_no_dearer (late.turn, early.turn);
  assert_no_dearer (late.checkpoint, early.checkpoint);
  assert_no_dearer (late.rewind, early.rewind);
  assert_no_dearer (late.go_back, early.go_back);
  assert_no_dearer (late.fork, early.fork);
  assert_no_dearer (late.switches, early.switches);
  g_assert_cmpuint (late.rewind, <, 4096);
}

/* ---- memory ---- */

/* A session that left memory goes on as if it had not. */
static void
test_turns_after_sleep (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  guint8 first[16];

  memcpy (first, talk->id, 16);
  talk_say (talk, "one");
  talk_act (talk, "checkpoint", "{\"name\":\"here\"}");
  talk_say (talk, "two");
  for (guint i = 0; i < 20; i++)
    talk_open (talk);
  memcpy (talk->id, first, 16);
  g_assert_null (clq_live_find (talk->host->engine, first));
  talk_act (talk, "rewind", "{\"checkpoint\":\"here\"}");
  assert_turn (talk, 1, "one rone ", FALSE);
}

/* The host stops in the middle of a reply: another one asks again, and nothing is there twice. */
static void
test_turns_after_crash (void)
{
  g_autofree char *folder = g_dir_make_tmp ("chat-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "chat.db", NULL);
  g_autofree char *store = g_strconcat ("sqlite:", path, NULL);
  guint8 id[16];

  {
    g_autoptr (Talk) talk = talk_new (store, NULL, NULL);

    memcpy (id, talk->id, 16);
    talk_say (talk, "one");
    talk_say (talk, "slow");
  }
  {
    g_autoptr (Talk) talk = talk_new (store, NULL, NULL);

    memcpy (talk->id, id, 16);
    clq_host_start (talk->host);
    clq_host_settle (talk->host);
    clq_host_advance (talk->host, G_TIME_SPAN_MINUTE);
    assert_turn (talk, 2, "one rone slow pslow ", TRUE);
    talk_say (talk, "two");
    assert_turn (talk, 3, "one rone slow pslow two rtwo ", FALSE);
    talk_act (talk, "rewind", "{\"turns\":3}");
    assert_turn (talk, 0, "", FALSE);
  }
  talk_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/chat/turns/cut-off-by-the-clock", test_turns_cut_off_by_the_clock);
  g_test_add_func ("/colloquy/chat/turns/cut-off-is-marked", test_turns_cut_off_is_marked);
  g_test_add_func ("/colloquy/chat/turns/cut-off-by-stop", test_turns_cut_off_by_stop);
  g_test_add_func ("/colloquy/chat/turns/cancelled", test_turns_cancelled);
  g_test_add_func ("/colloquy/chat/turns/failed", test_turns_failed);
  g_test_add_func ("/colloquy/chat/turns/too-many-system-messages", test_turns_too_many_system_messages);
  g_test_add_func ("/colloquy/chat/turns/after-sleep", test_turns_after_sleep);
  g_test_add_func ("/colloquy/chat/turns/after-crash", test_turns_after_crash);
  g_test_add_func ("/colloquy/chat/context/summarize", test_context_summarize);
  g_test_add_func ("/colloquy/chat/context/sliding", test_context_sliding);
  g_test_add_func ("/colloquy/chat/context/forget", test_context_forget);
  g_test_add_func ("/colloquy/chat/context/without-summaries", test_context_without_summaries);
  g_test_add_func ("/colloquy/chat/context/own-estimate", test_context_own_estimate);
  g_test_add_func ("/colloquy/chat/context/after-merge", test_context_after_merge);
  g_test_add_func ("/colloquy/chat/cost", test_cost);
  return g_test_run ();
}
