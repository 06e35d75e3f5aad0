/* A change keeps what it was told, in order, until the engine reads it. */
#include <string.h>

#include "clq-private.h"

typedef struct
{
  ClqOpType type;
  const char *name;
  const char *value;
  gint64 number;
} Expected;

static void
assert_ops (const ClqChange *change, const Expected *expected, guint n_expected)
{
  g_assert_cmpuint (clq_change_get_n_ops (change), ==, n_expected);
  for (guint i = 0; i < n_expected; i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);

      g_assert_cmpint (op->type, ==, expected[i].type);
      g_assert_cmpstr (clq_change_get_string (change, op->name), ==, expected[i].name);
      g_assert_cmpstr (clq_change_get_string (change, op->value), ==, expected[i].value);
      g_assert_cmpint (op->number, ==, expected[i].number);
    }
}

static void
test_data (void)
{
  static const Expected expected[] = {
    { CLQ_OP_SET, "title", "\"a \\\"b\\\"\\n\"" },
    { CLQ_OP_SET, "nothing", "null" },
    { CLQ_OP_SET, "count.max", "9223372036854775807" },
    { CLQ_OP_SET, "count.min", "-9223372036854775808" },
    { CLQ_OP_SET, "ratio", "0.1" },
    { CLQ_OP_SET, "infinite", "null" },
    { CLQ_OP_SET, "yes", "true" },
    { CLQ_OP_SET, "no", "false" },
    { CLQ_OP_SET, "list", " [1, 2] " },
    { CLQ_OP_UNSET, "old" },
  };
  g_autoptr (ClqChange) change = clq_change_new ();

  assert_ops (change, NULL, 0);
  clq_change_set_string (change, "title", "a \"b\"\n");
  clq_change_set_string (change, "nothing", NULL);
  clq_change_set_int (change, "count.max", G_MAXINT64);
  clq_change_set_int (change, "count.min", G_MININT64);
  clq_change_set_double (change, "ratio", 0.1);
  clq_change_set_double (change, "infinite", G_MAXDOUBLE * 2);
  clq_change_set_bool (change, "yes", 5);
  clq_change_set_bool (change, "no", FALSE);
  clq_change_set_json (change, "list", " [1, 2] ");
  clq_change_unset (change, "old");
  assert_ops (change, expected, G_N_ELEMENTS (expected));
}

static void
test_records (void)
{
  static const Expected expected[] = {
    { CLQ_OP_RECORD, NULL, "{\"text\":\"hi \\u0001\xef\xbf\xbd\"}" },
    { CLQ_OP_RECORD, NULL, "{\"score\":1}" },
    { CLQ_OP_TAG, "source", "\"chat\"" },
  };
  g_autoptr (ClqChange) change = clq_change_new ();

  clq_change_say (change, CLQ_ROLE_ASSISTANT, "hi \x01\xff");
  clq_change_append (change, CLQ_RECORD_CONTRIBUTION, CLQ_ROLE_NONE, "{\"score\":1}");
  clq_change_tag_message (change, "source", "chat");
  assert_ops (change, expected, G_N_ELEMENTS (expected));
  g_assert_cmpint (clq_change_get_op (change, 0)->record_type, ==, CLQ_RECORD_MESSAGE);
  g_assert_cmpint (clq_change_get_op (change, 0)->role, ==, CLQ_ROLE_ASSISTANT);
  g_assert_cmpint (clq_change_get_op (change, 1)->record_type, ==, CLQ_RECORD_CONTRIBUTION);
  g_assert_cmpint (clq_change_get_op (change, 1)->role, ==, CLQ_ROLE_NONE);
}

