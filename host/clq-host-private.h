/* What the files of the host share. */
#pragma once

#include "clq-engine.h"
#include "clq-session.h"

G_BEGIN_DECLS

struct _ClqHost
{
  GObject parent_instance;
  GMainContext *context;
  ClqRegistry *registry;
  ClqEngine *engine; /* NULL once closed */
  char **graph_folders;
  GHashTable *graphs;  /* hash → ClqGraph */
  GHashTable *agents;  /* name → HostPart */
  GHashTable *tools;   /* kind → HostPart */
  GHashTable *handles; /* id → ClqSession, not references */
  char *standard_agent;
  GHashTable *standard_settings;
  const ClqStoreInfo *store;
  gpointer store_self;
};

/* An instance of a feature that belongs to the host. */
typedef struct
{
  const ClqFeature *feature;
  gpointer self;
  ClqSchema *schema; /* tools: of their arguments */
  char *kind;
  char *problem; /* why it cannot be used: a secret that is not there; NULL if it can */
} HostPart;

extern const ClqEngineHost clq_host_engine_ops;

HostPart *clq_host_part_begin (ClqHost *self, ClqFeatureType type, const char *kind, GError **error);
HostPart *clq_host_part_new (ClqHost *self, ClqFeatureType type, const char *kind, GHashTable *settings, GError **error);
void clq_host_part_free (HostPart *part);
GHashTable *clq_host_parts_new (void);
HostPart *clq_host_find_agent_part (ClqHost *self, const char *name, GError **error);
void clq_host_emit_news (GObject *object, guint signal, const ClqNews *news);
guint clq_host_add_news_signal (GType type);
void clq_session_tell (ClqSession *self, const ClqNews *news);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HostPart, clq_host_part_free)

G_END_DECLS
