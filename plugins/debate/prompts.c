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

static ClqTemplate *
load_file (const char *folder, const char *file, guint values, GError **error)
{
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autofree char *text = NULL;
  const char *names[DEBATE_N_VALUES + 1];
  ClqTemplate *template;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "%s is no UTF-8 text", path);
      return NULL;
    }
  pick (values, value_names, names);
  template = clq_template_new (g_strchomp (text), names, error);
  if (template == NULL)
    g_prefix_error (error, "%s: ", path);
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

static void
list_roles (const char *folder, GPtrArray *roles)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".txt"))
      g_ptr_array_add (roles, g_strndup (name, strlen (name) - strlen (".txt")));
  g_ptr_array_add (roles, NULL);
}

static gboolean
load_role (const Debate *self, DebateAgent *agent, GError **error)
{
  g_autofree char *folder = g_build_filename (self->prompts, "roles", NULL);
  g_autofree char *file = g_strconcat (agent->role, ".txt", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (GPtrArray) roles = NULL;
  g_autofree char *hint = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autoptr (ClqTemplate) template = load_file (folder, file, ROLE_VALUES, error);
      g_autoptr (GString) text = g_string_new (NULL);

      if (template == NULL)
        return FALSE;
      expand (template, ROLE_VALUES, (const char *const[DEBATE_N_VALUES]){ [DEBATE_AGENT] = agent->name, [DEBATE_ROLE] = agent->role }, text);
      agent->system = g_strdup (text->str);
      return TRUE;
    }
  roles = g_ptr_array_new_with_free_func (g_free);
  list_roles (folder, roles);
  hint = clq_did_you_mean (agent->role, (const char *const *) roles->pdata);
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "agent '%s': there is no role '%s' in %s%s; expected NAME:ROLE where the name is no role",
               agent->name, agent->role, folder, hint);
  return FALSE;
}

/* Reads all files; a placeholder that nothing stands behind is an error with its line. */
gboolean
debate_prompts_load (Debate *self, GError **error)
{
  for (guint i = 0; i < DEBATE_N_ASKS; i++)
    {
      self->asks[i] = load_file (self->prompts, asks[i].file, asks[i].values | COMMON, error);
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
