/* no-schema: it does not say what arguments it takes. */
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
  .use = use,
};
CLQ_PLUGIN ("no-schema", "1.0", "A fixture", &feature.feature);
