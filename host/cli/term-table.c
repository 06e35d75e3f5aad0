#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <md4c.h>
#include <string.h>

#define GAP "  "

/* Rows of cells, each a marked text. */
struct _TermTable
{
  GPtrArray *rows; /* GPtrArray of marked texts */
  GArray *aligns;  /* int, per column */
};

/**
 * term_table_new:
 *
 * Returns: (transfer full): a table without rows
 */
TermTable *
term_table_new (void)
{
  TermTable *self = g_new0 (TermTable, 1);

  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->aligns = g_array_new (FALSE, TRUE, sizeof (int));
  return self;
}

/**
 * term_table_free:
 * @self: (transfer full): a table
 */
void
term_table_free (TermTable *self)
{
  g_ptr_array_unref (self->rows);
  g_array_unref (self->aligns);
  g_free (self);
}

/**
 * term_table_begin_row:
 * @self: a table
 */
void
term_table_begin_row (TermTable *self)
{
  g_ptr_array_add (self->rows, g_ptr_array_new_with_free_func (g_free));
}

/**
 * term_table_add_cell:
 * @self: a table with a row
 * @marked: what stands in the cell
 * @align: how: an MD_ALIGN
 */
void
term_table_add_cell (TermTable *self, const char *marked, int align)
{
  GPtrArray *row = g_ptr_array_index (self->rows, self->rows->len - 1);

  g_ptr_array_add (row, g_strdup (marked));
  if (self->aligns->len < row->len)
    g_array_append_val (self->aligns, align);
}

/* How wide each column is: as wide as its widest cell, the widest columns less if that is too much. */
static int *
dup_widths (const TermTable *self, int columns)
{
  guint n = self->aligns->len;
  int *widths = g_new0 (int, n);
  int total = (int) (strlen (GAP) * (n - 1));

  for (guint i = 0; i < self->rows->len; i++)
    {
      const GPtrArray *row = g_ptr_array_index (self->rows, i);

      for (guint j = 0; j < row->len; j++)
        widths[j] = MAX (widths[j], term_width (g_ptr_array_index (row, j), -1));
    }
  for (guint j = 0; j < n; j++)
    total += widths[j];
  while (total > columns)
    {
      guint widest = 0;

      for (guint j = 1; j < n; j++)
        if (widths[j] > widths[widest])
          widest = j;
      if (widths[widest] <= 8)
        break;
      widths[widest]--;
      total--;
    }
  return widths;
}

static void
append_cell (GString *out, const char *line, int width, int align, gboolean is_last)
{
  int space = MAX (width - term_width (line, -1), 0);
  int before = align == MD_ALIGN_RIGHT ? space : align == MD_ALIGN_CENTER ? space / 2
                                                                          : 0;

  g_string_append_printf (out, "%*s%s", before, "", line);
  term_mark (out, (TermStyle){ 0, TERM_DEFAULT });
  if (!is_last)
    g_string_append_printf (out, "%*s" GAP, space - before, "");
}

static void
lay_out_row (const TermTable *self, const GPtrArray *row, const int *widths, const char *indent, GPtrArray *lines)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  guint height = 1;

  for (guint j = 0; j < row->len; j++)
    {
      GPtrArray *cell = g_ptr_array_new_with_free_func (g_free);

      term_wrap (g_ptr_array_index (row, j), widths[j], "", "", cell);
      g_ptr_array_add (cells, cell);
      height = MAX (height, cell->len);
    }
  for (guint i = 0; i < height; i++)
    {
      g_autoptr (GString) line = g_string_new (indent);

      for (guint j = 0; j < cells->len; j++)
        {
          const GPtrArray *cell = g_ptr_array_index (cells, j);

          append_cell (line, i < cell->len ? g_ptr_array_index (cell, i) : "", widths[j], g_array_index (self->aligns, int, j), j + 1 == cells->len);
        }
      g_ptr_array_add (lines, g_strdup (line->str));
    }
}

static void
lay_out_rule (const TermTable *self, const int *widths, const char *indent, GPtrArray *lines)
{
  GString *line = g_string_new (indent);

  term_mark (line, (TermStyle){ TERM_DIM, TERM_DEFAULT });
  for (guint j = 0; j < self->aligns->len; j++)
    {
      for (int i = 0; i < widths[j]; i++)
        g_string_append (line, "─");
      if (j + 1 < self->aligns->len)
        g_string_append (line, GAP);
    }
  g_ptr_array_add (lines, g_string_free (line, FALSE));
}

/**
 * term_table_lay_out:
 * @self: a table; its first row is the head
 * @columns: how wide the lines may be
 * @indent: marked text before each line
 * @lines: gets the lines
 */
void
term_table_lay_out (const TermTable *self, int columns, const char *indent, GPtrArray *lines)
{
  g_autofree int *widths = NULL;

  if (self->aligns->len == 0)
    return;
  widths = dup_widths (self, columns - term_width (indent, -1));
  for (guint i = 0; i < self->rows->len; i++)
    {
      lay_out_row (self, g_ptr_array_index (self->rows, i), widths, indent, lines);
      if (i == 0)
        lay_out_rule (self, widths, indent, lines);
    }
}
