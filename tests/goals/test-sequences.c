/* What holds for goals over random conversations, and that their journal tells the same story. */
#include <colloquy-host.h>

#include <string.h>

#define N_SEQUENCES 10000
#define MAX_MESSAGES 8
#define MAX_DATA (48 * 1024)

typedef struct
{
  ClqRole role;
  char *text;
  GTimeSpan pause; /* before it */
} Line;

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
} Talk;

/* ---- talking ---- */

static Talk *
talk_new (guint64 seed)
{
  Talk *self = g_new0 (Talk, 1);
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;

  self->host = clq_host_new (NULL);
  clq_host_set_manual_clock (self->host, G_TIME_SPAN_DAY, seed);
  g_assert_true (clq_host_use_store (self->host, "memory", &error));
  self->graph = clq_host_load_graph (self->host, "goals", NULL, FALSE, findings);
  g_assert_nonnull (self->graph);
  return self;
}

static void
talk_free (Talk *self)
{
  clq_graph_unref (self->graph);
  clq_host_close (self->host);
  g_object_unref (self->host);
  g_free (self);
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

static void
talk_open (Talk *self)
{
  clq_host_new_id (self->host, self->id);
  clq_host_open_session (self->host, self->graph, self->id, NULL, NULL, NULL, on_reply, NULL);
  clq_host_settle (self->host);
}

static void
talk_say (Talk *self, const Line *line)
{
  const ClqInput input = { .kind = CLQ_INPUT_MESSAGE, .role = line->role, .text = line->text };

  clq_host_advance (self->host, line->pause);
  clq_host_send (self->host, self->id, &input, on_reply, NULL);
  clq_host_settle (self->host);
}

static char *
talk_dup_data (Talk *self, char **state)
{
  g_autoptr (ClqSession) session = clq_host_get_session (self->host, self->id);

  if (state != NULL)
    *state = g_strdup (clq_session_get_state (session));
  return g_strdup (clq_session_get_data (session));
}

/* ---- random messages ---- */

static const char *const whole[] = {
  "I want to build a todo app", "Build a calculator", "Fix the login page", "How do magnets work?", "Help me choose a name", "Sounds good",
  "Go ahead", "Add, delete, mark complete with React components", "I'll create it now", "<artifact type='react'>code</artifact>", "Done!",
  "Perfect!", "Please change the colour", "great, but bigger please", "never mind", "bye", "hello", "hm", "What do you mean?",
  "Ich möchte eine Webseite bauen", "Klingt gut", "fertig", "Perfekt", "Tschüss", "A web page with a search box", "", "…", "😀", "?!",
  "<artifact>", "</artifact><artifact type=x>", "\"quoted\" \\ back\\slash", "line one\nline two", "ẞÄÖÜ ß i̇ İ", "don't stop"
};
static const char *const pieces[] = {
  "build", "fix", "how", "why", "perfect", "but", "not", "go ahead", "stop", "done", "a", "the", "page", "with", "please", "can you", "I want to",
  ",", ".", "?", "!", "\n", "react", "you", "it", "<artifact>", "x</artifact>", "’", "ändern", "nicht", "\t", "ok", "yes", "no"
};

static char *
invent (GRand *random)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (g_rand_int_range (random, 0, 4) > 0)
    return g_strdup (whole[g_rand_int_range (random, 0, G_N_ELEMENTS (whole))]);
  for (int n = g_rand_int_range (random, 1, 12); n > 0; n--)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
  return g_strdup (text->str);
}

static void
line_clear (gpointer data)
{
  g_free (((Line *) data)->text);
}

static GArray *
invent_lines (GRand *random, guint n)
{
  static const ClqRole roles[] = { CLQ_ROLE_USER, CLQ_ROLE_USER, CLQ_ROLE_USER, CLQ_ROLE_ASSISTANT, CLQ_ROLE_ASSISTANT, CLQ_ROLE_SYSTEM };
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (Line));

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; i < n; i++)
    {
      Line line = { .role = roles[g_rand_int_range (random, 0, G_N_ELEMENTS (roles))], .text = invent (random) };

      if (g_rand_int_range (random, 0, 8) == 0)
        line.pause = g_rand_int_range (random, 1, 900) * G_TIME_SPAN_SECOND;
      g_array_append_val (lines, line);
    }
  return lines;
}

/* ---- what always holds ---- */

static gint64
get_int (const char *data, const char *path)
{
  ClqJsonSpan span = clq_json_find (data, -1, path);

  return clq_json_span_get_int (&span);
}

static void
check_finished (const char *data)
{
  ClqJsonSpan list = clq_json_find (data, -1, "completedGoals"), goal;
  ClqJsonIter iter;
  gint64 n = get_int (data, "olderGoals");

  g_assert_cmpint (list.type, ==, CLQ_JSON_ARRAY);
  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &goal))
    {
      g_autofree char *one = g_strndup (goal.start, goal.length);
      g_autofree char *status = clq_json_find_string (one, "status");
      g_autofree char *id = clq_json_find_string (one, "id");
      g_autofree char *expected = g_strdup_printf ("goal-%" G_GINT64_FORMAT, ++n);

      g_assert_true (strcmp (status, "completed") == 0 || strcmp (status, "abandoned") == 0);
      g_assert_cmpint (clq_json_find (one, -1, "completedAt").type, ==, CLQ_JSON_STRING);
      g_assert_cmpint (clq_json_find (one, -1, "reason").type, ==, CLQ_JSON_STRING);
      g_assert_cmpstr (id, ==, expected);
    }
  /* All goals that ever were are over, but the current one. */
  g_assert_cmpint (get_int (data, "goalCount"), ==, n + (clq_json_find (data, -1, "currentGoal").type == CLQ_JSON_OBJECT));
}

