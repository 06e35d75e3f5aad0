#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

/* Begins a member of an object: `out` ends with the object's opening brace or with a member. */
void
cli_json_member (GString *out, const char *name)
{
  if (out->len > 0 && out->str[out->len - 1] != '{')
    g_string_append_c (out, ',');
  clq_json_append_string (out, name, -1);
  g_string_append_c (out, ':');
}

void
cli_json_string (GString *out, const char *name, const char *value)
{
  cli_json_member (out, name);
  if (value != NULL)
    clq_json_append_string (out, value, -1);
  else
    g_string_append (out, "null");
}

void
cli_json_raw (GString *out, const char *name, const char *json)
{
  cli_json_member (out, name);
  g_string_append (out, json != NULL ? json : "null");
}

void
cli_json_double (GString *out, const char *name, double number)
{
  cli_json_member (out, name);
  clq_json_append_double (out, number);
}

void
cli_json_number (GString *out, const char *name, gint64 number)
{
  cli_json_member (out, name);
  g_string_append_printf (out, "%" G_GINT64_FORMAT, number);
}

void
cli_json_bool (GString *out, const char *name, gboolean value)
{
  cli_json_raw (out, name, value ? "true" : "false");
}

/* A time, or null for 0. */
void
cli_json_time (GString *out, const char *name, gint64 time)
{
  g_autofree char *text = time > 0 ? clq_time_print (time) : NULL;

  cli_json_string (out, name, text);
}

void
cli_json_error (GString *out, const char *code, const char *message)
{
  cli_json_member (out, "error");
  g_string_append_c (out, '{');
  cli_json_string (out, "code", code);
  cli_json_string (out, "message", message);
  g_string_append_c (out, '}');
}

/* A list of what is JSON already. */
char *
cli_json_list (GPtrArray *items)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; i < items->len; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      g_string_append (out, g_ptr_array_index (items, i));
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}
