#define G_LOG_DOMAIN "clq-plugins"

#include "clq-loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clq-elf.h"
#include "clq-plugin-check.h"

#define MAX_LINKS 16

typedef ElfW (Sym) Symbol;

static void
open_error (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_OPEN, "%s: cannot be opened: %s", path, g_strerror (saved_errno));
}

/* Whoever can write to a plugin or to its folder can run code in the host. */
static gboolean
check_owner (int fd, const char *path, struct stat *info, GError **error)
{
  if (fstat (fd, info) != 0)
    {
      open_error (error, path, errno);
      return FALSE;
    }
  if (info->st_uid != 0 && info->st_uid != geteuid ())
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_PERMISSION,
                   "%s: owned by user %u; expected root or the user of this host, %u",
                   path, (guint) info->st_uid, (guint) geteuid ());
      return FALSE;
    }
  if ((info->st_mode & (S_IWGRP | S_IWOTH)) != 0)
    {
      g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_PERMISSION,
                   "%s: writable by %s; expected only by its owner: chmod go-w %s",
                   path, (info->st_mode & S_IWOTH) != 0 ? "everybody" : "its group", path);
      return FALSE;
    }
  return TRUE;
}

/* A name in an open folder. */
typedef struct
{
  int folder;
  char *folder_path;
  char *name;
  char *path;
} Place;

