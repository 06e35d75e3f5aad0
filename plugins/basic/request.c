/* What agents are asked: the text that led to the visit, as one message. */
#include "basic.h"

char *
basic_dup_request (ClqVisit *visit)
{
  const char *heard = clq_visit_get_text (visit);
  g_autofree char *text = clq_json_quote (heard != NULL ? heard : "");

  return g_strdup_printf ("{\"messages\":[{\"role\":\"user\",\"text\":%s}]}", text);
}
