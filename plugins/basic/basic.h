/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

extern const ClqNodeInfo basic_ask;
extern const ClqNodeInfo basic_count;
extern const ClqNodeInfo basic_fail;
extern const ClqNodeInfo basic_panel;
extern const ClqNodeInfo basic_pause;
extern const ClqNodeInfo basic_reply;
extern const ClqNodeInfo basic_say;
extern const ClqModalityInfo basic_notes;

char *basic_dup_request (ClqVisit *visit);

G_END_DECLS
