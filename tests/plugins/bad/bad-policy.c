/* bad-policy: what to do after a crash is none of the ways. */
#include "bad.h"

static void
use (gpointer self, ClqCall *call)
{
  clq_call_return (call, "{}");
}

static const ClqToolInfo feature = {
  CLQ_TOOL_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .schema = "{}",
  .use = use,
  .policy = (ClqToolPolicy) 3,
};
CLQ_PLUGIN ("bad-policy", "1.0", "A fixture", &feature.feature);
