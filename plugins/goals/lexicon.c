/* All that words mean: read from JSON, by parts, one list added to the other. */
#include "goals.h"

const GoalsSignalTrait goals_signal_traits[GOALS_N_SIGNALS] = {
  [GOALS_IDLE] = { "idle", TRUE, FALSE },
  [GOALS_GO_AHEAD] = { "go-ahead", FALSE, FALSE },
  [GOALS_APPROVAL] = { "approval", FALSE, FALSE },
  [GOALS_RESERVATION] = { "reservation", TRUE, FALSE },
  [GOALS_SATISFACTION] = { "satisfaction", FALSE, FALSE },
  [GOALS_CHANGE] = { "change", TRUE, FALSE },
  [GOALS_START] = { "start", FALSE, TRUE },
  [GOALS_DONE] = { "done", FALSE, FALSE },
};

/* ---- memory ---- */

static void
value_free (gpointer data)
{
  GoalsValue *self = data;

  g_free (self->name);
  goals_phrases_clear (&self->words);
  g_free (self);
}

static void
field_free (gpointer data)
{
  GoalsField *self = data;

  g_free (self->name);
  g_free (self->description);
  g_free (self->question);
  g_ptr_array_unref (self->values);
  goals_phrases_clear (&self->words);
  g_free (self);
}

static void
type_free (gpointer data)
{
  GoalsType *self = data;

  g_free (self->name);
  goals_phrases_clear (&self->begins);
  goals_phrases_clear (&self->wishes);
  g_ptr_array_unref (self->fields);
  g_free (self);
}

void
goals_lexicon_init (GoalsLexicon *self)
{
  *self = (GoalsLexicon){ .types = g_ptr_array_new_with_free_func (type_free) };
  for (guint i = 0; i < GOALS_N_SIGNALS; i++)
    {
      self->signals[i].begins.where = GOALS_AT_START;
      self->signals[i].unless.where = GOALS_AT_END;
    }
  self->negations.where = GOALS_AT_END;
  self->openings.where = GOALS_AT_START;
  self->requests.where = GOALS_AT_START;
  self->pronouns.where = GOALS_AT_START;
  self->asides.where = GOALS_AT_START;
}

void
goals_lexicon_clear (GoalsLexicon *self)
{
  GoalsPhrases *own[] = { &self->negations, &self->openings, &self->requests, &self->pronouns, &self->asides };

  for (guint i = 0; i < GOALS_N_SIGNALS; i++)
    {
      goals_phrases_clear (&self->signals[i].words);
      goals_phrases_clear (&self->signals[i].begins);
      goals_phrases_clear (&self->signals[i].unless);
    }
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    goals_phrases_clear (own[i]);
  g_clear_pointer (&self->types, g_ptr_array_unref);
}

/* ---- reading ---- */

/* One member of an object; what it may be called and what reads it. */
typedef struct
{
  const char *name;
  gboolean (*read) (gpointer target, const ClqJsonSpan *value, const char *place, GError **error);
  gpointer target;
} Member;

static gboolean
fail (GError **error, const char *place, const char *what)
{
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s %s", place, what);
  return FALSE;
}

static gboolean
report_unknown (const char *name, const Member *members, guint n_members, const char *place, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < n_members; i++)
    g_ptr_array_add (names, (gpointer) members[i].name);
  g_ptr_array_add (names, NULL);
  hint = clq_did_you_mean (name, (const char *const *) names->pdata);
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_UNKNOWN, "%s: unknown member '%s'%s", place, name, hint);
  return FALSE;
}

static gboolean
read_members (const ClqJsonSpan *object, const Member *members, guint n_members, const char *place, GError **error)
{
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (object->type != CLQ_JSON_OBJECT)
    return fail (error, place, "is no object");
  clq_json_iter_init (&iter, object);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *inner = g_strconcat (place, ".", name, NULL);
      const Member *member = NULL;

      for (guint i = 0; i < n_members && member == NULL; i++)
        if (strcmp (members[i].name, name) == 0)
          member = &members[i];
      if (member == NULL && !g_str_has_prefix (name, "x-"))
        return report_unknown (name, members, n_members, place, error);
      if (member != NULL && !member->read (member->target, &value, inner, error))
        return FALSE;
    }
  return TRUE;
}

