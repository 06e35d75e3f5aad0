#define G_LOG_DOMAIN "clq-plugins"

#include "clq-plugin-check.h"

#include <stdalign.h>
#include <string.h>

#define REBUILD "rebuild the plugin against this SDK"

/* By type: the struct that describes a feature. clq-plugin-check.c says what another minor means for it. */
static const gsize info_sizes[] = {
  [CLQ_FEATURE_NODE] = sizeof (ClqNodeInfo),
  [CLQ_FEATURE_MODALITY] = sizeof (ClqModalityInfo),
  [CLQ_FEATURE_AGENT] = sizeof (ClqAgentInfo),
  [CLQ_FEATURE_STORE] = sizeof (ClqStoreInfo),
  [CLQ_FEATURE_TOOL] = sizeof (ClqToolInfo),
  [CLQ_FEATURE_SERVICE] = sizeof (ClqServiceInfo),
};

/* By type: the member that a setting is written to. */
static const struct
{
  guint32 size;
  guint32 align;
} members[] = {
  [CLQ_SETTING_STRING] = { sizeof (char *), alignof (char *) },
  [CLQ_SETTING_INT] = { sizeof (gint64), alignof (gint64) },
  [CLQ_SETTING_DOUBLE] = { sizeof (double), alignof (double) },
  [CLQ_SETTING_BOOL] = { sizeof (gboolean), alignof (gboolean) },
  [CLQ_SETTING_DURATION] = { sizeof (GTimeSpan), alignof (GTimeSpan) },
  [CLQ_SETTING_ENUM] = { sizeof (int), alignof (int) },
  [CLQ_SETTING_LIST] = { sizeof (char **), alignof (char **) },
  [CLQ_SETTING_JSON] = { sizeof (char *), alignof (char *) },
  [CLQ_SETTING_SECRET] = { sizeof (ClqSecret *), alignof (ClqSecret *) },
  [CLQ_SETTING_FILE] = { sizeof (char *), alignof (char *) },
};

static gboolean
struct_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
struct_error (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_STRUCT, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
duplicate_error (GError **error, const char *what, const char *name)
{
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_DUPLICATE, "%s '%s' stands there twice", what, name);
  return FALSE;
}

static gboolean
require (gboolean given, const char *what, GError **error)
{
  return given || struct_error (error, "%s is not set", what);
}

/* What graph files and guards can spell. */
static gboolean
is_word (const char *name)
{
  if (!g_ascii_isalpha (name[0]) && name[0] != '_')
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;
  return TRUE;
}

/* Words with dots between them. */
static gboolean
is_key (const char *name)
{
  g_auto (GStrv) words = g_strsplit (name, ".", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (!is_word (words[i]))
      return FALSE;
  return words[0] != NULL;
}

static gboolean
check_word (const char *name, const char *what, GError **error)
{
  return is_word (name) || struct_error (error, "%s '%s': expected a name of letters, digits, - and _ that begins with a letter", what, name);
}

static gboolean
check_words (const char *const *names, const char *what, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (!check_word (names[i], what, error))
        return FALSE;
      for (guint j = 0; j < i; j++)
        if (strcmp (names[i], names[j]) == 0)
          return duplicate_error (error, what, names[i]);
    }
  return TRUE;
}

static gboolean
check_node (const ClqNodeInfo *info, GError **error)
{
  if (info->get_type != NULL)
    {
      if (!require (info->type_name != NULL && *info->type_name != '\0', "type_name of get_type", error))
        return FALSE;
    }
  else if (!require (info->enter != NULL, "enter", error))
    return FALSE;
  return require (info->outcomes != NULL && info->outcomes[0] != NULL, "outcomes", error) &&
         check_words (info->outcomes, "outcome", error);
}

static const ClqPredicate *
next_predicate (const ClqModalityInfo *info, const ClqPredicate *previous)
{
  const ClqPredicate *next = info->predicates;

  if (previous != NULL)
    next = (const ClqPredicate *) ((const char *) previous + info->predicate_size);
  return next != NULL && next->name != NULL ? next : NULL;
}

