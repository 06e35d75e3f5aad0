/*
 * Settings: one table says everything about a configuration value. Parsing, checking, defaults, `inspect` and the
 * documentation all come from it.
 *
 *   static const ClqSetting settings[] = {
 *     CLQ_STRING (Shout, suffix, "!", "text put after every message"),
 *     CLQ_INT (Shout, times, 1, 1, 10, "how often"),
 *     { NULL },
 *   };
 *
 * The key is the name of the member with `-` for `_`; a row that is written out may have dots in its name as well. A default of NULL
 * means: none. Then the member stays 0 or NULL, but a number, for which 0 may be a value like any other, then is CLQ_INT_UNSET or
 * CLQ_DOUBLE_UNSET.
 */
#pragma once

#include "clq-types.h"

#include <math.h>

G_BEGIN_DECLS

typedef enum
{
  CLQ_SETTING_STRING = 1, /* char * */
  CLQ_SETTING_INT,        /* gint64 */
  CLQ_SETTING_DOUBLE,     /* double */
  CLQ_SETTING_BOOL,       /* gboolean */
  CLQ_SETTING_DURATION,   /* GTimeSpan; "250ms", "5s", "2min", "1h", "1d" */
  CLQ_SETTING_ENUM,       /* int, the index of the choice */
  CLQ_SETTING_LIST,       /* char **, separated by ; */
  CLQ_SETTING_JSON,       /* char *, a checked text */
  CLQ_SETTING_SECRET,     /* ClqSecret *, written env:NAME, file:PATH or secret:NAME */
  CLQ_SETTING_FILE,       /* char *, the absolute path of a file or folder that is there */
} ClqSettingType;

typedef struct
{
  const char *name;
  ClqSettingType type;
  guint32 offset;
  const char *standard; /* the default, as it would be written in a file */
  double min;
  double max; /* no range if the same as min; less is an error */
  const char *const *choices;
  const char *help;
} ClqSetting;

/* Numbers that nobody has set. */
#define CLQ_INT_UNSET G_MININT64
#define CLQ_DOUBLE_UNSET (-HUGE_VAL)

/* The offset of a member, with a compile-time check of its type. */
#define CLQ_MEMBER(Struct, member, Type) \
  (guint32) (offsetof (Struct, member) + 0 * sizeof ((Type *) 0 == &((Struct *) 0)->member))

#define CLQ_CHOICES(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define CLQ_STRING(Struct, member, standard, help) \
  { \
#member, CLQ_SETTING_STRING, CLQ_MEMBER(Struct, member, char *), standard, 0, 0, NULL, help \
  }
#define CLQ_INT(Struct, member, standard, min, max, help) \
  { \
#member, CLQ_SETTING_INT, CLQ_MEMBER(Struct, member, gint64), #standard, min, max, NULL, help \
  }
#define CLQ_DOUBLE(Struct, member, standard, min, max, help) \
  { \
#member, CLQ_SETTING_DOUBLE, CLQ_MEMBER(Struct, member, double), #standard, min, max, NULL, help \
  }
#define CLQ_OPTIONAL_INT(Struct, member, min, max, help) \
  { \
#member, CLQ_SETTING_INT, CLQ_MEMBER(Struct, member, gint64), NULL, min, max, NULL, help \
  }
#define CLQ_OPTIONAL_DOUBLE(Struct, member, min, max, help) \
  { \
#member, CLQ_SETTING_DOUBLE, CLQ_MEMBER(Struct, member, double), NULL, min, max, NULL, help \
  }
#define CLQ_BOOL(Struct, member, standard, help) \
  { \
#member, CLQ_SETTING_BOOL, CLQ_MEMBER(Struct, member, gboolean), #standard, 0, 0, NULL, help \
  }
#define CLQ_DURATION(Struct, member, standard, help) \
  { \
#member, CLQ_SETTING_DURATION, CLQ_MEMBER(Struct, member, GTimeSpan), standard, 0, 0, NULL, help \
  }
#define CLQ_ENUM(Struct, member, standard, choices, help) \
  { \
#member, CLQ_SETTING_ENUM, CLQ_MEMBER(Struct, member, int), standard, 0, 0, choices, help \
  }
#define CLQ_LIST(Struct, member, standard, help) \
  { \
#member, CLQ_SETTING_LIST, CLQ_MEMBER(Struct, member, char **), standard, 0, 0, NULL, help \
  }
#define CLQ_JSON(Struct, member, standard, help) \
  { \
#member, CLQ_SETTING_JSON, CLQ_MEMBER(Struct, member, char *), standard, 0, 0, NULL, help \
  }
#define CLQ_FILE(Struct, member, standard, help) \
  { \
#member, CLQ_SETTING_FILE, CLQ_MEMBER(Struct, member, char *), standard, 0, 0, NULL, help \
  }
#define CLQ_SECRET(Struct, member, help) \
  { \
#member, CLQ_SETTING_SECRET, CLQ_MEMBER(Struct, member, struct _ClqSecret *), NULL, 0, 0, NULL, help \
  }

CLQ_API char *clq_setting_dup_key (const ClqSetting *setting);
CLQ_API const char *clq_setting_type_to_string (ClqSettingType type);
CLQ_API char *clq_setting_dup_range (const ClqSetting *setting);
CLQ_API gboolean clq_setting_parse (const ClqSetting *setting, const char *text, gpointer self, GError **error);
CLQ_API char *clq_setting_print (const ClqSetting *setting, gconstpointer self);
CLQ_API const ClqSetting *clq_settings_find (const ClqSetting *settings, gsize element_size, const char *key);
CLQ_API const ClqSetting *clq_settings_next (const ClqSetting *settings, gsize element_size, const ClqSetting *previous);
CLQ_API char **clq_settings_dup_keys (const ClqSetting *settings, gsize element_size);
CLQ_API gboolean clq_settings_set_defaults (const ClqSetting *settings, gsize element_size, gpointer self, GError **error);
CLQ_API void clq_settings_clear (const ClqSetting *settings, gsize element_size, gpointer self);

G_END_DECLS
