/* no-type-name: does not say what its type is called. */
#include "bad.h"

typedef struct
{
  ClqNode parent_instance;
} TestNameless;

typedef struct
{
  ClqNodeClass parent_class;
} TestNamelessClass;

GType test_nameless_get_type (void);
G_DEFINE_TYPE (TestNameless, test_nameless, CLQ_TYPE_NODE)

static void
test_nameless_enter (ClqNode *self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static void
test_nameless_class_init (TestNamelessClass *klass)
{
  klass->parent_class.enter = test_nameless_enter;
}

static void
test_nameless_init (TestNameless *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_nameless_get_type,
};
CLQ_PLUGIN ("no-type-name", "1.0", "A fixture", &node.feature);
