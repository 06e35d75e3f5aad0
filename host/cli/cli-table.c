#define G_LOG_DOMAIN "colloquy"

#include "cli-table.h"

/* A bar of which so much is full. */
void
cli_bar_append (GString *out, double share, TermColour colour)
{
  guint n = (guint) (CLAMP (share, 0, 1) * CLI_BAR + 0.5);

  term_mark (out, (TermStyle){ 0, colour });
  for (guint i = 0; i < CLI_BAR; i++)
    g_string_append (out, i < n ? "█" : "░");
  term_mark (out, (TermStyle){ 0, TERM_DEFAULT });
}

/* Draws a table and frees it. */
void
cli_table_draw (Term *term, TermTable *table)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  term_table_lay_out (table, term->is_plain ? G_MAXINT16 : MAX (term->columns - 1, CLI_BAR), "", lines);
  for (guint i = 0; i < lines->len; i++)
    term_draw_line (term, g_ptr_array_index (lines, i));
  term_table_free (table);
}
