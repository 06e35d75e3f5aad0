#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <string.h>

G_DEFINE_TYPE (ClqHost, clq_host, G_TYPE_OBJECT)

static guint news_signal;
static GQuark news_quarks[CLQ_NEWS_ANSWERED + 1];

/* ---- news ---- */

static const char *const news_details[] = {
  "opened",
  "taken",
  "piece",
  "said",
  "progress",
  "notified",
  "warned",
  "alert",
  "failed",
  "asked",
  "calling",
  "answered",
};

/* Private: the signal that hosts and sessions have in common. */
guint
clq_host_add_news_signal (GType type)
{
  /**
   * ClqHost::news:
   * @self: the host, or the session
   * @news: a #ClqNews, valid during the emission
   *
   * Something has happened and is durable; pieces of speech and progress are told at once. The detail is one of
   * `opened`, `taken`, `piece`, `said`, `progress`, `notified`, `warned`, `alert`, `failed`, `asked`.
   */
  guint id = g_signal_new ("news", type, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL, NULL,
                           g_cclosure_marshal_VOID__POINTER, G_TYPE_NONE, 1, G_TYPE_POINTER);

  g_signal_set_va_marshaller (id, type, g_cclosure_marshal_VOID__POINTERv);
  return id;
}

/* Private: to emit what nobody listens to costs less than to ask whether somebody does. */
void
clq_host_emit_news (GObject *object, guint signal, const ClqNews *news)
{
  g_signal_emit (object, signal, news_quarks[news->type], news);
}

static void
on_news (const ClqNews *news, gpointer user_data)
{
  ClqHost *self = user_data;
  ClqSession *session = g_hash_table_size (self->handles) > 0 ? g_hash_table_lookup (self->handles, news->id) : NULL;

  clq_host_emit_news (&self->parent_instance, news_signal, news);
  if (session != NULL)
    clq_session_tell (session, news);
}

/**
 * clq_host_observe:
 * @self: a host
 * @func: called for everything that happens
 * @user_data: for @func
 */
void
clq_host_observe (ClqHost *self, ClqObserverFunc func, gpointer user_data)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && func != NULL);
  clq_engine_observe (self->engine, func, user_data);
}

/**
 * clq_host_unobserve:
 * @self: a host
 * @func: what was given to clq_host_observe ()
 * @user_data: what was given to clq_host_observe ()
 */
void
clq_host_unobserve (ClqHost *self, ClqObserverFunc func, gpointer user_data)
{
  g_return_if_fail (CLQ_IS_HOST (self));
  if (self->engine != NULL)
    clq_engine_unobserve (self->engine, func, user_data);
}

/* ---- life ---- */

static guint
id_hash (gconstpointer id)
{
  guint32 word;

  memcpy (&word, (const guint8 *) id + 12, sizeof word);
  return word;
}

static gboolean
id_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, 16) == 0;
}

/**
 * clq_host_close:
 * @self: a host
 *
 * Cancels what runs and lets go of sessions, nodes and the store. What is durable stays durable. Nothing can be done
 * with the host afterwards.
 */
void
clq_host_close (ClqHost *self)
{
  g_return_if_fail (CLQ_IS_HOST (self));
  if (self->engine == NULL)
    return;
  clq_engine_free (g_steal_pointer (&self->engine));
  g_hash_table_remove_all (self->graphs);
  g_hash_table_remove_all (self->agents);
  g_hash_table_remove_all (self->tools);
  if (self->store != NULL)
    clq_instance_free (&self->store->feature, g_steal_pointer (&self->store_self));
}

static void
clq_host_dispose (GObject *object)
{
  clq_host_close (CLQ_HOST (object));
  G_OBJECT_CLASS (clq_host_parent_class)->dispose (object);
}

static void
clq_host_finalize (GObject *object)
{
  ClqHost *self = CLQ_HOST (object);

  g_hash_table_unref (self->graphs);
  g_hash_table_unref (self->agents);
  g_hash_table_unref (self->tools);
  g_hash_table_unref (self->handles);
  g_strfreev (self->graph_folders);
  g_free (self->standard_agent);
  g_clear_pointer (&self->standard_settings, g_hash_table_unref);
  g_clear_pointer (&self->registry, clq_registry_free);
  g_main_context_unref (self->context);
  G_OBJECT_CLASS (clq_host_parent_class)->finalize (object);
}

