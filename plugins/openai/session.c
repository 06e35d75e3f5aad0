/* The connections of a host: one SoupSession per main context, for all agents that run there. */
#include "openai.h"

/* A model thinks long, and a host may ask many at once. */
#define MAX_CONNECTIONS 256
#define MAX_PER_SERVER 64
#define IDLE_SECONDS 60

/* Sessions that are in use, by their context. An entry goes with the last agent that uses it. */
static GMutex lock;
static GHashTable *sessions;

static void
on_gone (gpointer context, GObject *session)
{
  g_mutex_lock (&lock);
  g_hash_table_remove (sessions, context);
  if (g_hash_table_size (sessions) == 0)
    g_clear_pointer (&sessions, g_hash_table_unref);
  g_mutex_unlock (&lock);
  g_main_context_unref (context);
}

/*
 * Nothing but messages: no cookies, no guessing of types, and above all nobody who answers when a server asks for
 * credentials. Time-outs are ours, because those of libsoup do not notice a server that sends a byte now and then.
 */
static SoupSession *
session_new (void)
{
  SoupSession *self = soup_session_new_with_options ("user-agent", "colloquy", "timeout", 0, "idle-timeout", IDLE_SECONDS,
                                                     "max-conns", MAX_CONNECTIONS, "max-conns-per-host", MAX_PER_SERVER, NULL);

  soup_session_remove_feature_by_type (self, SOUP_TYPE_AUTH_MANAGER);
  soup_session_remove_feature_by_type (self, SOUP_TYPE_CONTENT_DECODER);
  soup_session_remove_feature_by_type (self, SOUP_TYPE_CONTENT_SNIFFER);
  soup_session_remove_feature_by_type (self, SOUP_TYPE_COOKIE_JAR);
  return self;
}

/* Returns: (transfer full): the session of the thread's main context */
SoupSession *
openai_session_get (void)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  SoupSession *self;

  g_mutex_lock (&lock);
  if (sessions == NULL)
    sessions = g_hash_table_new (NULL, NULL);
  self = g_hash_table_lookup (sessions, context);
  if (self != NULL)
    g_object_ref (self);
  else
    {
      self = session_new ();
      g_hash_table_insert (sessions, context, self);
      g_object_weak_ref (G_OBJECT (self), on_gone, g_main_context_ref (context));
    }
  g_mutex_unlock (&lock);
  return self;
}
