/* Reading and writing JSON. */
#include "task.h"

/* An object with these two members first, as every record of this flow begins; both may be NULL. */
JsonBuilder *
task_begin (const char *type, const char *request_id)
{
  JsonBuilder *builder = json_builder_new_immutable ();

  json_builder_begin_object (builder);
  if (type != NULL)
    task_add_string (builder, "type", type);
  if (request_id != NULL)
    task_add_string (builder, "request_id", request_id);
  return builder;
}

/* Ends the object and gives its text. */
char *
task_end (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = NULL;
  char *text;

  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = clq_json_print (root);
  g_object_unref (builder);
  return text;
}

void
task_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
task_add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

/* With two digits: what is measured here is not known better. */
void
task_add_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, floor (value * 100 + 0.5) / 100);
}

void
task_add_bool (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

void
task_add_json (JsonBuilder *builder, const char *name, const ClqJsonSpan *value, const char *otherwise)
{
  gboolean is_there = value != NULL && value->type != CLQ_JSON_NONE;
  JsonNode *node = is_there ? clq_json_parse (value->start, (gssize) value->length, NULL) : clq_json_parse (otherwise, -1, NULL);

  json_builder_set_member_name (builder, name);
  json_builder_add_value (builder, node);
}

void
task_add_strings (JsonBuilder *builder, const char *name, const char *const *values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    json_builder_add_string_value (builder, values[i]);
  json_builder_end_array (builder);
}

/* A list of texts. */
char *
task_print_strings (const char *const *values)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; values[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      clq_json_append_string (out, values[i], -1);
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

/* A value that the event brings. */
ClqJsonSpan
task_find_payload (const TaskStep *step, const char *path)
{
  const char *payload = clq_event_get_payload (step->event);

  return payload != NULL ? clq_json_find (payload, -1, path) : (ClqJsonSpan){ 0 };
}

/* The texts of a list. */
char **
task_dup_strings (const ClqJsonSpan *list)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (list->type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, list))
    while (clq_json_iter_next (&iter, &key, &value))
      if (value.type == CLQ_JSON_STRING)
        g_ptr_array_add (strings, clq_json_span_dup_string (&value));
  g_ptr_array_add (strings, NULL);
  return (char **) g_ptr_array_steal (strings, NULL);
}

/* A text of a record; NULL if it is not there. */
char *
task_dup_member (const ClqRecord *record, const char *path)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan span = clq_json_find (body, (gssize) length, path);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}
