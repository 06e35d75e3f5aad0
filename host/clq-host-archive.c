#define G_LOG_DOMAIN "clq-host"

#include "clq-host-private.h"

#include <string.h>

/*
 * A session as one JSON text: its head, the tree of its journal with every record, and the graph it runs on. What is
 * read from it again is equal to what was written, except that idempotency keys are not remembered.
 */
#define FORMAT 1

/* ---- export ---- */

typedef struct
{
  ClqHost *host;
  GString *out;
  guint8 id[16];
  ClqTextFunc func;
  gpointer user_data;
} Export;

static void
export_end (Export *self, const GError *error)
{
  self->func (error == NULL ? self->out->str : NULL, error, self->user_data);
  g_string_free (self->out, TRUE);
  g_free (self);
}

static void
append_text (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, "%s\"%s\":", out->str[out->len - 1] == '{' ? "" : ",", name);
  if (text != NULL)
    clq_json_append_string (out, text, -1);
  else
    g_string_append (out, "null");
}

static void
append_record (GString *out, const ClqRecord *record)
{
  gsize length;
  const char *body = clq_record_get_body (record, &length);

  g_string_append_printf (out, "{\"seq\":%" G_GUINT64_FORMAT ",\"segment\":%u,\"type\":\"%s\",\"role\":\"%s\",\"at\":%" G_GINT64_FORMAT ",\"body\":",
                          clq_record_get_seq (record), clq_record_get_segment (record), clq_record_type_to_string (clq_record_get_record_type (record)),
                          clq_role_to_string (clq_record_get_role (record)), clq_record_get_at (record));
  g_string_append_len (out, body, length);
  g_string_append_c (out, '}');
}

static void
on_records (ClqQuery *query, gpointer user_data)
{
  Export *self = user_data;

  self->host->engine->n_queries--;
  g_string_append (self->out, ",\n\"records\":[");
  for (guint i = 0; i < query->records->len; i++)
    {
      g_string_append (self->out, i > 0 ? ",\n" : "\n");
      append_record (self->out, g_ptr_array_index (query->records, i));
    }
  g_string_append (self->out, "]}\n");
  export_end (self, query->error);
}

static void
on_graph (ClqQuery *query, gpointer user_data)
{
  Export *self = user_data;
  ClqQuery *records;

  self->host->engine->n_queries--;
  if (query->error != NULL)
    {
      export_end (self, query->error);
      return;
    }
  append_text (self->out, "graphText", query->answer);
  records = clq_query_new (on_records, self);
  memcpy (records->id, self->id, 16);
  self->host->engine->n_queries++;
  self->host->store->journal (self->host->store_self, records);
}

static void
append_tree (GString *out, const ClqQuery *query)
{
  g_string_append (out, ",\"segments\":[");
  for (guint i = 0; i < query->segments->len; i++)
    {
      const ClqSegment *segment = &g_array_index (query->segments, ClqSegment, i);

      g_string_append_printf (out, "%s[%u,%u,%" G_GUINT64_FORMAT "]", i > 0 ? "," : "", segment->segment, segment->parent, segment->parent_seq);
    }
  g_string_append (out, "],\"marks\":[");
  for (guint i = 0; i < query->marks->len; i++)
    {
      const ClqMark *mark = &g_array_index (query->marks, ClqMark, i);

      g_string_append (out, i > 0 ? ",[" : "[");
      clq_json_append_string (out, mark->name, -1);
      g_string_append_printf (out, ",%u,%" G_GUINT64_FORMAT "]", mark->segment, mark->seq);
    }
  g_string_append_c (out, ']');
}

