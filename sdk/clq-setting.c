#define G_LOG_DOMAIN "clq-setting"

#include "clq-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const type_names[] = {
  [CLQ_SETTING_STRING] = "string",
  [CLQ_SETTING_INT] = "int",
  [CLQ_SETTING_DOUBLE] = "double",
  [CLQ_SETTING_BOOL] = "bool",
  [CLQ_SETTING_DURATION] = "duration",
  [CLQ_SETTING_ENUM] = "enum",
  [CLQ_SETTING_LIST] = "list",
  [CLQ_SETTING_JSON] = "json",
  [CLQ_SETTING_SECRET] = "secret",
  [CLQ_SETTING_FILE] = "file",
};

/**
 * clq_setting_type_to_string:
 * @type: a type
 *
 * Returns: (transfer none): its name
 */
const char *
clq_setting_type_to_string (ClqSettingType type)
{
  g_return_val_if_fail (type >= CLQ_SETTING_STRING && type <= CLQ_SETTING_FILE, "?");
  return type_names[type];
}

/**
 * clq_setting_dup_key:
 * @setting: a setting
 *
 * Returns: (transfer full): the key as it stands in a file: the member's name with `-` for `_`
 */
char *
clq_setting_dup_key (const ClqSetting *setting)
{
  return g_strdelimit (g_strdup (setting->name), "_", '-');
}

static gboolean
has_range (const ClqSetting *setting)
{
  return setting->max > setting->min;
}

/**
 * clq_setting_dup_range:
 * @setting: a setting
 *
 * Returns: (transfer full) (nullable): what values are allowed, for people; %NULL if all of the type are
 */
char *
clq_setting_dup_range (const ClqSetting *setting)
{
  if (setting->type == CLQ_SETTING_ENUM)
    return g_strjoinv ("|", (char **) setting->choices);
  if ((setting->type == CLQ_SETTING_INT || setting->type == CLQ_SETTING_DOUBLE) && has_range (setting))
    return g_strdup_printf ("%.15g..%.15g", setting->min, setting->max);
  if (setting->type == CLQ_SETTING_SECRET)
    return g_strdup ("env:NAME|file:PATH|secret:NAME");
  return NULL;
}

static gboolean
value_error (GError **error, const char *text, const char *expected)
{
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "'%s' is no %s", text, expected);
  return FALSE;
}

static gboolean
check_range (const ClqSetting *setting, double number, const char *text, GError **error)
{
  if (!has_range (setting) || (number >= setting->min && number <= setting->max))
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_RANGE,
               "%s is out of range; expected %.15g to %.15g", text, setting->min, setting->max);
  return FALSE;
}

/* The functions that read numbers skip space before them; space behind them is an error, so this is one as well. */
static gboolean
begins_with_space (const char *text)
{
  return g_ascii_isspace (text[0]);
}

static gboolean
parse_int (const ClqSetting *setting, const char *text, gint64 *place, GError **error)
{
  char *end = NULL;
  gint64 number;

  errno = 0;
  number = g_ascii_strtoll (text, &end, 10);
  if (end == text || *end != '\0' || begins_with_space (text))
    return value_error (error, text, "whole number");
  if (errno == ERANGE && !has_range (setting))
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_RANGE, "%s is out of range; expected %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                   text, G_MININT64, G_MAXINT64);
      return FALSE;
    }
  if (!check_range (setting, (double) number, text, error))
    return FALSE;
  *place = number;
  return TRUE;
}

static gboolean
parse_double (const ClqSetting *setting, const char *text, double *place, GError **error)
{
  char *end = NULL;
  double number = g_ascii_strtod (text, &end);

  /* What would be read as a number but is not written as one: inf, nan, 0x1p3. */
  if (end == text || *end != '\0' || begins_with_space (text) || strpbrk (text, "nNxX") != NULL)
    return value_error (error, text, "number");
  if (!check_range (setting, number, text, error))
    return FALSE;
  if (!isfinite (number))
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_RANGE, "%s is out of range; expected a number below 1.8e308", text);
      return FALSE;
    }
  *place = number;
  return TRUE;
}

static gboolean
parse_bool (const char *text, gboolean *place, GError **error)
{
  if (g_ascii_strcasecmp (text, "true") == 0)
    *place = TRUE;
  else if (g_ascii_strcasecmp (text, "false") == 0)
    *place = FALSE;
  else
    return value_error (error, text, "boolean; expected true or false");
  return TRUE;
}

static gboolean
parse_enum (const ClqSetting *setting, const char *text, int *place, GError **error)
{
  g_autofree char *hint = NULL;

  for (int i = 0; setting->choices[i] != NULL; i++)
    if (strcmp (text, setting->choices[i]) == 0)
      {
        *place = i;
        return TRUE;
      }
  hint = clq_did_you_mean (text, setting->choices);
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "'%s' is no choice%s", text, hint);
  return FALSE;
}

