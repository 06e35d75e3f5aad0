/* What is wrong with a file: every place at once, each with file and line. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef enum
{
  CLQ_FINDING_ERROR,
  CLQ_FINDING_NOTE, /* accepted on purpose, or worth knowing; does not stop loading */
} ClqFindingLevel;

typedef struct
{
  ClqFindingLevel level;
  int code; /* ClqGraphError */
  char *file;
  guint line; /* 0 = the whole file */
  char *message;
  guint order; /* as they were found */
} ClqFinding;

typedef struct _ClqFindings ClqFindings;

CLQ_API ClqFindings *clq_findings_new (void);
CLQ_API void clq_findings_free (ClqFindings *self);
CLQ_API void clq_findings_add (ClqFindings *self, ClqFindingLevel level, int code, const char *file, guint line, const char *format, ...) G_GNUC_PRINTF (6, 7);
CLQ_API guint clq_findings_get_n_errors (ClqFindings *self);
CLQ_API GPtrArray *clq_findings_get_all (ClqFindings *self); /* sorted by file, then line */
CLQ_API char *clq_findings_print (ClqFindings *self);        /* one `file:line: message` a line */
CLQ_API GError *clq_findings_to_error (ClqFindings *self);   /* all of them in one message; NULL if no errors */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqFindings, clq_findings_free)

G_END_DECLS
