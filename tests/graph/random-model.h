/* A random graph, and what may happen in it, found by trying every guard with every value. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MODEL_MAX_STATES 5
#define MODEL_N_EVENTS 3
#define MODEL_MAX_ALTERNATIVES 3
#define MODEL_FAR 1000 /* a distance that no way has */

typedef struct
{
  char op; /* '&', '|', '!', '=' (state ==), '#' (state !=), '?' (anything) */
  int left, right;
  int value; /* a state, or which of the unknown ones */
} Part;

typedef struct
{
  Part parts[16];
  int n_parts;
  int root; /* -1 = no guard */
  int n_unknown;
} Guard;

typedef struct
{
  int target;
  Guard guard;
} Alternative;

typedef struct
{
  Alternative all[MODEL_MAX_ALTERNATIVES];
  int n;
} List;

typedef struct
{
  int n_states;
  List always[MODEL_N_EVENTS];
  List own[MODEL_MAX_STATES][MODEL_N_EVENTS];
  List otherwise[MODEL_N_EVENTS];
  /* what may happen: a bit per state, then one for staying and one for refusing */
  guint results[MODEL_MAX_STATES][MODEL_N_EVENTS];
  int distance[MODEL_MAX_STATES];
  guint n_names; /* of unknown values: each stands in one place only */
  GString *text;
} Model;

#define MODEL_STAY (1u << MODEL_MAX_STATES)
#define MODEL_REFUSE (1u << (MODEL_MAX_STATES + 1))

void model_init (Model *model);
void model_clear (Model *model);
int model_pick (int n);
guint model_bit (int target);
void model_measure (const Model *model, int without, int *distance);

G_END_DECLS
