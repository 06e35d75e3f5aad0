/* fail: fails, always or the first few times. */
#include "basic.h"

typedef struct
{
  int class;
  char *message;
  gint64 times;
} Fail;

/* The choices are in the order of ClqFailure, which begins at 1. */
static const ClqSetting settings[] = {
  CLQ_ENUM (Fail, class, "recoverable", CLQ_CHOICES ("recoverable", "critical", "user", "auth"), "the class of the failure"),
  CLQ_STRING (Fail, message, "it did not work", "the text of the failure"),
  CLQ_INT (Fail, times, 0, 0, 1000, "how many attempts fail; 0 = all"),
  { NULL },
};

static void
fail_enter (gpointer self, ClqVisit *visit)
{
  Fail *fail = self;

  if (fail->times == 0 || clq_visit_get_attempt (visit) <= fail->times)
    clq_visit_fail (visit, (ClqFailure) (fail->class + CLQ_FAILURE_RECOVERABLE), "%s", fail->message);
  else
    clq_visit_finish (visit, "done");
}

const ClqNodeInfo basic_fail = {
  CLQ_NODE_INFO,
  .name = "fail",
  .summary = "Fails, always or the first few times",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = settings,
  .self_size = sizeof (Fail),
  .enter = fail_enter,
};
