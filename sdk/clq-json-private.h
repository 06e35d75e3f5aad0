/* What the files that read JSON texts share. */
#pragma once

#include "clq-json.h"

G_BEGIN_DECLS

ClqJsonSpan clq_json_root (const char *text, gssize length);
gboolean clq_json_text_equals (const ClqJsonSpan *span, const char *string, gsize length);
const char *clq_json_skip_mark (const char *p, const char *end, char mark);

G_END_DECLS