typedef gboolean (*NamedFunc) (gpointer target, const char *name, const ClqJsonSpan *value, const char *place, GError **error);

/* An object whose keys are names of the user's choice. */
static gboolean
read_named (gpointer target, const ClqJsonSpan *object, NamedFunc func, const char *place, GError **error)
{
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  if (object->type != CLQ_JSON_OBJECT)
    return fail (error, place, "is no object; expected names and what belongs to each");
  clq_json_iter_init (&iter, object);
  while (clq_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = clq_json_span_dup_string (&key);
      g_autofree char *inner = g_strconcat (place, ".", name, NULL);

      if (!func (target, name, &value, inner, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_phrases (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  return goals_phrases_add (target, value, place, error);
}

/* The first text counts: what is read later adds and does not replace. */
static gboolean
read_text (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  char **text = target;
  g_autofree char *whole = value->type == CLQ_JSON_STRING ? clq_json_span_dup_string (value) : NULL;

  if (whole == NULL)
    return fail (error, place, "is no text");
  if (*text == NULL)
    *text = goals_clip (whole, -1, 2 * GOALS_MAX_DESCRIPTION);
  return TRUE;
}

static gboolean
read_value (gpointer target, const char *name, const ClqJsonSpan *span, const char *place, GError **error)
{
  GPtrArray *values = target;
  GoalsValue *value = NULL;

  for (guint i = 0; i < values->len && value == NULL; i++)
    if (strcmp (((GoalsValue *) g_ptr_array_index (values, i))->name, name) == 0)
      value = g_ptr_array_index (values, i);
  if (value == NULL)
    {
      value = g_new0 (GoalsValue, 1);
      value->name = g_strdup (name);
      g_ptr_array_add (values, value);
    }
  return goals_phrases_add (&value->words, span, place, error);
}

static gboolean
read_values (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  return read_named (target, value, read_value, place, error);
}

/* A name is an element of a path into the data. */
static gboolean
is_name (const char *name)
{
  const char *at = name;

  while (g_unichar_isalnum (g_utf8_get_char (at)) || *at == '_' || *at == '-')
    at = g_utf8_next_char (at);
  return at > name && *at == '\0' && strlen (name) <= 64;
}

static gboolean
read_field (gpointer target, const char *name, const ClqJsonSpan *span, const char *place, GError **error)
{
  GPtrArray *fields = target;
  GoalsField *field = NULL;

  for (guint i = 0; i < fields->len && field == NULL; i++)
    if (strcmp (((GoalsField *) g_ptr_array_index (fields, i))->name, name) == 0)
      field = g_ptr_array_index (fields, i);
  if (field == NULL && (!is_name (name) || fields->len == GOALS_MAX_FIELDS))
    return fail (error, place, fields->len == GOALS_MAX_FIELDS ? "is one field too many" : "is no name; expected letters, digits, '_' and '-'");
  if (field == NULL)
    {
      field = g_new0 (GoalsField, 1);
      field->name = g_strdup (name);
      field->values = g_ptr_array_new_with_free_func (value_free);
      g_ptr_array_add (fields, field);
    }
  return read_members (span, (const Member[]){ { "description", read_text, &field->description }, { "question", read_text, &field->question }, { "values", read_values, field->values }, { "words", read_phrases, &field->words } }, 4, place, error);
}

static gboolean
read_fields (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  return read_named (target, value, read_field, place, error);
}

static gboolean
read_type (gpointer target, const char *name, const ClqJsonSpan *span, const char *place, GError **error)
{
  GoalsLexicon *self = target;
  GoalsType *type = (GoalsType *) goals_lexicon_find_type (self, name);

  if (!is_name (name))
    return fail (error, place, "is no name; expected letters, digits, '_' and '-'");
  if (type == NULL)
    {
      type = g_new0 (GoalsType, 1);
      type->name = g_strdup (name);
      type->begins.where = type->wishes.where = GOALS_AT_START;
      type->fields = g_ptr_array_new_with_free_func (field_free);
      g_ptr_array_add (self->types, type);
    }
  return read_members (span, (const Member[]){ { "begins", read_phrases, &type->begins }, { "wishes", read_phrases, &type->wishes }, { "info", read_fields, type->fields } }, 3, place, error);
}

static gboolean
read_types (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  return read_named (target, value, read_type, place, error);
}

static gboolean
read_signal (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  GoalsSignal *self = target;

  return read_members (value, (const Member[]){ { "words", read_phrases, &self->words }, { "begins", read_phrases, &self->begins }, { "unless", read_phrases, &self->unless } }, 3, place, error);
}

static gboolean
read_signals (gpointer target, const ClqJsonSpan *value, const char *place, GError **error)
{
  GoalsLexicon *self = target;
  Member members[GOALS_N_SIGNALS];

  for (guint i = 0; i < GOALS_N_SIGNALS; i++)
    members[i] = (Member){ goals_signal_traits[i].name, read_signal, &self->signals[i] };
  return read_members (value, members, GOALS_N_SIGNALS, place, error);
}

/* Adds what a JSON text says; @place is what messages call it. */
gboolean
goals_lexicon_read (GoalsLexicon *self, const char *json, const char *place, GError **error)
{
  ClqJsonSpan root = clq_json_span (json, -1);
  const Member members[] = {
    { "negations", read_phrases, &self->negations },
    { "openings", read_phrases, &self->openings },
    { "requests", read_phrases, &self->requests },
    { "pronouns", read_phrases, &self->pronouns },
    { "asides", read_phrases, &self->asides },
    { "signals", read_signals, self },
    { "goals", read_types, self },
  };

  return read_members (&root, members, G_N_ELEMENTS (members), place, error);
}

/* ---- when all is read ---- */

static gboolean
compile_field (GoalsField *field, GError **error)
{
  for (guint i = 0; i < field->values->len; i++)
    if (!goals_phrases_compile (&((GoalsValue *) g_ptr_array_index (field->values, i))->words, error))
      return FALSE;
  if (field->description == NULL)
    field->description = g_strdup (field->name);
  return goals_phrases_compile (&field->words, error);
}

static gboolean
compile_type (GoalsType *type, GError **error)
{
  for (guint i = 0; i < type->fields->len; i++)
    if (!compile_field (g_ptr_array_index (type->fields, i), error))
      return FALSE;
  return goals_phrases_compile (&type->begins, error) && goals_phrases_compile (&type->wishes, error);
}

gboolean
goals_lexicon_compile (GoalsLexicon *self, GError **error)
{
  GoalsPhrases *own[] = { &self->negations, &self->openings, &self->requests, &self->pronouns, &self->asides };

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (!goals_phrases_compile (own[i], error))
      return FALSE;
  for (guint i = 0; i < GOALS_N_SIGNALS; i++)
    if (!goals_phrases_compile (&self->signals[i].words, error) || !goals_phrases_compile (&self->signals[i].begins, error) ||
        !goals_phrases_compile (&self->signals[i].unless, error))
      return FALSE;
  for (guint i = 0; i < self->types->len; i++)
    if (!compile_type (g_ptr_array_index (self->types, i), error))
      return FALSE;
  return TRUE;
}

/* The type of goal with this name, or NULL. */
const GoalsType *
goals_lexicon_find_type (const GoalsLexicon *self, const char *name)
{
  for (guint i = 0; i < self->types->len; i++)
    {
      const GoalsType *type = g_ptr_array_index (self->types, i);

      if (strcmp (type->name, name) == 0)
        return type;
    }
  return NULL;
}
