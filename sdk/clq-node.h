/* A node is the behaviour of a state: it runs when the state is entered and ends with an outcome. */
#pragma once

#include "clq-plugin.h"
#include "clq-visit.h"

G_BEGIN_DECLS

typedef struct
{
  CLQ_FEATURE_HEAD
  const char *const *outcomes;
  void (*enter) (gpointer self, ClqVisit *visit);
  const char *example; /* (optional) a graph that shows the node at work */
  GType (*get_type) (void);
  const char *type_name; /* of get_type, known before it is called */
} ClqNodeInfo;

#define CLQ_NODE_INFO CLQ_FEATURE_INIT (ClqNodeInfo, CLQ_FEATURE_NODE)
#define CLQ_OUTCOMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define CLQ_TYPE_NODE (clq_node_get_type ())
#define CLQ_NODE(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), CLQ_TYPE_NODE, ClqNode))
#define CLQ_IS_NODE(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), CLQ_TYPE_NODE))
#define CLQ_NODE_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), CLQ_TYPE_NODE, ClqNodeClass))
#define CLQ_NODE_GET_CLASS(object) (G_TYPE_INSTANCE_GET_CLASS ((object), CLQ_TYPE_NODE, ClqNodeClass))

typedef struct _ClqNodeClass ClqNodeClass;

/* One per state and event of a loaded graph. Emits `outcome::NAME` with the visit when a visit finishes. */
struct _ClqNode
{
  GObject parent_instance;
  gpointer priv;
};

struct _ClqNodeClass
{
  GObjectClass parent_class;
  void (*enter) (ClqNode *self, ClqVisit *visit);
  gpointer padding[6];
};

CLQ_API GType clq_node_get_type (void);
CLQ_API const ClqNodeInfo *clq_node_get_info (ClqNode *self);
CLQ_API gpointer clq_node_get_self (ClqNode *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqNode, g_object_unref)

G_END_DECLS
