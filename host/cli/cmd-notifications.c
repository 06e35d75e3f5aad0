#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

#define PAGE 200

/* A notification is known by its conversation and the number of its record: ID/NUMBER. */
typedef struct
{
  guint8 session[16];
  guint64 seq;
  gint64 at;
  gboolean is_read;
  char *body;
} Notification;

typedef struct
{
  ClqHost *host;
  GArray *found; /* Notification */
  GPtrArray *heads;
  guint8 session[16]; /* whose journal is read */
  GError *error;
} Listing;

static void
clear_notification (gpointer data)
{
  g_free (((Notification *) data)->body);
}

static void
mark_read (Listing *self, guint first, const GArray *read)
{
  for (guint j = 0; j < read->len; j++)
    for (guint i = first; i < self->found->len; i++)
      {
        Notification *notification = &g_array_index (self->found, Notification, i);

        if (notification->seq == g_array_index (read, guint64, j))
          notification->is_read = TRUE;
      }
}

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  Listing *self = user_data;
  guint first = self->found->len;

  if (error != NULL && self->error == NULL)
    self->error = g_error_copy (error);
  for (guint i = 0; error == NULL && i < records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (records, i);
      gsize length;
      const char *body = clq_record_get_body (record, &length);
      g_autoptr (GArray) read = clq_record_dup_read (record);
      Notification notification = { .seq = clq_record_get_seq (record), .at = clq_record_get_at (record) };

      if (read != NULL)
        {
          mark_read (self, first, read);
          continue;
        }
      memcpy (notification.session, self->session, 16);
      notification.body = g_strndup (body, length);
      g_array_append_val (self->found, notification);
    }
}

static void
on_heads (GPtrArray *heads, const GError *error, gpointer user_data)
{
  Listing *self = user_data;

  if (error != NULL)
    self->error = g_error_copy (error);
  g_ptr_array_set_size (self->heads, 0);
  for (guint i = 0; error == NULL && i < heads->len; i++)
    g_ptr_array_add (self->heads, clq_head_copy (g_ptr_array_index (heads, i)));
}

static void
read_session (Listing *self, const guint8 id[16])
{
  memcpy (self->session, id, 16);
  clq_host_read_journal (self->host, id, 1u << CLQ_RECORD_NOTIFICATION, 0, 0, on_records, self);
  clq_host_settle (self->host);
}

/* Only the sessions whose notifications are named. */
static void
read_named (Listing *self, char **ids, int n_ids)
{
  g_autoptr (GHashTable) sessions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (int i = 0; i < n_ids && self->error == NULL; i++)
    {
      char *session = g_strndup (ids[i], CLQ_ID_LENGTH);
      guint8 id[16];

      if (g_hash_table_add (sessions, session) && clq_id_parse (session, id))
        read_session (self, id);
    }
}

/* The store knows which sessions have something that was not read. */
static void
read_listed (Listing *self, const char *owner, gboolean all)
{
  ClqSessionFilter filter = { .owner = owner, .limit = PAGE, .unread = !all };
  g_autoptr (ClqHead) last = NULL;

  do
    {
      clq_host_list_sessions (self->host, &filter, on_heads, self);
      clq_host_settle (self->host);
      for (guint i = 0; i < self->heads->len && self->error == NULL; i++)
        read_session (self, clq_head_get_id (g_ptr_array_index (self->heads, i)));
      g_clear_pointer (&last, clq_head_free);
      if (self->heads->len == PAGE)
        {
          last = clq_head_copy (g_ptr_array_index (self->heads, PAGE - 1));
          filter.after_id = clq_head_get_id (last);
          filter.after_time = clq_head_get_updated_at (last);
        }
    }
  while (last != NULL && self->error == NULL);
}

static int
compare_time (gconstpointer a, gconstpointer b)
{
  const Notification *one = a, *other = b;

  return (one->at > other->at) - (one->at < other->at);
}

static char *
dup_id (const Notification *self)
{
  char session[CLQ_ID_LENGTH + 1];

  clq_id_print (self->session, session);
  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT, session, self->seq);
}

