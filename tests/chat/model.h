/* What a conversation with branches is, as simply as it can be said: lists of texts. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Something that was said, or something that was merged. Shared by all who have it. */
typedef struct
{
  GPtrArray *texts; /* in the order in which they are seen */
  GArray *times;    /* guint, when each was said */
} Item;

/* One way through the conversation. */
typedef struct
{
  GPtrArray *items;
  char *topic; /* a field of the data */
} Path;

typedef struct
{
  Path *path;
  char *branch;
  GHashTable *branches;    /* name → Path, where it was left; the current one is not there */
  GHashTable *checkpoints; /* id → Path */
  guint clock;
} Model;

typedef enum
{
  MODEL_APPEND,
  MODEL_SEQUENTIAL,
  MODEL_INTERLEAVE,
} ModelMerge;

Model *model_new (void);
void model_free (Model *self);
Path *path_copy (const Path *path);
void path_free (Path *path);
void model_say (Model *self, const char *text);
void model_fork (Model *self, const char *name);
void model_switch (Model *self, const char *name);
void model_checkpoint (Model *self, const char *id);
void model_go_to (Model *self, const char *id);
void model_rewind (Model *self, guint turns);
void model_merge (Model *self, const char *name, ModelMerge how);
guint model_count_turns (const Model *self);
char *model_dup_seen (const Model *self);

G_END_DECLS
