/* A compiled guard: a small tree in one array. */
#pragma once

#include "clq-guard.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_GUARD_OR,
  CLQ_GUARD_AND,
  CLQ_GUARD_NOT,
  CLQ_GUARD_COMPARE,
  CLQ_GUARD_HAS,
  /* the rest are values */
  CLQ_GUARD_CONSTANT,
  CLQ_GUARD_PREDICATE,
  CLQ_GUARD_VISITS,
  CLQ_GUARD_TURNS_HERE,
  CLQ_GUARD_HOPS,
  CLQ_GUARD_STATE,
  CLQ_GUARD_QUESTIONS,
  CLQ_GUARD_NEXT_RUN,
  CLQ_GUARD_SCHEDULE,
  CLQ_GUARD_DATA,
  CLQ_GUARD_EVENT,
} ClqGuardOp;

typedef enum
{
  CLQ_COMPARE_EQUAL,
  CLQ_COMPARE_DIFFERENT,
  CLQ_COMPARE_LESS,
  CLQ_COMPARE_LESS_OR_EQUAL,
  CLQ_COMPARE_GREATER,
  CLQ_COMPARE_GREATER_OR_EQUAL,
} ClqCompare;

/* What the engine knows of an event besides its payload. */
typedef enum
{
  CLQ_PART_PAYLOAD,
  CLQ_PART_NAME,
  CLQ_PART_KIND,
  CLQ_PART_TEXT,
  CLQ_PART_ROLE,
  CLQ_PART_ACTOR,
  CLQ_PART_CLASS,
  CLQ_PART_MESSAGE,
  CLQ_PART_PARTIAL,
} ClqEventPart;

/* Operators with any number of operands keep them as a list, so that a long chain is not a deep tree. */
typedef struct
{
  guint8 op;     /* ClqGuardOp */
  guint8 detail; /* ClqCompare, ClqEventPart or, of a constant, ClqJsonType */
  guint32 first; /* operand; 0 = none, the tree starts at 1 */
  guint32 next;  /* operand of the same operator */
  double number; /* of a constant; 1 = true */
  char *text;    /* of a constant, the rest of a path, the state of visits () */
  const ClqPredicate *predicate;
} ClqGuardNode;

struct _ClqGuard
{
  char *text;
  GArray *nodes; /* ClqGuardNode; the first one is not used */
  guint32 root;
  gboolean reads_event;
};

G_END_DECLS
