/* Turns, context and cost of the chat flow. */
#include "talk.h"

static void
test_turns_partial (void)
{
  g_autoptr (Talk) talk = talk_new ("memory", NULL, NULL);
  g_autofree char *seen = NULL;

  talk_say (talk, "slow");
  clq_host_advance (talk->host, 59 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (talk_get_int (talk, "turnCount"), ==, 0);
  clq_host_advance (talk->host, G_TIME_SPAN_SECOND);
  seen = talk_dup_seen (talk);
  g_assert_cmpstr (seen, ==, "slow pslow ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/chat/turns/partial", test_turns_partial);
  return g_test_run ();
}
