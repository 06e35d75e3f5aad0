#include "model.h"

#include <string.h>

/* ---- items ---- */

static void
item_clear (gpointer data)
{
  Item *item = data;

  g_ptr_array_unref (item->texts);
  g_array_unref (item->times);
}

static void
item_unref (gpointer item)
{
  g_rc_box_release_full (item, item_clear);
}

static Item *
item_new (void)
{
  Item *item = g_rc_box_new (Item);

  item->texts = g_ptr_array_new_with_free_func (g_free);
  item->times = g_array_new (FALSE, FALSE, sizeof (guint));
  return item;
}

static void
item_add (Item *item, const char *text, guint time)
{
  g_ptr_array_add (item->texts, g_strdup (text));
  g_array_append_val (item->times, time);
}

static const char *
text_at (const Item *item, guint index)
{
  return g_ptr_array_index (item->texts, index);
}

static guint
time_at (const Item *item, guint index)
{
  return g_array_index (item->times, guint, index);
}

/* Messages of the user begin with u. */
static gboolean
is_user (const char *text)
{
  return *text == 'u' || g_str_has_prefix (text, "slow");
}

/* ---- paths ---- */

static Path *
path_new (void)
{
  Path *path = g_new0 (Path, 1);

  path->items = g_ptr_array_new_with_free_func (item_unref);
  return path;
}

Path *
path_copy (const Path *path)
{
  Path *copy = path_new ();

  for (guint i = 0; i < path->items->len; i++)
    g_ptr_array_add (copy->items, g_rc_box_acquire (g_ptr_array_index (path->items, i)));
  copy->topic = g_strdup (path->topic);
  return copy;
}

void
path_free (Path *path)
{
  g_ptr_array_unref (path->items);
  g_free (path->topic);
  g_free (path);
}

/* All that is seen from item @first on, as one item. */
static Item *
path_flatten (const Path *path, guint first)
{
  Item *all = item_new ();

  for (guint i = first; i < path->items->len; i++)
    {
      const Item *item = g_ptr_array_index (path->items, i);

      for (guint j = 0; j < item->texts->len; j++)
        item_add (all, text_at (item, j), time_at (item, j));
    }
  return all;
}

/* ---- the model ---- */

Model *
model_new (void)
{
  Model *self = g_new0 (Model, 1);

  self->path = path_new ();
  self->branch = g_strdup ("main");
  self->branches = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) path_free);
  self->checkpoints = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) path_free);
  return self;
}

void
model_free (Model *self)
{
  path_free (self->path);
  g_free (self->branch);
  g_hash_table_unref (self->branches);
  g_hash_table_unref (self->checkpoints);
  g_free (self);
}

void
model_say (Model *self, const char *text)
{
  Item *item = item_new ();

  item_add (item, text, ++self->clock);
  g_ptr_array_add (self->path->items, item);
}

/* The old branch stays where it is. */
void
model_fork (Model *self, const char *name)
{
  g_hash_table_insert (self->branches, self->branch, path_copy (self->path));
  self->branch = g_strdup (name);
}

void
model_switch (Model *self, const char *name)
{
  Path *wanted = path_copy (g_hash_table_lookup (self->branches, name));

  g_hash_table_insert (self->branches, self->branch, self->path);
  g_hash_table_remove (self->branches, name);
  self->branch = g_strdup (name);
  self->path = wanted;
}

void
model_checkpoint (Model *self, const char *id)
{
  g_hash_table_insert (self->checkpoints, g_strdup (id), path_copy (self->path));
}

void
model_go_to (Model *self, const char *id)
{
  path_free (self->path);
  self->path = path_copy (g_hash_table_lookup (self->checkpoints, id));
}

guint
model_count_turns (const Model *self)
{
  Item *all = path_flatten (self->path, 0);
  guint n = 0;

  for (guint i = 0; i < all->texts->len; i++)
    n += is_user (text_at (all, i));
  item_unref (all);
  return n;
}

/* Everything from the user's @turns last messages on is gone; what was merged before one of them stays. */
void
model_rewind (Model *self, guint turns)
{
  GPtrArray *items = self->path->items;

  for (guint i = items->len; i > 0; i--)
    {
      const Item *item = g_ptr_array_index (items, i - 1);

      for (guint j = item->texts->len; j > 0; j--)
        if (is_user (text_at (item, j - 1)) && --turns == 0)
          {
            Item *rest = item_new ();

            for (guint k = 0; k + 1 < j; k++)
              item_add (rest, text_at (item, k), time_at (item, k));
            g_ptr_array_set_size (items, i - 1);
            g_ptr_array_add (items, rest);
            return;
          }
    }
  g_assert_not_reached ();
}

/* ---- merging ---- */

static gboolean
has_text (const Item *item, const char *text)
{
  for (guint i = 0; i < item->texts->len; i++)
    if (strcmp (text_at (item, i), text) == 0)
      return TRUE;
  return FALSE;
}

/* What of @all is not in @known; every text is said only once. */
static Item *
without (const Item *all, const Item *known)
{
  Item *rest = item_new ();

  for (guint i = 0; i < all->texts->len; i++)
    if (!has_text (known, text_at (all, i)))
      item_add (rest, text_at (all, i), time_at (all, i));
  return rest;
}

static guint
count_shared (const Path *a, const Path *b)
{
  guint i = 0;

  while (i < a->items->len && i < b->items->len && g_ptr_array_index (a->items, i) == g_ptr_array_index (b->items, i))
    i++;
  return i;
}

/* Each keeps its order; of two that are next the earlier comes first. */
static Item *
by_time (const Item *here, const Item *there)
{
  Item *merged = item_new ();
  guint i = 0, j = 0;

  while (i < here->texts->len || j < there->texts->len)
    if (j >= there->texts->len || (i < here->texts->len && time_at (here, i) <= time_at (there, j)))
      {
        item_add (merged, text_at (here, i), time_at (here, i));
        i++;
      }
    else
      {
        item_add (merged, text_at (there, j), time_at (there, j));
        j++;
      }
  return merged;
}

void
model_merge (Model *self, const char *name, ModelMerge how)
{
  const Path *there = g_hash_table_lookup (self->branches, name);
  Item *theirs = path_flatten (there, 0), *ours = path_flatten (self->path, 0);
  Item *news = without (theirs, ours), *own = without (ours, theirs);
  GPtrArray *items = self->path->items;

  if (news->texts->len == 0 || own->texts->len == 0 || how == MODEL_APPEND)
    g_ptr_array_add (items, g_rc_box_acquire (news));
  else if (how == MODEL_SEQUENTIAL)
    g_ptr_array_add (items, g_rc_box_acquire (theirs));
  else
    {
      guint shared = count_shared (self->path, there);
      Item *since = path_flatten (self->path, shared);

      g_ptr_array_set_size (items, shared);
      g_ptr_array_add (items, by_time (since, news));
      item_unref (since);
    }
  item_unref (theirs);
  item_unref (ours);
  item_unref (news);
  item_unref (own);
}

char *
model_dup_seen (const Model *self)
{
  Item *all = path_flatten (self->path, 0);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < all->texts->len; i++)
    g_string_append_printf (out, "%s ", text_at (all, i));
  item_unref (all);
  return g_string_free (out, FALSE);
}
