#define G_LOG_DOMAIN "colloquy"

#include "cli.h"
#include "term.h"

#include <string.h>

/* A stretch of the conversation in which nothing branches off. Parents come before their children. */
typedef struct
{
  guint parent; /* its index; 0 for the first one, which is its own parent */
  guint32 segment;
  guint64 until;  /* the last record that belongs to it */
  guint n_before; /* turns before it */
  guint n_turns;
  char *opening;        /* what was said first */
  GPtrArray *names;     /* of branches that end here */
  GPtrArray *places;    /* checkpoints */
  GPtrArray *merged;    /* branches that became part of it */
  GArray *children;     /* guint */
  gboolean is_current;  /* the conversation goes on here */
  gboolean has_current; /* here or in what comes after */
  gboolean is_gone;     /* became part of another one */
} Stretch;

typedef struct
{
  char *name;
  guint32 segment;
  guint64 seq;
} Mark;

typedef struct
{
  ClqHost *host;
  guint8 id[16];
  int columns;
  CliTreeFunc func;
  gpointer user_data;
  GArray *segments; /* ClqSegment, in the order of their numbers */
  GPtrArray *marks; /* Mark */
  guint32 current;
  char *branch; /* where the conversation goes on */
  char *data;
  GPtrArray *stretches;
  GPtrArray *lines;
} Tree;

/* ---- life ---- */

static void
free_mark (gpointer data)
{
  Mark *mark = data;

  g_free (mark->name);
  g_free (mark);
}

static void
free_stretch (gpointer data)
{
  Stretch *stretch = data;

  g_free (stretch->opening);
  g_ptr_array_unref (stretch->names);
  g_ptr_array_unref (stretch->places);
  g_ptr_array_unref (stretch->merged);
  g_array_unref (stretch->children);
  g_free (stretch);
}

static void
free_tree (Tree *self)
{
  g_array_unref (self->segments);
  g_ptr_array_unref (self->marks);
  g_ptr_array_unref (self->stretches);
  g_ptr_array_unref (self->lines);
  g_free (self->branch);
  g_free (self->data);
  g_free (self);
}

static void
end (Tree *self, GPtrArray *lines, const GError *error)
{
  self->func (lines, error, self->user_data);
  free_tree (self);
}

static Stretch *
stretch_at (const Tree *self, guint index)
{
  return g_ptr_array_index (self->stretches, index);
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

/* The name in KIND/NAME. */
static const char *
name_of (const char *mark)
{
  const char *slash = strrchr (mark, '/');

  return slash != NULL ? slash + 1 : mark;
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
  const char *name = "another branch";
  guint64 place[3] = { 0 };
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &ranges);
  while (clq_json_iter_next (&iter, NULL, &range))
    stretch->n_turns += count_turns (records, &range);
  read_numbers (&at, place);
  for (guint i = 0; i < self->marks->len; i++)
    {
      const Mark *mark = g_ptr_array_index (self->marks, i);

      if (mark->segment == place[0] && mark->seq >= place[1] && !is_checkpoint (mark->name))
        name = name_of (mark->name);
    }
  g_ptr_array_add (stretch->merged, g_strdup (name));
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
        g_ptr_array_add (is_checkpoint (mark->name) ? stretch->places : stretch->names, g_strdup (name_of (mark->name)));
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

/* ---- drawing ---- */

static void
append_turns (GString *out, const Stretch *stretch)
{
  guint first = stretch->n_before + 1, last = stretch->n_before + stretch->n_turns;

  if (stretch->n_turns == 0)
    g_string_append (out, "nothing said yet");
  else if (stretch->n_turns == 1)
    g_string_append_printf (out, "turn %u", first);
  else
    g_string_append_printf (out, "turns %u–%u", first, last);
}

static void
append_names (GString *out, const GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *safe = term_safe_dup (g_ptr_array_index (names, i), -1);

      g_string_append_printf (out, i > 0 ? ", %s" : "%s", safe);
    }
}

static void
append_opening (GString *out, const char *text)
{
  g_autofree char *safe = term_safe_dup (text, -1);
  g_autofree char *line = g_strdelimit (g_strdup (safe), "\n\t", ' ');
  g_autofree char *start = term_fit (line, 40);

  term_mark (out, (TermStyle){ TERM_DIM, TERM_DEFAULT });
  g_string_append_printf (out, "  “%s”", start);
}

static void
draw_stretch (Tree *self, const Stretch *stretch, const char *indent)
{
  g_autoptr (GString) line = g_string_new (indent);

  g_string_append (line, stretch->is_current ? "● " : "○ ");
  if (stretch->names->len > 0)
    {
      term_mark (line, (TermStyle){ TERM_BOLD, stretch->is_current ? TERM_GREEN : TERM_DEFAULT });
      append_names (line, stretch->names);
      term_mark (line, (TermStyle){ 0, TERM_DEFAULT });
      g_string_append (line, "  ");
    }
  append_turns (line, stretch);
  if (stretch->is_current)
    g_string_append (line, "  ◀ here");
  else if (stretch->names->len == 0 && stretch->children->len == 0)
    g_string_append (line, "  (left)");
  if (stretch->opening != NULL)
    append_opening (line, stretch->opening);
  g_ptr_array_add (self->lines, term_fit (line->str, self->columns));
}

