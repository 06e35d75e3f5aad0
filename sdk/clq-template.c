#define G_LOG_DOMAIN "clq-template"

#include "clq-private.h"

#include <string.h>

#define MAX_DEPTH 16

G_DEFINE_QUARK (clq_template_error_quark, clq_template_error)

typedef struct
{
  const char *text;
  const char *const *names;
  const char *const *values; /* NULL: only looked at */
  GString *out;
  guint depth;                 /* of open {{#if}} */
  const char *open[MAX_DEPTH]; /* where each of them stands */
  guint hidden;                /* the depth from which on nothing is shown; 0 = all is */
} Expansion;

/* Says in which line it is. */
static gboolean
complain (const Expansion *self, const char *at, ClqTemplateError code, char *what, GError **error)
{
  guint line = 1;

  for (const char *p = self->text; p < at; p++)
    line += *p == '\n';
  g_set_error (error, CLQ_TEMPLATE_ERROR, code, "line %u: %s", line, what);
  g_free (what);
  return FALSE;
}

/* The index of the name, or -1 and an error. */
static int
find_name (const Expansion *self, const char *at, const char *name, GError **error)
{
  g_autofree char *hint = NULL;

  for (guint i = 0; self->names[i] != NULL; i++)
    if (strcmp (self->names[i], name) == 0)
      return (int) i;
  hint = clq_did_you_mean (name, self->names);
  complain (self, at, CLQ_TEMPLATE_ERROR_UNKNOWN, g_strdup_printf ("there is nothing to put in the place of {{%s}}%s", name, hint), error);
  return -1;
}

static const char *
value_at (const Expansion *self, int index)
{
  const char *value = self->values != NULL ? self->values[index] : NULL;

  return value != NULL ? value : "";
}

static gboolean
open_if (Expansion *self, const char *at, const char *name, GError **error)
{
  int index = find_name (self, at, name, error);

  if (index < 0)
    return FALSE;
  if (self->depth == MAX_DEPTH)
    return complain (self, at, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup_printf ("{{#if}} inside each other more than %d deep", MAX_DEPTH), error);
  self->open[self->depth++] = at;
  if (self->hidden == 0 && *value_at (self, index) == '\0')
    self->hidden = self->depth;
  return TRUE;
}

static gboolean
close_if (Expansion *self, const char *at, GError **error)
{
  if (self->depth == 0)
    return complain (self, at, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup ("{{/if}} without {{#if NAME}} before it"), error);
  if (self->hidden == self->depth)
    self->hidden = 0;
  self->depth--;
  return TRUE;
}

/* What stands between the braces. */
static gboolean
take_tag (Expansion *self, const char *at, const char *tag, GError **error)
{
  int index;

  if (g_str_has_prefix (tag, "#if "))
    return open_if (self, at, tag + strlen ("#if ") + strspn (tag + strlen ("#if "), " "), error);
  if (strcmp (tag, "/if") == 0)
    return close_if (self, at, error);
  if (!clq_name_is_valid (tag))
    return complain (self, at, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup_printf ("{{%s}} is no placeholder; expected {{NAME}}, {{#if NAME}} or {{/if}}", tag), error);
  index = find_name (self, at, tag, error);
  if (index >= 0 && self->hidden == 0)
    g_string_append (self->out, value_at (self, index));
  return index >= 0;
}

/* A line that holds nothing but {{#if}} or {{/if}} leaves no empty line behind. */
static const char *
skip_line_end (const Expansion *self, const char *tag, const char *start, const char *end)
{
  gboolean begins_line = start == self->text || start[-1] == '\n';

  return begins_line && (*tag == '#' || *tag == '/') && *end == '\n' ? end + 1 : end;
}

static gboolean
run (Expansion *self, GError **error)
{
  const char *p = self->text;

  for (;;)
    {
      const char *start = strstr (p, "{{"), *end = start != NULL ? strstr (start, "}}") : NULL;
      g_autofree char *tag = NULL;

      if (self->hidden == 0)
        g_string_append_len (self->out, p, start != NULL ? start - p : (gssize) strlen (p));
      if (start == NULL)
        break;
      if (end == NULL)
        return complain (self, start, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup ("{{ without }}"), error);
      tag = g_strstrip (g_strndup (start + 2, (gsize) (end - start - 2)));
      if (!take_tag (self, start, tag, error))
        return FALSE;
      p = skip_line_end (self, tag, start, end + 2);
    }
  if (self->depth > 0)
    return complain (self, self->open[self->depth - 1], CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup ("{{#if}} without {{/if}}"), error);
  return TRUE;
}

/**
 * clq_template_check:
 * @text: a template
 * @names: (array zero-terminated=1): the names that it may use
 * @error: return location
 *
 * Returns: whether it can be expanded; the error has the line and the nearest name
 */
gboolean
clq_template_check (const char *text, const char *const *names, GError **error)
{
  g_autofree char *expanded = clq_template_expand (text, names, NULL, error);

  return expanded != NULL;
}

/**
 * clq_template_expand:
 * @text: a template
 * @names: (array zero-terminated=1): the names that it may use
 * @values: (nullable): a value for each of @names; %NULL is empty
 * @error: return location
 *
 * Puts values into a template. What comes from outside is only ever a value: braces in it mean nothing.
 *
 * Returns: (transfer full) (nullable): the text
 */
char *
clq_template_expand (const char *text, const char *const *names, const char *const *values, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Expansion self = { .text = text, .names = names, .values = values, .out = out };

  g_return_val_if_fail (text != NULL && names != NULL, NULL);
  if (!run (&self, error))
    return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}
