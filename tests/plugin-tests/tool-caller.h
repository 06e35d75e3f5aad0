/* A node that uses one tool, for the tests of tools. */
#pragma once

#include <colloquy-testing.h>

G_BEGIN_DECLS

/* The test of a node that uses @kind with @arguments; the tool is added by clq_test_node_add_tool (). */
ClqTestNode *tool_caller_new (const char *kind, const char *arguments);

/* Enters it and waits; what the tool returned, or `CLASS: message`. */
const char *tool_caller_run (ClqTestNode *test);

G_END_DECLS
