#define G_LOG_DOMAIN "clq-json"

#include "clq-json.h"

#include <math.h>
#include <string.h>

/* From checked texts to json-glib and back. */

/**
 * clq_json_parse:
 * @text: (array length=length) (element-type guint8): the text
 * @length: its length in bytes, or -1 if it ends in a NUL
 * @error: return location for an error
 *
 * Checks a text with the default limits of [func@Clq.json_check] and then reads it.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL with @error set
 */
JsonNode *
clq_json_parse (const char *text,
                gssize length,
                GError **error)
{
  g_autoptr (JsonParser) parser = NULL;

  if (!clq_json_check (text, length, NULL, error))
    return NULL;
  parser = json_parser_new ();
  if (!json_parser_load_from_data (parser, text, length, error))
    return NULL;
  return json_parser_steal_root (parser);
}

/* An array or object that is being printed. */
typedef struct
{
  JsonArray *array; /* NULL for an object */
  guint index;
  gboolean started;
  JsonObjectIter members;
} PrintFrame;

static void
print_scalar (GString *out,
              JsonNode *node)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (type == G_TYPE_STRING)
    clq_json_append_string (out, json_node_get_string (node), -1);
  else if (type == G_TYPE_INT64)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, json_node_get_int (node));
  else if (type == G_TYPE_DOUBLE)
    clq_json_append_double (out, json_node_get_double (node));
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "true" : "false");
  else
    g_string_append (out, "null");
}

/* Prints a scalar, or the opening bracket of a container and puts that on the stack. */
static void
print_open (GString *out,
            GArray *stack,
            JsonNode *node)
{
  PrintFrame frame = { 0 };

  if (JSON_NODE_HOLDS_ARRAY (node) && json_node_get_array (node) != NULL)
    {
      frame.array = json_node_get_array (node);
      g_string_append_c (out, '[');
    }
  else if (JSON_NODE_HOLDS_OBJECT (node) && json_node_get_object (node) != NULL)
    {
      json_object_iter_init_ordered (&frame.members, json_node_get_object (node));
      g_string_append_c (out, '{');
    }
  else
    {
      print_scalar (out, node);
      return;
    }
  g_array_append_val (stack, frame);
}

/* Moves to the next child and prints what stands before it; returns NULL after the last one. */
static JsonNode *
print_next (GString *out,
            PrintFrame *frame)
{
  const char *name = NULL;
  JsonNode *child = NULL;

  if (frame->array != NULL)
    {
      if (frame->index == json_array_get_length (frame->array))
        return NULL;
      child = json_array_get_element (frame->array, frame->index++);
    }
  else if (!json_object_iter_next_ordered (&frame->members, &name, &child))
    {
      return NULL;
    }

  if (frame->started)
    g_string_append_c (out, ',');
  frame->started = TRUE;
  if (name != NULL)
    {
      clq_json_append_string (out, name, -1);
      g_string_append_c (out, ':');
    }
  return child;
}

/**
 * clq_json_print:
 * @node: the value
 *
 * Prints a value as JSON without any white space, members in the order in which they were added.
 *
 * The result passes [func@Clq.json_check] whatever the node holds, except for its depth and size: numbers that are not
 * finite become `null`, and strings are written as [func@Clq.json_append_string] does.
 *
 * Returns: (transfer full): the text
 */
char *
clq_json_print (JsonNode *node)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (PrintFrame));
  GString *out;

  g_return_val_if_fail (node != NULL, NULL);

  out = g_string_new (NULL);
  print_open (out, stack, node);
  while (stack->len > 0)
    {
      PrintFrame *frame = &g_array_index (stack, PrintFrame, stack->len - 1);
      JsonNode *child = print_next (out, frame);

      if (child != NULL)
        {
          print_open (out, stack, child);
          continue;
        }
      g_string_append_c (out, frame->array != NULL ? ']' : '}');
      g_array_set_size (stack, stack->len - 1);
    }
  return g_string_free (out, FALSE);
}
