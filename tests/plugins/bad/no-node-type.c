/* no-node-type: its type is no node. */
#include "bad.h"

typedef struct
{
  GObject parent_instance;
} TestObject;

typedef struct
{
  GObjectClass parent_class;
} TestObjectClass;

GType test_object_get_type (void);
G_DEFINE_TYPE (TestObject, test_object, G_TYPE_OBJECT)

static void
test_object_class_init (TestObjectClass *klass)
{
}

static void
test_object_init (TestObject *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_object_get_type,
  .type_name = "TestObject",
};
CLQ_PLUGIN ("no-node-type", "1.0", "A fixture", &node.feature);
