#define G_LOG_DOMAIN "clq-secret"

#include "clq-private.h"

/*
 * Secrets that the desktop keeps: org.freedesktop.secrets, through libsecret. The library is opened when a secret is asked
 * for and not before: few programs need it, and linking it would let all of them, and every plugin, start later. It is
 * never closed because its types cannot go away.
 */
#ifdef CLQ_HAS_LIBSECRET

#include <dlfcn.h>
#include <string.h>

#include <libsecret/secret.h>

#define LIBRARY "libsecret-1.so.0"

/* Somebody waits for the program to start, and a bus without an answer will not have one later. */
#define MAX_SECONDS 3

typedef struct
{
  __typeof__ (secret_service_search) *search;
  __typeof__ (secret_service_search_finish) *search_finish;
  __typeof__ (secret_service_disconnect) *disconnect;
  __typeof__ (secret_item_get_locked) *get_locked;
  __typeof__ (secret_item_get_secret) *get_secret;
  __typeof__ (secret_value_get_text) *get_text;
  __typeof__ (secret_value_unref) *value_unref;
} Library;

typedef struct
{
  const Library *library;
  GCancellable *cancellable;
  gboolean is_done;
  gboolean is_late;
  GList *items;
  GError *error;
} Search;

static void G_GNUC_PRINTF (2, 3)
fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_SECRET, format, arguments));
  va_end (arguments);
}

static gboolean
open_library (Library *self, GError **error)
{
  void *handle = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const struct
  {
    const char *name;
    void *place;
  } symbols[] = {
    { "secret_service_search", &self->search },
    { "secret_service_search_finish", &self->search_finish },
    { "secret_service_disconnect", &self->disconnect },
    { "secret_item_get_locked", &self->get_locked },
    { "secret_item_get_secret", &self->get_secret },
    { "secret_value_get_text", &self->get_text },
    { "secret_value_unref", &self->value_unref },
  };

  if (handle == NULL)
    {
      fail (error, "the library %s is not there; install libsecret, or use env:NAME or file:PATH", LIBRARY);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    {
      void *address = dlsym (handle, symbols[i].name);

      if (address == NULL)
        {
          fail (error, "the library %s has no function %s; expected version 0.20 or newer", LIBRARY, symbols[i].name);
          return FALSE;
        }
      memcpy (symbols[i].place, &address, sizeof address);
    }
  return TRUE;
}

static void
on_found (GObject *service, GAsyncResult *result, gpointer user_data)
{
  Search *search = user_data;

  search->items = search->library->search_finish ((SecretService *) service, result, &search->error);
  search->is_done = TRUE;
}

static gboolean
on_late (gpointer user_data)
{
  Search *search = user_data;

  search->is_late = TRUE;
  g_cancellable_cancel (search->cancellable);
  return G_SOURCE_REMOVE;
}

/* What is locked stays so: unlocking may ask a person, and that can take any time. */
static void
run_search (Search *self, const char *name, GMainContext *context)
{
  g_autoptr (GSource) limit = g_timeout_source_new_seconds (MAX_SECONDS);
  g_autoptr (GHashTable) attributes = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (attributes, (gpointer) "application", (gpointer) "colloquy");
  g_hash_table_insert (attributes, (gpointer) "name", (gpointer) name);
  self->cancellable = g_cancellable_new ();
  g_source_set_callback (limit, on_late, self, NULL);
  g_source_attach (limit, context);
  self->library->search (NULL, NULL, attributes, SECRET_SEARCH_LOAD_SECRETS, self->cancellable, on_found, self);
  while (!self->is_done)
    g_main_context_iteration (context, TRUE);
  g_source_destroy (limit);
  g_clear_object (&self->cancellable);
}

static char *
dup_found (const Search *search, const char *name, GError **error)
{
  SecretItem *item = search->items != NULL ? search->items->data : NULL;
  g_autofree char *quoted = g_shell_quote (name);
  SecretValue *value;
  const char *text;
  char *copy;

  if (item == NULL)
    {
      fail (error, "the secret service has no secret '%s'; put it there with: secret-tool store --label=Colloquy application colloquy name %s", name, quoted);
      return NULL;
    }
  if (search->library->get_locked (item))
    {
      fail (error, "the secret '%s' is locked; unlock the keyring that it is in", name);
      return NULL;
    }
  value = search->library->get_secret (item);
  text = value != NULL ? search->library->get_text (value) : NULL;
  copy = text != NULL && *text != '\0' ? g_strdup (text) : NULL;
  if (value != NULL)
    search->library->value_unref (value);
  if (copy == NULL)
    fail (error, "the secret '%s' is empty or no text", name);
  return copy;
}

/* What the search has found, or why it has not. */
static char *
dup_result (const Search *search, const char *name, GError **error)
{
  if (search->error == NULL)
    return dup_found (search, name, error);
  if (search->is_late)
    fail (error, "the secret service did not answer within %d seconds", MAX_SECONDS);
  else
    {
      g_dbus_error_strip_remote_error (search->error);
      fail (error, "the secret service cannot be asked: %s", search->error->message);
    }
  return NULL;
}

#endif

/*
 * Private: asks the secret service, for a few seconds at most, in a context of its own, so that nothing else of the
 * program happens meanwhile. The connection is given up at the end, as GIO ends programs whose session bus goes away
 * while they hold one; what that leaves to be freed is freed in the same context.
 */
char *
clq_secret_service_lookup (const char *name, GError **error)
{
#ifdef CLQ_HAS_LIBSECRET
  Library library = { NULL };
  Search search = { .library = &library };
  g_autoptr (GMainContext) context = NULL;
  char *secret;

  if (!open_library (&library, error))
    return NULL;
  context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  run_search (&search, name, context);
  secret = dup_result (&search, name, error);
  g_clear_error (&search.error);
  g_list_free_full (search.items, g_object_unref);
  library.disconnect ();
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  return secret;
#else
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_SECRET,
               "secret:%s needs libsecret, and this build has none; use env:NAME or file:PATH", name);
  return NULL;
#endif
}
