/*
 * What is done to the store of a host while its sessions are busy writing there: sessions are brought in and taken away. Commits of
 * the next batch are on their way to the writer then.
 */
#include <colloquy-host.h>

#include "sqlite.h"

#define N_SESSIONS 64

typedef struct
{
  char *folder;
  char *place;
  ClqHost *host;
  ClqGraph *graph;
  guint8 ids[N_SESSIONS][16];
  char *exported;
  GPtrArray *imported; /* ids as text */
  guint n_replies;
  guint n_refused;
  guint n_removed;
} Traffic;

static void
on_failed_reply (const ClqReply *reply, gpointer user_data)
{
  g_assert_no_error (reply->error);
}

static void
set_up (Traffic *self, gconstpointer data)
{
  g_autoptr (ClqFindings) findings = clq_findings_new ();
  g_autoptr (GError) error = NULL;

  self->folder = sqlite_folder_new ();
  self->place = g_strdup_printf ("sqlite:%s/store.db", self->folder);
  self->imported = g_ptr_array_new_with_free_func (g_free);
  self->host = clq_host_new (NULL);
  self->graph = clq_host_load_graph (self->host, "echo", NULL, FALSE, findings);
  g_assert_nonnull (self->graph);
  g_assert_true (clq_host_use_store (self->host, self->place, &error));
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      clq_host_new_id (self->host, self->ids[i]);
      clq_host_open_session (self->host, self->graph, self->ids[i], NULL, NULL, NULL, on_failed_reply, NULL);
    }
  clq_host_settle (self->host);
}

static void
tear_down (Traffic *self, gconstpointer data)
{
  clq_host_close (self->host);
  clq_graph_unref (self->graph);
  g_object_unref (self->host);
  g_ptr_array_unref (self->imported);
  sqlite_folder_free (self->folder);
  g_free (self->place);
  g_free (self->exported);
}

static void
send (Traffic *self, guint session, ClqReplyFunc func)
{
  const ClqInput input = { .kind = CLQ_INPUT_MESSAGE, .role = CLQ_ROLE_USER, .text = "Hello" };

  clq_host_send (self->host, self->ids[session], &input, func, self);
}

/* ---- bringing in ---- */

static void
on_exported (const char *text, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  ((Traffic *) user_data)->exported = g_strdup (text);
}

static void
on_imported (const char *id, const GError *error, gpointer user_data)
{
  Traffic *self = user_data;

  g_assert_no_error (error);
  g_ptr_array_add (self->imported, g_strdup (id));
}

static void
on_reply_with_import (const ClqReply *reply, gpointer user_data)
{
  Traffic *self = user_data;

  g_assert_no_error (reply->error);
  if (++self->n_replies % 16 == 10)
    clq_host_import_session (self->host, self->exported, TRUE, on_imported, self);
}

static void
on_found (ClqSession *session, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  *(gboolean *) user_data = session != NULL;
}

/* What is brought in stands in the store, and what others write there meanwhile, too. */
static void
test_import (Traffic *self, gconstpointer data)
{
  clq_host_export_session (self->host, self->ids[0], on_exported, self);
  clq_host_settle (self->host);
  for (guint round = 0; round < 3; round++)
    {
      for (guint i = 0; i < N_SESSIONS; i++)
        send (self, i, on_reply_with_import);
      clq_host_settle (self->host);
    }
  g_assert_cmpuint (self->n_replies, ==, 3 * N_SESSIONS);
  g_assert_cmpuint (self->imported->len, ==, self->n_replies / 16);
  for (guint i = 0; i < self->imported->len; i++)
    {
      gboolean is_there = FALSE;
      guint8 id[16];

      g_assert_true (clq_id_parse (self->imported->pdata[i], id));
      clq_host_find_session (self->host, id, on_found, &is_there);
      clq_host_settle (self->host);
      g_assert_true (is_there);
    }
}

/* ---- taking away ---- */

static void
on_removed (const char *text, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  ((Traffic *) user_data)->n_removed++;
}

static void
on_reply (const ClqReply *reply, gpointer user_data)
{
  Traffic *self = user_data;

  if (reply->error != NULL)
    self->n_refused++;
  else
    self->n_replies++;
}

/* What is sent to a session that is being taken away is refused; the others do not notice. */
static void
test_remove (Traffic *self, gconstpointer data)
{
  const guint n_removed = 4;

  for (guint i = 0; i < n_removed; i++)
    clq_host_remove_session (self->host, self->ids[i], on_removed, self);
  for (guint i = 0; i < N_SESSIONS; i++)
    send (self, i, on_reply);
  clq_host_settle (self->host);
  g_assert_cmpuint (self->n_removed, ==, n_removed);
  g_assert_cmpuint (self->n_refused, ==, n_removed);
  g_assert_cmpuint (self->n_replies, ==, N_SESSIONS - n_removed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/colloquy/traffic/import", Traffic, NULL, set_up, test_import, tear_down);
  g_test_add ("/colloquy/traffic/remove", Traffic, NULL, set_up, test_remove, tear_down);
  return g_test_run ();
}
