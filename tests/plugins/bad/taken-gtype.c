/* taken-gtype: its type has the name of one of GLib. */
#include "bad.h"

typedef struct
{
  ClqNode parent_instance;
} TestTaken;

typedef struct
{
  ClqNodeClass parent_class;
} TestTakenClass;

GType test_taken_get_type (void);
G_DEFINE_TYPE (TestTaken, test_taken, CLQ_TYPE_NODE)

static void
test_taken_enter (ClqNode *self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static void
test_taken_class_init (TestTakenClass *klass)
{
  klass->parent_class.enter = test_taken_enter;
}

static void
test_taken_init (TestTaken *self)
{
}

static const ClqNodeInfo node = {
  CLQ_NODE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = test_taken_get_type,
  .type_name = "GObject",
};
CLQ_PLUGIN ("taken-gtype", "1.0", "A fixture", &node.feature);
