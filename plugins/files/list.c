/* list: what a folder holds. */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *root;
  gint64 max_entries;
  int fd;
} List;

static const ClqSetting settings[] = {
  CLQ_STRING (List, root, NULL, "the folder below which folders may be listed; without it nothing may"),
  CLQ_INT (List, max_entries, 500, 1, 10000, "how many entries one call may return"),
  { NULL },
};

typedef struct
{
  char *name;
  const char *type;
  gint64 size;
} Entry;

static gboolean
list_init (gpointer self, GError **error)
{
  List *tool = self;

  return files_root_open (tool->root, &tool->fd, error);
}

static void
list_clear (gpointer self)
{
  List *tool = self;

  if (tool->fd >= 0)
    close (tool->fd);
}

static void
entry_clear (gpointer data)
{
  g_free (((Entry *) data)->name);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Entry *) a)->name, ((const Entry *) b)->name);
}

static const char *
type_of (mode_t mode)
{
  if (S_ISREG (mode))
    return "file";
  if (S_ISDIR (mode))
    return "folder";
  return S_ISLNK (mode) ? "link" : "other";
}

/* Takes entries until there are @limit; returns whether there are more. */
static gboolean
take_entries (DIR *dir, GArray *entries, gint64 limit)
{
  const struct dirent *found;

  while ((found = readdir (dir)) != NULL)
    {
      struct stat status;
      Entry entry = { 0 };

      if (strcmp (found->d_name, ".") == 0 || strcmp (found->d_name, "..") == 0 ||
          fstatat (dirfd (dir), found->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        continue;
      if (entries->len >= limit)
        return TRUE;
      entry.name = g_utf8_make_valid (found->d_name, -1);
      entry.type = type_of (status.st_mode);
      entry.size = S_ISREG (status.st_mode) ? status.st_size : -1;
      g_array_append_val (entries, entry);
    }
  return FALSE;
}

static char *
list_work (const FilesJob *job, GError **error)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GString) json = NULL;
  int fd = files_open_beneath (job->root, job->path, TRUE, error);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  gboolean more;

  if (fd < 0)
    return NULL;
  if (dir == NULL)
    {
      g_set_error (error, CLQ_FAILURE, CLQ_FAILURE_RECOVERABLE, "'%s': %s", job->path, g_strerror (errno));
      close (fd);
      return NULL;
    }
  g_array_set_clear_func (entries, entry_clear);
  more = take_entries (dir, entries, job->limit);
  closedir (dir);
  g_array_sort (entries, compare_entries);

  json = g_string_new ("{\"path\":");
  clq_json_append_string (json, job->path, -1);
  g_string_append (json, ",\"entries\":[");
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      g_string_append (json, i > 0 ? ",{\"name\":" : "{\"name\":");
      clq_json_append_string (json, entry->name, -1);
      g_string_append_printf (json, ",\"type\":\"%s\"", entry->type);
      if (entry->size >= 0)
        g_string_append_printf (json, ",\"size\":%" G_GINT64_FORMAT, entry->size);
      g_string_append_c (json, '}');
    }
  g_string_append_printf (json, "]%s}", more ? ",\"more\":true" : "");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static void
list_use (gpointer self, ClqCall *call)
{
  List *tool = self;

  files_run (call, tool->fd, 0, tool->max_entries, list_work);
}

const ClqToolInfo files_list = {
  CLQ_TOOL_INFO,
  .name = "list",
  .summary = "Lists what a folder holds",
  .schema = "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
            "\"path\":{\"type\":\"string\",\"description\":\"the folder, relative to the root; the root itself if it is left out\"}}}",
  .settings = settings,
  .self_size = sizeof (List),
  .policy = CLQ_TOOL_RETRY,
  .init = list_init,
  .clear = list_clear,
  .use = list_use,
};
