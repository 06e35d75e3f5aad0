/* receive: what kind of request it is, and whether it can be done at all. */
#include "task.h"

typedef struct
{
  char *agent;
  char *prompt;
  char **query_words;
  char **code_words;
  char **docs_words;
  char **refactor_words;
  char **stop_words;
  char **unrealistic;
} Receive;

static const ClqSetting settings[] = {
  CLQ_STRING (Receive, agent, "analyst", "who is asked what a request means; without such an agent its words decide"),
  CLQ_STRING (Receive, prompt, "Classify this request. Answer with JSON: {\"request_type\":\"code|docs|refactor|query\",\"estimated_complexity\":\"simple|medium|complex\"}; if it cannot be understood add \"clarification\", what has to be said more precisely; if it cannot be done add \"alternatives\", a list of what could be done instead.", "what the agent is told"),
  CLQ_LIST (Receive, query_words, "what;why;how;when;where;who;which;explain;show;list;find;tell;compare;describe;summarise;summarize", "words with which a question begins"),
  CLQ_LIST (Receive, code_words, "write;implement;add;create;build;fix;make;generate;code;function;class;script;program;test;tests;bug;support", "words of a request for code"),
  CLQ_LIST (Receive, docs_words, "document;documentation;docs;readme;comment;comments;changelog;tutorial;manual;guide", "words of a request for documentation"),
  CLQ_LIST (Receive, refactor_words, "refactor;refactoring;clean up;rename;restructure;simplify;extract;reorganise;reorganize;optimise;optimize;deduplicate", "words of a request to change the form of code"),
  CLQ_LIST (Receive, stop_words, TASK_STOP_WORDS, "words that do not say what a request is about"),
  CLQ_LIST (Receive, unrealistic, "entire internet;whole internet;every programming language;all programming languages;without any bugs;guaranteed bug free;never fails;read my mind;halting problem;infinite", "what nobody can do"),
  { NULL },
};

#define EXAMPLE "Write a function that parses ISO dates, with tests."

/* What is made of a request. */
typedef struct
{
  const Receive *node;
  char *content;
  char *normal;
  char **terms;
  const char *type;
  const char *complexity;
  char *clarification;
  char **alternatives;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *self = data;

  g_free (self->content);
  g_free (self->normal);
  g_strfreev (self->terms);
  g_free (self->clarification);
  g_strfreev (self->alternatives);
  g_free (self);
}

/* ---- words ---- */

static const char *
find (const Reading *self, char **words)
{
  return task_words_find (self->normal, (const char *const *) words);
}

/* The leading word decides whether somebody asks; what is to be made decides the rest. NULL: nothing says. */
static const char *
guess_type (const Reading *self)
{
  const char *query = find (self, self->node->query_words), *code = find (self, self->node->code_words);
  const char *docs = find (self, self->node->docs_words), *refactor = find (self, self->node->refactor_words);

  if (query != NULL && (code == NULL || query < code) && (docs == NULL || query < docs) && (refactor == NULL || query < refactor))
    return "query";
  if (refactor != NULL)
    return "refactor";
  if (docs != NULL)
    return "docs";
  if (code != NULL)
    return "code";
  return strchr (self->content, '?') != NULL ? "query" : NULL;
}

static const char *
guess_complexity (const Reading *self)
{
  guint n_words = 0, n_parts = 1;

  for (const char *c = self->normal + 1; *c != '\0'; c++)
    n_words += *c == ' ';
  for (const char *c = strstr (self->normal, " and "); c != NULL; c = strstr (c + 1, " and "))
    n_parts++;
  for (const char *c = strchr (self->content, '\n'); c != NULL; c = strchr (c + 1, '\n'))
    n_parts++;
  if (n_words > 80 || n_parts > 5)
    return "complex";
  return n_words > 20 || n_parts > 2 ? "medium" : "simple";
}

/* Words that say what to do, but not with what, are not enough; neither is a thing alone. */
static void
look_for_gaps (Reading *self)
{
  if (self->terms[0] == NULL)
    self->clarification = g_strdup ("What is it about? Name the file, function, text or topic.");
  else if (self->type == NULL && self->terms[1] == NULL)
    self->clarification = g_strdup_printf ("What is to be done with “%s”? Say whether to write, change, document or explain something.", self->terms[0]);
}

/* ---- ends ---- */

static void
finish_invalid (ClqVisit *visit, const char *why)
{
  clq_change_set_string (clq_visit_get_change (visit), "example", EXAMPLE);
  clq_visit_say (visit, "%s. A request looks like this: %s", why, EXAMPLE);
  clq_visit_finish (visit, "invalid");
}

