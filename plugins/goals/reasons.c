/* Why the conversation went from one phase to the next, as a sentence for people. */
#include "goals.h"

static char *
dup_signal (ClqView *view, const char *name)
{
  g_autofree char *path = g_strconcat ("signals.", name, NULL);

  return clq_view_dup_string (view, path);
}

/* A sentence with the words that were heard in it; NULL if they were not. */
static char *
quote (ClqView *view, const char *signal, const char *sentence)
{
  g_autofree char *words = dup_signal (view, signal);

  return words != NULL ? g_strdup_printf ("%s: “%s”", sentence, words) : NULL;
}

static char *
explain_understanding (ClqView *view, const char *from)
{
  char *reason = NULL;

  if (strcmp (from, "reviewing") == 0)
    {
      reason = quote (view, "change", "the user wants a change");
      if (reason == NULL)
        reason = quote (view, "reservation", "the user has a reservation");
      return reason;
    }
  return quote (view, "goal", strcmp (from, "understanding") == 0 ? "a new goal replaces the one before" : "the user states a goal");
}

/* In the order of the decision tree. */
static char *
explain_planning (ClqView *view)
{
  ClqJsonSpan goal = clq_view_find (view, "currentGoal");
  char *reason = quote (view, "approval", "the user agrees");

  if (reason == NULL)
    reason = quote (view, "go-ahead", "the user agrees");
  if (reason == NULL && goals_is_known (&goal))
    reason = g_strdup ("all required information is known");
  if (reason == NULL)
    reason = g_strdup_printf ("%" G_GINT64_FORMAT " messages in understanding are enough", clq_view_get_int (view, "understandingTurns"));
  return reason;
}

static char *
explain_executing (ClqView *view)
{
  char *reason = quote (view, "go-ahead", "the user says go ahead");

  if (reason == NULL)
    reason = quote (view, "approval", "the user approves the plan");
  return reason != NULL ? reason : quote (view, "start", "the assistant starts to work");
}

static char *
explain_reviewing (ClqView *view)
{
  char *reason = quote (view, "artifact", "the assistant has made an artifact");

  return reason != NULL ? reason : quote (view, "done", "the assistant has finished");
}

static char *
explain_idle (ClqView *view, const ClqEvent *event)
{
  if (clq_event_get_kind (event) == CLQ_EVENT_TIMER)
    {
      const char *minutes = clq_view_get_setting (view, "idleThresholdMinutes");

      return g_strdup_printf ("no message of the user for %s minutes", minutes != NULL ? minutes : "10");
    }
  return quote (view, "idle", "the user lets it go");
}

/* Never NULL: a graph of somebody's own may have ways that are not explained here. */
char *
goals_dup_reason (ClqView *view, const ClqEvent *event, const char *from, const char *to)
{
  char *reason = NULL;

  if (strcmp (clq_event_get_name (event), "answered") == 0)
    reason = g_strdup ("the answer is given");
  else if (strcmp (clq_event_get_name (event), "detected") == 0 && strcmp (from, to) == 0)
    reason = g_strdup ("an agent has read the message");
  else if (strcmp (to, "understanding") == 0)
    reason = explain_understanding (view, from);
  else if (strcmp (to, "planning") == 0 && strcmp (from, to) != 0)
    reason = explain_planning (view);
  else if (strcmp (to, "executing") == 0)
    reason = explain_executing (view);
  else if (strcmp (to, "reviewing") == 0)
    reason = explain_reviewing (view);
  else if (strcmp (to, "completed") == 0 && strcmp (from, to) != 0)
    reason = quote (view, "satisfaction", "the user is satisfied");
  else if (strcmp (to, "idle") == 0)
    reason = explain_idle (view, event);
  else if (strcmp (to, "greeting") == 0 && strcmp (from, "idle") == 0)
    reason = g_strdup ("the user is back");
  return reason != NULL ? reason : g_strdup_printf ("%s after %s", clq_event_get_name (event), from);
}
