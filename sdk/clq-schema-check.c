#define G_LOG_DOMAIN "clq-schema"

#include "clq-schema-private.h"

#include "clq-text.h"

/* A value of a checked text meets a schema. */

/* What one check may cost: about a unit for each value and schema that meet, and for each few bytes that are compared. It
 * grows with the text, so a large value that is checked once is never refused, and schemas that multiply work are. */
#define WORK_BASE 1000000
#define WORK_PER_BYTE 16
#define WORK_PATTERN 200

typedef struct
{
  GString *path;
  gint64 work;
  const char *halt; /* why the check is given up, whatever the schemas around it say */
  GError **error;   /* NULL where nobody wants to know */
} Checker;

static gboolean check_node (Checker *self, const SchemaNode *node, const ClqJsonSpan *value);

/* ---- failures ---- */

static gboolean
fail (Checker *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Checker *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  if (self->error == NULL)
    return FALSE;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_clear_error (self->error);
  g_set_error (self->error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_VALUE, "%s%s%s", self->path->str, self->path->len > 0 ? ": " : "", message);
  return FALSE;
}

static gboolean
fail_value (Checker *self, const char *expected, const ClqJsonSpan *wanted, const ClqJsonSpan *found)
{
  g_autofree char *shown = NULL;
  g_autofree char *wanted_shown = NULL;

  if (self->error == NULL)
    return FALSE;
  shown = clq_schema_show (found);
  wanted_shown = wanted != NULL ? clq_schema_show (wanted) : g_strdup ("");
  return fail (self, "expected %s%s, found %s", expected, wanted_shown, shown);
}

/* Whether there is work left to spend. */
static gboolean
spend (Checker *self, gint64 work)
{
  self->work -= work;
  if (self->work > 0 && self->halt == NULL)
    return TRUE;
  if (self->halt == NULL)
    self->halt = "to compare it with its schema takes too much work";
  return FALSE;
}

/* ---- values of one type ---- */

static gboolean
is_among (Checker *self, const ClqJsonSpan *list, const ClqJsonSpan *value)
{
  ClqJsonIter iter;
  ClqJsonSpan item;

  clq_json_iter_init (&iter, list);
  while (clq_json_iter_next (&iter, NULL, &item))
    if (clq_schema_equal (&item, value, &self->work))
      return TRUE;
  return FALSE;
}

/* All the values that are allowed if they are few, and the nearest of the words. */
static gboolean
fail_enum (Checker *self, const ClqJsonSpan *list, const ClqJsonSpan *value)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *found = clq_schema_show (value);
  g_autofree char *name = clq_json_span_dup_string (value);
  const char *nearest;
  ClqJsonIter iter;
  ClqJsonSpan item;
  guint n = 0;

  clq_json_iter_init (&iter, list);
  for (; clq_json_iter_next (&iter, NULL, &item); n++)
    {
      g_autofree char *shown = clq_schema_show (&item);

      if (n < 12)
        g_string_append_printf (all, "%s%s", n > 0 ? ", " : "", shown);
      if (item.type == CLQ_JSON_STRING)
        g_ptr_array_add (words, clq_json_span_dup_string (&item));
    }
  g_ptr_array_add (words, NULL);
  nearest = name != NULL ? clq_nearest (name, (const char *const *) words->pdata) : NULL;
  return fail (self, "expected %s%s%s, found %s%s%s%s", n > 1 ? "one of " : "", all->str, n > 12 ? ", ..." : "", found,
               nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static gboolean
check_number (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  long double number = clq_schema_number (value);

  if (node->minimum.type != CLQ_JSON_NONE && number < clq_schema_number (&node->minimum))
    return fail_value (self, "at least ", &node->minimum, value);
  if (node->maximum.type != CLQ_JSON_NONE && number > clq_schema_number (&node->maximum))
    return fail_value (self, "at most ", &node->maximum, value);
  if (node->exclusive_minimum.type != CLQ_JSON_NONE && number <= clq_schema_number (&node->exclusive_minimum))
    return fail_value (self, "more than ", &node->exclusive_minimum, value);
  if (node->exclusive_maximum.type != CLQ_JSON_NONE && number >= clq_schema_number (&node->exclusive_maximum))
    return fail_value (self, "less than ", &node->exclusive_maximum, value);
  if (node->multiple_of.type != CLQ_JSON_NONE && !clq_schema_is_multiple (value, &node->multiple_of))
    return fail_value (self, "a multiple of ", &node->multiple_of, value);
  return TRUE;
}

static gboolean
check_count (Checker *self, gint64 min, gint64 max, gint64 count, const char *what)
{
  if (min >= 0 && count < min)
    return fail (self, "expected at least %" G_GINT64_FORMAT " %s, found %" G_GINT64_FORMAT, min, what, count);
  if (max >= 0 && count > max)
    return fail (self, "expected at most %" G_GINT64_FORMAT " %s, found %" G_GINT64_FORMAT, max, what, count);
  return TRUE;
}

static gboolean
check_string (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;

  if (node->min_length < 0 && node->max_length < 0 && node->pattern == NULL)
    return TRUE;
  text = clq_json_span_dup_string (value);
  if (!check_count (self, node->min_length, node->max_length, g_utf8_strlen (text, -1), "characters"))
    return FALSE;
  if (node->pattern == NULL)
    return TRUE;
  if (!spend (self, WORK_PATTERN))
    return FALSE;
  if (g_regex_match_full (node->pattern, text, -1, 0, 0, NULL, &local))
    return TRUE;
  if (local != NULL)
    {
      self->halt = "to compare it with the pattern takes too much work";
      return FALSE;
    }
  if (self->error != NULL)
    {
      g_autofree char *found = clq_schema_show (value);

      return fail (self, "expected text that matches %s, found %s", node->pattern_text, found);
    }
  return FALSE;
}

/* ---- arrays ---- */

typedef struct
{
  ClqJsonSpan value;
  guint hash;
  guint index;
} Item;

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *x = a, *y = b;

  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static gboolean
check_unique (Checker *self, const ClqJsonSpan *value)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  ClqJsonIter iter;
  Item item = { 0 };

  clq_json_iter_init (&iter, value);
  for (; clq_json_iter_next (&iter, NULL, &item.value); item.index++)
    {
      item.hash = clq_schema_hash (&item.value);
      g_array_append_val (items, item);
    }
  g_array_sort (items, compare_items);
  for (guint i = 0; i < items->len; i++)
    for (guint j = i + 1; j < items->len && g_array_index (items, Item, j).hash == g_array_index (items, Item, i).hash; j++)
      {
        const Item *one = &g_array_index (items, Item, i), *other = &g_array_index (items, Item, j);

        if (clq_schema_equal (&one->value, &other->value, &self->work))
          return fail (self, "expected items that differ, found the same at %u and %u", one->index, other->index);
        if (!spend (self, 1))
          return FALSE;
      }
  return TRUE;
}

