/* A host with background conversations whose agent always says the same, and what it did. */
#pragma once

#include <colloquy-host.h>

G_BEGIN_DECLS

typedef struct
{
  GMainContext *context;
  ClqHost *host;
  ClqGraph *graph;
  GHashTable *runs;   /* session and scheduled time → how often that run was started */
  GHashTable *owners; /* session → owner */
  guint64 n_due;
  guint64 n_complete;
  guint n_open;    /* conversations that are at work */
  guint most_open; /* at once */
  GString *order;  /* owners, in the order in which their work began */
} Worker;

void worker_init (Worker *self, const char *store, gint64 manual, const char *reply, const char *const *overrides);
void worker_clear (Worker *self);
void worker_place (Worker *self, const char *owner, const char *schedule, const char *next_run);

G_END_DECLS
