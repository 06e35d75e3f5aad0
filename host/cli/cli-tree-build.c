#define G_LOG_DOMAIN "colloquy"

#include "cli-tree.h"

#include <string.h>

/* Lets go of a stretch. */
void
cli_tree_free_stretch (gpointer data)
{
  Stretch *stretch = data;

  g_free (stretch->opening);
  g_ptr_array_unref (stretch->names);
  g_ptr_array_unref (stretch->places);
  g_ptr_array_unref (stretch->merged);
  g_array_unref (stretch->children);
  g_free (stretch);
}

/* ---- cutting the segments into stretches ---- */

static const ClqSegment *
find_segment (const Tree *self, guint32 number)
{
  guint low = 0, high = self->segments->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      const ClqSegment *segment = &g_array_index (self->segments, ClqSegment, middle);

      if (segment->segment == number)
        return segment;
      if (segment->segment < number)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* A place on the way to a segment may lie in one before it: goes back to the one that holds it. */
static void
find_home (const Tree *self, guint32 *segment, guint64 *seq)
{
  const ClqSegment *found;

  while ((found = find_segment (self, *segment)) != NULL && *seq <= found->parent_seq)
    *segment = found->parent;
}

static int
compare_cuts (gconstpointer a, gconstpointer b)
{
  const ClqSegment *one = a, *other = b;

  if (one->parent != other->parent)
    return one->parent < other->parent ? -1 : 1;
  return one->parent_seq < other->parent_seq ? -1 : one->parent_seq > other->parent_seq;
}

static guint
add_stretch (Tree *self, guint32 segment, guint parent, guint64 until)
{
  Stretch *stretch = g_new0 (Stretch, 1);
  guint index = self->stretches->len;

  stretch->segment = segment;
  stretch->parent = parent;
  stretch->until = until;
  stretch->names = g_ptr_array_new_with_free_func (g_free);
  stretch->places = g_ptr_array_new_with_free_func (g_free);
  stretch->merged = g_ptr_array_new_with_free_func (g_free);
  stretch->children = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (self->stretches, stretch);
  if (index > 0)
    g_array_append_val (stretch_at (self, parent)->children, index);
  return index;
}

/* The stretch of a segment that holds a record; they were added in order. */
static Stretch *
find_stretch (const Tree *self, GHashTable *firsts, guint32 segment, guint64 seq, guint *index)
{
  gpointer first;

  if (!g_hash_table_lookup_extended (firsts, GUINT_TO_POINTER (segment), NULL, &first))
    return NULL;
  for (guint i = GPOINTER_TO_UINT (first); i < self->stretches->len && stretch_at (self, i)->segment == segment; i++)
    if (seq <= stretch_at (self, i)->until)
      {
        *index = i;
        return stretch_at (self, i);
      }
  return NULL;
}

/* A segment ends where another one begins, and goes on in a stretch of its own. */
static void
cut_segment (Tree *self, GHashTable *firsts, const GArray *cuts, guint32 number)
{
  const ClqSegment *segment = find_segment (self, number);
  guint parent = 0, first = self->stretches->len;

  if (segment != NULL)
    {
      guint32 home = segment->parent;
      guint64 seq = segment->parent_seq;

      find_home (self, &home, &seq);
      if (find_stretch (self, firsts, home, seq, &parent) == NULL)
        return;
    }
  g_hash_table_insert (firsts, GUINT_TO_POINTER (number), GUINT_TO_POINTER (first));
  for (guint i = 0; i < cuts->len; i++)
    {
      const ClqSegment *cut = &g_array_index (cuts, ClqSegment, i);

      if (cut->parent == number && (first == self->stretches->len || stretch_at (self, self->stretches->len - 1)->until < cut->parent_seq))
        parent = add_stretch (self, number, parent, cut->parent_seq);
    }
  add_stretch (self, number, parent, G_MAXUINT64);
}

static GHashTable *
cut_segments (Tree *self)
{
  GHashTable *firsts = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (ClqSegment));

  for (guint i = 0; i < self->segments->len; i++)
    {
      ClqSegment cut = g_array_index (self->segments, ClqSegment, i);

      find_home (self, &cut.parent, &cut.parent_seq);
      g_array_append_val (cuts, cut);
    }
  g_array_sort (cuts, compare_cuts);
  cut_segment (self, firsts, cuts, CLQ_ROOT_SEGMENT);
  for (guint i = 0; i < self->segments->len; i++)
    cut_segment (self, firsts, cuts, g_array_index (self->segments, ClqSegment, i).segment);
  return firsts;
}

