#define G_LOG_DOMAIN "clq-test-node"

#include "clq-test-node-private.h"

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
  [CLQ_OP_TITLE] = { "title", NULL, "v" },
  [CLQ_OP_REASON] = { "reason", NULL, "v" },
  [CLQ_OP_RESULT] = { "result", NULL, "v" },
  [CLQ_OP_NOTIFY] = { "notify", NULL, "v" },
  [CLQ_OP_WARN] = { "warn", NULL, "v" },
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

/* Private: makes the data what @change says; like the host it warns of paths that lead nowhere. */
void
test_change_apply (ClqChange *change, char **data)
{
  g_autoptr (GString) text = g_string_new (*data);
  guint n_ops = clq_change_get_n_ops (change);

  for (guint i = 0; i < n_ops; i++)
    {
      /* A copy, because a warning may move the operations. */
      const ClqOp op = *clq_change_get_op (change, i);
      const char *path = clq_change_get_string (change, op.name);

      if (op.type == CLQ_OP_UNSET)
        clq_json_unset (text, path);
      else if (op.type == CLQ_OP_SET && !clq_json_set (text, path, clq_change_get_string (change, op.value)))
        {
          g_autofree char *copy = g_strdup (path);

          clq_change_warn (change, "data '%s' cannot be set: the path runs through a value that is no object", copy);
        }
    }
  g_free (*data);
  *data = g_strdup (text->str);
}
