/* A question waits for a person. It is known by its owner and its id, written OWNER/ID. */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_QUESTION_CONFIRMATION, /* yes or no */
  CLQ_QUESTION_CHOICE,       /* one of the options, by text or by number */
  CLQ_QUESTION_INPUT,        /* any text that is not empty */
} ClqQuestionType;

typedef struct
{
  ClqQuestionType type;
  const char *owner; /* NULL = "session" */
  const char *id;    /* NULL = "question" */
  const char *prompt;
  const char *const *options;
} ClqQuestion;

CLQ_API const char *clq_question_type_to_string (ClqQuestionType type);
CLQ_API gboolean clq_question_type_from_string (const char *string, ClqQuestionType *type);
CLQ_API void clq_question_append_json (const ClqQuestion *question, GString *out);
CLQ_API char *clq_question_normalise (const char *question, const char *default_id, GError **error);
CLQ_API char *clq_question_fit_answer (const char *question, const char *answer, GError **error);

G_END_DECLS
