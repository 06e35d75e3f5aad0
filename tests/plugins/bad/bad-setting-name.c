/* bad-setting-name: no file could spell its setting. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  { "how many", CLQ_SETTING_INT, 0, "1", 0, 10, NULL, "how many" },
  { NULL },
};

PLUGIN_WITH_SETTINGS ("bad-setting-name");