/* A line below the one of a stretch. */
static void
draw_names (Tree *self, const Stretch *stretch, const char *indent, const char *what, const GPtrArray *names)
{
  g_autoptr (GString) line = g_string_new (indent);

  if (names->len == 0)
    return;
  g_string_append (line, stretch->children->len > 0 ? "│ " : "  ");
  term_mark (line, (TermStyle){ TERM_DIM, TERM_DEFAULT });
  g_string_append (line, what);
  append_names (line, names);
  g_ptr_array_add (self->lines, term_fit (line->str, self->columns));
}

/* Which child goes on below; the others branch off to the side. */
static guint
choose_next (const Tree *self, const Stretch *stretch)
{
  guint chosen = 0;

  for (guint i = 0; i < stretch->children->len; i++)
    {
      const Stretch *child = stretch_at (self, g_array_index (stretch->children, guint, i));

      if (child->has_current)
        return i;
      if (child->names->len > 0)
        chosen = i;
    }
  return chosen;
}

static void
draw (Tree *self, const Stretch *stretch, const char *first_indent, const char *indent)
{
  for (;;)
    {
      guint next = choose_next (self, stretch);
      g_autofree char *side_first = g_strconcat (indent, "├─", NULL);
      g_autofree char *side = g_strconcat (indent, "│ ", NULL);

      draw_stretch (self, stretch, first_indent);
      draw_names (self, stretch, indent, "merged ", stretch->merged);
      draw_names (self, stretch, indent, stretch->places->len == 1 ? "checkpoint " : "checkpoints ", stretch->places);
      for (guint i = 0; i < stretch->children->len; i++)
        if (i != next)
          draw (self, stretch_at (self, g_array_index (stretch->children, guint, i)), side_first, side);
      if (stretch->children->len == 0)
        return;
      stretch = stretch_at (self, g_array_index (stretch->children, guint, next));
      first_indent = indent;
    }
}

/* ---- reading ---- */

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  Tree *self = user_data;
  g_autoptr (GHashTable) firsts = NULL;

  if (error != NULL)
    {
      end (self, NULL, error);
      return;
    }
  firsts = cut_segments (self);
  add_records (self, firsts, records);
  add_marks (self, firsts);
  join_stretches (self);
  draw (self, stretch_at (self, 0), "", "");
  end (self, self->lines, NULL);
}

static int
compare_segments (gconstpointer a, gconstpointer b)
{
  const ClqSegment *one = a, *other = b;

  return one->segment < other->segment ? -1 : one->segment > other->segment;
}

static void
copy_tree (Tree *self, const ClqTree *tree)
{
  if (tree->n_segments > 0)
    g_array_append_vals (self->segments, tree->segments, tree->n_segments);
  g_array_sort (self->segments, compare_segments);
  for (guint i = 0; i < tree->n_marks; i++)
    {
      Mark *mark = g_new (Mark, 1);

      *mark = (Mark){ g_strdup (tree->marks[i].name), tree->marks[i].segment, tree->marks[i].seq };
      g_ptr_array_add (self->marks, mark);
    }
  self->current = tree->current;
  self->data = g_strdup (clq_head_get_data (tree->head));
  self->branch = clq_json_find_string (self->data, "branch");
}

static void
on_tree (const ClqTree *tree, const GError *error, gpointer user_data)
{
  Tree *self = user_data;
  g_autoptr (GError) missing = NULL;

  if (tree == NULL)
    {
      char text[CLQ_ID_LENGTH + 1];

      clq_id_print (self->id, text);
      missing = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no session %s", text);
      end (self, NULL, error != NULL ? error : missing);
      return;
    }
  copy_tree (self, tree);
  clq_host_read_journal (self->host, self->id, 1u << CLQ_RECORD_MESSAGE | 1u << CLQ_RECORD_INCLUDE, 0, 0, on_records, self);
}

/* Draws the branches of a session as marked lines. @func gets them, or why not. */
void
cli_tree_draw (ClqHost *host, const guint8 id[16], int columns, CliTreeFunc func, gpointer user_data)
{
  Tree *self = g_new0 (Tree, 1);

  self->host = host;
  memcpy (self->id, id, sizeof self->id);
  self->columns = columns;
  self->func = func;
  self->user_data = user_data;
  self->segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  self->marks = g_ptr_array_new_with_free_func (free_mark);
  self->stretches = g_ptr_array_new_with_free_func (free_stretch);
  self->lines = g_ptr_array_new_with_free_func (g_free);
  clq_host_read_tree (host, id, on_tree, self);
}
