/* A graph as applications see it: something to hold and to open sessions on. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct _ClqGraph ClqGraph;

CLQ_API ClqGraph *clq_graph_ref (ClqGraph *self);
CLQ_API void clq_graph_unref (ClqGraph *self);
CLQ_API const char *clq_graph_get_name (const ClqGraph *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqGraph, clq_graph_unref)

G_END_DECLS
