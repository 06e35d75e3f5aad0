/* broken-schema: its schema is no JSON. */
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
  .schema = "{\"type\": object}",
  .use = use,
};
CLQ_PLUGIN ("broken-schema", "1.0", "A fixture", &feature.feature);