/* ---- what is in them ---- */

/* What people call a mark: the name in branch/NAME and checkpoint/NAME, any other as a whole. */
static char *
dup_name (const char *mark)
{
  const char *slash = strrchr (mark, '/');
  g_autofree char *kind = slash != NULL ? g_strndup (mark, (gsize) (slash - mark)) : NULL;

  if (kind == NULL)
    return g_strdup (mark);
  if (g_str_has_suffix (kind, "branch") || g_str_has_suffix (kind, "checkpoint"))
    return g_strdup (slash + 1);
  return g_strdelimit (g_strdup (mark), "/", ' ');
}

static gboolean
is_checkpoint (const char *mark)
{
  return g_str_has_prefix (mark, "checkpoint/") || strstr (mark, "/checkpoint/") != NULL;
}

static void
add_message (Stretch *stretch, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan text = clq_json_find (body, (gssize) length, "text");

  if (clq_record_get_role (record) != CLQ_ROLE_USER)
    return;
  stretch->n_turns++;
  if (stretch->opening == NULL)
    stretch->opening = clq_json_span_dup_string (&text);
}

static void
read_numbers (const ClqJsonSpan *list, guint64 numbers[3])
{
  ClqJsonSpan number;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, list);
  for (guint i = 0; i < 3 && clq_json_iter_next (&iter, NULL, &number); i++)
    numbers[i] = (guint64) clq_json_span_get_int (&number);
}

/* How many turns lie in a stretch of a segment that was merged. */
static guint
count_turns (const GPtrArray *records, const ClqJsonSpan *range)
{
  guint64 numbers[3] = { 0 };
  guint n_turns = 0;

  read_numbers (range, numbers);
  for (guint i = 0; i < records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (records, i);

      if (clq_record_get_role (record) == CLQ_ROLE_USER && clq_record_get_segment (record) == numbers[0] &&
          clq_record_get_seq (record) > numbers[1] && clq_record_get_seq (record) <= numbers[2])
        n_turns++;
    }
  return n_turns;
}

/* Another branch became part of this stretch. */
static void
add_include (const Tree *self, Stretch *stretch, const ClqRecord *record, const GPtrArray *records)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan ranges = clq_json_find (body, (gssize) length, "ranges"), at = clq_json_find (body, (gssize) length, "at"), range;
  char *name = NULL;
  guint64 place[3] = { 0 };
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &ranges);
  while (clq_json_iter_next (&iter, NULL, &range))
    stretch->n_turns += count_turns (records, &range);
  read_numbers (&at, place);
  for (guint i = 0; i < self->marks->len; i++)
    {
      const Mark *mark = g_ptr_array_index (self->marks, i);

      if (name == NULL && mark->segment == place[0] && mark->seq >= place[1] && !is_checkpoint (mark->name))
        name = dup_name (mark->name);
    }
  g_ptr_array_add (stretch->merged, name != NULL ? name : g_strdup ("another branch"));
}

static void
add_records (Tree *self, GHashTable *firsts, const GPtrArray *records)
{
  for (guint i = 0; i < records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (records, i);
      guint index = 0;
      Stretch *stretch = find_stretch (self, firsts, clq_record_get_segment (record), clq_record_get_seq (record), &index);

      if (stretch != NULL && clq_record_get_record_type (record) == CLQ_RECORD_INCLUDE)
        add_include (self, stretch, record, records);
      else if (stretch != NULL)
        add_message (stretch, record);
    }
  for (guint i = 1; i < self->stretches->len; i++)
    {
      Stretch *stretch = stretch_at (self, i);
      const Stretch *parent = stretch_at (self, stretch->parent);

      stretch->n_before = parent->n_before + parent->n_turns;
    }
}

