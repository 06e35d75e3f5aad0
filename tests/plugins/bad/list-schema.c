/* list-schema: its schema is JSON, but no schema. */
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
  .schema = "[]",
  .use = use,
};
CLQ_PLUGIN ("list-schema", "1.0", "A fixture", &feature.feature);
