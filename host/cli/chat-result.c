#define G_LOG_DOMAIN "colloquy"

#include "chat.h"

static void add_value (GPtrArray *lines, const char *label, const ClqJsonSpan *value, guint depth, int columns);

static void
add_line (GPtrArray *lines, const char *label, const char *text, guint depth, int columns)
{
  g_autofree char *safe = term_safe_dup (text, -1);
  g_autofree char *safe_label = term_safe_dup (label, -1);
  g_autofree char *next = g_strdup_printf ("%*s", (int) (2 * depth + 2), "");
  g_autoptr (GString) first = g_string_new (NULL);

  g_string_append_printf (first, "%*s", (int) (2 * depth), "");
  term_mark (first, (TermStyle){ TERM_BOLD, TERM_DEFAULT });
  g_string_append (first, safe_label);
  term_mark (first, (TermStyle){ 0, TERM_DEFAULT });
  if (*safe_label != '\0' && *safe != '\0')
    g_string_append_c (first, ' ');
  term_wrap (safe, columns, first->str, next, lines);
}

static void
add_members (GPtrArray *lines, const ClqJsonSpan *container, guint depth, int columns)
{
  ClqJsonSpan key = { 0 }, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, container);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = container->type == CLQ_JSON_OBJECT ? clq_json_span_dup_string (&key) : NULL;
      g_autofree char *label = name != NULL ? g_strconcat (name, ":", NULL) : g_strdup ("-");

      add_value (lines, label, &value, depth, columns);
    }
}

static gboolean
is_empty (const ClqJsonSpan *container)
{
  ClqJsonSpan value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, container);
  return !clq_json_iter_next (&iter, NULL, &value);
}

/* A value below its name. What is empty is not worth a line. */
static void
add_value (GPtrArray *lines, const char *label, const ClqJsonSpan *value, guint depth, int columns)
{
  g_autofree char *text = NULL;

  if (value->type == CLQ_JSON_OBJECT || value->type == CLQ_JSON_ARRAY)
    {
      if (is_empty (value))
        return;
      add_line (lines, label, "", depth, columns);
      add_members (lines, value, depth + 1, columns);
      return;
    }
  text = value->type == CLQ_JSON_STRING ? clq_json_span_dup_string (value) : g_strndup (value->start, value->length);
  add_line (lines, label, text, depth, columns);
}

/* Shows what an action gave: a line for each value. */
void
chat_print_result (Chat *self, const char *result)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  ClqJsonSpan root = clq_json_span (result, -1);
  int columns = term_text_columns (&self->term);

  if (root.type == CLQ_JSON_OBJECT || root.type == CLQ_JSON_ARRAY)
    add_members (lines, &root, 0, columns);
  else if (root.type > CLQ_JSON_NULL)
    add_value (lines, "", &root, 0, columns);
  if (lines->len > 0)
    chat_print (self, lines);
}
