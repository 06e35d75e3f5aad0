/* unknown-keyword: its schema says what no validator understands. */
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
  .schema = "{\"type\": \"object\", \"properties\": {\"hand\": {\"typ\": \"string\"}}}",
  .use = use,
};
CLQ_PLUGIN ("unknown-keyword", "1.0", "A fixture", &feature.feature);
