/* A keyfile with places: GKeyFile's syntax, but every group and key knows its file and line, and nothing merges silently. */
#pragma once

#include "clq-finding.h"

G_BEGIN_DECLS

typedef struct
{
  char *key;
  char *value; /* unescaped, white space around it removed */
  const char *file;
  guint line;
} ClqKey;

typedef struct
{
  char *name; /* "state IDLE" */
  const char *file;
  guint line;
  GPtrArray *keys;   /* ClqKey, in the order of the file */
  GHashTable *index; /* key → ClqKey */
} ClqGroup;

typedef struct _ClqKeyfile ClqKeyfile;

CLQ_API ClqKeyfile *clq_keyfile_new (void);
CLQ_API void clq_keyfile_free (ClqKeyfile *self);
CLQ_API gboolean clq_keyfile_read_file (ClqKeyfile *self, const char *path, ClqFindings *findings);
CLQ_API gboolean clq_keyfile_read_text (ClqKeyfile *self, const char *name, const char *text, gssize length, ClqFindings *findings);
CLQ_API void clq_keyfile_extend (ClqKeyfile *self, const ClqKeyfile *addition);
CLQ_API void clq_keyfile_set (ClqKeyfile *self, const char *group, const char *key, const char *value, const char *origin);
CLQ_API gboolean clq_keyfile_set_line (ClqKeyfile *self, const char *group, const char *line, const char *origin, ClqFindings *findings);
CLQ_API void clq_keyfile_unset (ClqKeyfile *self, const char *group, const char *key);
CLQ_API GPtrArray *clq_keyfile_get_groups (const ClqKeyfile *self); /* ClqGroup */
CLQ_API const ClqGroup *clq_keyfile_find_group (const ClqKeyfile *self, const char *name);
CLQ_API const ClqKey *clq_keyfile_find (const ClqKeyfile *self, const char *group, const char *key);
CLQ_API const char *clq_keyfile_get (const ClqKeyfile *self, const char *group, const char *key);
CLQ_API char *clq_keyfile_print (const ClqKeyfile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqKeyfile, clq_keyfile_free)

G_END_DECLS