static void
check (Talk *talk, gint64 n_messages)
{
  static const char *const phases[] = { "greeting", "understanding", "planning", "executing", "reviewing", "completed", "idle", NULL };
  g_autofree char *state = NULL;
  g_autofree char *data = talk_dup_data (talk, &state);
  g_autofree char *phase = clq_json_find_string (data, "phase");
  g_autofree char *active = clq_json_find_string (data, "currentGoal.status");
  ClqJsonSpan goal = clq_json_find (data, -1, "currentGoal");

  g_assert_true (g_strv_contains (phases, phase));
  g_assert_cmpstr (phase, ==, state);
  g_assert_cmpint (get_int (data, "turnCount"), ==, n_messages);
  g_assert_cmpuint (strlen (data), <, MAX_DATA);
  g_assert_true (goal.type == CLQ_JSON_NULL || goal.type == CLQ_JSON_OBJECT);
  if (goal.type == CLQ_JSON_OBJECT)
    {
      g_assert_cmpstr (active, ==, "active");
      g_assert_cmpint (clq_json_find (data, -1, "currentGoal.completedAt").type, ==, CLQ_JSON_NULL);
    }
  if (strcmp (phase, "idle") == 0 || strcmp (phase, "completed") == 0 || strcmp (phase, "greeting") == 0)
    g_assert_cmpint (goal.type, ==, CLQ_JSON_NULL);
  check_finished (data);
}

/* ---- the journal ---- */

/* Writes again what each event wrote. */
static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  GString *data = user_data;

  g_assert_no_error (error);
  for (guint i = 0; i < records->len; i++)
    {
      gsize length;
      const char *body = clq_record_get_body (g_ptr_array_index (records, i), &length);
      ClqJsonSpan sets = clq_json_find (body, (gssize) length, "set"), set;
      ClqJsonIter iter;

      if (sets.type != CLQ_JSON_ARRAY)
        continue;
      clq_json_iter_init (&iter, &sets);
      while (clq_json_iter_next (&iter, NULL, &set))
        {
          ClqJsonSpan path = clq_json_find (set.start, (gssize) set.length, "0"), value = clq_json_find (set.start, (gssize) set.length, "1");
          g_autofree char *where = clq_json_span_dup_string (&path);
          g_autofree char *what = g_strndup (value.start, value.length);

          g_assert_true (clq_json_set (data, where, what));
        }
    }
}

static void
assert_same_json (const char *a, const char *b)
{
  g_autoptr (JsonNode) one = clq_json_parse (a, -1, NULL), other = clq_json_parse (b, -1, NULL);

  if (!json_node_equal (one, other))
    g_assert_cmpstr (a, ==, b);
}

static void
check_journal (Talk *talk)
{
  g_autoptr (GString) folded = g_string_new ("{}");
  g_autofree char *data = talk_dup_data (talk, NULL);

  clq_host_read_journal (talk->host, talk->id, 1u << CLQ_RECORD_EVENT, 0, 0, on_records, folded);
  clq_host_settle (talk->host);
  assert_same_json (folded->str, data);
}

/* ---- tests ---- */

static gint64
play (Talk *talk, const GArray *lines, gboolean is_checked)
{
  gint64 n_messages = 0;

  talk_open (talk);
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      talk_say (talk, line);
      n_messages += line->role != CLQ_ROLE_SYSTEM;
      if (is_checked)
        check (talk, n_messages);
    }
  return n_messages;
}

/* Two hosts hear the same; the second one only to say whether it has understood the same. */
static void
test_sequences (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20260101);
  Talk *talk = talk_new (1), *again = talk_new (1);
  gint64 n_messages = 0;

  for (guint i = 0; i < N_SEQUENCES; i++)
    {
      g_autoptr (GArray) lines = invent_lines (random, (guint) g_rand_int_range (random, 1, MAX_MESSAGES + 1));
      g_autofree char *data = NULL, *other = NULL;

      n_messages += play (talk, lines, TRUE);
      check_journal (talk);
      play (again, lines, FALSE);
      data = talk_dup_data (talk, NULL);
      other = talk_dup_data (again, NULL);
      g_assert_cmpstr (data, ==, other);
    }
  g_test_message ("%u sequences, %" G_GINT64_FORMAT " messages", N_SEQUENCES, n_messages);
  talk_free (talk);
  talk_free (again);
}

/* However many goals there were, the data stay small; those that leave them stand in the journal. */
static void
test_many_goals (void)
{
  g_autofree char *long_text = g_strnfill (3000, 'x');
  g_autofree char *goal = g_strconcat ("Build a React page with ", long_text, NULL);
  Talk *talk = talk_new (2);
  const Line want = { .role = CLQ_ROLE_USER, .text = goal }, leave = { .role = CLQ_ROLE_USER, .text = (char *) "never mind" };
  g_autofree char *data = NULL;

  talk_open (talk);
  for (guint i = 1; i <= 500; i++)
    {
      talk_say (talk, &want);
      talk_say (talk, &leave);
      check (talk, 2 * i);
    }
  data = talk_dup_data (talk, NULL);
  g_assert_cmpint (get_int (data, "goalCount"), ==, 500);
  g_assert_cmpint (get_int (data, "olderGoals"), >, 400);
  check_journal (talk);
  talk_free (talk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/goals/sequences", test_sequences);
  g_test_add_func ("/colloquy/goals/many-goals", test_many_goals);
  return g_test_run ();
}