static void
clq_host_class_init (ClqHostClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clq_host_dispose;
  G_OBJECT_CLASS (klass)->finalize = clq_host_finalize;
  for (guint i = 0; i < G_N_ELEMENTS (news_quarks); i++)
    news_quarks[i] = g_quark_from_static_string (news_details[i]);
  news_signal = clq_host_add_news_signal (CLQ_TYPE_HOST);
}

static char **
folders_from (const char *variable, const char *standard)
{
  const char *value = g_getenv (variable);

  return g_strsplit (value != NULL ? value : standard, G_SEARCHPATH_SEPARATOR_S, -1);
}

/* The user's own graphs come before those that are installed. CLQ_CONFIG_DIR replaces both. */
static char **
default_graph_folders (void)
{
  g_autofree char *own = g_build_filename (g_get_user_config_dir (), "colloquy", NULL);
  g_autofree char *standard = g_strjoin (G_SEARCHPATH_SEPARATOR_S, own, CLQ_DATA_DIR, NULL);
  g_auto (GStrv) folders = folders_from ("CLQ_CONFIG_DIR", standard);
  GPtrArray *graphs = g_ptr_array_new ();

  for (guint i = 0; folders[i] != NULL; i++)
    g_ptr_array_add (graphs, g_build_filename (folders[i], "graphs", NULL));
  g_ptr_array_add (graphs, NULL);
  return (char **) g_ptr_array_free (graphs, FALSE);
}

static void
clq_host_init (ClqHost *self)
{
  g_auto (GStrv) plugins = folders_from ("CLQ_PLUGIN_PATH", CLQ_PLUGIN_DIR);

  self->registry = clq_registry_new ((const char *const *) plugins);
  self->graph_folders = default_graph_folders ();
  self->graphs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) clq_graph_unref);
  self->agents = clq_host_parts_new ();
  self->tools = clq_host_parts_new ();
  self->handles = g_hash_table_new (id_hash, id_equal);
}

/**
 * clq_host_new:
 * @context: (nullable): where everything runs; %NULL is the context of the calling thread
 *
 * Makes a host. Its plugins come from the folders in CLQ_PLUGIN_PATH, its graphs from CLQ_CONFIG_DIR/graphs; without
 * those variables from where they were installed and from the user's configuration. It has no store until
 * clq_host_use_store ().
 *
 * Returns: (transfer full): the host
 */
ClqHost *
clq_host_new (GMainContext *context)
{
  ClqHost *self = g_object_new (CLQ_TYPE_HOST, NULL);

  self->context = context != NULL ? g_main_context_ref (context) : g_main_context_ref_thread_default ();
  self->engine = clq_engine_new (self->context, &clq_host_engine_ops, self);
  clq_engine_observe (self->engine, on_news, self);
  return self;
}

/* ---- before the first session ---- */

/**
 * clq_host_set_plugin_folders:
 * @self: a host that has loaded nothing yet
 * @folders: (array zero-terminated=1): absolute paths
 */
void
clq_host_set_plugin_folders (ClqHost *self, const char *const *folders)
{
  g_return_if_fail (CLQ_IS_HOST (self) && g_hash_table_size (self->graphs) == 0 && self->store == NULL);
  clq_registry_free (self->registry);
  self->registry = clq_registry_new (folders);
}

/**
 * clq_host_set_graph_folders:
 * @self: a host
 * @folders: (array zero-terminated=1): where graphs are found by name
 */
void
clq_host_set_graph_folders (ClqHost *self, const char *const *folders)
{
  g_return_if_fail (CLQ_IS_HOST (self) && folders != NULL);
  g_strfreev (self->graph_folders);
  self->graph_folders = g_strdupv ((char **) folders);
}

/**
 * clq_host_get_graph_folders:
 * @self: a host
 *
 * Returns: (transfer none) (array zero-terminated=1): where graphs are found by name
 */
