#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* `artifacts ID [NUMBER]`: what a session has made, as a list, a text or files. */

typedef struct
{
  gint64 number; /* from 1 on, in the order in which they were made */
  gint64 at;
  char *type;
  char *title;
  char *goal;
  char *text;
} Artifact;

typedef struct
{
  GPtrArray *artifacts; /* Artifact */
  GError *error;
} Reading;

static void
artifact_free (gpointer data)
{
  Artifact *self = data;

  g_free (self->type);
  g_free (self->title);
  g_free (self->goal);
  g_free (self->text);
  g_free (self);
}

static char *
dup_member (const char *body, gsize length, const char *name)
{
  ClqJsonSpan span = clq_json_find (body, (gssize) length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

static void
on_records (GPtrArray *records, const GError *error, gpointer user_data)
{
  Reading *reading = user_data;

  if (error != NULL)
    reading->error = g_error_copy (error);
  for (guint i = 0; error == NULL && i < records->len; i++)
    {
      const ClqRecord *record = g_ptr_array_index (records, i);
      Artifact *artifact = g_new0 (Artifact, 1);
      gsize length;
      const char *body = clq_record_get_body (record, &length);

      artifact->number = i + 1;
      artifact->at = clq_record_get_at (record);
      artifact->type = dup_member (body, length, "type");
      artifact->title = dup_member (body, length, "title");
      artifact->goal = dup_member (body, length, "goal");
      artifact->text = dup_member (body, length, "text");
      if (artifact->text == NULL)
        artifact->text = g_strndup (body, length);
      g_ptr_array_add (reading->artifacts, artifact);
    }
}

/* ---- files ---- */

static const char *
find_suffix (const char *type)
{
  static const char *const suffixes[][2] = {
    { "react", "jsx" }, { "javascript", "js" }, { "typescript", "ts" }, { "python", "py" }, { "markdown", "md" }, { "shell", "sh" }, { "bash", "sh" }, { "html", "html" }, { "css", "css" }, { "svg", "svg" }, { "json", "json" }, { "c", "c" }, { "sql", "sql" }, { "csv", "csv" }, { "vue", "vue" }, { "xml", "xml" }, { "yaml", "yaml" }
  };

  for (guint i = 0; type != NULL && i < G_N_ELEMENTS (suffixes); i++)
    if (g_ascii_strcasecmp (suffixes[i][0], type) == 0)
      return suffixes[i][1];
  return "txt";
}

/* The title comes from a model: only what may stand in the name of a file is taken, and never a folder or a hidden file. */
static char *
dup_file_name (const Artifact *artifact)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *at = artifact->title != NULL ? artifact->title : ""; *at != '\0' && name->len < 100; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (g_unichar_isalnum (c) || (name->len > 0 && (c == '.' || c == '-' || c == '_')))
        g_string_append_unichar (name, c);
      else if (name->len > 0)
        g_string_append_c (name, '-');
    }
  if (name->len == 0)
    return g_strdup_printf ("artifact-%" G_GINT64_FORMAT ".%s", artifact->number, find_suffix (artifact->type));
  if (strchr (name->str, '.') == NULL)
    g_string_append_printf (name, ".%s", find_suffix (artifact->type));
  return g_strdup (name->str);
}

static int
write_file (const Artifact *artifact, const char *name, const char *folder, gboolean force)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  if (!force && g_file_test (path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK))
    {
      cli_complain ("artifacts: %s is there already; --force replaces it", path);
      return CLI_FAILURE;
    }
  if (!g_file_set_contents_full (path, artifact->text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &error))
    return cli_fail (error);
  puts (path);
  return CLI_OK;
}

static int
write_files (GPtrArray *artifacts, const char *folder, gboolean force)
{
  g_autoptr (GHashTable) newest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int status = CLI_OK;

  if (g_mkdir_with_parents (folder, 0755) != 0)
    {
      cli_complain ("artifacts: %s: %s", folder, g_strerror (errno));
      return CLI_FAILURE;
    }
  for (guint i = 0; i < artifacts->len; i++)
    g_hash_table_replace (newest, dup_file_name (g_ptr_array_index (artifacts, i)), g_ptr_array_index (artifacts, i));
  for (guint i = 0; i < artifacts->len; i++)
    {
      g_autofree char *name = dup_file_name (g_ptr_array_index (artifacts, i));

      if (g_hash_table_lookup (newest, name) == g_ptr_array_index (artifacts, i) &&
          write_file (g_ptr_array_index (artifacts, i), name, folder, force) != CLI_OK)
        status = CLI_FAILURE;
    }
  return status;
}

