/* Records of a journal, and the names of their types and roles. */
#include <string.h>

#include "clq-private.h"

static void
test_type_names (void)
{
  static const char *const names[] = { "event", "message", "context", "contribution", "artifact", "call", "snapshot" };
  ClqRecordType type = CLQ_RECORD_CALL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (clq_record_type_from_string (names[i], &type));
      g_assert_cmpint (type, ==, i + 1);
      g_assert_cmpstr (clq_record_type_to_string (type), ==, names[i]);
    }
  g_assert_false (clq_record_type_from_string ("Message", &type));
  g_assert_false (clq_record_type_from_string (NULL, &type));
  g_assert_cmpint (type, ==, CLQ_RECORD_SNAPSHOT);
}

/* Nobody in particular has a name, but cannot be asked for. */
static void
test_role_names (void)
{
  static const char *const names[] = { "user", "assistant", "system" };
  ClqRole role = CLQ_ROLE_NONE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (clq_role_from_string (names[i], &role));
      g_assert_cmpint (role, ==, CLQ_ROLE_USER + i);
      g_assert_cmpstr (clq_role_to_string (role), ==, names[i]);
    }
  g_assert_cmpstr (clq_role_to_string (CLQ_ROLE_NONE), ==, "none");
  g_assert_false (clq_role_from_string ("none", &role));
  g_assert_false (clq_role_from_string ("", &role));
  g_assert_false (clq_role_from_string (NULL, &role));
}

static void
assert_record (const ClqRecord *record, const char *body)
{
  gsize length = 0;
  const char *text = clq_record_get_body (record, &length);

  g_assert_cmpint (clq_record_get_record_type (record), ==, CLQ_RECORD_MESSAGE);
  g_assert_cmpuint (clq_record_get_seq (record), ==, G_MAXUINT64);
  g_assert_cmpuint (clq_record_get_segment (record), ==, 3);
  g_assert_cmpint (clq_record_get_role (record), ==, CLQ_ROLE_USER);
  g_assert_cmpint (clq_record_get_at (record), ==, -5);
  g_assert_cmpmem (text, length, body, strlen (body));
}

static void
test_new (void)
{
  g_autoptr (ClqRecord) whole = clq_record_new (CLQ_RECORD_MESSAGE, G_MAXUINT64, 3, CLQ_ROLE_USER, -5, "{\"text\":\"a\"}", -1);
  g_autoptr (ClqRecord) part = clq_record_new (CLQ_RECORD_MESSAGE, G_MAXUINT64, 3, CLQ_ROLE_USER, -5, "{}{\"x\":1}", 2);
  g_autoptr (ClqRecord) empty = clq_record_new (CLQ_RECORD_MESSAGE, G_MAXUINT64, 3, CLQ_ROLE_USER, -5, "", 0);

  assert_record (whole, "{\"text\":\"a\"}");
  assert_record (part, "{}");
  assert_record (empty, "");
  /* What was copied ends with a NUL. */
  g_assert_cmpstr (clq_record_get_body (part, NULL), ==, "{}");
}

static void
test_ref (void)
{
  ClqRecord *record = clq_record_new (CLQ_RECORD_MESSAGE, G_MAXUINT64, 3, CLQ_ROLE_USER, -5, "{}", -1);

  g_assert_true (clq_record_ref (record) == record);
  clq_record_unref (record);
  assert_record (record, "{}");
  clq_record_unref (record);
}

/* A record inside a commit is not the store's to keep; what it gets is its own. */
static void
test_ref_borrowed (void)
{
  char body[] = "{\"text\":\"a\"}, and what stands behind it";
  ClqRecord borrowed = {
    .seq = G_MAXUINT64,
    .at = -5,
    .segment = 3,
    .length = strlen ("{\"text\":\"a\"}"),
    .type = CLQ_RECORD_MESSAGE,
    .role = CLQ_ROLE_USER,
    .body = body,
  };
  g_autoptr (ClqRecord) kept = clq_record_ref (&borrowed);

  g_assert_true (kept != &borrowed);
  memset (body, 'x', sizeof body);
  assert_record (kept, "{\"text\":\"a\"}");
  g_assert_cmpint (borrowed.ref_count, ==, 0);
}

/* What a record of a commit begins with is known; one that is kept is whole and shares nothing. */
static void
test_opening (void)
{
  ClqRecord borrowed = {
    .length = strlen ("{\"text\":\"a\"}"),
    .type = CLQ_RECORD_MESSAGE,
    .body = "{\"text\":\"a\"}",
    .opening = g_intern_static_string ("{\"text\":"),
    .opening_length = strlen ("{\"text\":"),
  };
  g_autoptr (ClqRecord) kept = clq_record_ref (&borrowed);
  gsize length = 99;

  g_assert_true (clq_record_get_opening (&borrowed, &length) == g_intern_static_string ("{\"text\":"));
  g_assert_cmpuint (length, ==, 8);
  g_assert_null (clq_record_get_opening (kept, &length));
  g_assert_cmpuint (length, ==, 0);
  g_assert_cmpstr (clq_record_get_body (kept, &length), ==, "{\"text\":\"a\"}");
  g_assert_cmpuint (length, ==, 12);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/record/type-names", test_type_names);
  g_test_add_func ("/colloquy/record/role-names", test_role_names);
  g_test_add_func ("/colloquy/record/new", test_new);
  g_test_add_func ("/colloquy/record/ref", test_ref);
  g_test_add_func ("/colloquy/record/ref-borrowed", test_ref_borrowed);
  g_test_add_func ("/colloquy/record/opening", test_opening);
  return g_test_run ();
}
