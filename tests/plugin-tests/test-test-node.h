/* What the tests of the node helper share. */
#pragma once

#include <colloquy-testing.h>

G_BEGIN_DECLS

/* A node of which only enter is of interest. */
#define NODE(node_name) \
  static const ClqNodeInfo node_name##_info = { \
    CLQ_NODE_INFO, \
    .name = #node_name, \
    .summary = "Does one thing", \
    .outcomes = CLQ_OUTCOMES ("done", "other"), \
    .enter = node_name##_enter, \
  }

void test_add_calls (void);

G_END_DECLS
