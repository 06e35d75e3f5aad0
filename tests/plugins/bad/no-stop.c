/* no-stop: its service never ends. */
#include "bad.h"

static gboolean
start (gpointer self, ClqHost *host, GError **error)
{
  return TRUE;
}

static const ClqServiceInfo feature = {
  CLQ_SERVICE_INFO,
  .name = "wave",
  .summary = "Does nothing",
  .start = start,
};
CLQ_PLUGIN ("no-stop", "1.0", "A fixture", &feature.feature);
