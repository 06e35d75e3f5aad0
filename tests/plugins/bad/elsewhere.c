/* elsewhere: no plugin of its own, but a library with the symbol of one. */
#include <colloquy.h>

__attribute__ ((visibility ("default"))) extern const int clq_test_elsewhere;
const int clq_test_elsewhere = 1;

const ClqPlugin clq_plugin = { .magic = CLQ_PLUGIN_MAGIC };