static void
place_clear (Place *self)
{
  if (self->folder >= 0)
    close (self->folder);
  self->folder = -1;
  g_clear_pointer (&self->folder_path, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->path, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

/* Goes to where the link at a place points. The folder is opened relative to the one that holds the link. */
static gboolean
place_follow (Place *self, GError **error)
{
  g_auto (Place) next = { .folder = -1 };
  g_autofree char *folder = NULL;
  char target[PATH_MAX];
  ssize_t length = readlinkat (self->folder, self->name, target, sizeof target - 1);

  if (length < 0)
    {
      open_error (error, self->path, errno);
      return FALSE;
    }
  target[length] = '\0';
  folder = g_path_get_dirname (target);
  next.folder = openat (self->folder, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  next.name = g_path_get_basename (target);
  next.path = g_canonicalize_filename (target, self->folder_path);
  next.folder_path = g_path_get_dirname (next.path);
  if (next.folder < 0)
    {
      open_error (error, next.folder_path, errno);
      return FALSE;
    }
  place_clear (self);
  *self = next;
  next = (Place){ .folder = -1 };
  return TRUE;
}

static gboolean
check_file (int fd, const char *path, GError **error)
{
  struct stat info;

  if (!check_owner (fd, path, &info, error))
    return FALSE;
  if (S_ISREG (info.st_mode))
    return TRUE;
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_OPEN, "%s: %s; expected a shared object",
               path, S_ISDIR (info.st_mode) ? "a folder" : "no regular file");
  return FALSE;
}

/*
 * Opens the file at a place. Links are followed one by one, because every folder on the way has a say in what is loaded.
 * Returns -1 without an error if nothing has that name.
 */
static int
place_open (Place *self, GError **error)
{
  for (guint links = 0; links <= MAX_LINKS; links++)
    {
      /* Without O_NONBLOCK a pipe of that name would hold up the host. */
      int fd = openat (self->folder, self->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
      int saved_errno = errno;
      struct stat info;

      if (fd < 0 && saved_errno == ENOENT && links == 0)
        return -1;
      if (check_owner (self->folder, self->folder_path, &info, error))
        {
          if (fd >= 0 && check_file (fd, self->path, error))
            return fd;
          if (fd < 0 && saved_errno == ELOOP && place_follow (self, error))
            continue;
          if (fd < 0 && saved_errno != ELOOP)
            open_error (error, self->path, saved_errno);
        }
      if (fd >= 0)
        close (fd);
      return -1;
    }
  open_error (error, self->path, ELOOP);
  return -1;
}

/**
 * clq_loader_find:
 * @folders: (array zero-terminated=1): where to look, in this order
 * @id: a valid name
 * @path: (out) (nullable) (transfer full): the file that was found, also if it was refused
 * @error: return location
 *
 * Opens the file of a plugin. The first folder that has one decides. Folder and file must belong to root or to the
 * effective user, and nobody else may be able to write to them.
 *
 * Returns: a file descriptor, or -1; without an error if no folder has such a file
 */
int
clq_loader_find (const char *const *folders, const char *id, char **path, GError **error)
{
  *path = NULL;
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autoptr (GError) local = NULL;
      g_auto (Place) place = { .folder = -1 };
      int fd;

      if (!g_path_is_absolute (folders[i]))
        {
          g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_PERMISSION,
                       "plugin folder '%s': expected an absolute path", folders[i]);
          return -1;
        }
      place.folder = open (folders[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
      if (place.folder < 0 && (errno == ENOENT || errno == ENOTDIR))
        continue;
      if (place.folder < 0)
        {
          open_error (error, folders[i], errno);
          return -1;
        }
      place.folder_path = g_strdup (folders[i]);
      place.name = g_strconcat (id, ".so", NULL);
      place.path = g_build_filename (folders[i], place.name, NULL);
      *path = g_strdup (place.path);
      fd = place_open (&place, &local);
      if (fd >= 0)
        return fd;
      if (local != NULL)
        {
          if (strstr (local->message, *path) == NULL)
            g_prefix_error (&local, "%s: ", *path);
          g_propagate_error (error, g_steal_pointer (&local));
          return -1;
        }
      g_clear_pointer (path, g_free);
    }
  return -1;
}

static gboolean
is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static void
append_bits (GString *name, guint64 number)
{
  for (; number > 0; number >>= 1)
    g_string_append (name, (number & 1) != 0 ? "/." : "/");
}

/*
 * A name under which the linker opens exactly the file behind a descriptor.
 *
 * The linker compares names before it compares files, and it remembers every name for ever. The number of a descriptor
 * stands for many files over time, so "/proc/PID/fd/7" alone would give the plugin that had the number 7 before. The name
 * therefore spells the file's inode and device as well, in the only letters that lead nowhere: "/" and "/.".
 *
 * Returns NULL if there is no usable /proc.
 */
static char *
dup_linker_name (int fd)
{
  g_autofree char *process = g_file_read_link ("/proc/self", NULL);
  g_autoptr (GString) name = g_string_new (NULL);
  struct stat ours, seen;

  if (process == NULL || fstat (fd, &ours) != 0)
    return NULL;
  g_string_printf (name, "/proc/%s/fd", process);
  append_bits (name, ours.st_ino);
  g_string_append (name, "/../fd");
  append_bits (name, ours.st_dev);
  g_string_append_printf (name, "/%d", fd);
  if (stat (name->str, &seen) != 0 || !is_same_file (&ours, &seen))
    return NULL;
  return g_string_free (g_steal_pointer (&name), FALSE);
}

/* Says what the linker said, with the path that people know. */
static void
linker_error (GError **error, const char *path, const char *name)
{
  const char *said = dlerror ();
  g_autofree char *prefix = g_strconcat (name, ": ", NULL);
  g_autoptr (GString) text = g_string_new (said != NULL ? said : "the linker does not say why");

  if (g_str_has_prefix (text->str, prefix))
    g_string_erase (text, 0, (gssize) strlen (prefix));
  g_string_replace (text, name, path, 0);
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_OPEN, "%s: cannot be loaded: %s", path, text->str);
}

static void
no_symbol_error (GError **error, const char *path)
{
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_NO_SYMBOL,
               "%s: no symbol 'clq_plugin'; expected CLQ_PLUGIN () in one of its sources", path);
}

/*
 * To load a plugin is to run its constructors. So what can be read from the file is checked before: that it is a plugin,
 * and one for this host. What its description points to is there only after the linker has put the addresses in.
 */
static gboolean
check_unloaded (int fd, const char *path, GError **error)
{
  ClqPlugin plugin;
  gsize room = 0;

  switch (clq_elf_read_symbol (fd, "clq_plugin", &plugin, sizeof plugin, &room))
    {
    case CLQ_ELF_FOUND:
      return clq_plugin_check_abi (&plugin, room, path, error);
    case CLQ_ELF_MISSING:
      no_symbol_error (error, path);
      return FALSE;
    case CLQ_ELF_UNKNOWN:
    default:
      return TRUE;
    }
}

/* The symbol must be the plugin's own: the linker also looks into the libraries that the plugin needs. */
static const ClqPlugin *
find_symbol (gpointer handle, const char *path, gsize *room, GError **error)
{
  gconstpointer symbol = dlsym (handle, "clq_plugin");
  const Symbol *entry = NULL;
  struct link_map *own = NULL;
  struct link_map *found = NULL;
  Dl_info info;

  if (symbol == NULL || dlinfo (handle, RTLD_DI_LINKMAP, &own) != 0 ||
      dladdr1 (symbol, &info, (void **) &found, RTLD_DL_LINKMAP) == 0 || found != own)
    {
      no_symbol_error (error, path);
      return NULL;
    }
  *room = G_MAXSIZE;
  if (dladdr1 (symbol, &info, (void **) &entry, RTLD_DL_SYMENT) != 0 && entry != NULL && entry->st_size > 0)
    *room = entry->st_size;
  return symbol;
}

/**
 * clq_loader_open:
 * @fd: (transfer full): the file, as clq_loader_find() gave it
 * @path: its name, for messages
 * @room: (out): how many bytes the symbol has
 * @error: return location
 *
 * Loads a plugin for the rest of the process and finds its description, of which only magic, ABI and size are known to be
 * right. A file that fails in one of these, or that is no plugin at all, is not loaded: none of its constructors run.
 *
 * The file that was checked is the file that is loaded, whatever happens to its path in between. Its descriptor stays
 * open, because debuggers look for the file under the name that the linker knows.
 *
 * Returns: (transfer none): the description, or %NULL
 */
const ClqPlugin *
clq_loader_open (int fd, const char *path, gsize *room, GError **error)
{
  g_autofree char *name = NULL;
  struct link_map *map = NULL;
  gpointer handle;

  if (!clq_elf_check (fd, path, error) || !check_unloaded (fd, path, error))
    {
      close (fd);
      return NULL;
    }
  name = dup_linker_name (fd);
  if (name == NULL)
    name = g_strdup (path);
  handle = dlopen (name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == NULL)
    linker_error (error, path, name);
  if (handle == NULL || dlinfo (handle, RTLD_DI_LINKMAP, &map) != 0 || strcmp (map->l_name, name) != 0 || strcmp (name, path) == 0)
    close (fd);
  return handle != NULL ? find_symbol (handle, path, room, error) : NULL;
}
