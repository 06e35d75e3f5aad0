/* panel: asks several agents at once and says what each of them answered. */
#include "basic.h"

typedef struct
{
  char **agents;
  int join;
  gint64 max_parallel;
} Panel;

/* The choices of join are in the order of ClqJoin. */
static const ClqSetting settings[] = {
  CLQ_LIST (Panel, agents, NULL, "who is asked"),
  CLQ_ENUM (Panel, join, "all", CLQ_CHOICES ("all", "settle"), "all must answer, or those that can"),
  CLQ_INT (Panel, max_parallel, 4, 1, 64, "how many are asked at the same time"),
  { NULL },
};

static gboolean
panel_init (gpointer self, GError **error)
{
  Panel *panel = self;

  if (panel->agents == NULL || panel->agents[0] == NULL)
    {
      g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "agents is empty; expected agents=ONE;OTHER");
      return FALSE;
    }
  for (guint i = 1; panel->agents[i] != NULL; i++)
    for (guint j = 0; j < i; j++)
      if (g_str_equal (panel->agents[i], panel->agents[j]))
        {
          g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "agents names '%s' twice", panel->agents[i]);
          return FALSE;
        }
  return TRUE;
}

static void
on_answers (ClqVisit *visit, ClqCall *const *calls, guint n_calls, gpointer user_data)
{
  const char *separator = "";

  for (guint i = 0; i < n_calls; i++)
    if (clq_call_get_error (calls[i]) == NULL)
      {
        clq_visit_say (visit, "%s%s: %s", separator, clq_call_get_target (calls[i]), clq_call_get_text (calls[i]));
        separator = "\n";
      }
  clq_visit_finish (visit, "answered");
}

static void
panel_enter (gpointer self, ClqVisit *visit)
{
  Panel *panel = self;
  guint n = g_strv_length (panel->agents);
  g_autofree char *request = basic_dup_request (visit);
  g_autofree ClqRequest *requests = g_new0 (ClqRequest, n);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      char *key = g_strconcat ("panel/", panel->agents[i], NULL);

      g_ptr_array_add (keys, key);
      requests[i] = (ClqRequest){ .key = key, .agent = panel->agents[i], .request = request };
    }
  clq_visit_fan_out (visit, requests, n, (ClqJoin) panel->join, (guint) panel->max_parallel, on_answers, NULL);
}

const ClqNodeInfo basic_panel = {
  CLQ_NODE_INFO,
  .name = "panel",
  .summary = "Asks several agents at once",
  .outcomes = CLQ_OUTCOMES ("answered"),
  .settings = settings,
  .self_size = sizeof (Panel),
  .init = panel_init,
  .enter = panel_enter,
};
