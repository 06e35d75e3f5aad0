#define G_LOG_DOMAIN "colloquy"

#include "cli.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const CliCommand commands[] = {
  { "chat", "[GRAPH]", "A conversation in the terminal; also what colloquy does without a command", cmd_chat,
    "GRAPH is chat-merge unless it is said. What is typed is a message, or the answer to an open question; /help lists the\n"
    "commands, and any action is taken as /ACTION. A graph that takes no message now but the action start is started first.\n"
    "Lines from a pipe are taken one after the other; stdout gets only what is said, everything else goes to stderr." },
  { "run", "GRAPH [TEXT]", "Run one session until it ends or waits; what is said goes to stdout", cmd_run,
    "Where a session begins a graph may take the action start but no message, and run nothing: then it is started first,\n"
    "and TEXT is its first message. Otherwise TEXT is what the session is opened with.\n"
    "A graph that may wait for an answer is kept where conversations are kept, others nowhere, unless --store says where.\n"
    "What it asks is asked in the terminal; without one the exit status is 5, and colloquy answer goes on.\n"
    "Ctrl-C interrupts; a session that is kept goes on with colloquy resume." },
  { "check", "FILE...", "Say everything that is wrong with graphs; exit 1 if anything is", cmd_check,
    "A FILE that ends in .conf, such as colloquy.conf, says who answers: its agents, tools and limits are checked." },
  { "draw", "GRAPH", "Draw a graph: Mermaid, Graphviz, SVG, SCXML, or a model for spin", cmd_draw },
  { "simulate", "GRAPH", "Random walks: what they cover, and how they fail", cmd_simulate },
  { "pipe", "GRAPH", "One JSON object per line in, one per line out", cmd_pipe },
  { "sessions", "", "List stored sessions, the latest first", cmd_sessions },
  { "show", "ID", "Where a stored session stands", cmd_show },
  { "history", "ID", "The transitions of a stored session, with reasons", cmd_history },
  { "say", "ID TEXT", "Say something in a stored session; the reply goes to stdout", cmd_say },
  { "act", "ID ACTION [JSON]", "Take an action in a stored session", cmd_act },
  { "answer", "ID VALUE | KEY=VALUE...", "Answer the open questions of a stored session", cmd_answer },
  { "resume", "ID", "Go on with a stored session that was interrupted", cmd_resume,
    "What agents and tools have answered is not asked for again. Any other command on the session, and chat -c, goes on with it, too." },
  { "archive", "ID", "Take the action archive in a stored session", cmd_archive },
  { "report", "ID [FILE]", "The whole of a stored session as a text for people", cmd_report },
  { "delete", "ID", "Take a stored session away for good", cmd_delete },
  { "artifacts", "ID [NUMBER]", "List what a stored session has made, print one of them, or write them to files", cmd_artifacts,
    "With NUMBER the text goes to stdout. With --output the artifacts, or the one with that number, become files in a folder, which is made\n"
    "if it is not there; of several with the same name the newest. A file that is there already is left alone, unless --force is given." },
  { "export", "ID [FILE]", "Write a stored session, with all its branches, as one JSON file", cmd_export },
  { "import", "FILE", "Read a session that export wrote", cmd_import },
  { "replay", "ID | FILE | --all", "Run stored conversations again, offline, and report the first difference", cmd_replay,
    "What was sent is sent again; agents and tools are not asked but answer what they answered then, at the time when they\n"
    "did. Graph, nodes and modality are run anew and must write the same records, to the byte. FILE is what --promote or\n"
    "colloquy export wrote. Exit status: 0 equal, 1 different." },
  { "store", "check | stats | backup FILE", "Look after the store", cmd_store },
  { "usage", "", "What agents have used and cost, and how much of the limits that is", cmd_usage,
    "A day is one of UTC. Sums by day and agent count what every agent has answered, also in sessions that are deleted since;\n"
    "by session it is what the sessions written in these days have used in all." },
  { "metrics", "[GRAPH]", "How long sessions stay in each state, and the rates that a graph names", cmd_metrics,
    "Measures the newest transitions of all stored sessions of the graph; without GRAPH, of every graph that has some." },
  { "work", "", "Do scheduled work of stored conversations until stopped; notifications go to stdout", cmd_work,
    "Wakes when something is due. Ctrl-C or SIGTERM stops it; what runs then goes on with the next worker." },
  { "notifications", "[--read [ID...]]", "What conversations have told their owner, until it is read", cmd_notifications },
  { "cron", "EXPRESSION", "When a cron expression runs next, and what it says in words", cmd_cron,
    "EXPRESSION is one argument, in quotes: \"0 9 * * 1-5\". It has five fields: minute, hour, day of the month, month, day of the\n"
    "week; or it is @yearly, @monthly, @weekly, @daily or @hourly.\n"
    "Times are those of the zone's clock. A time that the clock jumps over runs when it has jumped, one that comes twice\n"
    "runs once; but an asterisk as hour follows the clock." },
  { "tree", "ID", "Draw the branches of a conversation", cmd_tree },
  { "agents", "[test NAME [TEXT]]", "List the agents of colloquy.conf, or talk to one and say what is wrong", cmd_agents,
    "test asks the agent NAME once, with TEXT if it is given, in a conversation that is not kept: the reply goes to stdout, how long it\n"
    "took and what it cost to stderr. Exit status 1 if it does not answer, 3 if there is no such agent." },
  { "plugins", "", "List the plugins, refused ones with the reason", cmd_plugins },
  { "new-plugin", "NAME", "Make a folder with a plugin that builds outside this tree", cmd_new_plugin },
  { "inspect", "KIND", "Say what a node, modality, agent, store, tool or service is and takes", cmd_inspect },
};

const CliCommand *
cli_find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static void
print_usage (FILE *file)
{
  fputs ("Usage: colloquy COMMAND [ARGUMENT...]\n\nConversations that follow a graph.\n\n", file);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *call = g_strdup_printf ("%s %s", commands[i].name, commands[i].arguments);

      fprintf (file, "  %-36s %s\n", call, commands[i].summary);
    }
  fputs ("\ncolloquy COMMAND --help tells more. GRAPH is a name, found in the configuration folders, or a path.\n"
         "Exit status: 0 ok, 1 failure, 2 usage, 3 not found, 4 refused in this state, 5 waiting for input.\n",
         file);
}

static int
unknown_command (const char *name)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  g_autofree char *hint = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  hint = clq_did_you_mean (name, names);
  cli_complain ("there is no command '%s'%s; see colloquy --help", name, hint);
  return CLI_USAGE;
}

int
main (int argc, char **argv)
{
  const CliCommand *command;

  setlocale (LC_ALL, "");
  g_set_prgname ("colloquy");
  if (argc < 2)
    return cmd_chat (1, (char *[]){ (char *) "chat", NULL });
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    {
      print_usage (stdout);
      return CLI_OK;
    }
  if (strcmp (argv[1], "--print-man") == 0 || strcmp (argv[1], "--print-completion") == 0)
    {
      cli_print_page (argv[1] + strlen ("--print-"), commands, G_N_ELEMENTS (commands));
      return CLI_OK;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      printf ("colloquy %s\n", CLQ_VERSION);
      return CLI_OK;
    }
  command = cli_find_command (argv[1]);
  return command != NULL ? command->run (argc - 1, argv + 1) : unknown_command (argv[1]);
}
