/*
 * Patterns: what requests have in common, as `TYPE:WORD`, how often it was seen, and how well it went. Confidence is a moving
 * average of successes; it fades while nothing happens, and what falls below a limit is forgotten. The list is small and
 * stands in the data; a pattern that becomes significant is kept for other sessions as well.
 */
#include "task.h"

#define FIRST_CONFIDENCE 0.5

typedef struct
{
  char *name;
  gint64 seen;
  double confidence;
  gint64 at; /* when it was touched last */
} Pattern;

static void
pattern_clear (gpointer data)
{
  g_free (((Pattern *) data)->name);
}

static gint64
get_number (const ClqJsonSpan *object, const char *name)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, name);

  return span.type == CLQ_JSON_NUMBER ? clq_json_span_get_int (&span) : 0;
}

static double
get_fraction (const ClqJsonSpan *object, const char *name, double otherwise)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, name);

  return span.type == CLQ_JSON_NUMBER ? CLAMP (clq_json_span_get_double (&span), 0, 1) : otherwise;
}

static char *
dup_text (const ClqJsonSpan *object, const char *name)
{
  ClqJsonSpan span = clq_json_find (object->start, (gssize) object->length, name);

  return span.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&span) : NULL;
}

static GArray *
read_list (const ClqJsonSpan *list, gint64 now)
{
  GArray *patterns = g_array_new (FALSE, TRUE, sizeof (Pattern));
  ClqJsonSpan key, value;
  ClqJsonIter iter;

  g_array_set_clear_func (patterns, pattern_clear);
  if (list->type == CLQ_JSON_ARRAY && clq_json_iter_init (&iter, list))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        g_autofree char *at = dup_text (&value, "at");
        Pattern pattern = { dup_text (&value, "name"), get_number (&value, "seen"), get_fraction (&value, "confidence", FIRST_CONFIDENCE), now };

        if (at != NULL)
          clq_time_parse (at, &pattern.at);
        if (pattern.name != NULL)
          g_array_append_val (patterns, pattern);
      }
  return patterns;
}

static GArray *
read_patterns (ClqView *view)
{
  ClqJsonSpan list = clq_view_find (view, "patterns");

  return read_list (&list, clq_view_get_now (view));
}

static Pattern *
find (GArray *patterns, const char *name)
{
  for (guint i = 0; i < patterns->len; i++)
    if (strcmp (g_array_index (patterns, Pattern, i).name, name) == 0)
      return &g_array_index (patterns, Pattern, i);
  return NULL;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Pattern *one = a, *other = b;
  double weight = one->seen * one->confidence, other_weight = other->seen * other->confidence;

  return weight != other_weight ? (weight < other_weight ? 1 : -1) : strcmp (one->name, other->name);
}

/* The strongest first; what is too weak, or too much, is forgotten. */
static void
write_patterns (TaskStep *step, GArray *patterns)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  g_array_sort (patterns, compare);
  json_builder_begin_array (builder);
  for (guint i = 0, n = 0; i < patterns->len && n < step->task->max_patterns; i++)
    {
      const Pattern *pattern = &g_array_index (patterns, Pattern, i);
      g_autofree char *at = clq_time_print (pattern->at);

      if (pattern->confidence < step->task->forget_below)
        continue;
      json_builder_begin_object (builder);
      task_add_string (builder, "name", pattern->name);
      task_add_int (builder, "seen", pattern->seen);
      json_builder_set_member_name (builder, "confidence");
      json_builder_add_double_value (builder, pattern->confidence);
      task_add_string (builder, "at", at);
      json_builder_end_object (builder);
      n++;
    }
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  json = clq_json_print (root);
  clq_change_set_json (step->change, "patterns", json);
}

/* ---- learning ---- */

static void
move_confidence (TaskStep *step, Pattern *pattern, gboolean success)
{
  pattern->confidence += step->task->weight * ((success ? 1 : 0) - pattern->confidence);
  pattern->at = clq_view_get_now (step->view);
}

/* What was applied or seen in a request went well, or not. */
void
task_patterns_learn (TaskStep *step, const char *names_path, gboolean success)
{
  g_autoptr (GArray) patterns = read_patterns (step->view);
  ClqJsonSpan list = clq_view_find (step->view, names_path);
  g_auto (GStrv) names = task_dup_strings (&list);

  for (guint i = 0; names[i] != NULL; i++)
    {
      Pattern *pattern = find (patterns, names[i]);

      if (pattern != NULL)
        move_confidence (step, pattern, success);
    }
  if (names[0] != NULL)
    write_patterns (step, patterns);
}

/* For other sessions, and for this one when its data have forgotten it. */
static void
keep (TaskStep *step, const Pattern *pattern)
{
  g_autofree char *id = clq_view_dup_string (step->view, "request.id");
  const char *colon = strchr (pattern->name, ':');
  g_autofree char *type = colon != NULL ? g_strndup (pattern->name, (gsize) (colon - pattern->name)) : g_strdup (pattern->name);
  JsonBuilder *builder = task_begin ("pattern", id);
  g_autofree char *entry = NULL;

  task_add_string (builder, "name", pattern->name);
  task_add_int (builder, "seen", pattern->seen);
  task_add_double (builder, "confidence", pattern->confidence);
  task_add_strings (builder, "tags", (const char *const[]){ "pattern", type, NULL });
  task_add_strings (builder, "links", (const char *const[]){ id, NULL });
  entry = task_end (builder);
  task_queue_add (step, entry);
}