static gboolean
check_array (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  gsize length = self->path->len;
  ClqJsonIter iter;
  ClqJsonSpan item;
  guint count = 0;

  clq_json_iter_init (&iter, value);
  for (; clq_json_iter_next (&iter, NULL, &item); count++)
    {
      if (node->items == NULL)
        continue;
      clq_schema_path_add_index (self->path, count);
      if (!check_node (self, node->items, &item))
        return FALSE;
      g_string_truncate (self->path, length);
    }
  return check_count (self, node->min_items, node->max_items, count, "items") &&
         (!node->unique_items || check_unique (self, value));
}

/* ---- objects ---- */

/* A property that nobody knows is most likely a typing mistake. */
static gboolean
fail_unknown (Checker *self, const SchemaNode *node, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  if (self->error == NULL)
    return FALSE;
  for (guint i = 0; node->names != NULL && i < node->names->len; i++)
    g_ptr_array_add (names, g_ptr_array_index (node->names, i));
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  return fail (self, "unknown property%s", hint);
}

static gboolean
check_member (Checker *self, const SchemaNode *node, const char *name, const SchemaProperty *property, const ClqJsonSpan *value)
{
  gsize length = self->path->len;
  const SchemaNode *schema = property != NULL && property->node != NULL ? property->node : node->additional;

  if (schema == NULL)
    return TRUE;
  clq_schema_path_add (self->path, name);
  if (schema == node->additional && schema->never)
    return fail_unknown (self, node, name);
  if (!check_node (self, schema, value))
    return FALSE;
  g_string_truncate (self->path, length);
  return TRUE;
}

static gboolean
check_required (Checker *self, const SchemaNode *node, const guint8 *seen)
{
  for (guint i = 0; i < node->required->len; i++)
    if (!seen[i])
      {
        const char *name = g_ptr_array_index (node->required, i);
        const SchemaProperty *property = g_hash_table_lookup (node->properties, name);
        guint types = property->node != NULL ? property->node->types : 0;
        g_autofree char *expected = types != 0 ? clq_schema_show_types (types) : g_strdup ("a value");

        clq_schema_path_add (self->path, name);
        return fail (self, "expected %s, found nothing", expected);
      }
  return TRUE;
}

static gboolean
check_object (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  guint n_required = node->required != NULL ? node->required->len : 0;
  g_autofree guint8 *seen = n_required > 0 ? g_new0 (guint8, n_required) : NULL;
  gboolean by_name = node->properties != NULL || node->additional != NULL;
  ClqJsonIter iter;
  ClqJsonSpan key, member;
  gint64 count = 0;

  clq_json_iter_init (&iter, value);
  for (; clq_json_iter_next (&iter, &key, &member); count++)
    if (by_name)
      {
        g_autofree char *name = clq_json_span_dup_string (&key);
        const SchemaProperty *property = node->properties != NULL ? g_hash_table_lookup (node->properties, name) : NULL;

        if (property != NULL && property->required > 0)
          seen[property->required - 1] = TRUE;
        if (!check_member (self, node, name, property, &member))
          return FALSE;
      }
  return (n_required == 0 || check_required (self, node, seen)) &&
         check_count (self, node->min_properties, node->max_properties, count, "properties");
}

