/* What is wrong with a file: every place at once, each with file and line. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef enum
{
  CLQ_FINDING_ERROR,
  CLQ_FINDING_NOTE,    /* accepted on purpose, or worth knowing; does not stop loading */
  CLQ_FINDING_WARNING, /* would stop loading, but the graph is loaded bare, to look at it */
} ClqFindingLevel;

typedef struct
{
  ClqFindingLevel level;
  int code; /* ClqGraphError */
  char *file;
  guint line; /* 0 = the whole file */
  char *message;
  guint order;          /* as they were found */
  char *invariant;      /* the name of one that does not hold; NULL if it is about something else */
  char *counterexample; /* of that invariant: a JSON list of requests for `colloquy pipe --bare` */
} ClqFinding;

typedef struct _ClqFindings ClqFindings;

CLQ_API ClqFindings *clq_findings_new (void);
CLQ_API void clq_findings_free (ClqFindings *self);
CLQ_API void clq_findings_add (ClqFindings *self, ClqFindingLevel level, int code, const char *file, guint line, const char *format, ...) G_GNUC_PRINTF (6, 7);
CLQ_API void clq_findings_add_broken (ClqFindings *self, ClqFindingLevel level, const char *file, guint line, const char *invariant, const char *counterexample, const char *format, ...) G_GNUC_PRINTF (7, 8);
CLQ_API void clq_findings_add_copy (ClqFindings *self, const ClqFinding *finding);
CLQ_API guint clq_findings_get_n_errors (ClqFindings *self);
CLQ_API GPtrArray *clq_findings_get_all (ClqFindings *self);          /* sorted by file, then line */
CLQ_API const char *clq_finding_get_word (const ClqFinding *finding); /* "error", "note" or "warning" */
CLQ_API char *clq_findings_print (ClqFindings *self);                 /* one `file:line: message` a line */
CLQ_API GError *clq_findings_to_error (ClqFindings *self);            /* all of them in one message; NULL if no errors */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqFindings, clq_findings_free)

G_END_DECLS