static void
test_questions (void)
{
  static const ClqQuestion question = { .type = CLQ_QUESTION_CONFIRMATION, .owner = "tool", .id = "1", .prompt = "Sure?" };
  static const Expected expected[] = {
    { CLQ_OP_ASK, NULL, "{\"key\":\"tool/1\",\"owner\":\"tool\",\"id\":\"1\",\"type\":\"confirmation\",\"prompt\":\"Sure?\"}" },
    { CLQ_OP_ASK, NULL,
      "{\"key\":\"session/question\",\"owner\":\"session\",\"id\":\"question\",\"type\":\"input\",\"prompt\":\"Name?\"}" },
    { CLQ_OP_CLEAR_QUESTIONS },
  };
  g_autoptr (ClqChange) change = clq_change_new ();
  g_autoptr (GError) error = NULL;

  clq_change_ask (change, &question);
  g_assert_true (clq_change_ask_json (change, "{\"prompt\":\"Name?\"}", &error));
  g_assert_no_error (error);
  g_assert_false (clq_change_ask_json (change, "{\"type\":\"choice\",\"prompt\":\"Which?\"}", &error));
  g_assert_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT);
  g_assert_cmpstr (error->message, ==, "question: a choice needs options");
  clq_change_clear_questions (change);
  assert_ops (change, expected, G_N_ELEMENTS (expected));
}

static void
test_waiting (void)
{
  static const Expected expected[] = {
    { CLQ_OP_SCHEDULE, NULL, "{\"type\":\"cron\"}", 1000 },
    { CLQ_OP_SCHEDULE },
    { CLQ_OP_DEADLINE, "remind", NULL, G_MAXINT64 },
    { CLQ_OP_DEADLINE, "remind" },
  };
  g_autoptr (ClqChange) change = clq_change_new ();

  clq_change_set_schedule (change, "{\"type\":\"cron\"}", 1000);
  clq_change_clear_schedule (change);
  clq_change_set_deadline (change, "remind", G_MAXINT64);
  clq_change_clear_deadline (change, "remind");
  assert_ops (change, expected, G_N_ELEMENTS (expected));
}

static void
test_tree (void)
{
  static const Expected expected[] = {
    { CLQ_OP_MARK, "draft" },
    { CLQ_OP_DROP_MARK, "draft" },
    { CLQ_OP_FORK },
    { CLQ_OP_GO_TO_MARK, "draft" },
    { CLQ_OP_GO_TO_RECORD, NULL, NULL, 17 },
  };
  g_autoptr (ClqChange) change = clq_change_new ();

  clq_change_mark (change, "draft");
  clq_change_drop_mark (change, "draft");
  clq_change_fork (change);
  clq_change_go_to_mark (change, "draft");
  clq_change_go_to_record (change, 17);
  assert_ops (change, expected, G_N_ELEMENTS (expected));
}

static void
test_people (void)
{
  static const Expected expected[] = {
    { CLQ_OP_TITLE, NULL, "A title" },
    { CLQ_OP_REASON, NULL, "3 of 5 done" },
    { CLQ_OP_RESULT, NULL, "[1]" },
    { CLQ_OP_NOTIFY, NULL, "{\"text\":\"done\"}" },
    { CLQ_OP_WARN, NULL, "agent 'ann' did not answer" },
  };
  g_autoptr (ClqChange) change = clq_change_new ();

  clq_change_set_title (change, "A title");
  clq_change_set_reason (change, "%d of %d done", 3, 5);
  clq_change_set_result (change, "[1]");
  clq_change_notify (change, "{\"text\":\"done\"}");
  clq_change_warn (change, "agent '%s' did not answer", "ann");
  assert_ops (change, expected, G_N_ELEMENTS (expected));
}

/* An empty text is a text, and no name is none. */
static void
test_empty (void)
{
  static const Expected expected[] = { { CLQ_OP_TITLE, NULL, "" }, { CLQ_OP_SET, "a", "\"\"" }, { CLQ_OP_REASON, NULL, "" } };
  g_autoptr (ClqChange) change = clq_change_new ();

  clq_change_set_title (change, "");
  clq_change_set_string (change, "a", "");
  clq_change_set_reason (change, "%s", "");
  assert_ops (change, expected, G_N_ELEMENTS (expected));
}

