/* What the fixture plugins share: parts that are right, so that each of them does one thing wrong. */
#pragma once

#include <colloquy.h>

/* Shows the test that code of this plugin ran. */
__attribute__ ((constructor)) static void
bad_constructor (void)
{
  g_setenv ("CLQ_TEST_CONSTRUCTOR", "ran", TRUE);
}

G_GNUC_UNUSED static void
bad_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

#define GOOD_NODE(variable, node_name) \
  static const ClqNodeInfo variable = { \
    CLQ_NODE_INFO, \
    .name = node_name, \
    .summary = "Does nothing", \
    .outcomes = CLQ_OUTCOMES ("done"), \
    .enter = bad_enter, \
  }

/* A plugin whose node has the table `settings` over the struct `Self`. */
#define PLUGIN_WITH_SETTINGS(id) \
  static const ClqNodeInfo node = { \
    CLQ_NODE_INFO, \
    .name = "wave", \
    .summary = "Does nothing", \
    .outcomes = CLQ_OUTCOMES ("done"), \
    .settings = settings, \
    .self_size = sizeof (Self), \
    .enter = bad_enter, \
  }; \
  CLQ_PLUGIN (id, "1.0", "A fixture", &node.feature)
