/*
 * The contract of stores as tests. A store author writes
 *
 *   static const ClqTestStore store = { CLQ_TEST_STORE, .open = open_store, .close = close_store };
 *
 *   clq_test_store_add ("/mine/store", &store);
 *
 * between g_test_init () and g_test_run (), and has a case for each thing that clq-store.h says.
 */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct
{
  gsize size;         /* set by CLQ_TEST_STORE; the struct only grows at its end */
  gpointer user_data; /* for the functions below */

  /* A new, empty store, ready to be used. The main context of the test is the thread's default. */
  gpointer (*open) (const ClqStoreInfo **info, gpointer user_data);

  /* What the last instance kept, after that was closed. NULL: nothing outlives closing. */
  gpointer (*reopen) (const ClqStoreInfo **info, gpointer user_data);

  /* The test is done with this instance. */
  void (*close) (gpointer instance, gpointer user_data);

  /* Damages the first record of a session, behind the back of the open store. NULL: nobody can do that. */
  void (*damage) (const guint8 id[16], gpointer user_data);
} ClqTestStore;

#define CLQ_TEST_STORE .size = sizeof (ClqTestStore)

CLQ_API void clq_test_store_add (const char *path, const ClqTestStore *store);

G_END_DECLS
