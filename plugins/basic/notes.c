/* notes: a conversation that keeps what the user said. */
#include "basic.h"

#include <string.h>

typedef struct
{
  gint64 max_notes;
} Notes;

static const ClqSetting settings[] = {
  CLQ_INT (Notes, max_notes, 100, 0, 1000, "how many notes are kept; a message beyond is refused"),
  { NULL },
};

static gint64
count_notes (ClqView *view)
{
  ClqJsonSpan notes = clq_view_find (view, "notes");
  ClqJsonSpan note;
  ClqJsonIter iter;
  gint64 n = 0;

  if (notes.type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, &notes))
    while (clq_json_iter_next (&iter, NULL, &note))
      n++;
  return n;
}

/* The number goes up by one and is not computed anew, so that the node count can share it. */
static void
add_note (ClqView *view, const char *text, ClqChange *change)
{
  ClqJsonSpan notes = clq_view_find (view, "notes");
  g_autoptr (GString) json = g_string_new ("[");

  if (count_notes (view) > 0)
    {
      /* All of the array but its last bracket. */
      g_string_truncate (json, 0);
      g_string_append_len (json, notes.start, (gssize) notes.length - 1);
      g_string_append_c (json, ',');
    }
  clq_json_append_string (json, text, -1);
  g_string_append_c (json, ']');
  clq_change_set_json (change, "notes", json->str);
  clq_change_set_int (change, "count", clq_view_get_int (view, "count") + 1);
}

static gboolean
take_message (Notes *notes, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  if (count_notes (view) >= notes->max_notes)
    {
      g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "there is room for %" G_GINT64_FORMAT " notes", notes->max_notes);
      return FALSE;
    }
  add_note (view, clq_event_get_text (event), change);
  return TRUE;
}

static gboolean
is_message (const ClqEvent *event)
{
  return event != NULL && clq_event_get_kind (event) == CLQ_EVENT_ACTION &&
         clq_event_get_role (event) == CLQ_ROLE_USER && clq_event_get_text (event) != NULL;
}

static gboolean
notes_open (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  clq_change_set_json (change, "notes", "[]");
  clq_change_set_int (change, "count", 0);
  return !is_message (event) || take_message (self, view, event, change, error);
}

static gboolean
notes_apply (gpointer self, ClqView *view, const ClqEvent *event, ClqChange *change, GError **error)
{
  return !is_message (event) || take_message (self, view, event, change, error);
}

static char *
notes_describe (gpointer self, ClqView *view)
{
  Notes *notes = self;

  return g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " notes", count_notes (view), notes->max_notes);
}

static gboolean
is_in_word (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_ismark (c) || c == '_';
}

/* A word is bounded by what is no letter, digit or mark of any script: "stopwatch" is no "stop". */
static gboolean
has_word (const char *text, const char *word)
{
  const char *start = text;

  while (*start != '\0')
    {
      const char *end = start;
      g_autofree char *found = NULL;

      while (*end != '\0' && is_in_word (g_utf8_get_char (end)))
        end = g_utf8_next_char (end);
      found = g_utf8_casefold (start, end - start);
      if (strcmp (found, word) == 0)
        return TRUE;
      start = *end != '\0' ? g_utf8_next_char (end) : end;
    }
  return FALSE;
}

static gboolean
test_mentions_stop (gpointer self, ClqView *view, const ClqEvent *event)
{
  const char *text = event != NULL ? clq_event_get_text (event) : NULL;

  return text != NULL && has_word (text, "stop");
}

static gboolean
test_has_notes (gpointer self, ClqView *view, const ClqEvent *event)
{
  return count_notes (view) > 0;
}

static const ClqPredicate predicates[] = {
  { "mentions-stop", "the text has the word stop", test_mentions_stop, FALSE },
  { "has-notes", "there is at least one note", test_has_notes, TRUE },
  { NULL },
};

const ClqModalityInfo basic_notes = {
  CLQ_MODALITY_INFO,
  .name = "notes",
  .summary = "Keeps what the user says as notes",
  .settings = settings,
  .self_size = sizeof (Notes),
  .predicates = predicates,
  .fields = (const char *const[]){ "notes", "count", NULL },
  .open = notes_open,
  .apply = notes_apply,
  .describe = notes_describe,
};
