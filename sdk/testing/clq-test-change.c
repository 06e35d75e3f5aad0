#define G_LOG_DOMAIN "clq-test-change"

#include "clq-test-change.h"

/* What an operation is called in a line, and what follows: name, value, number. */
typedef struct
{
  const char *word;
  const char *cleared; /* if there is nothing to set */
  const char *parts;   /* n: name, v: value, i: number, r: type and role of a record */
} OpForm;

static const OpForm forms[] = {
  [CLQ_OP_SET] = { "set", NULL, "nv" },
  [CLQ_OP_UNSET] = { "unset", NULL, "n" },
  [CLQ_OP_RECORD] = { "record", NULL, "rv" },
  [CLQ_OP_ASK] = { "ask", NULL, "v" },
  [CLQ_OP_CLEAR_QUESTIONS] = { "clear-questions", NULL, "" },
  [CLQ_OP_SCHEDULE] = { "schedule", "clear-schedule", "iv" },
  [CLQ_OP_DEADLINE] = { "deadline", "clear-deadline", "ni" },
  [CLQ_OP_MARK] = { "mark", NULL, "n" },
  [CLQ_OP_DROP_MARK] = { "drop-mark", NULL, "n" },
  [CLQ_OP_FORK] = { "fork", NULL, "" },
  [CLQ_OP_GO_TO_MARK] = { "go-to-mark", NULL, "n" },
  [CLQ_OP_GO_TO_RECORD] = { "go-to-record", NULL, "i" },
  [CLQ_OP_GO_BACK] = { "go-back", NULL, "i" },
  [CLQ_OP_INCLUDE] = { "include", NULL, "ni" },
  [CLQ_OP_COMPARE] = { "compare", NULL, "n" },
  [CLQ_OP_TITLE] = { "title", NULL, "v" },
  [CLQ_OP_REASON] = { "reason", NULL, "v" },
  [CLQ_OP_RESULT] = { "result", NULL, "v" },
  [CLQ_OP_NOTIFY] = { "notify", NULL, "v" },
  [CLQ_OP_WARN] = { "warn", NULL, "v" },
  [CLQ_OP_TAG] = { "tag", NULL, "nv" },
};

static gboolean
is_clearing (const ClqOp *op)
{
  return (op->type == CLQ_OP_SCHEDULE && op->value == 0) || (op->type == CLQ_OP_DEADLINE && op->number == 0);
}

static void
print_op (const ClqChange *change, const ClqOp *op, GString *out)
{
  const OpForm *form = &forms[op->type];

  g_string_append (out, is_clearing (op) ? form->cleared : form->word);
  for (const char *part = form->parts; *part != '\0'; part++)
    if (*part == 'n')
      g_string_append_printf (out, " %s", clq_change_get_string (change, op->name));
    else if (*part == 'r')
      g_string_append_printf (out, " %s %s", clq_record_type_to_string (op->record_type), clq_role_to_string (op->role));
    else if (!is_clearing (op) && *part == 'v')
      g_string_append_printf (out, " %s", clq_change_get_string (change, op->value));
    else if (!is_clearing (op))
      g_string_append_printf (out, " %" G_GINT64_FORMAT, op->number);
  g_string_append_c (out, '\n');
}

/* Private: a line for each operation. */
void
test_change_print (const ClqChange *change, GString *out)
{
  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    print_op (change, clq_change_get_op (change, i), out);
}

/* Private: what @change makes of a path of the data; NULL if it sets nothing there. */
const char *
test_change_find_set (const ClqChange *change, const char *path)
{
  const char *found = NULL;

  for (guint i = 0; i < clq_change_get_n_ops (change); i++)
    {
      const ClqOp *op = clq_change_get_op (change, i);

      if ((op->type == CLQ_OP_SET || op->type == CLQ_OP_UNSET) && g_strcmp0 (clq_change_get_string (change, op->name), path) == 0)
        found = op->type == CLQ_OP_SET ? clq_change_get_string (change, op->value) : NULL;
    }
  return found;
}
