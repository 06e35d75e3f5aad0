/* Words that every SDK header shares: the export mark, forward declarations, ids. */
#pragma once

#if !defined(CLQ_INSIDE) && !defined(CLQ_COMPILATION)
#error "Only <colloquy.h> can be included directly."
#endif

#include <glib-object.h>

G_BEGIN_DECLS

#define CLQ_API __attribute__ ((visibility ("default"))) extern

typedef struct _ClqAgent ClqAgent;
typedef struct _ClqCall ClqCall;
typedef struct _ClqChange ClqChange;
typedef struct _ClqCommit ClqCommit;
typedef struct _ClqEvent ClqEvent;
typedef struct _ClqHead ClqHead;
typedef struct _ClqHost ClqHost;
typedef struct _ClqNode ClqNode;
typedef struct _ClqRecord ClqRecord;
typedef struct _ClqView ClqView;
typedef struct _ClqVisit ClqVisit;

G_END_DECLS
