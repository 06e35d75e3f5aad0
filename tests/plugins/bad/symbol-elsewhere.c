/* symbol-elsewhere: only a library that it needs is a plugin. */
#include "bad.h"

__attribute__ ((visibility ("default"))) extern const ClqPlugin *symbol_elsewhere;
const ClqPlugin *symbol_elsewhere = &clq_plugin;