static void
test_extend (void)
{
  static const Expected expected[] = {
    { CLQ_OP_TITLE, NULL, "first" },
    { CLQ_OP_SET, "a", "1" },
    { CLQ_OP_DEADLINE, "remind", NULL, 99 },
    { CLQ_OP_RECORD, NULL, "{\"text\":\"hi\"}" },
  };
  g_autoptr (ClqChange) change = clq_change_new ();
  g_autoptr (ClqChange) other = clq_change_new ();
  g_autoptr (ClqChange) empty = clq_change_new ();

  clq_change_set_title (change, "first");
  clq_change_set_int (other, "a", 1);
  clq_change_set_deadline (other, "remind", 99);
  clq_change_say (other, CLQ_ROLE_SYSTEM, "hi");
  clq_change_extend (change, other);
  clq_change_extend (change, empty);
  clq_change_reset (other);
  assert_ops (change, expected, G_N_ELEMENTS (expected));
  assert_ops (other, NULL, 0);
  g_assert_cmpint (clq_change_get_op (change, 3)->role, ==, CLQ_ROLE_SYSTEM);
  g_assert_cmpint (clq_change_get_op (change, 3)->record_type, ==, CLQ_RECORD_MESSAGE);
}

/* One change is used for many events; nothing of the last one is left. */
static void
test_reset (void)
{
  static const Expected expected[] = { { CLQ_OP_SET, "b", "2" }, { CLQ_OP_FORK } };
  g_autoptr (ClqChange) change = clq_change_new ();

  for (int i = 0; i < 100; i++)
    {
      g_autofree char *much = g_strnfill (1000, 'x');

      clq_change_set_string (change, "a", much);
      clq_change_reset (change);
      clq_change_set_int (change, "b", 2);
      clq_change_fork (change);
      assert_ops (change, expected, G_N_ELEMENTS (expected));
      clq_change_reset (change);
    }
}

/* What a plugin may not do: it is told, and nothing is written. */
static void
test_misuse (void)
{
  g_autoptr (ClqChange) change = clq_change_new ();

#define EXPECT_CRITICAL(call) \
  g_test_expect_message ("clq-change", G_LOG_LEVEL_CRITICAL, "*assertion*failed*"); \
  call; \
  g_test_assert_expected_messages ()

  EXPECT_CRITICAL (clq_change_set_int (change, "", 1));
  EXPECT_CRITICAL (clq_change_set_string (change, NULL, "x"));
  EXPECT_CRITICAL (clq_change_unset (change, ""));
  EXPECT_CRITICAL (clq_change_set_json (change, "a", "{broken"));
  EXPECT_CRITICAL (clq_change_append (change, CLQ_RECORD_EVENT, CLQ_ROLE_NONE, "{}"));
  EXPECT_CRITICAL (clq_change_append (change, CLQ_RECORD_SNAPSHOT, CLQ_ROLE_NONE, "{}"));
  EXPECT_CRITICAL (clq_change_append (change, CLQ_RECORD_MESSAGE, CLQ_ROLE_NONE, "{"));
  EXPECT_CRITICAL (clq_change_say (change, CLQ_ROLE_USER, NULL));
  EXPECT_CRITICAL (clq_change_set_schedule (change, "soon", 1));
  EXPECT_CRITICAL (clq_change_set_deadline (change, "remind", 0));
  EXPECT_CRITICAL (clq_change_set_result (change, NULL));
  EXPECT_CRITICAL (clq_change_notify (change, "text"));
  EXPECT_CRITICAL (clq_change_extend (change, change));
  assert_ops (change, NULL, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/change/data", test_data);
  g_test_add_func ("/colloquy/change/records", test_records);
  g_test_add_func ("/colloquy/change/questions", test_questions);
  g_test_add_func ("/colloquy/change/waiting", test_waiting);
  g_test_add_func ("/colloquy/change/tree", test_tree);
  g_test_add_func ("/colloquy/change/people", test_people);
  g_test_add_func ("/colloquy/change/empty", test_empty);
  g_test_add_func ("/colloquy/change/extend", test_extend);
  g_test_add_func ("/colloquy/change/reset", test_reset);
  g_test_add_func ("/colloquy/change/misuse", test_misuse);
  return g_test_run ();
}
