/* other-type-name: its type is called otherwise. */
#include "bad.h"

typedef struct
{
  ClqNode parent_instance;
} TestOther;

typedef struct
{
  ClqNodeClass parent_class;
} TestOtherClass;

GType test_other_get_type (void);
G_DEFINE_TYPE (TestOther, test_other, CLQ_TYPE_NODE)

static void
test_other_enter (ClqNode *self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static void
test_other_class_init (TestOtherClass *klass)
{
  klass->parent_class.enter = test_other_enter;
}

static void
test_other_init (TestOther *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_other_get_type,
  .type_name = "TestAnother",
};
CLQ_PLUGIN ("other-type-name", "1.0", "A fixture", &node.feature);
