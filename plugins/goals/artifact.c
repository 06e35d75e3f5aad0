/* Results inside a message: <artifact type="html" title="clock.html">…</artifact> */
#include "goals.h"

#define CLOSE "</artifact>"

/* A reply with more is no result but an accident. */
#define MAX_ARTIFACTS 20

static void
artifact_free (gpointer data)
{
  GoalsArtifact *self = data;

  g_free (self->type);
  g_free (self->title);
  g_free (self->text);
  g_free (self);
}

/* The value of an attribute of the opening tag, in either kind of quotation marks. */
static char *
find_attribute (const char *tag, gsize length, const char *name)
{
  g_autofree char *whole = g_strndup (tag, length);
  g_autofree char *key = g_strconcat (name, "=", NULL);
  const char *at = whole, *end;

  while ((at = strstr (at, key)) != NULL && at > whole && !g_ascii_isspace (at[-1]))
    at++;
  if (at == NULL)
    return NULL;
  at += strlen (key);
  if (*at != '"' && *at != '\'')
    return g_strndup (at, strcspn (at, " \t\n/>"));
  end = strchr (at + 1, *at);
  return end != NULL ? g_strndup (at + 1, end - at - 1) : NULL;
}

/* A result that is put into a fence, so that it is drawn as code, is what is inside. */
static char *
strip_fence (const char *text, gsize length)
{
  g_autofree char *inner = g_strstrip (g_strndup (text, length));
  char *first, *last;

  if (!g_str_has_prefix (inner, "```") || !g_str_has_suffix (inner, "```"))
    return g_steal_pointer (&inner);
  first = strchr (inner, '\n');
  last = g_strrstr (inner, "\n```");
  if (first == NULL || last < first)
    return g_steal_pointer (&inner);
  return g_strndup (first + 1, last > first ? last - first - 1 : 0);
}

/* All results of a message. A tag that is never closed holds nothing. */
GPtrArray *
goals_find_artifacts (const char *text)
{
  static const char open[] = "<artifact";
  GPtrArray *found = g_ptr_array_new_with_free_func (artifact_free);
  const char *start = text, *inner, *end;

  while (found->len < MAX_ARTIFACTS && (start = strstr (start, open)) != NULL)
    {
      const char *tag = start + strlen (open);
      GoalsArtifact *artifact;

      start = tag;
      if (*tag != '>' && !g_ascii_isspace (*tag))
        continue;
      inner = strchr (tag, '>');
      end = inner != NULL ? strstr (inner, CLOSE) : NULL;
      if (end == NULL)
        break;
      artifact = g_new0 (GoalsArtifact, 1);
      artifact->type = find_attribute (tag, (gsize) (inner - tag), "type");
      artifact->title = find_attribute (tag, (gsize) (inner - tag), "title");
      artifact->text = strip_fence (inner + 1, (gsize) (end - inner - 1));
      g_ptr_array_add (found, artifact);
      start = end;
    }
  return found;
}

/* Each result becomes a record; the data only count them. */
void
goals_keep_artifacts (ClqView *view, const char *text, ClqChange *change)
{
  g_autoptr (GPtrArray) artifacts = goals_find_artifacts (text);
  g_autofree char *goal = clq_view_dup_string (view, "currentGoal.id");
  gint64 count = clq_view_get_int (view, "artifacts");

  for (guint i = 0; i < artifacts->len; i++)
    {
      const GoalsArtifact *artifact = g_ptr_array_index (artifacts, i);
      g_autoptr (GString) record = g_string_new ("{}");
      g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, count + i + 1);

      clq_json_set (record, "number", number);
      goals_set_text (record, "type", artifact->type);
      goals_set_text (record, "title", artifact->title);
      goals_set_text (record, "goal", goal);
      goals_set_text (record, "text", artifact->text);
      clq_change_append (change, CLQ_RECORD_ARTIFACT, CLQ_ROLE_ASSISTANT, record->str);
    }
  if (artifacts->len > 0)
    clq_change_set_int (change, "artifacts", count + artifacts->len);
}