const char *const *
clq_host_get_graph_folders (ClqHost *self)
{
  g_return_val_if_fail (CLQ_IS_HOST (self), NULL);
  return (const char *const *) self->graph_folders;
}

/**
 * clq_host_get_registry:
 * @self: a host
 *
 * Returns: (transfer none): its plugins
 */
ClqRegistry *
clq_host_get_registry (ClqHost *self)
{
  g_return_val_if_fail (CLQ_IS_HOST (self), NULL);
  return self->registry;
}

/**
 * clq_host_set_manual_clock:
 * @self: a host without sessions
 * @now: the time that it is from now on, in microseconds since 1970
 * @seed: where ids come from
 *
 * Time stands still until clq_host_advance (). A run is then reproducible to the byte.
 */
void
clq_host_set_manual_clock (ClqHost *self, gint64 now, guint64 seed)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  clq_clock_set_manual (&self->engine->clock, now, seed);
}

/**
 * clq_host_get_now:
 * @self: a host
 *
 * Returns: the time of its clock, in microseconds since 1970
 */
gint64
clq_host_get_now (ClqHost *self)
{
  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, 0);
  return clq_clock_now (&self->engine->clock);
}

static gboolean
open_store (ClqHost *self, const char *place, GHashTable *settings, GError **error)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *kind = NULL;
  HostPart *part;
  gboolean is_open;

  parts = g_strsplit (place, ":", 2);
  kind = g_strconcat (parts[0] != NULL ? parts[0] : "", ".store", NULL);
  part = clq_host_part_new (self, CLQ_FEATURE_STORE, kind, settings, error);
  if (part == NULL)
    {
      g_prefix_error (error, "store '%s': ", place);
      return FALSE;
    }
  /* A store with threads answers on the context that is the default now. */
  g_main_context_push_thread_default (self->context);
  is_open = ((const ClqStoreInfo *) part->feature)->open (part->self, parts[1], error);
  g_main_context_pop_thread_default (self->context);
  if (!is_open)
    {
      g_prefix_error (error, "store '%s': ", place);
      clq_host_part_free (part);
      return FALSE;
    }
  self->store = (const ClqStoreInfo *) part->feature;
  self->store_self = g_steal_pointer (&part->self);
  clq_host_part_free (part);
  clq_engine_set_store (self->engine, self->store, self->store_self);
  return TRUE;
}

/**
 * clq_host_use_store:
 * @self: a host that has no store yet
 * @place: `memory`, `sqlite:PATH`, …: the store's plugin and what it is to open
 * @error: return location
 *
 * Returns: whether sessions can be kept there
 */
gboolean
clq_host_use_store (ClqHost *self, const char *place, GError **error)
{
  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store == NULL, FALSE);
  return open_store (self, place, NULL, error);
}

/**
 * clq_host_view_store:
 * @self: a host without a store
 * @place: as for clq_host_use_store ()
 * @error: return location
 *
 * Opens a store only to look at it, which is possible while another host works on it, if the store has a setting `read-only`.
 * The host becomes passive, see clq_host_set_passive ().
 *
 * Returns: whether it is open
 */
gboolean
clq_host_view_store (ClqHost *self, const char *place, GError **error)
{
  g_autoptr (GHashTable) settings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) busy = NULL;

  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store == NULL, FALSE);
  clq_host_set_passive (self, TRUE);
  if (open_store (self, place, NULL, &busy))
    return TRUE;
  g_hash_table_insert (settings, (gpointer) "read-only", (gpointer) "true");
  if (g_error_matches (busy, CLQ_STORE_ERROR, CLQ_STORE_ERROR_BUSY) && open_store (self, place, settings, NULL))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&busy));
  return FALSE;
}

/**
 * clq_host_get_durability:
 * @self: a host
 *
 * Returns: (transfer none) (nullable): what survives, in the word of the store: `memory`, `disk`, …
 */
const char *
clq_host_get_durability (ClqHost *self)
{
  g_return_val_if_fail (CLQ_IS_HOST (self), NULL);
  return self->store != NULL ? self->store->durability : NULL;
}