static gboolean
check_modality (const ClqModalityInfo *info, GError **error)
{
  const ClqPredicate *predicate = NULL;

  if (info->predicates != NULL && info->predicate_size != sizeof (ClqPredicate))
    return struct_error (error, "a predicate has %u bytes, expected %" G_GSIZE_FORMAT "; " REBUILD, info->predicate_size, sizeof (ClqPredicate));
  while ((predicate = next_predicate (info, predicate)) != NULL)
    {
      if (!check_word (predicate->name, "predicate", error))
        return FALSE;
      if (predicate->test == NULL)
        return struct_error (error, "test of predicate '%s' is not set", predicate->name);
      for (const ClqPredicate *other = next_predicate (info, NULL); other != predicate; other = next_predicate (info, other))
        if (strcmp (predicate->name, other->name) == 0)
          return duplicate_error (error, "predicate", predicate->name);
    }
  return (info->fields == NULL || check_words (info->fields, "field", error)) &&
         (info->actions == NULL || check_words (info->actions, "action", error));
}

static gboolean
check_tool (const ClqToolInfo *info, GError **error)
{
  g_autoptr (ClqSchema) schema = NULL;
  g_autoptr (GError) local = NULL;

  if (!require (info->use != NULL, "use", error) || !require (info->schema != NULL, "schema", error))
    return FALSE;
  if (info->policy != CLQ_TOOL_ASK && info->policy != CLQ_TOOL_RETRY && info->policy != CLQ_TOOL_FAIL)
    return struct_error (error, "unknown policy %d; expected CLQ_TOOL_ASK, CLQ_TOOL_RETRY or CLQ_TOOL_FAIL", (int) info->policy);
  schema = clq_schema_new (info->schema, &local);
  if (schema == NULL)
    return struct_error (error, "schema: %s", local->message);
  if (clq_json_span (info->schema, -1).type != CLQ_JSON_OBJECT)
    return struct_error (error, "schema: expected a JSON object");
  return TRUE;
}

static gboolean
check_required (const ClqFeature *feature, GError **error)
{
  switch (feature->type)
    {
    case CLQ_FEATURE_NODE:
      return check_node ((const ClqNodeInfo *) feature, error);
    case CLQ_FEATURE_MODALITY:
      return check_modality ((const ClqModalityInfo *) feature, error);
    case CLQ_FEATURE_AGENT:
      return require (((const ClqAgentInfo *) feature)->complete != NULL, "complete", error);
    case CLQ_FEATURE_STORE:
      {
        const ClqStoreInfo *store = (const ClqStoreInfo *) feature;

        return require (store->open != NULL, "open", error) && require (store->commit != NULL, "commit", error) &&
               require (store->load != NULL, "load", error) && require (store->journal != NULL, "journal", error) &&
               require (store->list != NULL, "list", error) && require (store->graph != NULL, "graph", error);
      }
    case CLQ_FEATURE_TOOL:
      return check_tool ((const ClqToolInfo *) feature, error);
    case CLQ_FEATURE_SERVICE:
      {
        const ClqServiceInfo *service = (const ClqServiceInfo *) feature;

        return require (service->start != NULL, "start", error) && require (service->stop != NULL, "stop", error);
      }
    default:
      return FALSE;
    }
}

static gboolean
check_choices (const char *const *choices, GError **error)
{
  if (!require (choices != NULL && choices[0] != NULL, "choices", error))
    return FALSE;
  for (guint i = 0; choices[i] != NULL; i++)
    for (guint j = 0; j < i; j++)
      if (strcmp (choices[i], choices[j]) == 0)
        return duplicate_error (error, "choice", choices[i]);
  return TRUE;
}

