/* The words of a text, split here and not by SQLite, so that all stores find the same. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

/* Of what was let in: an input of the largest depth is wrapped in a record, and a record may hold several texts. */
#define SQLITE_JSON_LIMITS .max_size = G_MAXINT32, .max_depth = 512

void sqlite_words_collect (const char *body, gsize length, GString *words);
char *sqlite_words_to_match (const char *text);

G_END_DECLS
