#define G_LOG_DOMAIN "colloquy"

#include "replay-report.h"

#include "cli.h"
#include "term.h"

#include <stdio.h>
#include <string.h>

/* A difference for people: of two records the members that differ, of long values the place where they part. */

#define COLUMNS 100 /* of a value */
#define BEFORE 30   /* bytes of it before the place */

typedef struct
{
  GString *path; /* of the member */
  gboolean is_call;
  guint n_shown;
} Showing;

static gboolean
is_same (const ClqJsonSpan *a, const ClqJsonSpan *b)
{
  return a->type == b->type && a->length == b->length && (a->length == 0 || memcmp (a->start, b->start, a->length) == 0);
}

/* The first byte that differs; the first of a character, in both. */
static gsize
find_parting (const ClqJsonSpan *past, const ClqJsonSpan *now)
{
  gsize place = 0;

  while (place < past->length && place < now->length && past->start[place] == now->start[place])
    place++;
  return place;
}

static void
print_value (const char *when, const char *name, const ClqJsonSpan *value, gsize parting)
{
  gsize from = parting > BEFORE && value->length > COLUMNS ? MIN (parting, value->length) - BEFORE : 0;
  g_autofree char *safe = NULL, *fit = NULL;

  while (from > 0 && (value->start[from] & 0xc0) == 0x80)
    from--;
  safe = value->type != CLQ_JSON_NONE ? term_safe_dup (value->start + from, (gssize) (value->length - from)) : g_strdup ("nothing");
  fit = term_fit (safe, COLUMNS);
  printf ("  %-5s %s%s%s%s\n", when, name, *name != '\0' ? ": " : "", from > 0 ? "…" : "", fit);
}

static void
print_values (const char *name, const ClqJsonSpan *past, const ClqJsonSpan *now)
{
  g_autofree char *safe = term_safe_dup (name, -1);
  gsize parting = find_parting (past, now);

  print_value ("then:", safe, past, parting);
  print_value ("now:", safe, now, parting);
}

static ClqJsonSpan
find_member (const ClqJsonSpan *object, const ClqJsonSpan *name)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value;

  if (clq_json_iter_init (&iter, object))
    while (clq_json_iter_next (&iter, &key, &value))
      if (is_same (&key, name))
        return value;
  return (ClqJsonSpan){ .type = CLQ_JSON_NONE };
}

static void show (Showing *self, const ClqJsonSpan *past, const ClqJsonSpan *now);

/* What a record holds stands in its body; how long a call took is no difference. */
static void
show_member (Showing *self, const ClqJsonSpan *key, const ClqJsonSpan *past, const ClqJsonSpan *now)
{
  g_autofree char *name = clq_json_span_dup_string (key);
  gsize length = self->path->len;

  g_string_append_printf (self->path, "%s%s", length > 0 ? "." : "", name);
  if (!self->is_call || strcmp (self->path->str, "body.ms") != 0)
    show (self, past, now);
  g_string_truncate (self->path, length);
}

static void
show_members (Showing *self, const ClqJsonSpan *past, const ClqJsonSpan *now)
{
  ClqJsonIter iter;
  ClqJsonSpan key, value, other;

  if (clq_json_iter_init (&iter, past))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        other = find_member (now, &key);
        show_member (self, &key, &value, &other);
      }
  if (clq_json_iter_init (&iter, now))
    while (clq_json_iter_next (&iter, &key, &value))
      {
        other = find_member (past, &key);
        if (other.type == CLQ_JSON_NONE)
          show_member (self, &key, &other, &value);
      }
}

static void
show (Showing *self, const ClqJsonSpan *past, const ClqJsonSpan *now)
{
  const char *path = self->path->str;

  if (is_same (past, now))
    return;
  if (past->type == CLQ_JSON_OBJECT && now->type == CLQ_JSON_OBJECT)
    {
      show_members (self, past, now);
      return;
    }
  print_values (g_str_has_prefix (path, "body.") ? path + strlen ("body.") : path, past, now);
  self->n_shown++;
}

static void
print_members (const ClqReplayReport *report)
{
  g_autoptr (GString) path = g_string_new (NULL);
  ClqJsonSpan nothing = { .type = CLQ_JSON_NONE };
  ClqJsonSpan past = report->past != NULL ? clq_json_span (report->past, -1) : nothing;
  ClqJsonSpan now = report->now != NULL ? clq_json_span (report->now, -1) : nothing;
  g_autofree char *type = report->past != NULL ? clq_json_find_string (report->past, "type") : NULL;
  Showing showing = { .path = path, .is_call = g_strcmp0 (type, "call") == 0 };

  show (&showing, &past, &now);
  if (showing.n_shown == 0)
    print_values ("", &past, &now); /* the same members in another order */
}

/* Where a session is, what differs there, and what it may mean. */
void
replay_print_difference (const ClqReplayReport *report, const char *id)
{
  g_autofree char *at = report->seq > 0 ? clq_time_print (report->at) : NULL;
  g_autofree char *reason = term_safe_dup (report->reason, -1);

  if (report->seq > 0)
    printf ("%s: differs at record %" G_GUINT64_FORMAT ", in state %s, at %s\n", id, report->seq, report->state != NULL ? report->state : "(not open)", at);
  else
    printf ("%s: differs at its end, in state %s\n", id, report->state);
  print_members (report);
  printf ("  %s\n", reason);
}

/* The same for programs: both records as a whole. */
void
replay_print_json (const ClqReplayReport *report, const char *id)
{
  g_autoptr (GString) out = g_string_new ("{");

  cli_json_string (out, "session", id);
  cli_json_string (out, "graph", report->graph);
  cli_json_bool (out, "equal", report->is_equal);
  cli_json_number (out, "records", report->n_records);
  if (!report->is_equal)
    {
      cli_json_number (out, "seq", report->seq);
      cli_json_string (out, "state", report->state);
      cli_json_raw (out, "past", report->past != NULL ? report->past : "null");
      cli_json_raw (out, "now", report->now != NULL ? report->now : "null");
      cli_json_string (out, "reason", report->reason);
    }
  g_string_append_c (out, '}');
  puts (out->str);
}
