/* no-choices: its setting has nothing to choose from. */
#include "bad.h"

typedef struct
{
  int mood;
} Self;

static const ClqSetting settings[] = {
  CLQ_ENUM (Self, mood, "calm", NULL, "how"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("no-choices");