/* The packed head is what counts; the rest is for people. */
static void
append_head (GString *out, const ClqHead *head)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autofree char *encoded = NULL;
  char id[CLQ_ID_LENGTH + 1];

  clq_head_pack (head, packed);
  encoded = g_base64_encode (packed->data, packed->len);
  clq_id_print (head->id, id);
  g_string_append_printf (out, "{\"format\":%d", FORMAT);
  append_text (out, "session", id);
  append_text (out, "graph", head->graph_name);
  append_text (out, "graphHash", head->graph_hash);
  append_text (out, "state", head->state);
  append_text (out, "status", clq_head_get_status (head));
  append_text (out, "owner", clq_head_get_owner (head));
  append_text (out, "title", clq_head_get_title (head));
  g_string_append_printf (out, ",\"seq\":%" G_GUINT64_FORMAT ",\"data\":%s", head->seq, clq_head_get_data (head));
  append_text (out, "head", encoded);
}

static void
on_exported_head (ClqQuery *query, gpointer user_data)
{
  Export *self = user_data;
  const ClqHead *head = query->heads->len > 0 ? g_ptr_array_index (query->heads, 0) : NULL;
  ClqQuery *graph;

  self->host->engine->n_queries--;
  if (query->error != NULL || head == NULL)
    {
      g_autoptr (GError) error = query->error != NULL ? g_error_copy (query->error) : g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_NOT_FOUND, "there is no such session");

      export_end (self, error);
      return;
    }
  append_head (self->out, head);
  append_tree (self->out, query);
  graph = clq_query_new (on_graph, self);
  graph->text = g_strdup (head->graph_hash);
  self->host->engine->n_queries++;
  self->host->store->graph (self->host->store_self, graph);
}

/**
 * clq_host_export_session:
 * @self: a host with a store
 * @id: a session
 * @func: gets a JSON text with everything that the store has of it
 * @user_data: for @func
 */
void
clq_host_export_session (ClqHost *self, const guint8 id[16], ClqTextFunc func, gpointer user_data)
{
  Export *export;
  ClqQuery *query;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && func != NULL);
  export = g_new0 (Export, 1);
  export->host = self;
  export->out = g_string_new (NULL);
  export->func = func;
  export->user_data = user_data;
  memcpy (export->id, id, 16);
  query = clq_query_new (on_exported_head, export);
  memcpy (query->id, id, 16);
  query->limit = 1;
  self->engine->n_queries++;
  self->store->load (self->store_self, query);
}

/* ---- import ---- */

typedef struct
{
  ClqHost *host;
  ClqBatch batch;
  ClqCommit commit;
  ClqHead *head;
  char *text; /* what is imported; bodies point into it */
  char *graph_text;
  ClqTextFunc func;
  gpointer user_data;
} Import;

static void
import_free (Import *self)
{
  g_clear_pointer (&self->head, clq_head_free);
  g_clear_pointer (&self->commit.records, g_array_unref);
  g_clear_pointer (&self->commit.segments, g_array_unref);
  g_clear_pointer (&self->commit.marks, g_array_unref);
  g_clear_pointer (&self->commit.mark_names, g_ptr_array_unref);
  g_clear_pointer (&self->batch.commits, g_ptr_array_unref);
  g_clear_error (&self->commit.error);
  g_free (self->graph_text);
  g_free (self->text);
  g_free (self);
}

static void
on_imported (ClqBatch *batch)
{
  Import *self = batch->owner;
  char id[CLQ_ID_LENGTH + 1];
  g_autoptr (GError) error = NULL;

  self->host->engine->n_queries--;
  clq_id_print (self->head->id, id);
  if (g_error_matches (self->commit.error, CLQ_STORE_ERROR, CLQ_STORE_ERROR_STALE))
    error = g_error_new (CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED, "there is a session %s already; expected one that is not there, or a new id", id);
  else if (self->commit.error != NULL)
    error = g_error_copy (self->commit.error);
  self->func (error == NULL ? id : NULL, error, self->user_data);
  import_free (self);
}

static gboolean
bad_file (GError **error, const char *what)
{
  g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "import: %s; expected what export wrote", what);
  return FALSE;
}