static void
finish_unclear (ClqVisit *visit, const Reading *reading)
{
  ClqChange *change = clq_visit_get_change (visit);

  clq_change_set_string (change, "clarification", reading->clarification);
  clq_visit_say (visit, "%s", reading->clarification);
  if (reading->alternatives != NULL)
    {
      g_autofree char *list = task_print_strings ((const char *const *) reading->alternatives);

      clq_change_set_json (change, "alternatives", list);
      for (guint i = 0; reading->alternatives[i] != NULL; i++)
        clq_visit_say (visit, "\n- %s", reading->alternatives[i]);
    }
  clq_visit_finish (visit, "ambiguous");
}

static void
finish (ClqVisit *visit, const Reading *reading)
{
  JsonBuilder *builder;
  g_autofree char *payload = NULL;
  gint64 ms;

  if (reading->clarification != NULL)
    {
      finish_unclear (visit, reading);
      return;
    }
  ms = strcmp (reading->complexity, "simple") == 0 ? 10000 : strcmp (reading->complexity, "medium") == 0 ? 30000
                                                                                                         : 120000;
  builder = task_begin (NULL, NULL);
  task_add_string (builder, "request_type", reading->type != NULL ? reading->type : "query");
  task_add_string (builder, "estimated_complexity", reading->complexity);
  task_add_int (builder, "estimated_duration_ms", ms);
  task_add_strings (builder, "terms", (const char *const *) reading->terms);
  payload = task_end (builder);
  clq_visit_finish_with (visit, "valid", payload);
}

/* ---- the agent ---- */

/* One of the words of a list, as it stands there; NULL if it is none. */
static const char *
choose (const char *json, const char *member, const char *const *words)
{
  g_autofree char *text = clq_json_find_string (json, member);

  for (guint i = 0; text != NULL && words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      return words[i];
  return NULL;
}

/* What the agent knows better. One that cannot be understood changes nothing. */
static void
on_opinion (ClqVisit *visit, ClqCall *call, gpointer user_data)
{
  static const char *const types[] = { "code", "docs", "refactor", "query", NULL };
  static const char *const complexities[] = { "simple", "medium", "complex", NULL };
  Reading *reading = user_data;
  const GError *error = clq_call_get_error (call);
  g_autofree char *json = error == NULL ? clq_json_extract (clq_call_get_text (call), CLQ_JSON_OBJECT) : NULL;

  if (json != NULL)
    {
      const char *type = choose (json, "request_type", types), *complexity = choose (json, "estimated_complexity", complexities);
      ClqJsonSpan list = clq_json_find (json, -1, "alternatives");
      g_auto (GStrv) alternatives = task_dup_strings (&list);
      g_autofree char *clarification = clq_json_find_string (json, "clarification");

      reading->type = type != NULL ? type : reading->type;
      reading->complexity = complexity != NULL ? complexity : reading->complexity;
      g_free (reading->clarification);
      reading->clarification = clarification != NULL && *clarification != '\0' ? g_steal_pointer (&clarification) : NULL;
      if (alternatives[0] != NULL)
        {
          reading->alternatives = g_steal_pointer (&alternatives);
          if (reading->clarification == NULL)
            reading->clarification = g_strdup ("That cannot be done as it stands. What would be possible:");
        }
    }
  else if (error != NULL && clq_failure_of (error) != CLQ_FAILURE_RECOVERABLE)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  finish (visit, reading);
}

static void
receive_enter (gpointer self, ClqVisit *visit)
{
  const Receive *node = self;
  ClqView *view = clq_visit_get_view (visit);
  g_autofree char *content = clq_view_dup_string (view, "request.content");
  Reading *reading;

  reading = g_new0 (Reading, 1);
  g_object_set_data_full (G_OBJECT (clq_visit_get_cancellable (visit)), "task-reading", reading, reading_free);
  reading->node = node;
  reading->content = content != NULL ? g_steal_pointer (&content) : g_strdup ("");
  reading->normal = task_words_normalise (reading->content);
  reading->terms = task_words_dup_terms (reading->content, (const char *const *) node->stop_words, TASK_MAX_TERMS);
  reading->type = guess_type (reading);
  reading->complexity = guess_complexity (reading);
  if (strlen (reading->normal) < 3)
    {
      finish_invalid (visit, "There are no words in it");
      return;
    }
  if (find (reading, node->unrealistic) != NULL)
    {
      reading->clarification = g_strdup ("Nobody can do that. What would be possible:");
      reading->alternatives = g_strsplit ("Name one part of it that can be checked;Say how good is good enough;Ask what is known about it", ";", -1);
    }
  else
    look_for_gaps (reading);
  if (!task_ask (visit, "classify", node->agent, node->prompt, reading->content, on_opinion, reading))
    finish (visit, reading);
}

const ClqNodeInfo task_receive = {
  CLQ_NODE_INFO,
  .name = "receive",
  .summary = "Says what kind of request it is, how long it may take, or what is unclear",
  .outcomes = CLQ_OUTCOMES ("valid", "invalid", "ambiguous"),
  .settings = settings,
  .self_size = sizeof (Receive),
  .enter = receive_enter,
};
