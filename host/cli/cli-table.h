/* Tables and bars for people. */
#pragma once

#include "cli.h"
#include "term.h"

G_BEGIN_DECLS

#define CLI_BAR 20 /* columns */

void cli_bar_append (GString *out, double share, TermColour colour);
void cli_table_draw (Term *term, TermTable *table);

G_END_DECLS