/* ---- schemas inside schemas ---- */

/* Tries a schema; that it fits not is no failure yet. The path is put back. */
static gboolean
try_node (Checker *self, const SchemaNode *node, const ClqJsonSpan *value, GError **error)
{
  GError **saved = self->error;
  gsize length = self->path->len;
  gboolean fits;

  self->error = error;
  fits = check_node (self, node, value);
  self->error = saved;
  g_string_truncate (self->path, length);
  return fits;
}

/* What the first alternative says about the value is the best hint at hand. */
static gboolean
fail_alternatives (Checker *self, guint n, const GError *first)
{
  return fail (self, "fits none of %u alternatives (%s)", n, first != NULL ? first->message : "");
}

static gboolean
check_any_of (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < node->any_of->len; i++)
    {
      if (try_node (self, g_ptr_array_index (node->any_of, i), value, i == 0 && self->error != NULL ? &first : NULL))
        return TRUE;
      if (self->halt != NULL)
        return FALSE;
    }
  return fail_alternatives (self, node->any_of->len, first);
}

static gboolean
check_one_of (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  g_autoptr (GError) first = NULL;
  guint fitting = 0;

  for (guint i = 0; i < node->one_of->len; i++)
    {
      gboolean fits = try_node (self, g_ptr_array_index (node->one_of, i), value, i == 0 && self->error != NULL ? &first : NULL);

      if (self->halt != NULL)
        return FALSE;
      if (fits && fitting > 0)
        return fail (self, "expected exactly one alternative to fit, found that %u and %u do", fitting, i + 1);
      if (fits)
        fitting = i + 1;
    }
  return fitting > 0 || fail_alternatives (self, node->one_of->len, first);
}

static gboolean
check_inner (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  if (node->target != NULL && !check_node (self, node->target, value))
    return FALSE;
  for (guint i = 0; node->all_of != NULL && i < node->all_of->len; i++)
    if (!check_node (self, g_ptr_array_index (node->all_of, i), value))
      return FALSE;
  if ((node->any_of != NULL && !check_any_of (self, node, value)) || (node->one_of != NULL && !check_one_of (self, node, value)))
    return FALSE;
  if (node->negated != NULL && try_node (self, node->negated, value, NULL))
    return fail_value (self, "a value that does not fit 'not'", NULL, value);
  return self->halt == NULL;
}

static gboolean
fail_type (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  g_autofree char *types = clq_schema_show_types (node->types);

  return fail_value (self, types, NULL, value);
}

static gboolean
check_node (Checker *self, const SchemaNode *node, const ClqJsonSpan *value)
{
  gboolean fits = TRUE;

  if (!spend (self, 1 + (gint64) (value->length / 8)))
    return FALSE;
  if (node->never)
    return fail_value (self, "no value here", NULL, value);
  if (node->types != 0 && (node->types & clq_schema_types_of (value)) == 0)
    return fail_type (self, node, value);
  if (node->constant.type != CLQ_JSON_NONE && !clq_schema_equal (&node->constant, value, &self->work))
    return fail_value (self, "", &node->constant, value);
  if (node->enumeration.type != CLQ_JSON_NONE && !is_among (self, &node->enumeration, value))
    return self->error != NULL && fail_enum (self, &node->enumeration, value);

  if (value->type == CLQ_JSON_NUMBER)
    fits = check_number (self, node, value);
  else if (value->type == CLQ_JSON_STRING)
    fits = check_string (self, node, value);
  else if (value->type == CLQ_JSON_ARRAY)
    fits = check_array (self, node, value);
  else if (value->type == CLQ_JSON_OBJECT)
    fits = check_object (self, node, value);
  return fits && check_inner (self, node, value);
}

/* Private: whether a value of a checked text fits. */
gboolean
clq_schema_check_span (ClqSchema *self, const char *name, const ClqJsonSpan *value, GError **error)
{
  g_autoptr (GString) path = g_string_new (name);
  g_autoptr (GError) local = NULL;
  Checker checker = { path, WORK_BASE + (gint64) value->length * WORK_PER_BYTE, NULL, error != NULL ? &local : NULL };
  gboolean fits = check_node (&checker, self->root, value);

  /* Where the work ran out no answer counts, for a schema around it may have turned it into its contrary. */
  if (!spend (&checker, 0))
    {
      g_set_error (error, CLQ_SCHEMA_ERROR, CLQ_SCHEMA_ERROR_WORK, "%s%s%s", name, *name != '\0' ? ": " : "", checker.halt);
      return FALSE;
    }
  if (local != NULL && !fits)
    g_propagate_error (error, g_steal_pointer (&local));
  return fits;
}
