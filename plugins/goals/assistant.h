/* What the files of the assistant share. */
#pragma once

#include "goals.h"

G_BEGIN_DECLS

typedef struct
{
  char *agent;
  char *system;
  char *prompt;
  gint64 history;
  gint64 window;
  char *classifier;
  char *classify;
} GoalsAssistant;

/* What its templates may use. */
enum
{
  GOALS_PART_PHASE,
  GOALS_PART_SUMMARY,
  GOALS_PART_GOAL,
  GOALS_PART_TYPE,
  GOALS_PART_KNOWN,
  GOALS_PART_FIELD,
  GOALS_PART_QUESTION,
  GOALS_PART_DIRECT,
  GOALS_PART_READY,
  GOALS_PART_LAST,
  GOALS_PART_MESSAGE,
  GOALS_N_PARTS,
};

/* prompt.c */
extern const char *const goals_prompt_names[GOALS_N_PARTS + 1];
gboolean goals_is_last_turn (ClqView *view);
char *goals_dup_request (const GoalsAssistant *self, ClqView *view, ClqRecord *const *records, guint n_records, GError **error);

/* classify.c */
extern const char *const goals_classify_names[];
gboolean goals_wants_classifier (ClqVisit *visit);
void goals_ask_classifier (const GoalsAssistant *self, ClqVisit *visit);

G_END_DECLS
