/* What becomes of the data when two branches are merged: what only one has changed is taken, the rest are conflicts. */
#include "chat.h"

/* What is known of the conversation as a whole, or follows from it, is not merged by comparing. */
static const char *const own[] = {
  "turnCount", "branch", "branches", "checkpoints", "checkpointCount", "conflicts", "metrics", "conversation", "turn", "fork",
  "merge", "rewind", "closing", "digest", "crystal", "decisions", "artifacts", NULL
};
static const char *const context_settings[] = { "strategy", "window", "threshold", NULL };

static gboolean
is_equal (const ClqJsonSpan *a, const ClqJsonSpan *b)
{
  g_autoptr (JsonNode) one = NULL;
  g_autoptr (JsonNode) other = NULL;

  if (a->type != b->type)
    return FALSE;
  if (a->type == CLQ_JSON_NONE || (a->length == b->length && memcmp (a->start, b->start, a->length) == 0))
    return TRUE;
  one = clq_json_parse (a->start, (gssize) a->length, NULL);
  other = clq_json_parse (b->start, (gssize) b->length, NULL);
  return one != NULL && other != NULL && json_node_equal (one, other);
}

/* A value that the merge sets; none: it takes away what is there. */
void
chat_three_way_add (ChatThreeWay *self, const char *path, const ClqJsonSpan *value)
{
  g_string_append (self->values, self->values->len > 1 ? ",[" : "[");
  clq_json_append_string (self->values, path, -1);
  if (value->type > CLQ_JSON_NULL)
    {
      g_string_append_c (self->values, ',');
      g_string_append_len (self->values, value->start, (gssize) value->length);
    }
  g_string_append_c (self->values, ']');
}

static void
add_conflict (ChatThreeWay *self, const char *path, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there)
{
  g_autoptr (GString) conflict = g_string_new (NULL);
  g_autofree char *ours = chat_dup_span (here, "null");
  g_autofree char *theirs = chat_dup_span (there, "null");
  g_autofree char *was = chat_dup_span (base, "null");

  chat_add_text (conflict, "id", path);
  chat_add_json (conflict, "base", ours);
  chat_add_json (conflict, "branch", theirs);
  chat_add_json (conflict, "was", was);
  g_string_append_printf (self->conflicts, "%s%s}", self->conflicts->len > 1 ? "," : "", conflict->str);
}

/* Whether all members can be named by a path. */
static gboolean
has_plain_keys (char **keys)
{
  for (guint i = 0; keys[i] != NULL; i++)
    if (*keys[i] == '\0' || strchr (keys[i], '.') != NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_merged (const char *path, const char *key)
{
  if (path == NULL)
    return !g_strv_contains (own, key);
  return strcmp (path, "context") != 0 || g_strv_contains (context_settings, key);
}

static void merge_objects (ChatThreeWay *self, const char *path, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there);

static void
merge_values (ChatThreeWay *self, const char *path, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there)
{
  g_auto (GStrv) ours = chat_dup_keys (here);
  g_auto (GStrv) theirs = chat_dup_keys (there);

  if (is_equal (here, there))
    return;
  if (here->type == CLQ_JSON_OBJECT && there->type == CLQ_JSON_OBJECT && has_plain_keys (ours) && has_plain_keys (theirs))
    merge_objects (self, path, here, base, there);
  else if (is_equal (here, base))
    chat_three_way_add (self, path, there);
  else if (!is_equal (there, base))
    add_conflict (self, path, here, base, there);
}

static void
merge_member (ChatThreeWay *self, const char *path, const char *key, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there)
{
  ClqJsonSpan ours = chat_find_key (here, key), was = chat_find_key (base, key), theirs = chat_find_key (there, key);
  g_autofree char *inner = path != NULL ? g_strconcat (path, ".", key, NULL) : g_strdup (key);

  if (is_merged (path, key))
    merge_values (self, inner, &ours, &was, &theirs);
}

static void
merge_objects (ChatThreeWay *self, const char *path, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there)
{
  g_auto (GStrv) ours = chat_dup_keys (here);
  g_auto (GStrv) theirs = chat_dup_keys (there);

  for (guint i = 0; ours[i] != NULL; i++)
    merge_member (self, path, ours[i], here, base, there);
  for (guint i = 0; theirs[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) ours, theirs[i]))
      merge_member (self, path, theirs[i], here, base, there);
}

void
chat_three_way_run (ChatThreeWay *self, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there)
{
  merge_objects (self, NULL, here, base, there);
}
