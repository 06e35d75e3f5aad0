/* bad-json: the default of its setting is broken JSON. */
#include "bad.h"

typedef struct
{
  char *shape;
} Self;

static const ClqSetting settings[] = {
  CLQ_JSON (Self, shape, "{\"a\":}", "what"),
  { NULL },
};

PLUGIN_WITH_SETTINGS ("bad-json");
