/* Instances of the memory store, as the registry gives them. */
#pragma once

#include <colloquy-testing.h>

#include "clq-registry.h"

G_BEGIN_DECLS

gpointer memory_open (const ClqStoreInfo **info, gpointer user_data);
void memory_close (gpointer instance, gpointer user_data);

G_END_DECLS
