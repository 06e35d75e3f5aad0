/* The texts that agents are asked with: files that people may edit. */
#include "debate.h"

static const char *const value_names[DEBATE_N_VALUES + 1] = {
  [DEBATE_AGENT] = "agent",
  [DEBATE_ROLE] = "role",
  [DEBATE_ROUND] = "round",
  [DEBATE_ROUNDS] = "rounds",
  [DEBATE_PROBLEM] = "problem",
  [DEBATE_CONTEXT] = "context",
  [DEBATE_CLARIFICATIONS] = "clarifications",
  [DEBATE_HISTORY] = "history",
  [DEBATE_AUTHOR] = "author",
  [DEBATE_PROPOSAL] = "proposal",
  [DEBATE_PROPOSALS] = "proposals",
  [DEBATE_CRITIQUES] = "critiques",
  [DEBATE_NOTES] = "notes",
  [DEBATE_ROUNDS_SO_FAR] = "debate",
  [DEBATE_SUMMARY] = "summary",
  [DEBATE_MAX_QUESTIONS] = "max-questions",
  [DEBATE_MAX_LENGTH] = "max-length",
  [DEBATE_MISTAKE] = "mistake",
};

#define BIT(value) (1u << DEBATE_##value)
/* Every prompt may say these. */
#define COMMON (BIT (AGENT) | BIT (ROLE) | BIT (ROUND) | BIT (ROUNDS) | BIT (PROBLEM) | BIT (CONTEXT) | BIT (CLARIFICATIONS))

/* By ask: the file, and what it may say beside what all may say. */
static const struct
{
  const char *file;
  guint values;
} asks[DEBATE_N_ASKS] = {
  [DEBATE_ASK_QUESTIONS] = { "questions.txt", BIT (MAX_QUESTIONS) },
  [DEBATE_ASK_SUMMARY] = { "summary.txt", BIT (HISTORY) | BIT (MAX_LENGTH) },
  [DEBATE_ASK_PROPOSAL] = { "proposal.txt", 0 },
  [DEBATE_ASK_CRITIQUE] = { "critique.txt", BIT (HISTORY) | BIT (AUTHOR) | BIT (PROPOSAL) },
  [DEBATE_ASK_REFINEMENT] = { "refinement.txt", BIT (HISTORY) | BIT (PROPOSAL) | BIT (CRITIQUES) },
  [DEBATE_ASK_CONVERGENCE] = { "convergence.txt", BIT (PROPOSALS) | BIT (CRITIQUES) | BIT (NOTES) },
  [DEBATE_ASK_QUALITY] = { "quality.txt", BIT (PROPOSALS) | BIT (CRITIQUES) | BIT (NOTES) },
  [DEBATE_ASK_DIGEST] = { "digest.txt", BIT (ROUNDS_SO_FAR) | BIT (MAX_LENGTH) },
  [DEBATE_ASK_SYNTHESIS] = { "synthesis.txt", BIT (ROUNDS_SO_FAR) | BIT (SUMMARY) | BIT (PROPOSALS) | BIT (NOTES) },
  [DEBATE_ASK_REPAIR] = { "repair.txt", BIT (MISTAKE) },
};

#define ROLE_VALUES (BIT (AGENT) | BIT (ROLE))

/* The elements of a list of all values that are among @values. */
static void
pick (guint values, const char *const *all, const char **picked)
{
  guint n = 0;

  for (guint i = 0; i < DEBATE_N_VALUES; i++)
    if ((values & 1u << i) != 0)
      picked[n++] = all[i];
  picked[n] = NULL;
}

static gboolean
complain (GError **error, char *what)
{
  g_set_error_literal (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, what);
  g_free (what);
  return FALSE;
}

static char *
dup_text (const Debate *self, const char *file)
{
  ClqJsonSpan root = clq_json_span (self->prompts, -1), name, value;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &name, &value))
    if (clq_json_span_string_equal (&name, file))
      return clq_json_span_dup_string (&value);
  return NULL;
}

