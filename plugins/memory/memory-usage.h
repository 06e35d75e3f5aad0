/* What agents have used, by day. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct
{
  GTree *sums; /* of ClqUsage, by day and agent; none while nothing was used */
} MemoryUsage;

void memory_usage_clear (MemoryUsage *self);
void memory_usage_add (MemoryUsage *self, const ClqUsage *usage);
void memory_usage_read (const MemoryUsage *self, ClqQuery *query);

G_END_DECLS
