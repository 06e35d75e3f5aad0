/* A change as text, for the helpers that show what was written. */
#pragma once

#include "clq-private.h"

G_BEGIN_DECLS

void test_change_print (const ClqChange *change, GString *out);
const char *test_change_find_set (const ClqChange *change, const char *path);

G_END_DECLS
