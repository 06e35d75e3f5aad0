#define G_LOG_DOMAIN "clq-template"

#include "clq-private.h"

#include <string.h>

#include "clq-put-private.h"

#define MAX_DEPTH 16

G_DEFINE_QUARK (clq_template_error_quark, clq_template_error)

typedef enum
{
  PART_TEXT,  /* stays as it is */
  PART_VALUE, /* a value stands here */
  PART_IF,    /* an empty value leads to the part behind {{/if}} */
} PartType;

typedef struct
{
  PartType type;
  guint index; /* of the name */
  guint skip;  /* PART_IF: how far it is to the end */
  gsize start; /* PART_TEXT: where in the text */
  gsize length;
  gsize escaped_start; /* PART_TEXT: where in the escaped text */
  gsize escaped_length;
} Part;

struct _ClqTemplate
{
  char *text;
  GString *escaped; /* its parts as they stand in JSON strings */
  GArray *parts;    /* Part */
};

typedef struct
{
  ClqTemplate *template;
  const char *const *names;
  guint depth;                 /* of open {{#if}} */
  const char *open[MAX_DEPTH]; /* where each of them stands */
  guint parts[MAX_DEPTH];      /* which parts they are */
} Reader;

/* ---- reading ---- */

/* Says in which line it is. */
static gboolean
complain (const Reader *self, const char *at, ClqTemplateError code, char *what, GError **error)
{
  guint line = 1;

  for (const char *p = self->template->text; p < at; p++)
    line += *p == '\n';
  g_set_error (error, CLQ_TEMPLATE_ERROR, code, "line %u: %s", line, what);
  g_free (what);
  return FALSE;
}

/* The index of the name, or -1 and an error. */
static int
find_name (const Reader *self, const char *at, const char *name, GError **error)
{
  g_autofree char *hint = NULL;

  for (guint i = 0; self->names[i] != NULL; i++)
    if (strcmp (self->names[i], name) == 0)
      return (int) i;
  hint = clq_did_you_mean (name, self->names);
  complain (self, at, CLQ_TEMPLATE_ERROR_UNKNOWN, g_strdup_printf ("there is nothing to put in the place of {{%s}}%s", name, hint), error);
  return -1;
}

static void
add_text (Reader *self, const char *start, gsize length)
{
  GString *escaped = self->template->escaped;
  Part part = { .type = PART_TEXT, .start = (gsize) (start - self->template->text), .length = length, .escaped_start = escaped->len };

  if (length == 0)
    return;
  clq_json_append_escaped (escaped, start, (gssize) length);
  part.escaped_length = escaped->len - part.escaped_start;
  g_array_append_val (self->template->parts, part);
}

static gboolean
add_named (Reader *self, PartType type, const char *at, const char *name, GError **error)
{
  int index = find_name (self, at, name, error);
  Part part = { .type = type, .index = (guint) index };

  if (index >= 0)
    g_array_append_val (self->template->parts, part);
  return index >= 0;
}

static gboolean
open_if (Reader *self, const char *at, const char *name, GError **error)
{
  if (!add_named (self, PART_IF, at, name, error))
    return FALSE;
  if (self->depth == MAX_DEPTH)
    return complain (self, at, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup_printf ("{{#if}} inside each other more than %d deep", MAX_DEPTH), error);
  self->open[self->depth] = at;
  self->parts[self->depth++] = self->template->parts->len - 1;
  return TRUE;
}

static gboolean
close_if (Reader *self, const char *at, GError **error)
{
  guint opened;

  if (self->depth == 0)
    return complain (self, at, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup ("{{/if}} without {{#if NAME}} before it"), error);
  opened = self->parts[--self->depth];
  g_array_index (self->template->parts, Part, opened).skip = self->template->parts->len - opened;
  return TRUE;
}

/* What stands between the braces. */
static gboolean
take_tag (Reader *self, const char *at, const char *tag, GError **error)
{
  if (g_str_has_prefix (tag, "#if "))
    return open_if (self, at, tag + strlen ("#if ") + strspn (tag + strlen ("#if "), " "), error);
  if (strcmp (tag, "/if") == 0)
    return close_if (self, at, error);
  if (!clq_name_is_valid (tag))
    return complain (self, at, CLQ_TEMPLATE_ERROR_SYNTAX, g_strdup_printf ("{{%s}} is no placeholder; expected {{NAME}}, {{#if NAME}} or {{/if}}", tag), error);
  return add_named (self, PART_VALUE, at, tag, error);
}

