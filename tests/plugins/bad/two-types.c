/* two-types: two of its types have one name; none of them may be made. */
#include "bad.h"

static GType
get_first_type (void)
{
  g_setenv ("CLQ_TEST_GET_TYPE", "ran", TRUE);
  return CLQ_TYPE_NODE;
}

static GType
get_second_type (void)
{
  g_setenv ("CLQ_TEST_GET_TYPE", "ran", TRUE);
  return CLQ_TYPE_NODE;
}

static const ClqNodeInfo first = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = get_first_type,
  .type_name = "TestTwo",
};
static const ClqNodeInfo second = {
  CLQ_NODE_INFO,
  .name = "wave-back",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = get_second_type,
  .type_name = "TestTwo",
};
CLQ_PLUGIN ("two-types", "1.0", "A fixture", &first.feature, &second.feature);
