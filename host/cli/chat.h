/*
 * `colloquy chat`: a conversation in the terminal.
 *
 *   cmd-chat.c        options, beginning and end
 *   chat-talk.c       lines go to the session; what runs, what is next
 *   chat-view.c       what happens is drawn
 *   chat-status.c     the line that says where the conversation is
 *   chat-questions.c  questions that wait for an answer, of the conversation and of the program
 *   chat-editor.c     a line is typed, with libedit
 *   chat-history.c    lines that were typed before
 *   chat-complete.c   the rest of a word
 *   chat-commands.c   /COMMAND, and any action as /ACTION
 *   chat-branches.c   commands that branch, go back and merge
 *   chat-payload.c    what is sent with an action
 *   chat-result.c     what an action gave
 *   chat-reports.c    commands that tell what was
 */
#pragma once

#include "cli.h"
#include "pipe.h"
#include "term.h"

G_BEGIN_DECLS

typedef struct _Chat Chat;
typedef struct _ChatEditor ChatEditor;
typedef struct _ChatHistory ChatHistory;

/* Called when an input was taken or not. */
typedef void (*ChatDoneFunc) (Chat *chat, const char *result, const GError *error);

struct _Chat
{
  ClqHost *host;
  const char *graph_name; /* NULL if none was asked for */
  char **overrides;
  ClqGraph *graph; /* NULL if the session brings its own */
  ClqSession *session;
  guint8 id[16];
  GMainLoop *loop;
  int status;
  gboolean is_over;

  Term term;            /* what is said */
  Term aside;           /* what the program says, if nobody looks at a terminal */
  Term *talk;           /* one of the two */
  gboolean has_gap;     /* the last line is empty */
  gboolean has_passing; /* the last line goes away when something is drawn */
  guint passing_id;

  TermStream stream;
  GString *streamed; /* all of what is being said */
  char *said;        /* by the conversation, last */
  guint64 visit;
  guint attempt;
  gboolean is_speaking;
  gboolean was_kept; /* what was said is part of the conversation */
  char *trouble;     /* not drawn yet */
  GQueue notices;    /* neither */

  ChatEditor *editor; /* NULL: lines come from a pipe */
  PipeLines *lines;
  GQueue typed; /* lines of a pipe that were not taken yet */
  gboolean is_at_end;

  guint n_pending; /* inputs without an answer */
  guint update_id;
  guint n_interrupts;
  gboolean is_cancelled;
  char *held;     /* said when the conversation has started */
  char *merging;  /* branch that is being merged */
  char *question; /* that was drawn last */
  char *doubt;    /* question of the program before it takes an action, as JSON */
  char *doubtful; /* the command that takes it */
  char *export_path;
};

/* chat-talk.c */
void chat_take_line (Chat *self, const char *line);
void chat_interrupt (Chat *self);
void chat_leave (Chat *self);
void chat_update (Chat *self);
gboolean chat_is_busy (Chat *self);
gboolean chat_is_finished (Chat *self);
gboolean chat_can (Chat *self, const char *action);
gboolean chat_reads_actions (Chat *self);
void chat_send (Chat *self, const ClqInput *input, ChatDoneFunc done);
void chat_act (Chat *self, const char *action, const char *payload, ChatDoneFunc done);
void chat_say (Chat *self, const char *text);

/* chat-view.c */
void chat_on_news (const ClqNews *news, gpointer user_data);
void chat_begin (Chat *self);
void chat_end (Chat *self);
void chat_leave_gap (Chat *self);
void chat_note (Chat *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void chat_complain (Chat *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void chat_reject (Chat *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void chat_print (Chat *self, const GPtrArray *lines);
void chat_print_line (Chat *self, TermStyle style, const char *format, ...) G_GNUC_PRINTF (3, 4);
void chat_print_message (Chat *self, ClqRole role, const char *text);
void chat_echo (Chat *self, const char *line);
void chat_watch (Chat *self);
void chat_draw_trouble (Chat *self);
void chat_rest (Chat *self);
void chat_drop_notices (Chat *self);

/* chat-status.c */
char *chat_dup_status (Chat *self);

/* chat-questions.c */
void chat_draw_questions (Chat *self);
gboolean chat_has_question (Chat *self);
void chat_answer (Chat *self, const char *text);
gboolean chat_doubt_archive (Chat *self, const char *arguments);
void chat_drop_doubt (Chat *self);

/* chat-editor.c */
ChatEditor *chat_editor_new (Chat *chat);
void chat_editor_free (ChatEditor *self);
void chat_editor_show (ChatEditor *self);
void chat_editor_hide (ChatEditor *self);
gboolean chat_editor_clear_line (ChatEditor *self);
void chat_editor_resize (ChatEditor *self);
void chat_editor_resume (ChatEditor *self);

/* chat-history.c */
ChatHistory *chat_history_new (void);
void chat_history_free (ChatHistory *self);
gpointer chat_history_get (ChatHistory *self);
void chat_history_add (ChatHistory *self, const char *line);

/* chat-complete.c */
char **chat_dup_candidates (Chat *self, const char *line, gsize cursor, gsize *start);

/* chat-commands.c */
typedef enum
{
  CHAT_COMPLETE_NOTHING,
  CHAT_COMPLETE_BRANCH,
  CHAT_COMPLETE_CHECKPOINT,
} ChatComplete;

typedef struct
{
  const char *name;
  const char *arguments;
  const char *summary;
  void (*run) (Chat *self, const char *arguments);
  ChatComplete complete;
} ChatCommand;

const ChatCommand *chat_get_commands (guint *n_commands);
void chat_run_command (Chat *self, const char *line);
char *chat_dup_payload (const char *action, const char *arguments, GError **error);

/* chat-branches.c */
void chat_fork (Chat *self, const char *arguments);
void chat_switch (Chat *self, const char *arguments);
void chat_rewind (Chat *self, const char *arguments);
void chat_checkpoint (Chat *self, const char *arguments);
void chat_merge (Chat *self, const char *arguments);

/* chat-result.c */
void chat_print_result (Chat *self, const char *result);

/* chat-reports.c */
void chat_tree (Chat *self, const char *arguments);
void chat_why (Chat *self, const char *arguments);
void chat_history (Chat *self, const char *arguments);
void chat_export (Chat *self, const char *arguments);
void chat_recall (Chat *self);

G_END_DECLS
