/* no-symbol: does not say what it is. */
#include "bad.h"

__attribute__ ((visibility ("default"))) extern const int clq_plugins;
const int clq_plugins = 1;