static char **
parse_list (const char *text)
{
  g_autoptr (GString) item = g_string_new (NULL);
  GPtrArray *list = g_ptr_array_new ();

  for (const char *next = text;; next++)
    if (*next == '\\' && next[1] == ';')
      g_string_append_c (item, *++next);
    else if (*next != ';' && *next != '\0')
      g_string_append_c (item, *next);
    else
      {
        char *copy = g_strstrip (g_strdup (item->str));

        if (*copy != '\0')
          g_ptr_array_add (list, copy);
        else
          g_free (copy);
        g_string_truncate (item, 0);
        if (*next == '\0')
          break;
      }
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (list, FALSE);
}

static void
clear_one (const ClqSetting *setting, gpointer self)
{
  gpointer place = G_STRUCT_MEMBER_P (self, setting->offset);

  switch (setting->type)
    {
    case CLQ_SETTING_STRING:
    case CLQ_SETTING_JSON:
    case CLQ_SETTING_FILE:
      g_clear_pointer ((char **) place, g_free);
      break;
    case CLQ_SETTING_LIST:
      g_clear_pointer ((char ***) place, g_strfreev);
      break;
    case CLQ_SETTING_SECRET:
      g_clear_pointer ((ClqSecret **) place, clq_secret_unref);
      break;
    case CLQ_SETTING_INT:
    case CLQ_SETTING_DOUBLE:
    case CLQ_SETTING_BOOL:
    case CLQ_SETTING_DURATION:
    case CLQ_SETTING_ENUM:
    default:
      break;
    }
}

/**
 * clq_setting_parse:
 * @setting: a setting
 * @text: the value as it stands in a file
 * @self: (nullable): the struct to write to; %NULL only checks
 * @error: return location
 *
 * Reads a value. The old one is freed; on error it stays.
 *
 * Returns: whether @text is a value of this setting
 */
gboolean
clq_setting_parse (const ClqSetting *setting, const char *text, gpointer self, GError **error)
{
  union
  {
    gint64 whole;
    double real;
    int index;
    gpointer pointer;
  } scratch = { 0 };
  gpointer place = self != NULL ? G_STRUCT_MEMBER_P (self, setting->offset) : (gpointer) &scratch;
  ClqSecret *secret;

  switch (setting->type)
    {
    case CLQ_SETTING_INT:
      return parse_int (setting, text, place, error);
    case CLQ_SETTING_DOUBLE:
      return parse_double (setting, text, place, error);
    case CLQ_SETTING_BOOL:
      return parse_bool (text, place, error);
    case CLQ_SETTING_ENUM:
      return parse_enum (setting, text, place, error);
    case CLQ_SETTING_DURATION:
      if (!clq_duration_parse (text, place))
        return value_error (error, text, "duration; expected a number with ms, s, min, h or d");
      return TRUE;
    case CLQ_SETTING_JSON:
      if (!clq_json_check (text, -1, NULL, error))
        return FALSE;
      G_GNUC_FALLTHROUGH;
    case CLQ_SETTING_FILE: /* whoever makes the instance knows where to look for it */
    case CLQ_SETTING_STRING:
      if (self != NULL)
        {
          clear_one (setting, self);
          *(char **) place = g_strdup (text);
        }
      return TRUE;
    case CLQ_SETTING_LIST:
      if (self != NULL)
        {
          clear_one (setting, self);
          *(char ***) place = parse_list (text);
        }
      return TRUE;
    case CLQ_SETTING_SECRET:
      secret = clq_secret_new_from_reference (text, error);
      if (secret == NULL)
        return FALSE;
      if (self != NULL)
        clear_one (setting, self);
      else
        clq_secret_unref (secret);
      if (self != NULL)
        *(ClqSecret **) place = secret;
      return TRUE;
    default:
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "the table has an unknown type %d", setting->type);
      return FALSE;
    }
}

static char *
print_list (char **items)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; items[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (out, ';');
      for (const char *next = items[i]; *next != '\0'; next++)
        {
          if (*next == ';')
            g_string_append_c (out, '\\');
          g_string_append_c (out, *next);
        }
    }
  return g_string_free (out, FALSE);
}

/* As few digits as reading it back needs. */
static char *
print_double (double number)
{
  GString *text = g_string_new (NULL);

  clq_json_append_double (text, number);
  return g_string_free (text, FALSE);
}

/**
 * clq_setting_print:
 * @setting: a setting
 * @self: the struct to read from
 *
 * Returns: (transfer full) (nullable): the value as it would stand in a file; never a secret
 */