/* Where the value goes. */
static gboolean
check_member (const ClqFeature *feature, const ClqSetting *setting, GError **error)
{
  const char *type;
  guint64 end;

  if (setting->type < CLQ_SETTING_STRING || setting->type > CLQ_SETTING_FILE)
    return struct_error (error, "unknown type %d", (int) setting->type);
  type = clq_setting_type_to_string (setting->type);
  end = (guint64) setting->offset + members[setting->type].size;
  if (end > feature->self_size)
    return struct_error (error, "its member ends at byte %" G_GUINT64_FORMAT ", but self_size is %u", end, feature->self_size);
  if (setting->offset % members[setting->type].align != 0)
    return struct_error (error, "a member of type %s cannot be at offset %u", type, setting->offset);
  return TRUE;
}

/* Which values it takes. */
static gboolean
check_values (const ClqSetting *setting, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!require (setting->help != NULL && *setting->help != '\0', "help", error))
    return FALSE;
  if (setting->type == CLQ_SETTING_ENUM && !check_choices (setting->choices, error))
    return FALSE;
  if (!(setting->min <= setting->max))
    return struct_error (error, "the range %g..%g is empty", setting->min, setting->max);
  /* To read a secret is no check: its file or variable may not be there yet. */
  if (setting->type != CLQ_SETTING_SECRET && setting->standard != NULL &&
      !clq_setting_parse (setting, setting->standard, NULL, &local))
    return struct_error (error, "default: %s", local->message);
  return TRUE;
}

static gboolean
check_setting (const ClqFeature *feature, const ClqSetting *setting, GError **error)
{
  g_autofree char *key = clq_setting_dup_key (setting);

  if (!is_key (setting->name))
    return check_word (setting->name, "setting", error);
  /* A row is found by its key, in which - and _ are the same. */
  if (clq_settings_find (feature->settings, feature->setting_size, key) != setting)
    return duplicate_error (error, "setting", key);
  if (check_member (feature, setting, error) && check_values (setting, error))
    return TRUE;
  g_prefix_error (error, "setting '%s': ", key);
  return FALSE;
}

static gboolean
check_settings (const ClqFeature *feature, GError **error)
{
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (feature->settings, feature->setting_size, setting)) != NULL)
    if (!check_setting (feature, setting, error))
      return FALSE;
  return TRUE;
}

/* What must hold before the name can be read. */
static gboolean
check_head (const ClqFeature *feature, GError **error)
{
  const char *word;

  if (feature == NULL)
    return struct_error (error, "is NULL; expected the feature of an info struct");
  if (feature->type < CLQ_FEATURE_NODE || feature->type > CLQ_FEATURE_SERVICE)
    return struct_error (error, "unknown type %u; expected a struct that begins with CLQ_NODE_INFO or the like", feature->type);
  word = clq_feature_type_to_string (feature->type);
  if (feature->size != info_sizes[feature->type])
    return struct_error (error, "the %s has %u bytes, expected %" G_GSIZE_FORMAT "; " REBUILD, word, feature->size, info_sizes[feature->type]);
  if (feature->setting_size != sizeof (ClqSetting))
    return struct_error (error, "a setting of the %s has %u bytes, expected %" G_GSIZE_FORMAT "; " REBUILD,
                         word, feature->setting_size, sizeof (ClqSetting));
  if (!clq_name_is_valid (feature->name))
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NAME, "the %s's name is '%s'; expected small letters, digits and dashes",
                   word, feature->name != NULL ? feature->name : "");
      return FALSE;
    }
  return TRUE;
}

/**
 * clq_feature_check:
 * @feature: (nullable): what a plugin offers
 * @number: which of the plugin's features it is, from 1
 * @error: return location
 *
 * Checks, in this order: type, sizes, name, required fields, settings. Calls nothing of the plugin. Messages call the
 * feature by its number until the name is known to be good.
 *
 * Returns: whether the host can use the feature
 */
gboolean
clq_feature_check (const ClqFeature *feature, guint number, GError **error)
{
  if (!check_head (feature, error))
    {
      g_prefix_error (error, "feature %u: ", number);
      return FALSE;
    }
  if (require (feature->summary != NULL && *feature->summary != '\0', "summary", error) &&
      check_required (feature, error) && check_settings (feature, error))
    return TRUE;
  g_prefix_error (error, "%s '%s': ", clq_feature_type_to_string (feature->type), feature->name);
  return FALSE;
}
