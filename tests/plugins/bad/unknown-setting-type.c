/* unknown-setting-type: its setting is of a type that does not exist. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  { "words", CLQ_SETTING_FILE + 1, 0, "1", 0, 10, NULL, "how many" },
  { NULL },
};

PLUGIN_WITH_SETTINGS ("unknown-setting-type");
