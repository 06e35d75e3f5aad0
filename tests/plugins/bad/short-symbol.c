/* short-symbol: ends after two numbers. */
#include "bad.h"

extern const guint32 two_numbers[2] __asm__("clq_plugin") __attribute__ ((visibility ("default")));
const guint32 two_numbers[2] = { CLQ_PLUGIN_MAGIC, CLQ_ABI_MAJOR };
