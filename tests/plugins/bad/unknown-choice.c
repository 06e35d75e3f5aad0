/* unknown-choice: the default of its setting is no choice. */
#include "bad.h"

typedef struct
{
  int mood;
} Self;

static const ClqSetting settings[] = {
  CLQ_ENUM (Self, mood, "clam", CLQ_CHOICES ("calm", "loud"), "how"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("unknown-choice");
