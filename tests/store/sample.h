/* Sessions whose every commit is known beforehand, so that what a store has can be compared with what it should have. */
#pragma once

#include "sqlite.h"

G_BEGIN_DECLS

/* How far a session has come. */
typedef struct
{
  guint session;
  guint n_steps;
  guint64 seq;
  guint32 n_segments;
} Sample;

#define SAMPLE(number) ((Sample){ .session = (number), .n_segments = 1 })

/* The next commit of a session; the caller decides whether it counts. */
ClqCommit *sample_next (Sample *self);

/* Writes so many steps of each of so many sessions, from 1 on. */
void sample_write (TestStore *store, guint n_sessions, guint n_steps);

/*
 * How many steps of a session the store has; -1 and an error if it says that they are damaged, or CLQ_STORE_ERROR_NOT_FOUND
 * if it has forgotten a key. That it has anything else than these steps is a failure of the test.
 */
int sample_read (TestStore *store, guint session, GError **error);

/* The sums of what agents have used are those of the steps that the store has, which are of so many sessions. */
void sample_assert_usage (TestStore *store, guint n_sessions);

G_END_DECLS
