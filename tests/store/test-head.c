/* Packed heads: they come back as they were, take little room, and do no harm if they are damaged. */
#include "clq-private.h"

#include <string.h>

static void
fill_head (ClqHead *head, guint32 *visits)
{
  static const guint8 id[16] = { 0x01, 0x99, 0xc8, 0x1f, 0x50, 0x00, 0x70, 1, 0x80, 2, 3, 4, 5, 6, 7, 8 };

  memset (head, 0, sizeof *head);
  memcpy (head->id, id, sizeof id);
  head->seq = 3;
  head->graph_hash = "hash";
  head->graph_name = "name";
  head->state = "state";
  head->created_at = G_GINT64_CONSTANT (1760000000000) * 1000 + 250;
  head->updated_at = head->created_at + 5000;
  head->entered_at = head->updated_at;
  head->input_at = head->updated_at - 10;
  head->entry = head->segment = head->n_segments = 1;
  head->status = CLQ_STATUS_WAITING;
  head->n_visits = 4;
  head->visits = visits;
}

static ClqHead *
unpack (const ClqHead *head, const guint8 *bytes, gsize length, GError **error)
{
  return clq_head_unpack (head->id, head->seq, head->graph_hash, head->graph_name, head->state, bytes, length, error);
}

static ClqExtra *
make_extra (void)
{
  ClqExtra *extra = clq_extra_new ();

  extra->owner = g_strdup ("Zoë");
  extra->title = g_strdup ("");
  extra->schedule = g_strdup ("{\"cron\":\"* * * * *\"}");
  extra->questions = g_strdup ("[{\"id\":\"a\"}]");
  extra->deadlines = g_strdup ("{\"lunch\":1760000000000000}");
  extra->visit = g_strdup ("{\"id\":1}");
  extra->error = g_strdup ("{\"message\":\"no\"}");
  extra->next_run = G_MAXINT64;
  extra->retry_at = 1;
  extra->tokens_in = G_MAXUINT64;
  extra->cost = -0.1;
  return extra;
}

/* The commonest head, without data, is a matter of a few bytes. */
static void
test_small (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  guint32 visits[4] = { 1, 0, 2, 0 };
  g_autoptr (ClqHead) copy = NULL;
  ClqHead head;

  fill_head (&head, visits);
  clq_head_pack (&head, bytes);
  g_assert_cmpuint (bytes->len, <=, 32);
  copy = unpack (&head, bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (copy->state, ==, "state");
  g_assert_cmpint (copy->created_at, ==, head.created_at);
  g_assert_cmpint (copy->updated_at, ==, head.updated_at);
  g_assert_cmpint (copy->input_at, ==, head.input_at);
  g_assert_cmpmem (copy->visits, sizeof visits, visits, sizeof visits);
  g_assert_null (copy->data);
  g_assert_null (copy->extra);
}

/* Ids that are no UUIDv7 and times of any size and order. */
static void
test_times (void)
{
  static const gint64 times[] = { 0, 1, -1, G_MAXINT64, G_MININT64, 1760000000000000 };

  for (guint i = 0; i < G_N_ELEMENTS (times) * G_N_ELEMENTS (times); i++)
    {
      gint64 one = times[i / G_N_ELEMENTS (times)], other = times[i % G_N_ELEMENTS (times)];
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (ClqHead) copy = NULL;
      guint32 visits[4] = { 0 };
      ClqHead head;

      fill_head (&head, visits);
      memset (head.id, i % 3 == 0 ? 0xff : 0, sizeof head.id);
      head.created_at = head.entered_at = one;
      head.updated_at = head.input_at = head.wake_at = other;
      clq_head_pack (&head, bytes);
      copy = unpack (&head, bytes->data, bytes->len, NULL);
      g_assert_nonnull (copy);
      g_assert_cmpint (copy->created_at, ==, one);
      g_assert_cmpint (copy->entered_at, ==, one);
      g_assert_cmpint (copy->updated_at, ==, other);
      g_assert_cmpint (copy->input_at, ==, other);
      g_assert_cmpint (copy->wake_at, ==, other);
    }
}

static GByteArray *
pack_full (ClqHead *head, guint32 *visits)
{
  GByteArray *bytes = g_byte_array_new ();

  fill_head (head, visits);
  head->data = g_ref_string_new ("{\"a\":[1,2,3],\"b\":\"ü\"}");
  head->extra = make_extra ();
  clq_head_pack (head, bytes);
  g_ref_string_release (head->data);
  clq_extra_unref (head->extra);
  return bytes;
}

/* No part of a head passes for a whole one; bytes behind it are of a later version and do not count. */
static void
test_cut (void)
{
  guint32 visits[4] = { 1, 2, 3, 4 };
  ClqHead head;
  g_autoptr (GByteArray) bytes = pack_full (&head, visits);
  g_autoptr (ClqHead) longer = NULL;
  gsize length = bytes->len;

  for (gsize i = 0; i < length; i++)
    {
      /* Memory of its own, so that reading too far is found. */
      g_autofree guint8 *part = g_memdup2 (bytes->data, MAX (i, 1));
      g_autoptr (GError) error = NULL;

      g_assert_null (unpack (&head, part, i, &error));
      g_assert_error (error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_CORRUPT);
    }
  g_byte_array_append (bytes, (const guint8 *) "more", 4);
  longer = unpack (&head, bytes->data, bytes->len, NULL);
  g_assert_nonnull (longer);
  g_assert_cmpstr (longer->extra->owner, ==, "Zoë");
  g_assert_cmpfloat (longer->extra->cost, ==, -0.1);
}

/* What is read from a damaged head is a head that the host can work with, or nothing. */
static void
test_damage (void)
{
  guint32 visits[4] = { 1, 2, 3, 4 };
  ClqHead head;
  g_autoptr (GByteArray) bytes = pack_full (&head, visits);
  guint n_refused = 0;

  for (gsize i = 0; i < bytes->len * 8; i++)
    {
      g_autofree guint8 *damaged = g_memdup2 (bytes->data, bytes->len);
      g_autoptr (ClqHead) copy = NULL;

      damaged[i / 8] ^= 1 << i % 8;
      copy = unpack (&head, damaged, bytes->len, NULL);
      n_refused += copy == NULL;
      if (copy == NULL)
        continue;
      g_assert_nonnull (clq_head_get_status (copy));
      g_assert_true (clq_json_check (clq_head_get_data (copy), -1, NULL, NULL));
      if (copy->extra != NULL && copy->extra->questions != NULL)
        g_assert_true (clq_json_check (copy->extra->questions, -1, NULL, NULL));
      if (copy->extra != NULL && copy->extra->title != NULL)
        g_assert_true (g_utf8_validate (copy->extra->title, -1, NULL));
    }
  g_assert_cmpuint (n_refused, >, bytes->len);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/head/small", test_small);
  g_test_add_func ("/colloquy/head/times", test_times);
  g_test_add_func ("/colloquy/head/cut", test_cut);
  g_test_add_func ("/colloquy/head/damage", test_damage);
  return g_test_run ();
}
