#define G_LOG_DOMAIN "clq-node"

#include "clq-private.h"

G_DEFINE_TYPE (ClqNode, clq_node, G_TYPE_OBJECT)

static guint outcome_signal;

static void
clq_node_real_enter (ClqNode *self, ClqVisit *visit)
{
  ClqNodePrivate *priv = self->priv;

  priv->info->enter (priv->self, visit);
}

static void
clq_node_finalize (GObject *object)
{
  ClqNodePrivate *priv = CLQ_NODE (object)->priv;

  if (priv != NULL)
    {
      if (priv->free_self != NULL)
        priv->free_self (&priv->info->feature, priv->self);
      g_free (priv);
    }
  G_OBJECT_CLASS (clq_node_parent_class)->finalize (object);
}

static void
clq_node_class_init (ClqNodeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clq_node_finalize;
  klass->enter = clq_node_real_enter;

  /**
   * ClqNode::outcome:
   * @self: the node
   * @visit: the visit that has finished
   *
   * A visit has finished; the detail is the outcome. The loaded graph connects its rules here.
   */
  outcome_signal = g_signal_new ("outcome", CLQ_TYPE_NODE, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0,
                                 NULL, NULL, g_cclosure_marshal_VOID__POINTER, G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_signal_set_va_marshaller (outcome_signal, CLQ_TYPE_NODE, g_cclosure_marshal_VOID__POINTERv);
}

static void
clq_node_init (ClqNode *self)
{
}

/* Private: a node in a loaded graph. It takes @self_data and gives it back to @free_self at the end. */
ClqNode *
clq_node_new (GType type, const ClqNodeInfo *info, gpointer self_data, ClqInstanceFreeFunc free_self)
{
  ClqNode *self = g_object_new (type, NULL);
  ClqNodePrivate *priv = g_new0 (ClqNodePrivate, 1);

  priv->info = info;
  priv->self = self_data;
  priv->free_self = free_self;
  self->priv = priv;
  return self;
}

/* Private: runs the node for one visit. */
void
clq_node_enter (ClqNode *self, ClqVisit *visit)
{
  CLQ_NODE_GET_CLASS (self)->enter (self, visit);
}

/* Private. */
guint
clq_node_get_outcome_signal (void)
{
  return outcome_signal;
}

/**
 * clq_node_get_info:
 * @self: a node
 *
 * Returns: (transfer none): what its plugin says of it
 */
const ClqNodeInfo *
clq_node_get_info (ClqNode *self)
{
  ClqNodePrivate *priv = self->priv;

  return priv->info;
}

/**
 * clq_node_get_self:
 * @self: a node
 *
 * Returns: (transfer none): its instance, with the settings filled in
 */
gpointer
clq_node_get_self (ClqNode *self)
{
  ClqNodePrivate *priv = self->priv;

  return priv->self;
}