/* The event's `discovered` are seen so often; those of the request are judged with it. */
void
task_patterns_discover (TaskStep *step, gboolean success)
{
  g_autoptr (GArray) patterns = read_patterns (step->view);
  ClqJsonSpan list = task_find_payload (step, "discovered"), applied = clq_view_find (step->view, "context.patterns_applied");
  g_autoptr (GArray) discovered = read_list (&list, clq_view_get_now (step->view));
  g_auto (GStrv) names = task_dup_strings (&applied);
  g_autoptr (GPtrArray) concerned = g_ptr_array_new ();
  g_autofree char *json = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (concerned, names[i]);
  for (guint i = 0; i < discovered->len; i++)
    {
      const Pattern *seen = &g_array_index (discovered, Pattern, i);
      Pattern *known = find (patterns, seen->name);
      gboolean was_significant = known != NULL && known->seen >= step->task->significant;

      if (known == NULL)
        {
          g_array_append_val (patterns, ((Pattern){ g_strdup (seen->name), 0, FIRST_CONFIDENCE, seen->at }));
          known = &g_array_index (patterns, Pattern, patterns->len - 1);
        }
      known->seen = MAX (known->seen + 1, seen->seen);
      if (!g_ptr_array_find_with_equal_func (concerned, seen->name, g_str_equal, NULL))
        g_ptr_array_add (concerned, seen->name);
      if (!was_significant && known->seen >= step->task->significant)
        keep (step, known);
    }
  for (guint i = 0; i < concerned->len; i++)
    {
      Pattern *pattern = find (patterns, concerned->pdata[i]);

      if (pattern != NULL)
        move_confidence (step, pattern, success);
    }
  g_ptr_array_add (concerned, NULL);
  json = task_print_strings ((const char *const *) concerned->pdata);
  clq_change_set_json (step->change, "result.patterns", json);
  if (concerned->len > 1)
    write_patterns (step, patterns);
}

/* What other sessions have learned, as the event's `known`, unless this one knows better. */
void
task_patterns_adopt (TaskStep *step)
{
  g_autoptr (GArray) patterns = read_patterns (step->view);
  ClqJsonSpan list = task_find_payload (step, "known");
  g_autoptr (GArray) known = read_list (&list, clq_view_get_now (step->view));
  guint n = patterns->len;

  for (guint i = 0; i < known->len; i++)
    {
      const Pattern *pattern = &g_array_index (known, Pattern, i);

      if (find (patterns, pattern->name) == NULL)
        g_array_append_val (patterns, ((Pattern){ g_strdup (pattern->name), pattern->seen, pattern->confidence, pattern->at }));
    }
  if (patterns->len > n)
    write_patterns (step, patterns);
}

/* After a while in IDLE: what was seen in the meantime is added, and everything fades a little. */
void
task_patterns_age (TaskStep *step)
{
  g_autoptr (GArray) patterns = read_patterns (step->view);
  ClqJsonSpan list = task_find_payload (step, "discovered");
  gint64 now = clq_view_get_now (step->view);
  g_autoptr (GArray) discovered = read_list (&list, now);

  for (guint i = 0; i < patterns->len; i++)
    {
      Pattern *pattern = &g_array_index (patterns, Pattern, i);
      double days = (double) (now - pattern->at) / G_TIME_SPAN_DAY;

      if (days > 0)
        pattern->confidence *= pow (step->task->decay, days);
      pattern->at = now;
    }
  for (guint i = 0; i < discovered->len; i++)
    {
      const Pattern *seen = &g_array_index (discovered, Pattern, i);
      Pattern *known = find (patterns, seen->name);

      if (known != NULL)
        known->seen = MAX (known->seen, seen->seen);
      else
        {
          Pattern pattern = { g_strdup (seen->name), seen->seen, FIRST_CONFIDENCE, now };

          g_array_append_val (patterns, pattern);
          keep (step, &pattern);
        }
    }
  if (patterns->len > 0)
    write_patterns (step, patterns);
}

/* ---- using ---- */

/* How often something must be seen before it counts, as the graph says. */
gint64
task_patterns_get_significant (ClqView *view)
{
  const char *text = clq_view_get_setting (view, "significant");

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : TASK_SIGNIFICANT;
}

/*
 * The names of the significant patterns that a request of this type with these words shows, as JSON. @known: (nullable): a
 * JSON list of patterns of other sessions
 */
char *
task_patterns_dup_applied (ClqView *view, const char *known, const char *type, const char *normal)
{
  g_autoptr (GArray) patterns = read_patterns (view);
  ClqJsonSpan list = known != NULL ? clq_json_span (known, -1) : (ClqJsonSpan){ 0 };
  g_autoptr (GArray) others = read_list (&list, 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  gint64 significant = task_patterns_get_significant (view);

  for (guint i = 0; i < patterns->len + others->len; i++)
    {
      const Pattern *pattern = i < patterns->len ? &g_array_index (patterns, Pattern, i) : &g_array_index (others, Pattern, i - patterns->len);
      const char *colon = strchr (pattern->name, ':');

      if (pattern->seen >= significant && colon != NULL && strlen (type) == (gsize) (colon - pattern->name) &&
          g_str_has_prefix (pattern->name, type) && task_words_have (normal, colon + 1) &&
          !g_ptr_array_find_with_equal_func (names, pattern->name, g_str_equal, NULL))
        g_ptr_array_add (names, pattern->name);
    }
  g_ptr_array_add (names, NULL);
  return task_print_strings ((const char *const *) names->pdata);
}
