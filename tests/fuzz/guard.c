/* A guard that can be parsed can be evaluated, with and without an event. */
#include "clq-guard.h"
#include "fuzz.h"

static const char *const states[] = { "a", "b", NULL };

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_dup (data, size);
  g_autoptr (ClqGuard) guard = clq_guard_parse (text, NULL, NULL);
  g_autoptr (ClqEvent) event = NULL;
  guint32 visits[] = { 1, 2 };
  ClqHead head = { .state = "a", .visits = visits, .n_visits = 2 };
  ClqView view = { .head = &head, .state = "a", .data = "{\"n\":3,\"s\":\"x\",\"list\":[1,2],\"deep\":{\"er\":null}}", .state_names = states };

  if (guard == NULL)
    return 0;
  event = clq_event_new (CLQ_EVENT_ACTION, "message");
  event->payload = g_strdup ("{\"n\":3,\"value\":\"x\"}");
  event->text = g_strdup ("hello");
  g_assert (clq_guard_eval (guard, &view, event, NULL) != CLQ_MAYBE);
  clq_guard_eval (guard, &view, NULL, NULL);
  clq_guard_eval_in_state (guard, "a");
  g_assert (clq_guard_get_text (guard) != NULL);
  return 0;
}
