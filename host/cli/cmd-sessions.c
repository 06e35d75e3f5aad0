#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

#define PAGE 200

typedef struct
{
  ClqHost *host;
  ClqSessionFilter filter;
  gboolean json;
  guint n_left;
  guint n_page;
  guint8 last_id[16];
  GError *error;
} Listing;

static void
print_head (const Listing *listing, const ClqHead *head)
{
  char id[CLQ_ID_LENGTH + 1];
  g_autofree char *at = clq_time_print (clq_head_get_updated_at (head));
  g_autofree char *title = g_strdup (clq_head_get_title (head));

  clq_id_print (clq_head_get_id (head), id);
  if (listing->json)
    {
      g_autoptr (GString) out = g_string_new ("{");

      cli_json_string (out, "session", id);
      cli_json_string (out, "graph", clq_head_get_graph_name (head));
      cli_json_string (out, "state", clq_head_get_state (head));
      cli_json_string (out, "status", clq_head_get_status (head));
      cli_json_string (out, "owner", clq_head_get_owner (head));
      cli_json_string (out, "title", clq_head_get_title (head));
      cli_json_time (out, "createdAt", clq_head_get_created_at (head));
      cli_json_time (out, "updatedAt", clq_head_get_updated_at (head));
      g_string_append_c (out, '}');
      puts (out->str);
      return;
    }
  cli_print_line ("%s  %.19s  %-8s %-12s %-14s %s", id, at, clq_head_get_status (head), clq_head_get_graph_name (head), clq_head_get_state (head),
                  title != NULL ? g_strdelimit (title, "\n\r\t", ' ') : "");
}

static void
on_heads (GPtrArray *heads, const GError *error, gpointer user_data)
{
  Listing *listing = user_data;

  if (error != NULL)
    listing->error = g_error_copy (error);
  listing->n_page = error == NULL ? heads->len : 0;
  for (guint i = 0; error == NULL && i < heads->len; i++)
    {
      const ClqHead *head = g_ptr_array_index (heads, i);

      print_head (listing, head);
      memcpy (listing->last_id, clq_head_get_id (head), 16);
      listing->filter.after_id = listing->last_id;
      listing->filter.after_time = clq_head_get_updated_at (head);
      listing->n_left--;
    }
}

static int
list_all (Listing *listing)
{
  do
    {
      listing->filter.limit = MIN (listing->n_left, PAGE);
      clq_host_list_sessions (listing->host, &listing->filter, on_heads, listing);
      clq_host_settle (listing->host);
    }
  while (listing->error == NULL && listing->n_page == PAGE && listing->n_left > 0);
  if (listing->error == NULL)
    return CLI_OK;
  return cli_fail (listing->error);
}

int
cmd_sessions (int argc, char **argv)
{
  g_autofree char *store = NULL, *graph = NULL, *state = NULL, *status_filter = NULL, *owner = NULL;
  int limit = 50, status;
  Listing listing = { NULL };
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "Where sessions are kept (default: sqlite)", "sqlite:PATH" },
    { "graph", 0, 0, G_OPTION_ARG_STRING, &graph, "Only those on this graph", "NAME" },
    { "state", 0, 0, G_OPTION_ARG_STRING, &state, "Only those in this state", "STATE" },
    { "status", 0, 0, G_OPTION_ARG_STRING, &status_filter, "Only those that are so", "resting|running|waiting|done|failed" },
    { "owner", 0, 0, G_OPTION_ARG_STRING, &owner, "Only those of this owner", "NAME" },
    { "limit", 'n', 0, G_OPTION_ARG_INT, &limit, "How many at the most, the latest first (default: 50; 0 = all)", "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &listing.json, "One JSON object per session", NULL },
    { NULL },
  };
  g_autoptr (GError) error = NULL;

  if (!cli_parse (cli_find_command ("sessions"), entries, &argc, &argv, 0, 0, &status))
    return status;
  listing.host = clq_host_new (NULL);
  listing.filter = (ClqSessionFilter){ .owner = owner, .graph = graph, .state = state, .status = status_filter };
  listing.n_left = limit > 0 ? (guint) limit : G_MAXUINT;
  status = cli_view_store (listing.host, store, &error) ? list_all (&listing) : cli_fail (error);
  clq_host_close (listing.host);
  g_object_unref (listing.host);
  g_clear_error (&listing.error);
  return status;
}
