/* The words of a guard, and what to say about a wrong one. */
#pragma once

#include "clq-guard-private.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_TOKEN_END,
  CLQ_TOKEN_NAME, /* a word or a dotted path */
  CLQ_TOKEN_NUMBER,
  CLQ_TOKEN_STRING,
  CLQ_TOKEN_COMPARE,
  CLQ_TOKEN_OPEN,
  CLQ_TOKEN_CLOSE,
  CLQ_TOKEN_BAD, /* the error is set */
} ClqToken;

typedef struct
{
  const char *source;
  gsize start;    /* of the token */
  gsize end;      /* behind it */
  gsize previous; /* start of the token before it */
  gsize previous_end;
  ClqToken token;
  char *text; /* of a name or string */
  double number;
  ClqCompare compare;
  GError *error; /* the first one */
} ClqGuardLexer;

void clq_guard_lexer_init (ClqGuardLexer *self, const char *source);
void clq_guard_lexer_clear (ClqGuardLexer *self);
void clq_guard_lexer_next (ClqGuardLexer *self);
char clq_guard_lexer_peek (const ClqGuardLexer *self);
gboolean clq_guard_lexer_is_word (const ClqGuardLexer *self, const char *word);

/* Both set the error, unless there is one, and return 0. */
guint32 clq_guard_lexer_fail (ClqGuardLexer *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
guint32 clq_guard_lexer_expected (ClqGuardLexer *self, const char *what);

G_END_DECLS
