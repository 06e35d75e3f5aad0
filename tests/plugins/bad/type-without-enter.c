/* type-without-enter: its type cannot be entered. */
#include "bad.h"

typedef struct
{
  ClqNode parent_instance;
} TestIdle;

typedef struct
{
  ClqNodeClass parent_class;
} TestIdleClass;

GType test_idle_get_type (void);
G_DEFINE_TYPE (TestIdle, test_idle, CLQ_TYPE_NODE)

static void
test_idle_class_init (TestIdleClass *klass)
{
}

static void
test_idle_init (TestIdle *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_idle_get_type,
  .type_name = "TestIdle",
};
CLQ_PLUGIN ("type-without-enter", "1.0", "A fixture", &node.feature);
