/* pause: waits on the host's clock. */
#include "basic.h"

typedef struct
{
  GTimeSpan length;
} Pause;

static const ClqSetting settings[] = {
  CLQ_DURATION (Pause, length, "1s", "how long to wait"),
  { NULL },
};

static void
on_over (ClqVisit *visit, gpointer user_data)
{
  clq_visit_finish (visit, "done");
}

static void
pause_enter (gpointer self, ClqVisit *visit)
{
  Pause *node = self;

  clq_visit_after (visit, node->length, on_over, NULL);
}

const ClqNodeInfo basic_pause = {
  CLQ_NODE_INFO,
  .name = "pause",
  .summary = "Waits for a while",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = settings,
  .self_size = sizeof (Pause),
  .enter = pause_enter,
};
