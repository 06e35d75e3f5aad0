#define G_LOG_DOMAIN "colloquy"

#include "term.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

/* What a block stands in: a quotation or an item of a list. */
typedef struct
{
  char *first; /* before its first line; NULL once that was used */
  char *next;  /* before the others */
} Container;

typedef struct
{
  gboolean is_ordered;
  gboolean is_tight;
  unsigned number; /* of the next item */
} List;

typedef struct
{
  int columns;
  GPtrArray *lines;
  GPtrArray *containers; /* Container */
  GArray *lists;         /* List */
  GString *text;         /* marked: of the block that is open */
  guint depths[5];       /* how many open spans want each attribute */
  guint code_depth;
  guint link_depth;
  guint image_depth;
  guint heading; /* its level; 0 = none */
  gboolean in_code;
  gboolean wants_gap; /* a block stands before */
  guint gap_depth;    /* in so many of the containers */
  gsize link_start;
  TermTable *table;
  int align;
} Markdown;

static const TermStyle plain = { 0, TERM_DEFAULT };
static const TermStyle dim = { TERM_DIM, TERM_DEFAULT };

/* ---- styles ---- */

static TermStyle
current_style (const Markdown *self)
{
  TermStyle style = plain;

  for (guint i = 0; i < G_N_ELEMENTS (self->depths); i++)
    if (self->depths[i] > 0)
      style.attributes |= 1 << i;
  if (self->heading > 0)
    {
      style.attributes |= TERM_BOLD | (self->heading == 1 ? TERM_UNDERLINE : 0);
      style.colour = TERM_BLUE;
    }
  if (self->code_depth > 0 || self->in_code)
    style.colour = TERM_CYAN;
  return style;
}

static void
mark (Markdown *self)
{
  term_mark (self->text, current_style (self));
}

static guint *
depth_of (Markdown *self, TermAttribute attribute)
{
  return &self->depths[g_bit_nth_lsf (attribute, -1)];
}

/* ---- indents ---- */

static void
free_container (gpointer data)
{
  Container *container = data;

  g_free (container->first);
  g_free (container->next);
  g_free (container);
}

static void
open_container (Markdown *self, char *first, char *next)
{
  Container *container = g_new (Container, 1);

  container->first = first;
  container->next = next;
  g_ptr_array_add (self->containers, container);
}

static char *
dup_indent (const Markdown *self, gboolean is_first, guint depth)
{
  GString *indent = g_string_new (NULL);

  for (guint i = 0; i < MIN (depth, self->containers->len); i++)
    {
      const Container *container = g_ptr_array_index (self->containers, i);

      g_string_append (indent, is_first && container->first != NULL ? container->first : container->next);
    }
  return g_string_free (indent, FALSE);
}

static void
use_first_indents (Markdown *self)
{
  for (guint i = 0; i < self->containers->len; i++)
    g_clear_pointer (&((Container *) g_ptr_array_index (self->containers, i))->first, g_free);
}

/* ---- blocks ---- */

static gboolean
is_tight (const Markdown *self)
{
  return self->lists->len > 0 && g_array_index (self->lists, List, self->lists->len - 1).is_tight;
}

/* A block has ended. What comes next, inside the same containers or outside of some, is set apart from it. */
static void
want_gap (Markdown *self, gboolean wanted)
{
  self->wants_gap = wanted;
  self->gap_depth = self->containers->len;
}

/* An empty line between this block and the one before. */
static void
leave_gap (Markdown *self)
{
  g_autofree char *indent = NULL;

  if (self->wants_gap && self->lines->len > 0)
    {
      indent = dup_indent (self, FALSE, self->gap_depth);
      term_wrap ("", self->columns, indent, indent, self->lines);
    }
  self->wants_gap = FALSE;
}

