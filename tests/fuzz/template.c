/* A template that passes the check can be expanded, whatever the values; a value is not expanded again, and pieces may be escaped before. */
#include "clq-json.h"
#include "clq-template.h"
#include "fuzz.h"

static const char *const names[] = { "name", "text", "none", NULL };
static const char *const values[] = { "Ada", "{{name}} {{#if", NULL };

static guint
count (const char *text, const char *what)
{
  guint n = 0;

  for (const char *p = text; (p = strstr (p, what)) != NULL; p += strlen (what))
    n++;
  return n;
}

static void
check_escaped (const char *text, const char *expanded)
{
  g_autoptr (ClqTemplate) template = clq_template_new (text, names, NULL);
  g_autoptr (GString) whole = g_string_new (NULL), pieces = g_string_new (NULL);

  clq_json_append_escaped (whole, expanded, -1);
  clq_template_append_escaped (template, values, pieces); /* none of the values has anything to escape */
  g_assert (strcmp (whole->str, pieces->str) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_dup (data, size), *expanded = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_good = clq_template_check (text, names, &error);

  g_assert (is_good == (error == NULL));
  g_assert (is_good || !g_utf8_validate (text, -1, NULL) || g_utf8_validate (error->message, -1, NULL));
  expanded = clq_template_expand (text, names, values, NULL);
  g_assert (is_good == (expanded != NULL));
  g_assert (expanded == NULL || count (expanded, "{{name}}") <= count (text, "text"));
  g_assert (expanded == NULL || strstr (text, "{{") != NULL || strcmp (text, expanded) == 0);
  if (expanded != NULL && g_utf8_validate (text, -1, NULL))
    check_escaped (text, expanded);
  return 0;
}
