#define G_LOG_DOMAIN "colloquy"

#include "cli-table.h"
#include "usage.h"

#include <md4c.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOMY 100 /* columns that a table with titles needs */

void
usage_row_free (UsageRow *row)
{
  g_free (row->day);
  g_free (row->agent);
  g_free (row->session);
  g_free (row->graph);
  g_free (row->title);
  g_free (row);
}

void
usage_limit_free (UsageLimit *limit)
{
  g_free (limit->agent);
  g_free (limit);
}

/* ---- numbers ---- */

/* 1234567 as 1,234,567. */
static char *
dup_count (guint64 number)
{
  GString *out = g_string_new (NULL);

  g_string_printf (out, "%" G_GUINT64_FORMAT, number);
  for (gssize i = (gssize) out->len - 3; i > 0; i -= 3)
    g_string_insert_c (out, i, ',');
  return g_string_free (out, FALSE);
}

static char *
dup_cost (double cost)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.4f", cost));
}

static gboolean
is_cost (const UsageLimit *limit)
{
  return g_str_has_prefix (limit->name, "cost");
}

static char *
dup_amount (const UsageLimit *limit, double amount)
{
  return is_cost (limit) ? dup_cost (amount) : dup_count ((guint64) amount);
}

/* ---- for people ---- */

static void
add_text (TermTable *table, const char *text)
{
  g_autofree char *safe = term_safe_dup (text != NULL ? text : "", -1);

  term_table_add_cell (table, safe, MD_ALIGN_LEFT);
}

static void
take_number (TermTable *table, char *text)
{
  term_table_add_cell (table, text, MD_ALIGN_RIGHT);
  g_free (text);
}

static void
add_numbers (TermTable *table, const UsageRow *row, gboolean has_calls)
{
  if (has_calls)
    take_number (table, dup_count (row->calls));
  take_number (table, dup_count (row->tokens_in));
  take_number (table, dup_count (row->tokens_out));
  take_number (table, dup_cost (row->cost));
}

static void
add_row (const UsageReport *self, TermTable *table, const UsageRow *row, gboolean has_titles)
{
  term_table_begin_row (table);
  if (self->by == USAGE_BY_DAY)
    add_text (table, row->day);
  else if (self->by == USAGE_BY_AGENT)
    add_text (table, row->agent);
  else
    {
      add_text (table, row->session);
      add_text (table, row->graph);
    }
  add_numbers (table, row, self->by != USAGE_BY_SESSION);
  if (self->by == USAGE_BY_SESSION && has_titles)
    add_text (table, row->title);
}

static void
add_head (const UsageReport *self, TermTable *table, gboolean has_titles)
{
  static const char *const heads[][8] = {
    [USAGE_BY_DAY] = { "day", "calls", "tokens in", "tokens out", "cost" },
    [USAGE_BY_AGENT] = { "agent", "calls", "tokens in", "tokens out", "cost" },
    [USAGE_BY_SESSION] = { "session", "graph", "tokens in", "tokens out", "cost", "title" },
  };
  const char *const *head = heads[self->by];

  term_table_begin_row (table);
  for (guint i = 0; head[i] != NULL; i++)
    {
      gboolean is_title = strcmp (head[i], "title") == 0;
      gboolean is_text = i == 0 || is_title || strcmp (head[i], "graph") == 0;

      if (!is_title || has_titles)
        term_table_add_cell (table, head[i], is_text ? MD_ALIGN_LEFT : MD_ALIGN_RIGHT);
    }
}

static void
add_limit (TermTable *table, const UsageLimit *limit, gboolean has_bar)
{
  double share = limit->used / limit->limit;
  g_autofree char *used = dup_amount (limit, limit->used), *whole = dup_amount (limit, limit->limit);
  g_autoptr (GString) text = g_string_new (NULL);

  term_table_begin_row (table);
  add_text (table, limit->name);
  add_text (table, limit->agent != NULL ? limit->agent : "all agents");
  term_table_add_cell (table, used, MD_ALIGN_RIGHT);
  term_table_add_cell (table, whole, MD_ALIGN_RIGHT);
  if (has_bar)
    cli_bar_append (text, share, share >= 1 ? TERM_RED : share >= 0.8 ? TERM_YELLOW
                                                                      : TERM_GREEN);
  g_string_append_printf (text, "%s%.0f %%", has_bar ? " " : "", share * 100);
  term_table_add_cell (table, text->str, MD_ALIGN_LEFT);
}

static TermTable *
build_rows (const UsageReport *self, gboolean has_titles)
{
  TermTable *table = term_table_new ();

  add_head (self, table, has_titles);
  for (guint i = 0; i < self->rows->len; i++)
    add_row (self, table, g_ptr_array_index (self->rows, i), has_titles);
  add_row (self, table, &self->total, has_titles);
  return table;
}

static TermTable *
build_limits (const UsageReport *self, gboolean has_bar)
{
  static const char *const head[] = { "limit", "of", "used today", "allowed", "share" };
  TermTable *table = term_table_new ();

  term_table_begin_row (table);
  for (guint i = 0; i < G_N_ELEMENTS (head); i++)
    term_table_add_cell (table, head[i], i == 2 || i == 3 ? MD_ALIGN_RIGHT : MD_ALIGN_LEFT);
  for (guint i = 0; i < self->limits->len; i++)
    add_limit (table, g_ptr_array_index (self->limits, i), has_bar);
  return table;
}

void
usage_report_print (const UsageReport *self)
{
  gboolean is_plain = !cli_is_terminal (STDOUT_FILENO);
  Term term;

  term_init (&term, STDOUT_FILENO, is_plain);
  cli_table_draw (&term, build_rows (self, is_plain || term.columns >= ROOMY));
  if (self->limits->len > 0)
    {
      term_draw_line (&term, "");
      cli_table_draw (&term, build_limits (self, !is_plain));
    }
  term_flush (&term);
  term_clear (&term);
}

/* ---- for programs ---- */

static void
print_row (const UsageReport *self, const UsageRow *row, gboolean is_total)
{
  g_autoptr (GString) out = g_string_new ("{");

  if (is_total)
    cli_json_bool (out, "total", TRUE);
  else if (self->by == USAGE_BY_DAY)
    cli_json_string (out, "day", row->day);
  else if (self->by == USAGE_BY_AGENT)
    cli_json_string (out, "agent", row->agent);
  else
    {
      cli_json_string (out, "session", row->session);
      cli_json_string (out, "graph", row->graph);
      cli_json_string (out, "title", row->title);
    }
  if (self->by != USAGE_BY_SESSION)
    cli_json_number (out, "calls", (gint64) row->calls);
  cli_json_number (out, "tokensIn", (gint64) row->tokens_in);
  cli_json_number (out, "tokensOut", (gint64) row->tokens_out);
  cli_json_member (out, "cost");
  clq_json_append_double (out, row->cost);
  g_string_append_c (out, '}');
  puts (out->str);
}

static void
print_limit (const UsageLimit *limit)
{
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "limit", limit->name);
  cli_json_string (out, "agent", limit->agent);
  cli_json_member (out, "used");
  clq_json_append_double (out, limit->used);
  cli_json_member (out, "allowed");
  clq_json_append_double (out, limit->limit);
  g_string_append_c (out, '}');
  puts (out->str);
}

/* A line per row, one with the total, and one per limit. */
void
usage_report_print_json (const UsageReport *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    print_row (self, g_ptr_array_index (self->rows, i), FALSE);
  print_row (self, &self->total, TRUE);
  for (guint i = 0; i < self->limits->len; i++)
    print_limit (g_ptr_array_index (self->limits, i));
}