/* The numbers of a list: up to @n of them, behind a text if there is one. */
static gboolean
read_numbers (const ClqJsonSpan *list, char **name, guint64 *numbers, guint n)
{
  ClqJsonIter iter;
  ClqJsonSpan item;

  if (list->type != CLQ_JSON_ARRAY || !clq_json_iter_init (&iter, list))
    return FALSE;
  if (name != NULL)
    {
      if (!clq_json_iter_next (&iter, NULL, &item) || item.type != CLQ_JSON_STRING)
        return FALSE;
      *name = clq_json_span_dup_string (&item);
    }
  for (guint i = 0; i < n; i++)
    {
      if (!clq_json_iter_next (&iter, NULL, &item) || item.type != CLQ_JSON_NUMBER)
        return FALSE;
      numbers[i] = clq_json_span_get_int (&item);
    }
  return TRUE;
}

static gboolean
read_tree (Import *self, GError **error)
{
  ClqJsonSpan segments = clq_json_find (self->text, -1, "segments"), marks = clq_json_find (self->text, -1, "marks"), item;
  ClqJsonIter iter;
  guint64 numbers[3];

  if (segments.type != CLQ_JSON_ARRAY || marks.type != CLQ_JSON_ARRAY)
    return bad_file (error, "there are no segments or marks");
  clq_json_iter_init (&iter, &segments);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      if (!read_numbers (&item, NULL, numbers, 3))
        return bad_file (error, "a segment is broken");
      g_array_append_vals (self->commit.segments, &(ClqSegment){ numbers[0], numbers[1], numbers[2] }, 1);
    }
  clq_json_iter_init (&iter, &marks);
  while (clq_json_iter_next (&iter, NULL, &item))
    {
      char *name = NULL;

      if (!read_numbers (&item, &name, numbers, 2))
        return bad_file (error, "a mark is broken");
      g_ptr_array_add (self->commit.mark_names, name);
      g_array_append_vals (self->commit.marks, &(ClqMark){ name, numbers[0], numbers[1] }, 1);
    }
  return TRUE;
}

static gboolean
read_record (Import *self, const ClqJsonSpan *span, guint64 seq)
{
  ClqJsonSpan number = clq_json_find (span->start, span->length, "seq"), segment = clq_json_find (span->start, span->length, "segment");
  ClqJsonSpan type = clq_json_find (span->start, span->length, "type"), role = clq_json_find (span->start, span->length, "role");
  ClqJsonSpan at = clq_json_find (span->start, span->length, "at"), body = clq_json_find (span->start, span->length, "body");
  g_autofree char *type_name = type.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&type) : NULL;
  g_autofree char *role_name = role.type == CLQ_JSON_STRING ? clq_json_span_dup_string (&role) : NULL;
  ClqRecordType known_type;
  ClqRole known_role = CLQ_ROLE_NONE;
  ClqRecord record = { .seq = seq, .length = body.length, .body = body.start };

  if (number.type != CLQ_JSON_NUMBER || clq_json_span_get_int (&number) != (gint64) seq || segment.type != CLQ_JSON_NUMBER ||
      at.type != CLQ_JSON_NUMBER || body.type == CLQ_JSON_NONE || !clq_record_type_from_string (type_name, &known_type) ||
      (g_strcmp0 (role_name, clq_role_to_string (CLQ_ROLE_NONE)) != 0 && !clq_role_from_string (role_name, &known_role)))
    return FALSE;
  record.segment = clq_json_span_get_int (&segment);
  record.at = clq_json_span_get_int (&at);
  record.type = known_type;
  record.role = known_role;
  g_array_append_val (self->commit.records, record);
  return TRUE;
}

static gboolean
read_records (Import *self, GError **error)
{
  ClqJsonSpan records = clq_json_find (self->text, -1, "records"), item;
  ClqJsonIter iter;
  guint64 seq = 0;

  if (records.type != CLQ_JSON_ARRAY)
    return bad_file (error, "there are no records");
  clq_json_iter_init (&iter, &records);
  while (clq_json_iter_next (&iter, NULL, &item))
    if (!read_record (self, &item, ++seq))
      {
        g_set_error (error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_BAD_INPUT, "import: record %" G_GUINT64_FORMAT " is broken; expected what export wrote", seq);
        return FALSE;
      }
  if (seq == 0 || seq != self->head->seq)
    return bad_file (error, "records are missing");
  return TRUE;
}