static ClqTemplate *
read_template (const char *file, char *text, guint values, GError **error)
{
  const char *names[DEBATE_N_VALUES + 1];
  ClqTemplate *template;

  pick (values, value_names, names);
  template = clq_template_new (g_strchomp (text), names, error);
  if (template == NULL)
    g_prefix_error (error, "prompts, %s: ", file);
  return template;
}

/* Empty values at the end leave nothing behind them. */
static void
expand (const ClqTemplate *template, guint values, const char *const *all, GString *out)
{
  const char *picked[DEBATE_N_VALUES + 1];

  pick (values, all, picked);
  g_string_truncate (out, 0);
  clq_template_append_escaped (template, picked, out);
  debate_trim (out);
}

#define ROLES "roles/"
#define ENDING ".txt"

static GPtrArray *
list_roles (const Debate *self)
{
  ClqJsonSpan root = clq_json_span (self->prompts, -1), name;
  GPtrArray *roles = g_ptr_array_new_with_free_func (g_free);
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &root);
  while (clq_json_iter_next (&iter, &name, NULL))
    {
      g_autofree char *file = clq_json_span_dup_string (&name);

      if (g_str_has_prefix (file, ROLES) && g_str_has_suffix (file, ENDING))
        g_ptr_array_add (roles, g_strndup (file + strlen (ROLES), strlen (file) - strlen (ROLES) - strlen (ENDING)));
    }
  g_ptr_array_add (roles, NULL);
  return roles;
}

static gboolean
load_role (const Debate *self, DebateAgent *agent, GError **error)
{
  g_autofree char *file = g_strconcat (ROLES, agent->role, ENDING, NULL);
  g_autofree char *text = dup_text (self, file), *hint = NULL;
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (ClqTemplate) template = NULL;
  g_autoptr (GPtrArray) roles = NULL;

  if (text == NULL)
    {
      roles = list_roles (self);
      hint = clq_did_you_mean (agent->role, (const char *const *) roles->pdata);
      return complain (error, g_strdup_printf ("agent '%s': there is no role '%s' among the prompts%s; expected NAME:ROLE where the name is no role",
                                               agent->name, agent->role, hint));
    }
  template = read_template (file, text, ROLE_VALUES, error);
  if (template == NULL)
    return FALSE;
  expand (template, ROLE_VALUES, (const char *const[DEBATE_N_VALUES]){ [DEBATE_AGENT] = agent->name, [DEBATE_ROLE] = agent->role }, told);
  agent->system = g_strdup (told->str);
  return TRUE;
}

/* Reads all texts; a placeholder that nothing stands behind is an error with its line. */
gboolean
debate_prompts_load (Debate *self, GError **error)
{
  if (clq_json_span (self->prompts, -1).type != CLQ_JSON_OBJECT)
    return complain (error, g_strdup ("there are no prompts; expected prompts=${folder:../debate}, or another folder with such texts"));
  for (guint i = 0; i < DEBATE_N_ASKS; i++)
    {
      g_autofree char *text = dup_text (self, asks[i].file);

      if (text == NULL)
        return complain (error, g_strdup_printf ("there is no %s among the prompts; a copy of the folder debate has all that are needed", asks[i].file));
      self->asks[i] = read_template (asks[i].file, text, asks[i].values | COMMON, error);
      if (self->asks[i] == NULL)
        return FALSE;
    }
  for (guint i = 0; i <= self->n_agents; i++)
    if (!load_role (self, &self->members[i], error))
      return FALSE;
  return TRUE;
}

void
debate_prompts_clear (Debate *self)
{
  for (guint i = 0; i < DEBATE_N_ASKS; i++)
    g_clear_pointer (&self->asks[i], clq_template_free);
}

/* Makes @out a prompt with values in it, by DebateValue; NULL is nothing. */
void
debate_prompts_expand (const Debate *self, DebateAsk ask, const char *const *values, GString *out)
{
  expand (self->asks[ask], asks[ask].values | COMMON, values, out);
}