static void
print (const Notification *self, gboolean json)
{
  g_autofree char *id = dup_id (self), *at = clq_time_print (self->at), *text = clq_json_find_string (self->body, "text");
  g_autofree char *title = clq_json_find_string (self->body, "title"), *type = clq_json_find_string (self->body, "type");

  if (json)
    {
      g_autoptr (GString) out = g_string_new ("{");

      cli_json_string (out, "id", id);
      cli_json_time (out, "at", self->at);
      cli_json_bool (out, "read", self->is_read);
      cli_json_raw (out, "notification", self->body);
      g_string_append_c (out, '}');
      puts (out->str);
      return;
    }
  cli_print_line ("%s  %.19s  %s%s%s: %s", id, at, self->is_read ? "" : "new ", g_strcmp0 (type, "question") == 0 ? "question " : "",
                  title != NULL ? title : "-", text != NULL ? text : self->body);
}

static void
on_read (const ClqReply *reply, gpointer user_data)
{
  Listing *self = user_data;

  if (reply->error != NULL && self->error == NULL)
    self->error = g_error_copy (reply->error);
}

/* Marks what was named, or everything if nothing was. */
static void
read_those (Listing *self, char **ids, int n_ids)
{
  for (guint i = 0; i < self->found->len && self->error == NULL; i++)
    {
      const Notification *notification = &g_array_index (self->found, Notification, i);
      g_autofree char *id = dup_id (notification);
      g_autofree char *payload = g_strdup_printf ("{\"read\":[%" G_GUINT64_FORMAT "]}", notification->seq);
      gboolean wanted = n_ids == 0;

      for (int j = 0; j < n_ids; j++)
        wanted |= strcmp (ids[j], id) == 0;
      if (!wanted || notification->is_read)
        continue;
      clq_host_send (self->host, notification->session, &(ClqInput){ .kind = CLQ_INPUT_READ, .payload = payload }, on_read, self);
      clq_host_settle (self->host);
    }
}

static gboolean
has_all (const Listing *self, char **ids, int n_ids)
{
  for (int j = 0; j < n_ids; j++)
    {
      gboolean found = FALSE;

      for (guint i = 0; i < self->found->len; i++)
        {
          g_autofree char *id = dup_id (&g_array_index (self->found, Notification, i));

          found |= strcmp (ids[j], id) == 0;
        }
      if (!found)
        {
          cli_complain ("notifications: there is no notification '%s'", ids[j]);
          return FALSE;
        }
    }
  return TRUE;
}

static int
show (Listing *self, gboolean all, gboolean json, gboolean read, char **ids, int n_ids)
{
  if (self->error == NULL && !has_all (self, ids, n_ids))
    return CLI_NOT_FOUND;
  g_array_sort (self->found, compare_time);
  if (self->error == NULL && read)
    read_those (self, ids, n_ids);
  for (guint i = 0; i < self->found->len && self->error == NULL && (!read || n_ids == 0); i++)
    if (all || !g_array_index (self->found, Notification, i).is_read)
      print (&g_array_index (self->found, Notification, i), json);
  return self->error != NULL ? cli_fail (self->error) : CLI_OK;
}

int
cmd_notifications (int argc, char **argv)
{
  g_autofree char *store = NULL, *owner = NULL;
  gboolean all = FALSE, read = FALSE, json = FALSE;
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where sessions are kept (default: sqlite)", "sqlite:PATH" },
    { "owner", 0, 0, G_OPTION_ARG_STRING, &owner, "Only those for this owner", "NAME" },
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, "Also those that were read", NULL },
    { "read", 0, 0, G_OPTION_ARG_NONE, &read, "Mark those that are named, or all that are shown, as read", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "One JSON object per notification", NULL },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  Listing listing = { NULL };
  int status;

  if (!cli_parse (cli_find_command ("notifications"), entries, &argc, &argv, 0, 10000, &status))
    return status;
  if (argc > 1 && !read)
    {
      cli_complain ("notifications: expected --read before ids");
      return CLI_USAGE;
    }
  listing.host = clq_host_new (NULL);
  listing.found = g_array_new (FALSE, FALSE, sizeof (Notification));
  g_array_set_clear_func (listing.found, clear_notification);
  listing.heads = g_ptr_array_new_with_free_func ((GDestroyNotify) clq_head_free);
  clq_host_set_passive (listing.host, TRUE);
  if (read ? cli_use_store (listing.host, store, &error) : cli_view_store (listing.host, store, &error))
    {
      if (argc > 1)
        read_named (&listing, argv + 1, argc - 1);
      else
        read_listed (&listing, owner, all);
      status = show (&listing, all, json, read, argv + 1, argc - 1);
    }
  else
    status = cli_fail (error);
  clq_host_close (listing.host);
  g_object_unref (listing.host);
  g_array_unref (listing.found);
  g_ptr_array_unref (listing.heads);
  g_clear_error (&listing.error);
  return status;
}
