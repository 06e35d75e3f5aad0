/* A node that asks the agent `judge`, once or several times at once, and writes down what comes back. */
#pragma once

#include "scripted.h"

#include <colloquy-testing.h>

G_BEGIN_DECLS

#define HEARD(text) "{\"messages\":[{\"role\":\"user\",\"text\":" text "}]}"

extern const ClqNodeInfo test_caller;

void test_add_judge (ClqTestNode *test, const char *key, const char *value);
void test_assert_refused (const char *key, const char *value, const char *message);

void test_add_rules (void);

G_END_DECLS
