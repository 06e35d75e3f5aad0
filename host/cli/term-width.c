#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <string.h>

/**
 * term_char_width:
 * @character: a character that is no control character
 *
 * Returns: how many columns it takes: 0, 1 or 2
 */
int
term_char_width (gunichar character)
{
  if (g_unichar_iszerowidth (character))
    return 0;
  return g_unichar_iswide (character) ? 2 : 1;
}

/**
 * term_width:
 * @marked: a marked text without line ends
 * @length: its length, or -1
 *
 * Returns: how many columns it takes
 */
int
term_width (const char *marked, gssize length)
{
  const char *end = marked + (length < 0 ? strlen (marked) : (gsize) length);
  int width = 0;

  while (marked < end)
    if (*marked == TERM_MARK)
      marked += TERM_MARK_LENGTH;
    else
      {
        width += term_char_width (g_utf8_get_char (marked));
        marked = g_utf8_next_char (marked);
      }
  return width;
}

/**
 * term_fit:
 * @marked: a marked text without line ends
 * @columns: how many there are
 *
 * Returns: (transfer full): as much of it as fits, with an ellipsis if that is not all
 */
char *
term_fit (const char *marked, int columns)
{
  const char *next = marked;
  int width = 0;

  if (term_width (marked, -1) <= columns)
    return g_strdup (marked);
  while (*next != '\0')
    {
      int more = *next == TERM_MARK ? 0 : term_char_width (g_utf8_get_char (next));

      if (width + more > columns - 1)
        break;
      width += more;
      next = *next == TERM_MARK ? next + TERM_MARK_LENGTH : g_utf8_next_char (next);
    }
  return columns < 1 ? g_strdup ("") : g_strdup_printf ("%.*s…", (int) (next - marked), marked);
}

/**
 * term_rows:
 * @text: a text without marks; it may have line ends
 * @length: its length
 * @first_column: where it begins
 * @columns: how many there are in a row
 *
 * Returns: in which row below the first one the cursor stands after the text
 */
guint
term_rows (const char *text, gssize length, int first_column, int columns)
{
  const char *end = text + (length < 0 ? strlen (text) : (gsize) length);
  int column = first_column;
  guint row = 0;

  columns = MAX (columns, 2);
  row += column / columns;
  column %= columns;
  for (; text < end; text = g_utf8_next_char (text))
    {
      gunichar character = g_utf8_get_char_validated (text, end - text);
      int width = character < 0x20 ? 2 : term_char_width (character); /* control characters are shown as ^X */

      if (character == '\n')
        {
          row++;
          column = 0;
          continue;
        }
      if (column + width > columns)
        {
          row++;
          column = 0;
        }
      column += width;
      if (column == columns)
        {
          row++;
          column = 0;
        }
    }
  return row;
}
