/* bad-default: the default of its setting is no number. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  CLQ_INT (Self, words, many, 0, 10, "how many"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("bad-default");