static gboolean
read_head (Import *self, gboolean new_id, GError **error)
{
  g_autofree char *id_text = clq_json_find_string (self->text, "session"), *encoded = clq_json_find_string (self->text, "head");
  g_autofree char *hash = clq_json_find_string (self->text, "graphHash"), *name = clq_json_find_string (self->text, "graph");
  g_autofree char *state = clq_json_find_string (self->text, "state"), *title = NULL;
  ClqJsonSpan format = clq_json_find (self->text, -1, "format"), seq = clq_json_find (self->text, -1, "seq");
  g_autofree guint8 *bytes = NULL;
  guint8 id[16];
  gsize length = 0;

  if (format.type != CLQ_JSON_NUMBER || clq_json_span_get_int (&format) != FORMAT)
    return bad_file (error, "the format is another one");
  if (id_text == NULL || !clq_id_parse (id_text, id) || encoded == NULL || hash == NULL || name == NULL || state == NULL || seq.type != CLQ_JSON_NUMBER)
    return bad_file (error, "a member of the head is missing");
  if (new_id)
    clq_clock_new_id (&self->host->engine->clock, id);
  bytes = g_base64_decode (encoded, &length);
  self->head = clq_head_unpack (id, clq_json_span_get_int (&seq), hash, name, state, bytes, length, error);
  self->graph_text = clq_json_find_string (self->text, "graphText");
  if (self->head != NULL && self->graph_text == NULL)
    return bad_file (error, "the graph is missing");
  return self->head != NULL;
}

/* A graph text must be what its hash says: other sessions may run on it. */
static gboolean
check_graph (Import *self, GError **error)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, self->graph_text, -1);

  return strncmp (sum, self->head->graph_hash, strlen (self->head->graph_hash)) == 0 || bad_file (error, "the graph is not the one it claims to be");
}

/**
 * clq_host_import_session:
 * @self: a host with a store
 * @json: what clq_host_export_session () gave
 * @new_id: whether it becomes another session
 * @func: gets the id of the session, once it is durable
 * @user_data: for @func
 *
 * Nothing of the session runs by being imported.
 */
void
clq_host_import_session (ClqHost *self, const char *json, gboolean new_id, ClqTextFunc func, gpointer user_data)
{
  const ClqJsonLimits limits = { .max_size = G_MAXSIZE / 2, .max_depth = 128 };
  g_autoptr (GError) error = NULL;
  Import *import;

  g_return_if_fail (CLQ_IS_HOST (self) && self->engine != NULL && self->store != NULL && json != NULL && func != NULL);
  import = g_new0 (Import, 1);
  import->host = self;
  import->text = g_strdup (json);
  import->func = func;
  import->user_data = user_data;
  import->commit.records = g_array_new (FALSE, FALSE, sizeof (ClqRecord));
  import->commit.segments = g_array_new (FALSE, FALSE, sizeof (ClqSegment));
  import->commit.marks = g_array_new (FALSE, FALSE, sizeof (ClqMark));
  import->commit.mark_names = g_ptr_array_new_with_free_func (g_free);
  import->batch = (ClqBatch){ .commits = g_ptr_array_new (), .done = on_imported, .owner = import };
  if (!clq_json_check (json, -1, &limits, &error) || !read_head (import, new_id, &error) || !check_graph (import, &error) ||
      !read_tree (import, &error) || !read_records (import, &error))
    {
      func (NULL, error, user_data);
      import_free (import);
      return;
    }
  import->commit.head = *import->head;
  import->commit.graph_text = import->graph_text;
  g_ptr_array_add (import->batch.commits, &import->commit);
  self->engine->n_queries++;
  self->store->commit (self->store_self, &import->batch);
}