static void
write_text (Markdown *self)
{
  g_autofree char *first = NULL, *next = NULL;

  if (self->text->len == 0)
    return;
  leave_gap (self);
  first = dup_indent (self, TRUE, G_MAXUINT);
  next = dup_indent (self, FALSE, G_MAXUINT);
  term_wrap (self->text->str, self->columns, first, next, self->lines);
  use_first_indents (self);
  g_string_truncate (self->text, 0);
  want_gap (self, !is_tight (self));
}

static void
write_code (Markdown *self)
{
  g_autofree char *next = NULL, *indent = NULL;
  guint begin;

  leave_gap (self);
  if (self->text->len > 0 && self->text->str[self->text->len - 1] == '\n')
    g_string_truncate (self->text, self->text->len - 1);
  next = dup_indent (self, FALSE, G_MAXUINT);
  indent = g_strconcat (next, "  ", NULL);
  begin = self->lines->len;
  term_split (self->text->str, self->columns, indent, self->lines);
  if (self->containers->len > 0 && begin < self->lines->len)
    {
      /* The sign of an item stands before its code, too. */
      g_autofree char *first = dup_indent (self, TRUE, G_MAXUINT);
      char *line = g_ptr_array_index (self->lines, begin);

      if (g_str_has_prefix (line, next))
        {
          g_ptr_array_index (self->lines, begin) = g_strconcat (first, line + strlen (next), NULL);
          g_free (line);
        }
    }
  use_first_indents (self);
  g_string_truncate (self->text, 0);
  want_gap (self, TRUE);
}

static void
write_rule (Markdown *self)
{
  GString *rule = self->text;

  term_mark (rule, dim);
  for (int i = 0; i < MIN (self->columns, 40); i++)
    g_string_append (rule, "─");
  write_text (self);
}

static void
write_table (Markdown *self)
{
  g_autofree char *indent = NULL;

  leave_gap (self);
  use_first_indents (self);
  indent = dup_indent (self, FALSE, G_MAXUINT);
  term_table_lay_out (self->table, self->columns, indent, self->lines);
  g_clear_pointer (&self->table, term_table_free);
  want_gap (self, TRUE);
}

static void
open_list (Markdown *self, gboolean is_ordered, gboolean tight, unsigned start)
{
  List list = { is_ordered, tight, start };

  write_text (self);
  g_array_append_val (self->lists, list);
}

static void
close_list (Markdown *self)
{
  g_array_set_size (self->lists, self->lists->len - 1);
  want_gap (self, !is_tight (self));
}

static void
open_item (Markdown *self, const MD_BLOCK_LI_DETAIL *detail)
{
  List *list = &g_array_index (self->lists, List, self->lists->len - 1);
  g_autoptr (GString) sign = g_string_new (NULL);
  GString *next = g_string_new (NULL);
  int width;

  if (list->is_ordered)
    g_string_append_printf (sign, "%u. ", list->number++);
  else
    g_string_append (sign, self->lists->len % 2 == 1 ? "• " : "◦ ");
  if (detail->is_task)
    g_string_append (sign, detail->task_mark == ' ' ? "[ ] " : "[x] ");
  width = term_width (sign->str, -1);
  g_string_append_printf (next, "%*s", width, "");
  open_container (self, g_string_free (g_steal_pointer (&sign), FALSE), g_string_free (next, FALSE));
}

static void
close_item (Markdown *self)
{
  Container *container = g_ptr_array_index (self->containers, self->containers->len - 1);

  write_text (self);
  if (container->first != NULL)
    {
      term_mark (self->text, plain);
      write_text (self);
    }
  g_ptr_array_set_size (self->containers, self->containers->len - 1);
  want_gap (self, !is_tight (self));
}

static void
open_quote (Markdown *self)
{
  g_autoptr (GString) bar = g_string_new (NULL);

  write_text (self);
  term_mark (bar, dim);
  g_string_append (bar, "│ ");
  term_mark (bar, plain);
  open_container (self, NULL, g_strdup (bar->str));
}

