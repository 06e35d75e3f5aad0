/* initialization: finds what the debate is about. */
#include "debate.h"

/* From here on the data say where the brief stands. */
static void
on_message (ClqVisit *visit, ClqRecord *const *records, guint n_records, const GError *error, gpointer user_data)
{
  ClqChange *change = clq_visit_get_change (visit);

  if (error != NULL)
    {
      clq_visit_fail_error (visit, error);
      return;
    }
  if (n_records > 0)
    clq_change_set_int (change, "brief.record", (gint64) clq_record_get_seq (records[0]));
  clq_change_set_int (change, "brief.count", n_records);
  clq_change_set_int (change, "round", 0);
  clq_visit_finish (visit, "START");
}

static void
initialization_enter (gpointer self, ClqVisit *visit)
{
  if (clq_view_has (clq_visit_get_view (visit), "problem"))
    clq_visit_read_journal (visit, 1u << CLQ_RECORD_MESSAGE, 0, 1, on_message, NULL);
  else
    clq_visit_finish (visit, "silent");
}

const ClqNodeInfo debate_initialization = {
  CLQ_NODE_INFO,
  .name = "initialization",
  .summary = "Begins the debate; silent as long as there is no problem",
  .outcomes = CLQ_OUTCOMES ("START", "silent"),
  .enter = initialization_enter,
};
