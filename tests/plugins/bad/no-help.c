/* no-help: its setting is not explained. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  CLQ_INT (Self, words, 1, 0, 10, NULL),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("no-help");
