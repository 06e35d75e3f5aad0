#define G_LOG_DOMAIN "clq-json"

#include "clq-json-private.h"

#include <string.h>

/* A text with more openings that lead nowhere is no answer in JSON. */
#define MAX_TRIES 64

/* The end of what opens at @start, by its brackets alone; %NULL if they do not close, or too deep. */
static const char *
find_close (const char *start)
{
  guint depth = 0;
  gboolean quoted = FALSE;

  for (const char *p = start; *p != '\0'; p++)
    {
      if (quoted && *p == '\\' && p[1] != '\0')
        p++;
      else if (*p == '"')
        quoted = !quoted;
      else if (!quoted && (*p == '{' || *p == '['))
        {
          if (++depth > CLQ_JSON_MAX_DEPTH)
            return NULL;
        }
      else if (!quoted && (*p == '}' || *p == ']') && --depth == 0)
        return p + 1;
    }
  return NULL;
}

/**
 * clq_json_extract:
 * @text: what somebody said, with JSON in it or not
 * @type: %CLQ_JSON_OBJECT or %CLQ_JSON_ARRAY
 *
 * Finds the first whole and valid value of that type, whatever stands around it: an agent that is asked for JSON likes to
 * put it into a fence, or to explain it.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL if there is none
 */
char *
clq_json_extract (const char *text, ClqJsonType type)
{
  char opening = type == CLQ_JSON_ARRAY ? '[' : '{';
  const char *start = text;

  g_return_val_if_fail (text != NULL && (type == CLQ_JSON_OBJECT || type == CLQ_JSON_ARRAY), NULL);
  for (guint i = 0; i < MAX_TRIES && (start = strchr (start, opening)) != NULL; i++, start++)
    {
      const char *end = find_close (start);

      if (end != NULL && clq_json_check (start, end - start, NULL, NULL))
        return g_strndup (start, (gsize) (end - start));
    }
  return NULL;
}
