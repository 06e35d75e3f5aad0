/* The branches of a session on their way from segments to lines. */
#pragma once

#include "cli.h"

G_BEGIN_DECLS

/* A stretch of the conversation in which nothing branches off. Parents come before their children. */
typedef struct
{
  guint parent; /* its index; 0 for the first one, which is its own parent */
  guint32 segment;
  guint64 until;  /* the last record that belongs to it */
  guint n_before; /* turns before it */
  guint n_turns;
  char *opening;        /* what was said first */
  GPtrArray *names;     /* of branches that end here */
  GPtrArray *places;    /* checkpoints */
  GPtrArray *merged;    /* branches that became part of it */
  GArray *children;     /* guint */
  gboolean is_current;  /* the conversation goes on here */
  gboolean has_current; /* here or in what comes after */
  gboolean is_gone;     /* became part of another one */
} Stretch;

typedef struct
{
  char *name;
  guint32 segment;
  guint64 seq;
} Mark;

typedef struct
{
  ClqHost *host;
  guint8 id[16];
  int columns;
  CliTreeFunc func;
  gpointer user_data;
  GArray *segments; /* ClqSegment, in the order of their numbers */
  GPtrArray *marks; /* Mark */
  guint32 current;
  char *branch; /* where the conversation goes on */
  char *data;
  GPtrArray *stretches;
  GPtrArray *lines;
} Tree;

static inline Stretch *
stretch_at (const Tree *self, guint index)
{
  return g_ptr_array_index (self->stretches, index);
}

/* cli-tree-build.c */
void cli_tree_build (Tree *self, const GPtrArray *records);
void cli_tree_free_stretch (gpointer data);

G_END_DECLS