/* The mark that the branch got when it was left is old once the conversation is on it again. */
static gboolean
is_current_branch (const Tree *self, const char *mark)
{
  ClqJsonSpan number = clq_json_find (self->data, -1, "conversation");
  gint64 conversation = number.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&number) : 1;
  g_autofree char *own = NULL;

  if (self->branch == NULL || is_checkpoint (mark))
    return FALSE;
  own = conversation > 1 ? g_strdup_printf ("%" G_GINT64_FORMAT "/branch/%s", conversation, self->branch)
                         : g_strdup_printf ("branch/%s", self->branch);
  return strcmp (mark, own) == 0;
}

/* The branch on which the conversation is ends where the conversation is. */
static void
add_marks (Tree *self, GHashTable *firsts)
{
  guint index = 0;
  Stretch *current = find_stretch (self, firsts, self->current, G_MAXUINT64, &index);

  if (current != NULL)
    {
      current->is_current = TRUE;
      if (self->branch != NULL)
        g_ptr_array_add (current->names, g_strdup (self->branch));
    }
  for (guint i = 0; i < self->marks->len; i++)
    {
      Mark *mark = g_ptr_array_index (self->marks, i);
      Stretch *stretch;

      if (is_current_branch (self, mark->name))
        continue;
      find_home (self, &mark->segment, &mark->seq);
      stretch = find_stretch (self, firsts, mark->segment, mark->seq, &index);
      if (stretch != NULL)
        g_ptr_array_add (is_checkpoint (mark->name) ? stretch->places : stretch->names, dup_name (mark->name));
    }
}

/* ---- joining stretches that nobody needs to tell apart ---- */

static void
move_names (GPtrArray *to, GPtrArray *from)
{
  while (from->len > 0)
    g_ptr_array_add (to, g_ptr_array_steal_index (from, 0));
}

static void
join (Tree *self, Stretch *stretch, Stretch *child)
{
  stretch->n_turns += child->n_turns;
  if (stretch->opening == NULL)
    stretch->opening = g_steal_pointer (&child->opening);
  move_names (stretch->names, child->names);
  move_names (stretch->places, child->places);
  move_names (stretch->merged, child->merged);
  stretch->is_current = child->is_current;
  child->is_gone = TRUE;
  g_array_set_size (stretch->children, 0);
  g_array_append_vals (stretch->children, child->children->data, child->children->len);
}

static gboolean
is_empty (const Stretch *stretch)
{
  return stretch->n_turns == 0 && stretch->names->len == 0 && stretch->places->len == 0 && !stretch->is_current;
}

/* Children that hold nothing give their own children to their parent. */
static void
lift_children (Tree *self, Stretch *stretch)
{
  g_autoptr (GArray) children = g_steal_pointer (&stretch->children);

  stretch->children = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < children->len; i++)
    {
      guint index = g_array_index (children, guint, i);
      Stretch *child = stretch_at (self, index);

      stretch->has_current = stretch->has_current || child->has_current;
      if (!is_empty (child))
        {
          g_array_append_val (stretch->children, index);
          continue;
        }
      child->is_gone = TRUE;
      g_array_append_vals (stretch->children, child->children->data, child->children->len);
    }
}

static void
join_stretches (Tree *self)
{
  for (guint i = self->stretches->len; i > 0; i--)
    {
      Stretch *stretch = stretch_at (self, i - 1);

      stretch->has_current = stretch->is_current;
      lift_children (self, stretch);
      if (stretch->children->len == 1 && stretch->names->len == 0 && !stretch->is_current)
        join (self, stretch, stretch_at (self, g_array_index (stretch->children, guint, 0)));
    }
}

/* Makes stretches of the segments, with what @records, in order, and the marks say of them. */
void
cli_tree_build (Tree *self, const GPtrArray *records)
{
  g_autoptr (GHashTable) firsts = cut_segments (self);

  add_records (self, firsts, records);
  add_marks (self, firsts);
  join_stretches (self);
}
