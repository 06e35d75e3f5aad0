#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Pages that are made from the table of commands when the program is built: a manual page, a completion for bash. */

static void
print_man (const CliCommand *commands, guint n_commands)
{
  printf (".TH COLLOQUY 1 \"\" \"colloquy %s\" \"User commands\"\n"
          ".SH NAME\ncolloquy \\- conversations that follow a graph\n"
          ".SH SYNOPSIS\n.B colloquy\n.I COMMAND\n.RI [ ARGUMENT ...]\n"
          ".SH DESCRIPTION\nRuns conversations along a transition graph that is written in a keyfile. Without a command it is\n"
          ".BR \"colloquy chat\" .\nEach command explains its options with\n.BR \\-\\-help .\n"
          ".SH COMMANDS\n",
          CLQ_VERSION);
  for (guint i = 0; i < n_commands; i++)
    printf (".TP\n.B %s\n.I %s\n%s.\n", commands[i].name, commands[i].arguments, commands[i].summary);
  puts (".SH EXIT STATUS\n0 ok, 1 failure, 2 usage, 3 not found, 4 refused in this state, 5 waiting for input.\n"
        ".SH ENVIRONMENT\n.TP\n.B CLQ_PLUGIN_PATH\nThe folders with plugins, instead of the installed one.\n"
        ".TP\n.B CLQ_CONFIG_DIR\nThe folders with graphs/ and colloquy.conf, instead of the user's and the installed one.");
}

/* The first word is a command; where a graph is expected, the names of graphs follow. */
static void
print_completion (const CliCommand *commands, guint n_commands)
{
  puts ("# bash completion for colloquy\n_colloquy ()\n{\n  local current=${COMP_WORDS[COMP_CWORD]} words=''\n"
        "  if ((COMP_CWORD == 1)); then");
  fputs ("    words='", stdout);
  for (guint i = 0; i < n_commands; i++)
    printf ("%s%s", i > 0 ? " " : "", commands[i].name);
  puts ("'\n  else\n    case ${COMP_WORDS[1]} in");
  for (guint i = 0; i < n_commands; i++)
    if (strstr (commands[i].arguments, "GRAPH") != NULL || strstr (commands[i].arguments, "FILE...") != NULL)
      printf ("      %s)\n        local folder\n        for folder in ${CLQ_CONFIG_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/colloquy %s}; do\n"
              "          words+=\" $(cd \"$folder/graphs\" 2>/dev/null && printf '%%s\\n' *.graph | sed 's/[.]graph$//')\"\n        done\n        ;;\n",
              commands[i].name, CLQ_DATA_DIR);
  puts ("    esac\n  fi\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
        "  if ((${#COMPREPLY[@]} == 0)); then\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n  fi\n}\ncomplete -F _colloquy colloquy");
}

void
cli_print_page (const char *page, const CliCommand *commands, guint n_commands)
{
  if (strcmp (page, "man") == 0)
    print_man (commands, n_commands);
  else
    print_completion (commands, n_commands);
}
