#define G_LOG_DOMAIN "colloquy"

#include "cli-tree.h"
#include "term.h"

#include <string.h>

/* ---- life ---- */

static void
free_mark (gpointer data)
{
  Mark *mark = data;

  g_free (mark->name);
  g_free (mark);
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

  if (error != NULL)
    {
      end (self, NULL, error);
      return;
    }
  cli_tree_build (self, records);
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
  self->stretches = g_ptr_array_new_with_free_func (cli_tree_free_stretch);
  self->lines = g_ptr_array_new_with_free_func (g_free);
  clq_host_read_tree (host, id, on_tree, self);
}
