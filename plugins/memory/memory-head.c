#define G_LOG_DOMAIN "memory-head"

#include "memory-head.h"

#include <string.h>

static guint
shape_hash (gconstpointer key)
{
  const MemoryShape *shape = key;

  return g_str_hash (shape->state) * 31 + g_str_hash (shape->graph_hash) + (guint8) shape->status[0];
}

static gboolean
shape_equal (gconstpointer a, gconstpointer b)
{
  const MemoryShape *one = a, *other = b;

  return strcmp (one->state, other->state) == 0 &&
         strcmp (one->status, other->status) == 0 &&
         strcmp (one->graph_hash, other->graph_hash) == 0 &&
         strcmp (one->graph, other->graph) == 0;
}

/**
 * memory_heads_init:
 * @self: zeroed memory
 */
void
memory_heads_init (MemoryHeads *self)
{
  self->shapes = g_ptr_array_new_with_free_func (g_free);
  self->by_texts = g_hash_table_new (shape_hash, shape_equal);
  self->owners = g_ptr_array_new_with_free_func (g_free);
  self->by_owner = g_hash_table_new (g_str_hash, g_str_equal);
  g_ptr_array_add (self->owners, NULL);
}

/**
 * memory_heads_clear:
 * @self: heads, or zeroed memory
 */
void
memory_heads_clear (MemoryHeads *self)
{
  g_clear_pointer (&self->by_texts, g_hash_table_unref);
  g_clear_pointer (&self->shapes, g_ptr_array_unref);
  g_clear_pointer (&self->by_owner, g_hash_table_unref);
  g_clear_pointer (&self->owners, g_ptr_array_unref);
}

/**
 * memory_heads_get_shape:
 * @self: heads
 * @index: what a row has
 *
 * Returns: (transfer none): the texts that the row shares with others
 */
const MemoryShape *
memory_heads_get_shape (MemoryHeads *self, guint32 index)
{
  return g_ptr_array_index (self->shapes, index);
}

/**
 * memory_heads_find_owner:
 * @self: heads
 * @owner: a name
 *
 * Returns: the number that rows of this owner have; 0 = there is none
 */
guint32
memory_heads_find_owner (MemoryHeads *self, const char *owner)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_owner, owner));
}

static guint32
add_owner (MemoryHeads *self, const char *owner)
{
  guint32 number = memory_heads_find_owner (self, owner);

  if (number == 0)
    {
      char *copy = g_strdup (owner);

      number = self->owners->len;
      g_ptr_array_add (self->owners, copy);
      g_hash_table_insert (self->by_owner, copy, GUINT_TO_POINTER (number));
    }
  return number;
}

static const MemoryShape *
add_shape (MemoryHeads *self, const MemoryShape *wanted)
{
  MemoryShape *shape = g_hash_table_lookup (self->by_texts, wanted);

  if (shape == NULL)
    {
      shape = g_new0 (MemoryShape, 1);
      shape->graph_hash = g_intern_string (wanted->graph_hash);
      shape->graph = g_intern_string (wanted->graph);
      shape->state = g_intern_string (wanted->state);
      shape->status = wanted->status;
      shape->index = self->shapes->len;
      g_ptr_array_add (self->shapes, shape);
      g_hash_table_add (self->by_texts, shape);
    }
  return shape;
}

/*
 * The texts of heads are interned too and the words for the status are constants, so the same address is the same text:
 * none of them is ever freed. Another address says nothing; then the texts are compared.
 */
static const MemoryShape *
find_shape (MemoryHeads *self, const ClqHead *head)
{
  const MemoryShape wanted = {
    .graph_hash = clq_head_get_graph_hash (head),
    .graph = clq_head_get_graph_name (head),
    .state = clq_head_get_state (head),
    .status = clq_head_get_status (head),
  };
  guint64 mixed = (GPOINTER_TO_SIZE (wanted.state) ^ GPOINTER_TO_SIZE (wanted.graph_hash) ^ (guint8) wanted.status[0]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  const MemoryShape **recent = &self->recent[(mixed >> 32) % MEMORY_RECENT_SHAPES];

  if (*recent == NULL || (*recent)->state != wanted.state || (*recent)->graph_hash != wanted.graph_hash ||
      (*recent)->graph != wanted.graph || (*recent)->status != wanted.status)
    *recent = add_shape (self, &wanted);
  return *recent;
}

/**
 * memory_head_encode:
 * @heads: the texts that heads share
 * @row: the row of the session
 * @head: its new head
 * @out: where to append the packed head, for memory_row_write()
 *
 * Notes in @row what is not in the bytes.
 */
void
memory_head_encode (MemoryHeads *heads, MemoryRow *row, const ClqHead *head, GByteArray *out)
{
  const char *owner = clq_head_get_owner (head);

  clq_head_pack (head, out);
  row->seq = clq_head_get_seq (head);
  row->updated_at = clq_head_get_updated_at (head);
  row->shape = find_shape (heads, head)->index;
  if (owner == NULL)
    row->owner = 0;
  else if (row->owner == 0 || strcmp (g_ptr_array_index (heads->owners, row->owner), owner) != 0)
    row->owner = add_owner (heads, owner);
}

/**
 * memory_head_read:
 * @heads: the texts that heads share
 * @row: a row with a head
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the head
 */
ClqHead *
memory_head_read (MemoryHeads *heads, const MemoryRow *row, GError **error)
{
  const MemoryShape *shape = memory_heads_get_shape (heads, row->shape);
  const MemoryBlock *block = row->block;

  return clq_head_unpack (row->id, row->seq, shape->graph_hash, shape->graph, shape->state,
                          block->bytes + block->used, block->head_length, error);
}
