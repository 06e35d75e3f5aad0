/* What the files of the plugin files share. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

extern const ClqToolInfo files_read;
extern const ClqToolInfo files_list;

/* beneath.c: nothing that these open lies outside the root. */
gboolean files_root_open (const char *path, int *fd, GError **error);
int files_open_beneath (int root, const char *path, gboolean folder, GError **error);
int files_open_walking (int root, const char *path, gboolean folder, GError **error);

/* A job for a thread: it has its own copies of everything. */
typedef struct
{
  int root;
  char *path;
  gint64 offset;
  gint64 limit;
} FilesJob;

void files_run (ClqCall *call, int root, gint64 offset, gint64 limit, char *(*work) (const FilesJob *job, GError **error));

G_END_DECLS
