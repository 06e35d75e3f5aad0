/* empty-range: nothing is in the range of its setting. */
#include "bad.h"

typedef struct
{
  gint64 words;
} Self;

static const ClqSetting settings[] = {
  CLQ_INT (Self, words, 5, 10, 1, "how many"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("empty-range");