char *
clq_setting_print (const ClqSetting *setting, gconstpointer self)
{
  gconstpointer place = (const char *) self + setting->offset;

  switch (setting->type)
    {
    case CLQ_SETTING_STRING:
    case CLQ_SETTING_JSON:
    case CLQ_SETTING_FILE:
      return g_strdup (*(char *const *) place);
    case CLQ_SETTING_INT:
      if (setting->standard == NULL && *(const gint64 *) place == CLQ_INT_UNSET)
        return NULL;
      return g_strdup_printf ("%" G_GINT64_FORMAT, *(const gint64 *) place);
    case CLQ_SETTING_DOUBLE:
      if (setting->standard == NULL && *(const double *) place == CLQ_DOUBLE_UNSET)
        return NULL;
      return print_double (*(const double *) place);
    case CLQ_SETTING_BOOL:
      return g_strdup (*(const gboolean *) place ? "true" : "false");
    case CLQ_SETTING_DURATION:
      return clq_duration_print (*(const GTimeSpan *) place);
    case CLQ_SETTING_ENUM:
      return g_strdup (setting->choices[*(const int *) place]);
    case CLQ_SETTING_LIST:
      return *(char **const *) place != NULL ? print_list (*(char **const *) place) : NULL;
    case CLQ_SETTING_SECRET:
      return g_strdup (*(ClqSecret *const *) place != NULL ? "(set)" : "(not set)");
    default:
      return NULL;
    }
}

/**
 * clq_settings_next:
 * @settings: (nullable): a table
 * @element_size: of one row, as its plugin was compiled
 * @previous: (nullable): a row, or %NULL for the first
 *
 * Returns: (transfer none) (nullable): the next row
 */
const ClqSetting *
clq_settings_next (const ClqSetting *settings, gsize element_size, const ClqSetting *previous)
{
  const ClqSetting *next;

  if (settings == NULL)
    return NULL;
  next = previous == NULL ? settings : (const ClqSetting *) ((const char *) previous + element_size);
  return next->name != NULL ? next : NULL;
}

/**
 * clq_settings_find:
 * @settings: (nullable): a table
 * @element_size: of one row
 * @key: a key as it stands in a file
 *
 * Returns: (transfer none) (nullable): its row
 */
const ClqSetting *
clq_settings_find (const ClqSetting *settings, gsize element_size, const char *key)
{
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (settings, element_size, setting)) != NULL)
    {
      const char *a = setting->name, *b = key;

      while (*a != '\0' && (*a == *b || (*a == '_' && *b == '-')))
        a++, b++;
      if (*a == '\0' && *b == '\0')
        return setting;
    }
  return NULL;
}

/**
 * clq_settings_dup_keys:
 * @settings: (nullable): a table
 * @element_size: of one row
 *
 * Returns: (transfer full): all keys
 */
char **
clq_settings_dup_keys (const ClqSetting *settings, gsize element_size)
{
  GPtrArray *keys = g_ptr_array_new ();
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (settings, element_size, setting)) != NULL)
    g_ptr_array_add (keys, clq_setting_dup_key (setting));
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (keys, FALSE);
}

/* A number without a default is none. */
static void
unset (const ClqSetting *setting, gpointer self)
{
  gpointer place = G_STRUCT_MEMBER_P (self, setting->offset);

  if (setting->type == CLQ_SETTING_INT)
    *(gint64 *) place = CLQ_INT_UNSET;
  else if (setting->type == CLQ_SETTING_DOUBLE)
    *(double *) place = CLQ_DOUBLE_UNSET;
}

/**
 * clq_settings_set_defaults:
 * @settings: (nullable): a table
 * @element_size: of one row
 * @self: the struct to fill
 * @error: return location
 *
 * Returns: whether every default of the table can be read
 */
gboolean
clq_settings_set_defaults (const ClqSetting *settings, gsize element_size, gpointer self, GError **error)
{
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (settings, element_size, setting)) != NULL)
    if (setting->standard == NULL)
      unset (setting, self);
    else if (!clq_setting_parse (setting, setting->standard, self, error))
      {
        g_autofree char *key = clq_setting_dup_key (setting);

        g_prefix_error (error, "default of '%s': ", key);
        return FALSE;
      }
  return TRUE;
}

/**
 * clq_settings_clear:
 * @settings: (nullable): a table
 * @element_size: of one row
 * @self: the struct
 *
 * Frees what the settings own.
 */
void
clq_settings_clear (const ClqSetting *settings, gsize element_size, gpointer self)
{
  const ClqSetting *setting = NULL;

  while ((setting = clq_settings_next (settings, element_size, setting)) != NULL)
    clear_one (setting, self);
}