static int
on_enter_block (MD_BLOCKTYPE type, void *detail, void *user_data)
{
  Markdown *self = user_data;

  switch (type)
    {
    case MD_BLOCK_QUOTE:
      open_quote (self);
      break;
    case MD_BLOCK_UL:
      open_list (self, FALSE, ((MD_BLOCK_UL_DETAIL *) detail)->is_tight != 0, 0);
      break;
    case MD_BLOCK_OL:
      open_list (self, TRUE, ((MD_BLOCK_OL_DETAIL *) detail)->is_tight != 0, ((MD_BLOCK_OL_DETAIL *) detail)->start);
      break;
    case MD_BLOCK_LI:
      open_item (self, detail);
      break;
    case MD_BLOCK_H:
      write_text (self);
      self->heading = ((MD_BLOCK_H_DETAIL *) detail)->level;
      mark (self);
      break;
    case MD_BLOCK_CODE:
      write_text (self);
      self->in_code = TRUE;
      mark (self);
      break;
    case MD_BLOCK_P:
      write_text (self);
      break;
    case MD_BLOCK_TABLE:
      write_text (self);
      self->table = term_table_new ();
      break;
    case MD_BLOCK_TR:
      term_table_begin_row (self->table);
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      self->align = (int) ((MD_BLOCK_TD_DETAIL *) detail)->align;
      (*depth_of (self, TERM_BOLD)) += type == MD_BLOCK_TH;
      mark (self);
      break;
    default:
      break;
    }
  return 0;
}

static void
close_cell (Markdown *self, gboolean is_head)
{
  (*depth_of (self, TERM_BOLD)) -= is_head;
  term_table_add_cell (self->table, self->text->str, self->align);
  g_string_truncate (self->text, 0);
}

static int
on_leave_block (MD_BLOCKTYPE type, void *detail, void *user_data)
{
  Markdown *self = user_data;

  switch (type)
    {
    case MD_BLOCK_QUOTE:
      g_ptr_array_set_size (self->containers, self->containers->len - 1);
      self->gap_depth = MIN (self->gap_depth, self->containers->len);
      break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      close_list (self);
      break;
    case MD_BLOCK_LI:
      close_item (self);
      break;
    case MD_BLOCK_HR:
      write_rule (self);
      break;
    case MD_BLOCK_H:
      self->heading = 0;
      write_text (self);
      break;
    case MD_BLOCK_CODE:
      self->in_code = FALSE;
      write_code (self);
      break;
    case MD_BLOCK_P:
      write_text (self);
      break;
    case MD_BLOCK_TABLE:
      write_table (self);
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      close_cell (self, type == MD_BLOCK_TH);
      break;
    default:
      break;
    }
  return 0;
}

/* ---- spans ---- */

static void
change_span (Markdown *self, MD_SPANTYPE type, int by)
{
  switch (type)
    {
    case MD_SPAN_EM:
      *depth_of (self, TERM_ITALIC) += by;
      break;
    case MD_SPAN_STRONG:
      *depth_of (self, TERM_BOLD) += by;
      break;
    case MD_SPAN_DEL:
      *depth_of (self, TERM_STRIKE) += by;
      break;
    case MD_SPAN_U:
    case MD_SPAN_A:
      *depth_of (self, TERM_UNDERLINE) += by;
      break;
    case MD_SPAN_CODE:
      self->code_depth += by;
      break;
    default:
      break;
    }
}

static int
on_enter_span (MD_SPANTYPE type, void *detail, void *user_data)
{
  Markdown *self = user_data;

  change_span (self, type, 1);
  mark (self);
  if (type == MD_SPAN_A)
    self->link_start = self->text->len;
  else if (type == MD_SPAN_IMG)
    g_string_append (self->text, "[image: ");
  return 0;
}

/* Where a link leads stands behind it, unless its text says so. */
static void
append_target (Markdown *self, const MD_SPAN_A_DETAIL *detail)
{
  g_autofree char *target = g_strndup (detail->href.text, detail->href.size);
  const char *shown = self->text->str + self->link_start;
  const char *bare = g_str_has_prefix (target, "mailto:") ? target + strlen ("mailto:") : target;

  if (*target == '\0' || strcmp (shown, bare) == 0 || (g_str_has_prefix (bare, "http") && strstr (bare, shown) != NULL && strchr (shown, '.') != NULL))
    return;
  term_mark (self->text, dim);
  g_string_append_printf (self->text, " (%s)", target);
}

