/* cut-symbol: says that it is whole but ends before its pointers. */
#include "bad.h"

extern const guint32 numbers[4] __asm__("clq_plugin") __attribute__ ((visibility ("default")));
const guint32 numbers[4] = { CLQ_PLUGIN_MAGIC, CLQ_ABI_MAJOR, sizeof (ClqPlugin), 1 };
