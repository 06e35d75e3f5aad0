#define G_LOG_DOMAIN "memory-index"

#include "memory-index.h"

#include <math.h>
#include <string.h>

/* BM25: how soon more of the same word stops to count, and how much long texts are held back. */
#define K1 1.2
#define B 0.75

typedef struct
{
  guint32 document;
  guint32 count;
} Posting;

typedef struct
{
  Posting *postings;
  guint n_postings;
} Postings;

typedef struct
{
  MemoryRow *row;
  guint64 seq;
  guint32 n_words;
} Document;

typedef void (*WordFunc) (MemoryIndex *index, const char *word, gpointer user_data);

static void
postings_free (gpointer data)
{
  Postings *self = data;

  g_free (self->postings);
  g_free (self);
}

/**
 * memory_index_init:
 * @self: zeroed memory
 */
void
memory_index_init (MemoryIndex *self)
{
  self->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, postings_free);
  self->documents = g_array_new (FALSE, FALSE, sizeof (Document));
}

/**
 * memory_index_clear:
 * @self: an index, or zeroed memory
 */
void
memory_index_clear (MemoryIndex *self)
{
  g_clear_pointer (&self->words, g_hash_table_unref);
  g_clear_pointer (&self->documents, g_array_unref);
}

/* Calls @func for each word of @text: letters, digits and marks in a row, without case. */
static void
foreach_word (MemoryIndex *self, const char *text, WordFunc func, gpointer user_data)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *normal = g_utf8_normalize (folded, -1, G_NORMALIZE_ALL_COMPOSE);
  char *start = NULL;

  if (normal == NULL)
    return;
  for (char *c = normal;; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (letter != 0 && (g_unichar_isalnum (letter) || g_unichar_ismark (letter)))
        {
          if (start == NULL)
            start = c;
          continue;
        }
      if (start != NULL)
        {
          char kept = *c;

          *c = '\0';
          func (self, start, user_data);
          *c = kept;
          start = NULL;
        }
      if (letter == 0)
        return;
    }
}

static void
on_document_word (MemoryIndex *self, const char *word, gpointer user_data)
{
  Document *document = user_data;
  guint32 number = self->documents->len;
  Postings *list = g_hash_table_lookup (self->words, word);

  document->n_words++;
  if (list == NULL)
    {
      list = g_new0 (Postings, 1);
      g_hash_table_insert (self->words, g_strdup (word), list);
    }
  if (list->n_postings > 0 && list->postings[list->n_postings - 1].document == number)
    {
      list->postings[list->n_postings - 1].count++;
      return;
    }
  MEMORY_GROW (list->postings, list->n_postings);
  list->postings[list->n_postings++] = (Posting){ number, 1 };
}

/* All strings that are values, however deep; the depth of a checked text is limited. */
static void
add_strings (MemoryIndex *self, const ClqJsonSpan *value, Document *document)
{
  ClqJsonIter iter;
  ClqJsonSpan inner;

  if (value->type == CLQ_JSON_STRING)
    {
      g_autofree char *text = clq_json_span_dup_string (value);

      foreach_word (self, text, on_document_word, document);
    }
  else if (clq_json_iter_init (&iter, value))
    while (clq_json_iter_next (&iter, NULL, &inner))
      add_strings (self, &inner, document);
}

/**
 * memory_index_add:
 * @self: an index
 * @row: the session of the record
 * @record: a record that is to be found again
 */
void
memory_index_add (MemoryIndex *self, MemoryRow *row, const ClqRecord *record)
{
  Document document = { .row = row, .seq = clq_record_get_seq (record) };
  gsize length;
  const char *body = clq_record_get_body (record, &length);
  ClqJsonSpan value;

  if (!clq_json_check (body, length, NULL, NULL))
    return;
  value = clq_json_span (body, length);
  add_strings (self, &value, &document);
  if (document.n_words == 0)
    return;
  self->n_words += document.n_words;
  g_array_append_val (self->documents, document);
}

/* What a search has so far. */
typedef struct
{
  GHashTable *seen;   /* words of the question */
  GHashTable *places; /* document → place in hits, from 1 on */
  GArray *hits;
  double perfect; /* what a text of nothing but the words would score at the most */
} Search;

static void
add_score (MemoryIndex *self, Search *search, guint number, double score)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (search->places, GUINT_TO_POINTER (number)));

  if (place == 0)
    {
      const Document *document = &g_array_index (self->documents, Document, number);
      MemoryHit hit = { .row = document->row, .seq = document->seq, .document = number };

      g_array_append_val (search->hits, hit);
      place = search->hits->len;
      g_hash_table_insert (search->places, GUINT_TO_POINTER (number), GUINT_TO_POINTER (place));
    }
  g_array_index (search->hits, MemoryHit, place - 1).relevance += score;
}

static void
on_search_word (MemoryIndex *self, const char *word, gpointer user_data)
{
  Search *search = user_data;
  const Postings *list = g_hash_table_lookup (self->words, word);
  guint n_postings = list != NULL ? list->n_postings : 0;
  double n_documents = self->documents->len, average = self->n_words / n_documents, rarity;

  if (!g_hash_table_add (search->seen, g_strdup (word)))
    return;
  /* A word that all records have still counts a little: in a small store that says nothing against it. */
  rarity = log (1 + (n_documents + 1) / (n_postings + 0.5));
  search->perfect += rarity * (K1 + 1);
  for (guint i = 0; i < n_postings; i++)
    {
      const Posting *posting = &list->postings[i];
      const Document *document = &g_array_index (self->documents, Document, posting->document);
      double hold_back = K1 * (1 - B + B * document->n_words / average);

      add_score (self, search, posting->document, rarity * posting->count * (K1 + 1) / (posting->count + hold_back));
    }
}

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const MemoryHit *one = a, *other = b;

  if (one->relevance != other->relevance)
    return one->relevance > other->relevance ? -1 : 1;
  return one->document > other->document ? -1 : one->document < other->document;
}

/**
 * memory_index_search:
 * @self: an index
 * @text: words
 *
 * Finds the records that hold at least one of the words.
 *
 * Returns: (transfer full) (element-type MemoryHit): the best first; of equal ones the newest
 */
GArray *
memory_index_search (MemoryIndex *self, const char *text)
{
  Search search = {
    .seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .places = g_hash_table_new (NULL, NULL),
    .hits = g_array_new (FALSE, FALSE, sizeof (MemoryHit)),
  };

  if (self->documents->len > 0)
    foreach_word (self, text, on_search_word, &search);
  g_hash_table_unref (search.seen);
  g_hash_table_unref (search.places);
  for (guint i = 0; i < search.hits->len; i++)
    g_array_index (search.hits, MemoryHit, i).relevance /= search.perfect;
  g_array_sort (search.hits, compare_hits);
  return search.hits;
}