static int
on_leave_span (MD_SPANTYPE type, void *detail, void *user_data)
{
  Markdown *self = user_data;

  if (type == MD_SPAN_IMG)
    g_string_append_c (self->text, ']');
  change_span (self, type, -1);
  if (type == MD_SPAN_A)
    append_target (self, detail);
  mark (self);
  return 0;
}

/* ---- text ---- */

static const struct
{
  const char *name;
  const char *text;
} entities[] = {
  { "&amp;", "&" },
  { "&lt;", "<" },
  { "&gt;", ">" },
  { "&quot;", "\"" },
  { "&apos;", "'" },
  { "&nbsp;", "\u00a0" },
  { "&copy;", "©" },
  { "&hellip;", "…" },
  { "&mdash;", "—" },
  { "&ndash;", "–" },
  { "&larr;", "←" },
  { "&rarr;", "→" },
  { "&times;", "×" },
  { "&middot;", "·" },
  { "&bull;", "•" },
  { "&euro;", "€" },
};

/* An entity may stand for anything, also for what must not reach a terminal. */
static void
append_entity (GString *out, const char *text, gsize length)
{
  g_autofree char *name = g_strndup (text, length);
  g_autofree char *safe = NULL;
  char bytes[8] = "";
  gunichar character = 0;

  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    if (strcmp (entities[i].name, name) == 0)
      {
        g_string_append (out, entities[i].text);
        return;
      }
  if (g_str_has_prefix (name, "&#"))
    character = (gunichar) (g_ascii_tolower (name[2]) == 'x' ? strtoul (name + 3, NULL, 16) : strtoul (name + 2, NULL, 10));
  if (character == 0 || !g_unichar_validate (character))
    {
      g_string_append (out, character == 0 && !g_str_has_prefix (name, "&#") ? name : "\ufffd");
      return;
    }
  bytes[g_unichar_to_utf8 (character, bytes)] = '\0';
  safe = term_safe_dup (bytes, -1);
  g_string_append (out, safe);
}

static int
on_text (MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *user_data)
{
  Markdown *self = user_data;

  switch (type)
    {
    case MD_TEXT_NULLCHAR:
      g_string_append (self->text, "\ufffd");
      break;
    case MD_TEXT_BR:
      g_string_append_c (self->text, '\n');
      break;
    case MD_TEXT_SOFTBR:
      g_string_append_c (self->text, ' ');
      break;
    case MD_TEXT_ENTITY:
      append_entity (self->text, text, size);
      break;
    default:
      g_string_append_len (self->text, text, size);
      break;
    }
  return 0;
}

/**
 * term_markdown:
 * @safe: Markdown without control characters
 * @length: its length, or -1
 * @columns: how wide the lines may be
 *
 * Returns: (transfer full) (element-type utf8): marked lines
 */
GPtrArray *
term_markdown (const char *safe, gssize length, int columns)
{
  Markdown self = { .columns = columns };
  const MD_PARSER parser = {
    .flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML,
    .enter_block = on_enter_block,
    .leave_block = on_leave_block,
    .enter_span = on_enter_span,
    .leave_span = on_leave_span,
    .text = on_text,
  };

  self.lines = g_ptr_array_new_with_free_func (g_free);
  self.containers = g_ptr_array_new_with_free_func (free_container);
  self.lists = g_array_new (FALSE, FALSE, sizeof (List));
  self.text = g_string_new (NULL);
  md_parse (safe, (MD_SIZE) (length < 0 ? strlen (safe) : (gsize) length), &parser, &self);
  write_text (&self);
  g_clear_pointer (&self.table, term_table_free);
  g_string_free (self.text, TRUE);
  g_array_unref (self.lists);
  g_ptr_array_unref (self.containers);
  return self.lines;
}
