#define G_LOG_DOMAIN "clq-openings"

#include "clq-engine.h"

#include <string.h>

/*
 * The records of events begin alike wherever the same event leads from the same state to the same other one. Each such
 * beginning is made once; stores that see it again may keep it once, too. All names are interned, so that the address
 * tells which one it is.
 */

static const char *
build (const char *from, const char *event, const char *to)
{
  g_autofree char *text = from != NULL ? g_strconcat ("{\"from\":\"", from, "\",\"event\":\"", event, "\",\"to\":\"", to, "\",\"ms\":", NULL)
                                       : g_strconcat ("{\"event\":\"", event, "\"", NULL);

  return g_intern_string (text);
}

/* Private: how the record of an event begins; @from and @to are %NULL unless the session moves. */
const ClqOpening *
clq_openings_find (ClqEngine *engine, const char *from, const char *event, const char *to)
{
  guint64 mixed = (GPOINTER_TO_SIZE (from) * 31 + GPOINTER_TO_SIZE (event)) * 31 + GPOINTER_TO_SIZE (to);
  ClqOpening *opening = &engine->openings[(mixed * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32) % G_N_ELEMENTS (engine->openings)];

  if (opening->event != event || opening->from != from || opening->to != to)
    {
      const char *text = build (from, event, to);

      *opening = (ClqOpening){ from, event, to, text, strlen (text) };
    }
  return opening;
}
