/* default-out-of-range: the default of its setting is out of the range. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  CLQ_INT (Self, words, 11, 0, 10, "how many"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("default-out-of-range");
