/* What the subcommands of the program share. */
#pragma once

#include "clq-graph.h"
#include "clq-session.h"

G_BEGIN_DECLS

typedef enum
{
  CLI_OK = 0,
  CLI_FAILURE = 1,
  CLI_USAGE = 2,
  CLI_NOT_FOUND = 3,
  CLI_REFUSED = 4,
  CLI_WAITING = 5,
} CliStatus;

typedef struct
{
  const char *name;
  const char *arguments;
  const char *summary;
  int (*run) (int argc, char **argv);
  const char *details; /* for --help; NULL if the summary says it all */
} CliCommand;

int cmd_act (int argc, char **argv);
int cmd_agents (int argc, char **argv);
int cmd_answer (int argc, char **argv);
int cmd_resume (int argc, char **argv);
int cmd_artifacts (int argc, char **argv);
int cmd_archive (int argc, char **argv);
int cmd_chat (int argc, char **argv);
int cmd_check (int argc, char **argv);
int cmd_cron (int argc, char **argv);
int cmd_delete (int argc, char **argv);
int cmd_draw (int argc, char **argv);
int cmd_export (int argc, char **argv);
int cmd_history (int argc, char **argv);
int cmd_import (int argc, char **argv);
int cmd_inspect (int argc, char **argv);
int cmd_metrics (int argc, char **argv);
int cmd_new_plugin (int argc, char **argv);
int cmd_pipe (int argc, char **argv);
int cmd_plugins (int argc, char **argv);
int cmd_replay (int argc, char **argv);
int cmd_report (int argc, char **argv);
int cmd_run (int argc, char **argv);
int cmd_say (int argc, char **argv);
int cmd_sessions (int argc, char **argv);
int cmd_show (int argc, char **argv);
int cmd_simulate (int argc, char **argv);
int cmd_store (int argc, char **argv);
int cmd_notifications (int argc, char **argv);
int cmd_work (int argc, char **argv);
int cmd_tree (int argc, char **argv);
int cmd_usage (int argc, char **argv);

/* cli-common.c */
gboolean cli_parse (const CliCommand *command, const GOptionEntry *entries, int *argc, char ***argv, int min, int max, int *status);
const CliCommand *cli_find_command (const char *name);
void cli_tell (const char *format, ...) G_GNUC_PRINTF (1, 2);
void cli_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);
void cli_print (const char *text);
void cli_print_line (const char *format, ...) G_GNUC_PRINTF (1, 2);
int cli_fail (const GError *error);
int cli_status_of (const GError *error);
ClqGraph *cli_load_graph (ClqHost *host, const char *name, char **overrides, gboolean bare);
gboolean cli_configure (ClqHost *host);
gboolean cli_is_terminal (int fd);
gboolean cli_is_plain (int fd);
char *cli_read_line (void);
gboolean cli_parse_id (const char *command, const char *text, guint8 id[16]);
gboolean cli_parse_session (const char *command, int *argc, char ***argv, int max, char **store, guint8 id[16], int *status);
gboolean cli_use_store (ClqHost *host, const char *place, GError **error);
gboolean cli_view_store (ClqHost *host, const char *place, GError **error);
gboolean cli_starts_first (const ClqGraph *graph);
gboolean cli_speaks_first (const ClqGraph *graph);
char *cli_dup_scheduled (ClqSession *session);
void cli_run_to_rest (ClqHost *host, const guint8 id[16]);

/* What the host's store has answered. */
typedef struct
{
  char *text;
  GError *error;
} CliAnswer;

void cli_on_answer (const char *text, const GError *error, gpointer answer);
void cli_answer_clear (CliAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliAnswer, cli_answer_clear)

/* cli-tree.c */
typedef void (*CliTreeFunc) (GPtrArray *lines, const GError *error, gpointer user_data);
void cli_tree_draw (ClqHost *host, const guint8 id[16], int columns, CliTreeFunc func, gpointer user_data);

/* cli-pages.c */
void cli_print_page (const char *page, const CliCommand *commands, guint n_commands);

/* cli-json.c: one line of JSON at a time */
void cli_json_member (GString *out, const char *name);
void cli_json_string (GString *out, const char *name, const char *value);
void cli_json_raw (GString *out, const char *name, const char *json);
void cli_json_number (GString *out, const char *name, gint64 number);
void cli_json_double (GString *out, const char *name, double number);
void cli_json_bool (GString *out, const char *name, gboolean value);
void cli_json_time (GString *out, const char *name, gint64 time);
void cli_json_error (GString *out, const char *code, const char *message);
char *cli_json_list (GPtrArray *items);

G_END_DECLS
