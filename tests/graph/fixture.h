/* What the tests of graphs share. */
#pragma once

#include "clq-graph.h"

G_BEGIN_DECLS

#define HEAD "[graph]\nformat=1\nname=text\ninitial=a\n"

typedef struct
{
  ClqRegistry *registry;
  ClqFindings *findings;
  ClqGraphOptions options;
} Fixture;

void fixture_set_up (Fixture *fixture, gconstpointer data);
void fixture_tear_down (Fixture *fixture, gconstpointer data);
ClqGraph *fixture_load (Fixture *fixture, const char *text);
void fixture_assert_fails (Fixture *fixture, const char *text, const char *expected);
int fixture_find_state (const ClqGraph *graph, const char *name);
int fixture_find_event (const ClqGraph *graph, const char *name);
void fixture_assert_rules (const ClqGraph *graph, const char *state, const char *event, const char *expected);
void fixture_assert_setting (const ClqBinding *binding, const char *key, const char *expected);

G_END_DECLS
