/* ask: asks one question. The state that waits for the answer is another one. */
#include "basic.h"

typedef struct
{
  char *prompt;
  int type;
  char **options;
} Ask;

/* In the order of ClqQuestionType. */
static const ClqSetting settings[] = {
  CLQ_STRING (Ask, prompt, "What next?", "the question"),
  CLQ_ENUM (Ask, type, "input", CLQ_CHOICES ("confirmation", "choice", "input"), "what kind of answer fits"),
  CLQ_LIST (Ask, options, NULL, "what can be chosen, for type=choice"),
  { NULL },
};

static gboolean
ask_init (gpointer self, GError **error)
{
  Ask *ask = self;

  if (ask->type != CLQ_QUESTION_CHOICE || (ask->options != NULL && ask->options[0] != NULL))
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "type=choice needs options; expected options=ONE;OTHER");
  return FALSE;
}

static void
ask_enter (gpointer self, ClqVisit *visit)
{
  Ask *ask = self;
  const ClqQuestion question = {
    .type = (ClqQuestionType) ask->type,
    .prompt = ask->prompt,
    .options = (const char *const *) ask->options,
  };

  clq_change_ask (clq_visit_get_change (visit), &question);
  clq_visit_finish (visit, "asked");
}

const ClqNodeInfo basic_ask = {
  CLQ_NODE_INFO,
  .name = "ask",
  .summary = "Asks one question",
  .outcomes = CLQ_OUTCOMES ("asked"),
  .settings = settings,
  .self_size = sizeof (Ask),
  .init = ask_init,
  .enter = ask_enter,
};
