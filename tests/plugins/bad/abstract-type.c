/* abstract-type: its type has no instances. */
#include "bad.h"

typedef struct
{
  ClqNode parent_instance;
} TestAbstract;

typedef struct
{
  ClqNodeClass parent_class;
} TestAbstractClass;

GType test_abstract_get_type (void);
G_DEFINE_ABSTRACT_TYPE (TestAbstract, test_abstract, CLQ_TYPE_NODE)

static void
test_abstract_enter (ClqNode *self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static void
test_abstract_class_init (TestAbstractClass *klass)
{
  klass->parent_class.enter = test_abstract_enter;
}

static void
test_abstract_init (TestAbstract *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_abstract_get_type,
  .type_name = "TestAbstract",
};
CLQ_PLUGIN ("abstract-type", "1.0", "A fixture", &node.feature);
