/* A template that passes the check can be expanded, whatever the values; a value is not expanded again. */
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
  return 0;
}