/**
 * clq_host_set_max_live:
 * @self: a host
 * @max_live: how many sessions that rest stay in memory; the others come back with their next event
 */
void
clq_host_set_max_live (ClqHost *self, guint max_live)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  self->engine->max_live = max_live;
}

/**
 * clq_host_set_max_concurrent:
 * @self: a host
 * @max_concurrent: how many sessions may run at once what a schedule has started, 5 unless it is set; 0 = any number
 *
 * The others wait for their turn; owners with many of them wait no less than owners with one.
 */
void
clq_host_set_max_concurrent (ClqHost *self, guint max_concurrent)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  clq_turns_set_max (self->engine, max_concurrent);
}

/**
 * clq_host_set_poll:
 * @self: a host
 * @interval: microseconds; 0, as at the beginning, = never
 *
 * The host wakes when something is due. If others write to the same store it may be told to look now and then as well.
 */
void
clq_host_set_poll (ClqHost *self, GTimeSpan interval)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  clq_engine_set_poll (self->engine, interval);
}

/**
 * clq_host_set_passive:
 * @self: a host
 * @passive: whether sessions are only looked at
 *
 * A session that comes from the store then stays as it is: its timers do not fire and its open visit is not entered.
 */
void
clq_host_set_passive (ClqHost *self, gboolean passive)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  self->engine->is_passive = passive;
}

/**
 * clq_host_start:
 * @self: a host with a store
 *
 * Goes on with what the store has: deadlines that have passed, then visits that were open when the last host stopped,
 * and from now on every deadline when it is due. Without this only the sessions that are asked for go on.
 */
void
clq_host_start (ClqHost *self)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL);
  clq_engine_start (self->engine);
}

/* ---- for programs that wait ---- */

/**
 * clq_host_is_quiet:
 * @self: a host
 *
 * Returns: whether nothing is due and no scheduled run is going on; until then the main loop has something to wait for
 */
gboolean
clq_host_is_quiet (ClqHost *self)
{
  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, TRUE);
  return clq_engine_is_quiet (self->engine);
}

/**
 * clq_host_settle:
 * @self: a host
 *
 * Runs until nothing can happen without input or the clock.
 */
void
clq_host_settle (ClqHost *self)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  clq_engine_settle (self->engine);
}

/**
 * clq_host_advance:
 * @self: a host with a manual clock
 * @by: microseconds
 *
 * Moves the clock. Timers fire in order, each at its own time.
 */
void
clq_host_advance (ClqHost *self, GTimeSpan by)
{
  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL);
  g_return_if_fail (self->engine->clock.manual && by >= 0);
  clq_engine_advance (self->engine, by);
}

/**
 * clq_host_set_fault:
 * @self: a host
 * @what: `store`, `search` or `agent:NAME`
 * @on: whether it is to fail
 * @error: return location
 *
 * Makes a part unavailable, for tests.
 *
 * Returns: whether there is such a part
 */
gboolean
clq_host_set_fault (ClqHost *self, const char *what, gboolean on, GError **error)
{
  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, FALSE);
  if (strcmp (what, "store") == 0)
    clq_engine_set_store_fault (self->engine, on);
  else if (strcmp (what, "search") == 0)
    self->engine->search_fault = on;
  else if (g_str_has_prefix (what, "agent:") && what[6] != '\0')
    {
      if (on)
        g_hash_table_add (self->engine->agent_faults, g_strdup (what + 6));
      else
        g_hash_table_remove (self->engine->agent_faults, what + 6);
    }
  else
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "fault: nothing is named '%s'; expected store, search or agent:NAME", what);
      return FALSE;
    }
  return TRUE;
}

/**
 * clq_host_count_held:
 * @self: a host
 *
 * Counts the visits and calls that exist. When nothing runs, those are the ones that a node or an agent has not let go of.
 *
 * Returns: how many
 */
guint
clq_host_count_held (ClqHost *self)
{
  g_return_val_if_fail (CLQ_IS_HOST (self) && self->engine != NULL, 0);
  return self->engine->n_runs + self->engine->n_calls;
}
