/* same-gtype: its type has the name of that of good-gtype. */
#include "bad.h"

typedef struct
{
  ClqNode parent_instance;
} TestSame;

typedef struct
{
  ClqNodeClass parent_class;
} TestSameClass;

GType test_same_get_type (void);
G_DEFINE_TYPE (TestSame, test_same, CLQ_TYPE_NODE)

static void
test_same_enter (ClqNode *self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static void
test_same_class_init (TestSameClass *klass)
{
  klass->parent_class.enter = test_same_enter;
}

static void
test_same_init (TestSame *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_same_get_type,
  .type_name = "TestSame",
};
CLQ_PLUGIN ("same-gtype", "1.0", "A fixture", &node.feature);
