/* start-fails: its nodes cannot be made, each in its own way. */
#include "bad.h"

typedef struct
{
  char *word;
} Self;

static const ClqSetting settings[] = {
  CLQ_STRING (Self, word, "hello", "what to say"),
  { NULL },
};

static gboolean
init_silently (gpointer self, GError **error)
{
  return FALSE;
}

static gboolean
init_with_reason (gpointer self, GError **error)
{
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "'%s' is no greeting", ((Self *) self)->word);
  return FALSE;
}

static gboolean
init_with_doubt (gpointer self, GError **error)
{
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "'%s' may be no greeting", ((Self *) self)->word);
  return TRUE;
}

/* Only what was made may be cleared. */
static void
clear (gpointer self)
{
  g_setenv ("CLQ_TEST_CLEAR", ((Self *) self)->word, TRUE);
}

#define NODE(variable, node_name, function) \
  static const ClqNodeInfo variable = { \
    CLQ_NODE_INFO, \
    .name = node_name, \
    .summary = "Does nothing", \
    .outcomes = CLQ_OUTCOMES ("done"), \
    .settings = settings, \
    .self_size = sizeof (Self), \
    .init = function, \
    .clear = clear, \
    .enter = bad_enter, \
  }

NODE (silent, "silent", init_silently);
NODE (reason, "reason", init_with_reason);
NODE (doubt, "doubt", init_with_doubt);
CLQ_PLUGIN ("start-fails", "1.0", "A fixture", &silent.feature, &reason.feature, &doubt.feature);
