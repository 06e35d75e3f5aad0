/* not-filled: leaves it to a constructor to fill its description. */
#include "bad.h"

extern ClqPlugin filled_later __asm__("clq_plugin") __attribute__ ((visibility ("default")));
ClqPlugin filled_later;

__attribute__ ((constructor)) static void
fill (void)
{
  filled_later.magic = CLQ_PLUGIN_MAGIC;
}
