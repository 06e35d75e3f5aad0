/* How `colloquy replay` tells what it found. */
#pragma once

#include "clq-replay.h"

G_BEGIN_DECLS

void replay_print_difference (const ClqReplayReport *report, const char *id);
void replay_print_json (const ClqReplayReport *report, const char *id);

G_END_DECLS
