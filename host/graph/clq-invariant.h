/* What a graph promises: read from [invariants], proved by search, refuted by a list of events. */
#pragma once

#include "clq-ways.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_INVARIANT_LEADS,      /* A leads to B */
  CLQ_INVARIANT_LEADS_BY,   /* A leads to B by e */
  CLQ_INVARIANT_ENTER,      /* only A, B enter C, D */
  CLQ_INVARIANT_LEFT_BY,    /* A is left only by e, f */
  CLQ_INVARIANT_NEVER_LEFT, /* A is never left */
  CLQ_INVARIANT_EXIT,       /* every state has an exit [except C, D] */
  CLQ_INVARIANT_ACCEPTS,    /* every state [except C, D] accepts e, f */
  CLQ_INVARIANT_KEEP,       /* e, f keep the state */
  CLQ_INVARIANT_RETURNS,    /* A e then f returns */
  CLQ_INVARIANT_BEFORE,     /* never C before A */
} ClqInvariantForm;

typedef struct
{
  ClqInvariantForm form;
  const ClqKey *key; /* where it stands; NULL if nowhere */
  GArray *states;    /* guint: A, B above */
  GArray *others;    /* guint: C, D above, and B that A leads to */
  GArray *events;    /* guint: e, f above */
} ClqInvariant;

/* Why an invariant does not hold: what happens, from the start. */
typedef struct
{
  GArray *steps; /* ClqStep */
  char *why;
} ClqCounterexample;

CLQ_API ClqInvariant *clq_invariant_parse (const ClqGraph *graph, const char *text, GError **error);
CLQ_API void clq_invariant_free (ClqInvariant *self);
CLQ_API gboolean clq_invariant_is_keyword (const char *word);
CLQ_API gboolean clq_invariant_prove (const ClqInvariant *self, const ClqWays *ways, ClqCounterexample *refutation);
CLQ_API int clq_invariant_get_subject (const ClqInvariant *self);

CLQ_API void clq_counterexample_clear (ClqCounterexample *self);
CLQ_API char *clq_counterexample_print (const ClqCounterexample *self, const ClqWays *ways);
CLQ_API char *clq_counterexample_to_json (const ClqCounterexample *self, const ClqGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqInvariant, clq_invariant_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClqCounterexample, clq_counterexample_clear)

static inline gboolean
clq_indices_contain (const GArray *indices, guint index)
{
  for (guint i = 0; i < indices->len; i++)
    if (g_array_index (indices, guint, i) == index)
      return TRUE;
  return FALSE;
}

G_END_DECLS
