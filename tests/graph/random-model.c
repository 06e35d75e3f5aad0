/* A random graph, and what may happen in it, found by trying every guard with every value. */
#include "random-model.h"

#include "fixture.h"

#define MAX_ATOMS 3

int
model_pick (int n)
{
  return g_test_rand_int_range (0, n);
}

static int
make_part (Model *model, Guard *guard, int depth)
{
  static const char leaves[] = "?=#?";
  static const char inner[] = "&|!";
  int index = guard->n_parts++;
  Part part = { .op = depth > 0 && model_pick (2) ? inner[model_pick (3)] : leaves[model_pick (4)] };

  if (part.op == '?' && guard->n_unknown == MAX_ATOMS)
    part.op = '=';
  if (part.op == '?')
    part.value = guard->n_unknown++;
  else if (part.op == '=' || part.op == '#')
    part.value = model_pick (model->n_states);
  else
    part.left = make_part (model, guard, depth - 1);
  if (part.op == '&' || part.op == '|')
    part.right = make_part (model, guard, depth - 1);
  guard->parts[index] = part;
  return index;
}

static void
print_part (Model *model, const Guard *guard, int index)
{
  const Part *part = &guard->parts[index];

  if (part->op == '?')
    g_string_append_printf (model->text, "x%u", model->n_names++);
  else if (part->op == '=' || part->op == '#')
    g_string_append_printf (model->text, "state %s \"s%d\"", part->op == '=' ? "==" : "!=", part->value);
  else
    {
      g_string_append (model->text, part->op == '!' ? "not (" : "(");
      print_part (model, guard, part->left);
      if (part->op != '!')
        {
          g_string_append (model->text, part->op == '&' ? " and " : " or ");
          print_part (model, guard, part->right);
        }
      g_string_append_c (model->text, ')');
    }
}

static gboolean
test_part (const Guard *guard, int index, int state, guint values)
{
  const Part *part = &guard->parts[index];

  switch (part->op)
    {
    case '?':
      return (values >> part->value & 1) != 0;
    case '=':
      return part->value == state;
    case '#':
      return part->value != state;
    case '!':
      return !test_part (guard, part->left, state, values);
    case '&':
      return test_part (guard, part->left, state, values) && test_part (guard, part->right, state, values);
    default:
      return test_part (guard, part->left, state, values) || test_part (guard, part->right, state, values);
    }
}

/* ---- graphs ---- */

static void
make_list (Model *model, List *list, gboolean wanted)
{
  list->n = wanted ? 1 + model_pick (MODEL_MAX_ALTERNATIVES) : 0;
  for (int i = 0; i < list->n; i++)
    {
      Alternative *one = &list->all[i];

      one->guard = (Guard){ .root = -1 };
      one->target = model_pick (model->n_states + 2);
      one->target = one->target < model->n_states ? one->target : one->target == model->n_states ? CLQ_STAY
                                                                                                 : CLQ_REFUSE;
      if (i + 1 < list->n || model_pick (2))
        one->guard.root = make_part (model, &one->guard, 2);
    }
}

static void
print_list (Model *model, const List *list)
{
  for (int i = 0; i < list->n; i++)
    {
      const Alternative *one = &list->all[i];

      g_string_append (model->text, i > 0 ? " ; " : "");
      if (one->target >= 0)
        g_string_append_printf (model->text, "s%d", one->target);
      else
        g_string_append (model->text, one->target == CLQ_STAY ? "@stay" : "@refuse");
      if (one->guard.root >= 0)
        {
          g_string_append (model->text, " if ");
          print_part (model, &one->guard, one->guard.root);
        }
    }
  g_string_append_c (model->text, '\n');
}

static void
print_model (Model *model)
{
  g_string_append (model->text, HEAD "actions=e0;e1;e2\n");
  g_string_replace (model->text, "initial=a", "initial=s0", 1);
  for (int i = 0; i < model->n_states; i++)
    g_string_append_printf (model->text, "[state s%d]\n", i);
  g_string_append (model->text, "[always]\n");
  for (int i = 0; i < MODEL_N_EVENTS; i++)
    if (model->always[i].n > 0)
      {
        g_string_append_printf (model->text, "e%d=", i);
        print_list (model, &model->always[i]);
      }
  g_string_append (model->text, "[transitions]\n");
  for (int i = 0; i < model->n_states; i++)
    for (int j = 0; j < MODEL_N_EVENTS; j++)
      if (model->own[i][j].n > 0)
        {
          g_string_append_printf (model->text, "s%d.e%d=", i, j);
          print_list (model, &model->own[i][j]);
        }
  g_string_append (model->text, "[otherwise]\n");
  for (int i = 0; i < MODEL_N_EVENTS; i++)
    if (model->otherwise[i].n > 0)
      {
        g_string_append_printf (model->text, "e%d=", i);
        print_list (model, &model->otherwise[i]);
      }
}

guint
model_bit (int target)
{
  return target >= 0 ? 1u << target : target == CLQ_STAY ? MODEL_STAY
                                                         : MODEL_REFUSE;
}

/* Adds what a list may lead to; whether what comes behind it may be tried. */
static gboolean
try_list (const List *list, int state, guint *results)
{
  for (int i = 0; i < list->n; i++)
    {
      const Guard *guard = &list->all[i].guard;
      gboolean may = FALSE, may_not = FALSE;

      for (guint values = 0; values < 1u << MAX_ATOMS; values++)
        if (guard->root < 0 || test_part (guard, guard->root, state, values))
          may = TRUE;
        else
          may_not = TRUE;
      if (may)
        *results |= model_bit (list->all[i].target);
      if (!may_not)
        return FALSE;
    }
  return TRUE;
}

/* Distances from the start, without passing a state; by trying until nothing changes. */
void
model_measure (const Model *model, int without, int *distance)
{
  for (int i = 0; i < MODEL_MAX_STATES; i++)
    distance[i] = i == 0 && without != 0 ? 0 : MODEL_FAR;
  for (int round = 0; round < MODEL_MAX_STATES; round++)
    for (int i = 0; i < model->n_states; i++)
      for (int j = 0; j < MODEL_N_EVENTS; j++)
        for (int k = 0; k < model->n_states; k++)
          if ((model->results[i][j] >> k & 1) != 0 && k != without && distance[i] < MODEL_FAR)
            distance[k] = MIN (distance[k], distance[i] + 1);
}

void
model_init (Model *model)
{
  model->n_states = 1 + model_pick (MODEL_MAX_STATES);
  model->text = g_string_new (NULL);
  for (int i = 0; i < MODEL_N_EVENTS; i++)
    {
      make_list (model, &model->always[i], model_pick (4) == 0);
      make_list (model, &model->otherwise[i], model_pick (3) == 0);
      for (int j = 0; j < model->n_states; j++)
        make_list (model, &model->own[j][i], model_pick (2));
    }
  print_model (model);
  for (int i = 0; i < model->n_states; i++)
    for (int j = 0; j < MODEL_N_EVENTS; j++)
      if (try_list (&model->always[j], i, &model->results[i][j]) && try_list (&model->own[i][j], i, &model->results[i][j]) &&
          try_list (&model->otherwise[j], i, &model->results[i][j]))
        model->results[i][j] |= MODEL_REFUSE;
  model_measure (model, -1, model->distance);
}

void
model_clear (Model *model)
{
  g_string_free (model->text, TRUE);
}
