/* A conversation in a test: one session of a host, driven step by step. */
#pragma once

#include "clq-host-private.h"

#include <string.h>

G_BEGIN_DECLS

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED TRUE
#else
#define SANITIZED FALSE
#endif

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
  char *result; /* of the last action */
  GError *error;
} Talk;

Talk *talk_new (const char *store, const char *const *overrides, ...) G_GNUC_NULL_TERMINATED;
void talk_free (Talk *self);
void talk_open (Talk *self);
gboolean talk_try (Talk *self, const char *action, const char *format, ...) G_GNUC_PRINTF (3, 4);
void talk_act (Talk *self, const char *action, const char *format, ...) G_GNUC_PRINTF (3, 4);
void talk_say (Talk *self, const char *text);
void talk_put (Talk *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
char *talk_dup_data (Talk *self);
gint64 talk_get_int (Talk *self, const char *path);
char *talk_dup_string (Talk *self, const char *path);
char *talk_dup_seen (Talk *self);
char *talk_dup_state (Talk *self);
char *talk_dup_kept (Talk *self);
guint64 talk_get_seq (Talk *self);
gsize talk_count_bytes (Talk *self, guint64 after);
void talk_remove (const char *folder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Talk, talk_free)

G_END_DECLS
