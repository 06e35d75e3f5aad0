/* `colloquy pipe`: one JSON object per line in, one per line out. */
#pragma once

#include "cli.h"

G_BEGIN_DECLS

/* ---- lines ---- */

typedef struct _PipeLines PipeLines;

/* @line is NULL at the end of input; @error says why a line could not be read. */
typedef void (*PipeLineFunc) (const char *line, gsize length, const GError *error, gpointer user_data);

PipeLines *pipe_lines_new (int fd, gsize limit, PipeLineFunc func, gpointer user_data);
void pipe_lines_free (PipeLines *self);

/* ---- the conversation ---- */

typedef struct
{
  ClqHost *host;
  ClqGraph *graph;
  guint8 id[16];
  gboolean is_manual;
  ClqSession *session;    /* NULL until it is open */
  GPtrArray *transitions; /* what has happened since the last answer, as JSON */
  GPtrArray *said;
  GPtrArray *notifications;
  GPtrArray *alerts;
  GPtrArray *warnings;
  /* of the request that is being run */
  char *result;
  GError *error;
} Pipe;

void pipe_init (Pipe *self);
void pipe_clear (Pipe *self);
void pipe_observe (const ClqNews *news, gpointer user_data);
void pipe_answer (Pipe *self, GString *out);
void pipe_run_line (Pipe *self, const char *line, gsize length, GError **error);
void pipe_append_transition (GString *out, const ClqNews *news);

/* ---- results that are read from the journal ---- */

char *pipe_dup_history (Pipe *self, GError **error);
char *pipe_dup_journal (Pipe *self, GError **error);
char *pipe_dup_calls (Pipe *self, GError **error);
char *pipe_dup_metrics (Pipe *self, GError **error);

G_END_DECLS
