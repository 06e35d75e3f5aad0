/* duplicate-setting: two of its settings have one key. */
#include "bad.h"

typedef struct
{
  gint64 max_words;
  gint64 other;
} Self;

static const ClqSetting settings[] = {
  CLQ_INT (Self, max_words, 1, 0, 10, "how many"),
  { "max-words", CLQ_SETTING_INT, 8, "1", 0, 10, NULL, "how many" },
  { NULL },
};

PLUGIN_WITH_SETTINGS ("duplicate-setting");
