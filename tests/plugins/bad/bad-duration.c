/* bad-duration: the default of its setting has no unit. */
#include "bad.h"

typedef struct
{
  GTimeSpan length;
} Self;

static const ClqSetting settings[] = {
  CLQ_DURATION (Self, length, "5", "how long"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("bad-duration");
