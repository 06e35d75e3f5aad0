/* offset-outside: its setting is not in its instance. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  { "words", CLQ_SETTING_INT, sizeof (Self), "1", 0, 10, NULL, "how many" },
  { NULL },
};

PLUGIN_WITH_SETTINGS ("offset-outside");
