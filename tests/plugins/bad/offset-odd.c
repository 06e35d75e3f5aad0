/* offset-odd: its setting is where no number can be. */
#include "bad.h"

typedef struct
{
  gint64 words;
  gint64 more;
} Self;

static const ClqSetting settings[] = {
  { "words", CLQ_SETTING_INT, 4, "1", 0, 10, NULL, "how many" },
  { NULL },
};

PLUGIN_WITH_SETTINGS ("offset-odd");
