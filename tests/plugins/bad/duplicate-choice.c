/* duplicate-choice: its setting has one choice twice. */
#include "bad.h"

typedef struct
{
  int mood;
} Self;

static const ClqSetting settings[] = {
  CLQ_ENUM (Self, mood, "calm", CLQ_CHOICES ("calm", "loud", "calm"), "how"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("duplicate-choice");
