#include "tool-caller.h"

typedef struct
{
  char *kind;
  char *arguments;
} Caller;

static const ClqSetting settings[] = {
  CLQ_STRING (Caller, kind, "", "the tool"),
  CLQ_STRING (Caller, arguments, "{}", "what it gets"),
  { NULL },
};

static void
on_used (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  const GError *error = clq_call_get_error (call);

  if (error != NULL)
    clq_visit_say (visit, "%s: %s", clq_failure_to_string (clq_failure_of (error)), error->message);
  else
    clq_visit_say (visit, "%s", clq_call_get_text (call));
  clq_visit_finish (visit, "done");
}

static void
caller_enter (gpointer self, ClqVisit *visit)
{
  Caller *caller = self;

  clq_visit_call_tool (visit, "tool", caller->kind, caller->arguments, on_used, NULL);
}

static const ClqNodeInfo caller = {
  CLQ_NODE_INFO,
  .name = "caller",
  .summary = "Uses a tool",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = settings,
  .self_size = sizeof (Caller),
  .enter = caller_enter,
};

ClqTestNode *
tool_caller_new (const char *kind, const char *arguments)
{
  return clq_test_node_new (&caller, "kind", kind, "arguments", arguments, NULL);
}

const char *
tool_caller_run (ClqTestNode *test)
{
  clq_test_node_enter (test);
  clq_test_node_wait (test);
  clq_test_node_assert_outcome (test, "done");
  return clq_test_node_get_said (test);
}