/* ---- lists ---- */

static void
print_json (const Artifact *artifact)
{
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_number (out, "number", artifact->number);
  cli_json_string (out, "type", artifact->type);
  cli_json_string (out, "title", artifact->title);
  cli_json_string (out, "goal", artifact->goal);
  cli_json_time (out, "at", artifact->at);
  cli_json_string (out, "text", artifact->text);
  g_string_append_c (out, '}');
  puts (out->str);
}

static void
print_line (const Artifact *artifact)
{
  g_autofree char *at = clq_time_print (artifact->at);
  g_autofree char *name = dup_file_name (artifact);

  cli_print_line ("%3" G_GINT64_FORMAT "  %.19s  %8" G_GSIZE_FORMAT "  %s", artifact->number, at, strlen (artifact->text), name);
}

typedef struct
{
  char *store;
  char *output;
  gboolean force;
  gboolean json;
} Options;

static int
print_all (GPtrArray *artifacts, const Options *options, gboolean is_one)
{
  if (options->output != NULL)
    return write_files (artifacts, options->output, options->force);
  for (guint i = 0; i < artifacts->len; i++)
    {
      const Artifact *artifact = g_ptr_array_index (artifacts, i);

      if (options->json)
        print_json (artifact);
      else if (is_one)
        {
          cli_print (artifact->text);
          putchar ('\n');
        }
      else
        print_line (artifact);
    }
  return fflush (stdout) == 0 ? CLI_OK : CLI_FAILURE;
}

/* Leaves only the artifact with this number. */
static gboolean
choose (GPtrArray *artifacts, const char *number, int *status)
{
  guint64 wanted;

  if (!g_ascii_string_to_unsigned (number, 10, 1, G_MAXUINT32, &wanted, NULL))
    {
      cli_complain ("artifacts: '%s' is no number; expected one from 1 on", number);
      *status = CLI_USAGE;
      return FALSE;
    }
  if (wanted > artifacts->len)
    {
      cli_complain ("artifacts: there is no artifact %s; the session has %u", number, artifacts->len);
      *status = CLI_NOT_FOUND;
      return FALSE;
    }
  g_ptr_array_remove_range (artifacts, (guint) wanted, artifacts->len - (guint) wanted);
  g_ptr_array_remove_range (artifacts, 0, (guint) wanted - 1);
  return TRUE;
}

static void
on_session (ClqSession *session, const GError *error, gpointer user_data)
{
  Reading *reading = user_data;

  if (error != NULL)
    reading->error = g_error_copy (error);
  else if (session == NULL)
    reading->error = g_error_new (CLQ_STORE_ERROR, CLQ_STORE_ERROR_NOT_FOUND, "there is no such session; see colloquy sessions");
}

static int
run (ClqHost *host, const guint8 id[16], const char *number, const Options *options)
{
  g_autoptr (GPtrArray) artifacts = g_ptr_array_new_with_free_func (artifact_free);
  Reading reading = { .artifacts = artifacts };
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  clq_host_set_passive (host, TRUE);
  if (!cli_view_store (host, options->store, &error))
    return cli_fail (error);
  clq_host_find_session (host, id, on_session, &reading);
  clq_host_settle (host);
  if (reading.error == NULL)
    {
      clq_host_read_journal (host, id, 1u << CLQ_RECORD_ARTIFACT, 0, 0, on_records, &reading);
      clq_host_settle (host);
    }
  if (reading.error != NULL)
    status = cli_fail (reading.error);
  else if (number == NULL || choose (artifacts, number, &status))
    status = print_all (artifacts, options, number != NULL);
  g_clear_error (&reading.error);
  return status;
}

int
cmd_artifacts (int argc, char **argv)
{
  Options options = { NULL };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Write them to files in this folder and print the paths", "FOLDER" },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &options.force, "Replace files that are there", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "One JSON object per artifact, with its text", NULL },
    { "store", 0, 0, G_OPTION_ARG_STRING, &options.store, "Where the session is kept (default: sqlite)", "sqlite:PATH" },
    { NULL },
  };
  g_autoptr (ClqHost) host = NULL;
  guint8 id[16];
  int status;

  if (cli_parse (cli_find_command ("artifacts"), entries, &argc, &argv, 1, 2, &status))
    {
      host = clq_host_new (NULL);
      status = cli_parse_id ("artifacts", argv[1], id) ? run (host, id, argc > 2 ? argv[2] : NULL, &options) : CLI_USAGE;
      clq_host_close (host);
    }
  g_free (options.output);
  g_free (options.store);
  return status;
}
