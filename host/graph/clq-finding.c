#define G_LOG_DOMAIN "clq-graph"

#include "clq-finding.h"

#include <string.h>

/* A message that quotes a whole file helps nobody. */
#define MAX_MESSAGE 1000

struct _ClqFindings
{
  GPtrArray *all;
  GHashTable *seen; /* the same findings: what is wrong in defaults is found once per state */
  guint n_errors;
  gboolean sorted;
};

static void
finding_free (gpointer data)
{
  ClqFinding *finding = data;

  g_free (finding->file);
  g_free (finding->message);
  g_free (finding->invariant);
  g_free (finding->counterexample);
  g_free (finding);
}

static guint
finding_hash (gconstpointer data)
{
  const ClqFinding *finding = data;

  return g_str_hash (finding->message) ^ g_str_hash (finding->file) ^ finding->line * 2654435761u;
}

static gboolean
finding_equal (gconstpointer a, gconstpointer b)
{
  const ClqFinding *one = a, *two = b;

  return one->line == two->line && one->level == two->level &&
         strcmp (one->file, two->file) == 0 && strcmp (one->message, two->message) == 0;
}

/**
 * clq_findings_new:
 *
 * Returns: (transfer full): an empty list
 */
ClqFindings *
clq_findings_new (void)
{
  ClqFindings *self = g_new0 (ClqFindings, 1);

  self->all = g_ptr_array_new_with_free_func (finding_free);
  self->seen = g_hash_table_new (finding_hash, finding_equal);
  self->sorted = TRUE;
  return self;
}

/**
 * clq_findings_free:
 * @self: (nullable): a list
 *
 * Frees a list with all its findings.
 */
void
clq_findings_free (ClqFindings *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->seen);
  g_ptr_array_unref (self->all);
  g_free (self);
}

/* A finding is one line of text, whatever it quotes. */
static char *
to_one_line (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c++)
    {
      if (out->len >= MAX_MESSAGE && ((guchar) *c & 0xc0) != 0x80)
        {
          g_string_append (out, "...");
          break;
        }
      if (*c == '\n')
        g_string_append (out, "\\n");
      else if (*c == '\t')
        g_string_append (out, "\\t");
      else if (*c == '\r')
        g_string_append (out, "\\r");
      else if (g_ascii_iscntrl (*c))
        g_string_append_printf (out, "\\x%02x", (guchar) *c);
      else
        g_string_append_c (out, *c);
    }
  return g_string_free (out, FALSE);
}

static ClqFinding *
finding_new (ClqFindingLevel level, int code, const char *file, guint line, const char *text)
{
  ClqFinding *finding = g_new0 (ClqFinding, 1);

  finding->level = level;
  finding->code = code;
  finding->file = g_strdup (file);
  finding->line = line;
  finding->message = to_one_line (text);
  return finding;
}

static void
take (ClqFindings *self, ClqFinding *finding)
{
  if (g_hash_table_contains (self->seen, finding))
    {
      finding_free (finding);
      return;
    }
  finding->order = self->all->len;
  g_hash_table_add (self->seen, finding);
  g_ptr_array_add (self->all, finding);
  self->sorted = FALSE;
  if (finding->level == CLQ_FINDING_ERROR)
    self->n_errors++;
}

/**
 * clq_findings_add:
 * @self: a list
 * @level: whether it stops loading
 * @code: a #ClqGraphError
 * @file: where
 * @line: the line there, 0 for the file as a whole
 * @format: what is wrong, what was expected, the nearest name
 * @...: arguments
 *
 * Adds a finding. One that is there already is not added again.
 */
void
clq_findings_add (ClqFindings *self,
                  ClqFindingLevel level,
                  int code,
                  const char *file,
                  guint line,
                  const char *format,
                  ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (self != NULL);
  g_return_if_fail (file != NULL);

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  take (self, finding_new (level, code, file, line, text));
}

/**
 * clq_findings_add_broken:
 * @self: a list
 * @level: whether it stops loading
 * @file: where
 * @line: the line there
 * @invariant: the name of an invariant that does not hold
 * @counterexample: why, as a JSON list of requests for `colloquy pipe --bare`
 * @format: the same for people
 * @...: arguments
 *
 * Adds a finding on an invariant.
 */
