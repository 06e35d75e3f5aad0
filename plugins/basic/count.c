/* count: counts its visits in the session's data. */
#include "basic.h"

typedef struct
{
  char *path;
} Count;

static const ClqSetting settings[] = {
  CLQ_STRING (Count, path, "count", "where the number stands in the data"),
  { NULL },
};

static gboolean
count_init (gpointer self, GError **error)
{
  Count *count = self;

  if (*count->path != '\0')
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "path is empty; expected a dotted path into the data");
  return FALSE;
}

static void
count_enter (gpointer self, ClqVisit *visit)
{
  Count *count = self;
  gint64 number = clq_view_get_int (clq_visit_get_view (visit), count->path);

  clq_change_set_int (clq_visit_get_change (visit), count->path, number + 1);
  clq_visit_finish (visit, "counted");
}

const ClqNodeInfo basic_count = {
  CLQ_NODE_INFO,
  .name = "count",
  .summary = "Adds 1 to a number in the data",
  .outcomes = CLQ_OUTCOMES ("counted"),
  .settings = settings,
  .self_size = sizeof (Count),
  .init = count_init,
  .enter = count_enter,
};