/* A line that holds nothing but {{#if}} or {{/if}} leaves no empty line behind. */
static const char *
skip_line_end (const Reader *self, const char *tag, const char *start, const char *end)
{
  gboolean begins_line = start == self->template->text || start[-1] == '\n';

  return begins_line && (*tag == '#' || *tag == '/') && *end == '\n' ? end + 1 : end;
}

static gboolean
read_text (Reader *self, GError **error)
{
  const char *p = self->template->text;

  for (;;)
    {
      const char *start = strstr (p, "{{"), *end = start != NULL ? strstr (start, "}}") : NULL;
      g_autofree char *tag = NULL;

      add_text (self, p, start != NULL ? (gsize) (start - p) : strlen (p));
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
 * clq_template_new:
 * @text: a template
 * @names: (array zero-terminated=1): the names that it may use
 * @error: return location
 *
 * Reads a template that will be used often.
 *
 * Returns: (transfer full) (nullable): the template; the error has the line and the nearest name
 */
ClqTemplate *
clq_template_new (const char *text, const char *const *names, GError **error)
{
  g_autoptr (ClqTemplate) self = NULL;
  Reader reader = { .names = names };

  g_return_val_if_fail (text != NULL && names != NULL, NULL);
  self = g_new0 (ClqTemplate, 1);
  self->text = g_strdup (text);
  self->escaped = g_string_new (NULL);
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  reader.template = self;
  return read_text (&reader, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * clq_template_free:
 * @self: (nullable): a template
 */
void
clq_template_free (ClqTemplate *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parts);
  g_string_free (self->escaped, TRUE);
  g_free (self->text);
  g_free (self);
}

/* ---- expanding ---- */

static void
append (const ClqTemplate *self, const char *const *values, GString *out, gboolean escaped)
{
  for (guint i = 0; i < self->parts->len;)
    {
      const Part *part = &g_array_index (self->parts, Part, i);
      const char *value = part->type != PART_TEXT && values != NULL ? values[part->index] : NULL;
      gboolean is_empty = value == NULL || *value == '\0';

      if (part->type == PART_TEXT && escaped)
        clq_put (out, self->escaped->str + part->escaped_start, part->escaped_length);
      else if (part->type == PART_TEXT)
        clq_put (out, self->text + part->start, part->length);
      else if (part->type == PART_VALUE && !is_empty)
        clq_put_text (out, value);
      i += part->type == PART_IF && is_empty ? part->skip : 1;
    }
}

/**
 * clq_template_append:
 * @self: a template
 * @values: (nullable): a value for each of its names; %NULL is empty
 * @out: gets the text
 *
 * Puts values into a template. What comes from outside is only ever a value: braces in it mean nothing.
 */
void
clq_template_append (const ClqTemplate *self, const char *const *values, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);
  append (self, values, out, FALSE);
}

/**
 * clq_template_append_escaped:
 * @self: a template
 * @values: (nullable): a value for each of its names, as clq_json_append_escaped() writes it; %NULL is empty
 * @out: gets the text, as it stands between the quotes of a JSON string
 *
 * Like clq_template_append(), for texts that are put together often of pieces that were escaped once.
 */
void
clq_template_append_escaped (const ClqTemplate *self, const char *const *values, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);
  append (self, values, out, TRUE);
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
  g_autoptr (ClqTemplate) self = clq_template_new (text, names, error);

  return self != NULL;
}

/**
 * clq_template_expand:
 * @text: a template
 * @names: (array zero-terminated=1): the names that it may use
 * @values: (nullable): a value for each of @names; %NULL is empty
 * @error: return location
 *
 * Reads a template and puts values into it, see clq_template_append().
 *
 * Returns: (transfer full) (nullable): the text
 */
char *
clq_template_expand (const char *text, const char *const *names, const char *const *values, GError **error)
{
  g_autoptr (ClqTemplate) self = clq_template_new (text, names, error);
  GString *out;

  if (self == NULL)
    return NULL;
  out = g_string_new (NULL);
  clq_template_append (self, values, out);
  return g_string_free (out, FALSE);
}
