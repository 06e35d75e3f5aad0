/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

#include <string.h>

G_BEGIN_DECLS

extern const ClqModalityInfo chat_chat;
extern const ClqNodeInfo chat_digest;
extern const ClqNodeInfo chat_reply;

/* The settings of the modality; what a session makes of them stands in its data. */
typedef struct
{
  char *agent;
  char *system_prompt;
  int context_strategy;
  gint64 context_window;
  double context_threshold;
  gint64 max_turns;
  GTimeSpan turn_timeout;
  gint64 max_branches;
  gint64 max_checkpoints;
} Chat;

/* One event on its way through the modality. */
typedef struct
{
  Chat *chat;
  ClqView *view;
  const ClqEvent *event;
  ClqChange *change;
} ChatStep;

#define CHAT_STRATEGIES CLQ_CHOICES ("sliding", "summarize", "forget")

/* Longer texts belong into records, not into the data. */
#define CHAT_MAX_PROMPT 8192
#define CHAT_MAX_NAME 48
#define CHAT_MAX_SUMMARY 8192

/* data.c */
gboolean chat_refuse (GError **error, ClqInputError code, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean chat_expect (const ChatStep *step, const char *const *members, GError **error);
gboolean chat_get_text (const ChatStep *step, const char *member, char **text, GError **error);
gboolean chat_get_name (const ChatStep *step, const char *member, char **name, GError **error);
ClqJsonSpan chat_find (const ChatStep *step, const char *member);
char *chat_dup_span (const ClqJsonSpan *span, const char *otherwise);
char *chat_dup_data (ClqView *view, const char *path, const char *otherwise);
char **chat_dup_keys (const ClqJsonSpan *object);
ClqJsonSpan chat_find_key (const ClqJsonSpan *object, const char *name);
void chat_add_text (GString *object, const char *name, const char *text);
void chat_add_number (GString *object, const char *name, gint64 number);
void chat_add_json (GString *object, const char *name, const char *json);
char *chat_dup_joined (const ClqJsonSpan *list, const char *item);
char *chat_dup_mark (ClqView *view, const char *kind, const char *name);
char *chat_clip (const char *text, gsize n_characters);
gint64 chat_estimate_tokens (const char *text);
void chat_set_from (ClqChange *change, const char *path, ClqView *view);
void chat_carry (const ChatStep *step);
void chat_set_result_turn (ClqChange *change, gint64 turn);

/* configure.c */
void chat_open_data (const Chat *chat, ClqChange *change);
gboolean chat_configure (const ChatStep *step, GError **error);

/* turns.c */
gboolean chat_turn_is_open (ClqView *view);
gboolean chat_take_message (const ChatStep *step, GError **error);
gboolean chat_take_context (const ChatStep *step, GError **error);
void chat_take_reply (const ChatStep *step);
void chat_take_failure (const ChatStep *step);
void chat_cut_turn (const ChatStep *step);

/* branches.c */
gboolean chat_fork (const ChatStep *step, GError **error);
gboolean chat_confirm_fork (const ChatStep *step, GError **error);
gboolean chat_cancel_fork (const ChatStep *step, GError **error);
gboolean chat_switch (const ChatStep *step, GError **error);
void chat_arrive_switch (const ChatStep *step);
gboolean chat_checkpoint (const ChatStep *step, GError **error);
gboolean chat_rewind (const ChatStep *step, GError **error);
void chat_arrive_rewind (const ChatStep *step);
gboolean chat_find_branch (const ChatStep *step, const char *name, GError **error);

/* merge.c */
gboolean chat_merge (const ChatStep *step, GError **error);
void chat_arrive_merge (const ChatStep *step);
gboolean chat_resolve_conflict (const ChatStep *step, GError **error);
gboolean chat_confirm_merge (const ChatStep *step, GError **error);
gboolean chat_cancel_merge (const ChatStep *step, GError **error);

/* three-way.c */
typedef struct
{
  GString *values;    /* [[PATH, VALUE], …]: what the merge sets; without VALUE: takes away */
  GString *conflicts; /* [{id, base, branch, was}, …] */
} ChatThreeWay;

void chat_three_way_add (ChatThreeWay *self, const char *path, const ClqJsonSpan *value);
void chat_three_way_run (ChatThreeWay *self, const ClqJsonSpan *here, const ClqJsonSpan *base, const ClqJsonSpan *there);

/* crystal.c */
void chat_note_results (const ChatStep *step, const char *text, gint64 turn);
gboolean chat_flush (const ChatStep *step, GError **error);
gboolean chat_crystallize (const ChatStep *step, GError **error);
gboolean chat_harvest (const ChatStep *step, GError **error);
gboolean chat_reset (const ChatStep *step, GError **error);

/* context.c */
typedef struct
{
  ClqRole role;
  char *text;
  guint64 tokens;
  guint age; /* of its record: 1 for the newest of the conversation */
} ChatEntry;

typedef struct _ChatContext ChatContext;
typedef void (*ChatContextFunc) (ChatContext *context);

/* What an agent is shown of the conversation. It belongs to a visit and goes with it. */
struct _ChatContext
{
  ClqVisit *visit; /* not a reference */
  char *agent;
  char *strategy;
  guint64 window;
  double threshold;
  GPtrArray *system; /* ChatEntry, never left out */
  char *summary;     /* of what is older than the entries; NULL = none */
  gboolean summary_changed;
  GPtrArray *entries; /* ChatEntry, oldest first; the last is the newest message */
  guint first;        /* the first entry that is shown */
  guint until;        /* while a summary is made: the entries before this one go into it */
  guint n_summaries;
  guint64 tokens_in; /* spent so far */
  guint64 tokens_out;
  ChatContextFunc func;
};

void chat_context_read (ClqVisit *visit, ChatContextFunc func);
guint64 chat_context_count (const ChatContext *self, const char *text);
guint64 chat_context_count_summary (const ChatContext *self);
guint64 chat_context_count_from (const ChatContext *self, guint first);
guint64 chat_context_count_shown (const ChatContext *self);
char *chat_context_clip (const ChatContext *self, const char *text, guint64 tokens);
void chat_context_spend (ChatContext *self, ClqCall *call);
void chat_context_slide (ChatContext *self, guint64 room);
char *chat_context_dup_request (const ChatContext *self, guint until, gboolean with_system, const char *instruction);

/* summary.c */
void chat_context_fit (ChatContext *self, ChatContextFunc func);

G_END_DECLS
