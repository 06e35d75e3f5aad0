/* What the files of the plugin clock share. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

extern const ClqToolInfo clock_now;

G_END_DECLS
