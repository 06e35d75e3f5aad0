/* say: says a text, or says again what it hears. */
#include "basic.h"

typedef struct
{
  char *text;
} Say;

static const ClqSetting settings[] = {
  CLQ_STRING (Say, text, "", "what to say; if empty, what was heard"),
  { NULL },
};

static void
say_enter (gpointer self, ClqVisit *visit)
{
  Say *say = self;
  const char *text = *say->text != '\0' ? say->text : clq_visit_get_text (visit);

  if (text != NULL)
    clq_visit_say_text (visit, text, -1);
  clq_visit_finish (visit, "done");
}

const ClqNodeInfo basic_say = {
  CLQ_NODE_INFO,
  .name = "say",
  .summary = "Says a text, or says again what it hears",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = settings,
  .self_size = sizeof (Say),
  .enter = say_enter,
};