void
clq_findings_add_broken (ClqFindings *self,
                         ClqFindingLevel level,
                         const char *file,
                         guint line,
                         const char *invariant,
                         const char *counterexample,
                         const char *format,
                         ...)
{
  g_autofree char *text = NULL;
  ClqFinding *finding;
  va_list arguments;

  g_return_if_fail (self != NULL);
  g_return_if_fail (file != NULL && invariant != NULL && counterexample != NULL);

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  finding = finding_new (level, CLQ_GRAPH_ERROR_INVARIANT, file, line, text);
  finding->invariant = g_strdup (invariant);
  finding->counterexample = g_strdup (counterexample);
  take (self, finding);
}

/**
 * clq_findings_add_copy:
 * @self: a list
 * @finding: a finding of another list
 *
 * Adds the same finding here.
 */
void
clq_findings_add_copy (ClqFindings *self, const ClqFinding *finding)
{
  ClqFinding *copy;

  g_return_if_fail (self != NULL && finding != NULL);

  copy = g_new0 (ClqFinding, 1);
  copy->level = finding->level;
  copy->code = finding->code;
  copy->file = g_strdup (finding->file);
  copy->line = finding->line;
  copy->message = g_strdup (finding->message);
  copy->invariant = g_strdup (finding->invariant);
  copy->counterexample = g_strdup (finding->counterexample);
  take (self, copy);
}

/**
 * clq_findings_get_n_errors:
 * @self: a list
 *
 * Returns: how many of the findings stop loading
 */
guint
clq_findings_get_n_errors (ClqFindings *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_errors;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const ClqFinding *one = *(ClqFinding *const *) a, *two = *(ClqFinding *const *) b;
  int order = strcmp (one->file, two->file);

  if (order != 0)
    return order;
  if (one->line != two->line)
    return one->line < two->line ? -1 : 1;
  return one->order < two->order ? -1 : one->order > two->order;
}

/**
 * clq_findings_get_all:
 * @self: a list
 *
 * Returns: (transfer none) (element-type ClqFinding): the findings by file, then line, then as they were found
 */
GPtrArray *
clq_findings_get_all (ClqFindings *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (!self->sorted)
    g_ptr_array_sort (self->all, compare);
  self->sorted = TRUE;
  return self->all;
}

/**
 * clq_finding_get_word:
 * @finding: a finding
 *
 * Returns: (transfer none): what it is: `error`, `note` or `warning`
 */
const char *
clq_finding_get_word (const ClqFinding *finding)
{
  g_return_val_if_fail (finding != NULL, NULL);
  if (finding->level == CLQ_FINDING_NOTE)
    return "note";
  return finding->level == CLQ_FINDING_WARNING ? "warning" : "error";
}

static void
print_one (const ClqFinding *finding, GString *out)
{
  g_string_append (out, finding->file);
  if (finding->line > 0)
    g_string_append_printf (out, ":%u", finding->line);
  g_string_append (out, ": ");
  if (finding->level != CLQ_FINDING_ERROR)
    g_string_append_printf (out, "%s: ", clq_finding_get_word (finding));
  g_string_append_printf (out, "%s\n", finding->message);
}

/**
 * clq_findings_print:
 * @self: a list
 *
 * Returns: (transfer full): one `file:line: message` a line; notes and warnings say that they are
 */
char *
clq_findings_print (ClqFindings *self)
{
  GPtrArray *all = clq_findings_get_all (self);
  GString *out = g_string_new (NULL);

  for (guint i = 0; all != NULL && i < all->len; i++)
    print_one (g_ptr_array_index (all, i), out);
  return g_string_free (out, FALSE);
}

/**
 * clq_findings_to_error:
 * @self: a list
 *
 * Returns: (transfer full) (nullable): all errors in one, with the code of the first; %NULL if there are none
 */
GError *
clq_findings_to_error (ClqFindings *self)
{
  GPtrArray *all = clq_findings_get_all (self);
  g_autoptr (GString) out = g_string_new (NULL);
  int code = 0;

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const ClqFinding *finding = g_ptr_array_index (all, i);

      if (finding->level != CLQ_FINDING_ERROR)
        continue;
      if (code == 0)
        code = finding->code;
      print_one (finding, out);
    }
  if (out->len == 0)
    return NULL;
  g_string_truncate (out, out->len - 1);
  return g_error_new_literal (CLQ_GRAPH_ERROR, code, out->str);
}
