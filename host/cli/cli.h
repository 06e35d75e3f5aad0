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
} CliCommand;

int cmd_check (int argc, char **argv);
int cmd_inspect (int argc, char **argv);
int cmd_pipe (int argc, char **argv);
int cmd_plugins (int argc, char **argv);
int cmd_run (int argc, char **argv);

/* cli-common.c */
gboolean cli_parse (const CliCommand *command, const GOptionEntry *entries, int *argc, char ***argv, int min, int max, int *status);
const CliCommand *cli_find_command (const char *name);
void cli_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);
int cli_fail (const GError *error);
ClqGraph *cli_load_graph (ClqHost *host, const char *name, char **overrides, gboolean bare);
gboolean cli_configure_agents (ClqHost *host, GError **error);
gboolean cli_is_terminal (int fd);

/* cli-json.c: one line of JSON at a time */
void cli_json_member (GString *out, const char *name);
void cli_json_string (GString *out, const char *name, const char *value);
void cli_json_raw (GString *out, const char *name, const char *json);
void cli_json_number (GString *out, const char *name, gint64 number);
void cli_json_bool (GString *out, const char *name, gboolean value);
void cli_json_time (GString *out, const char *name, gint64 time);
void cli_json_error (GString *out, const char *code, const char *message);
char *cli_json_list (GPtrArray *items);

G_END_DECLS
