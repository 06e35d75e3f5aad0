#define G_LOG_DOMAIN "memory-keys"

#include "memory-keys.h"

#include <string.h>

static guint
key_hash (gconstpointer data)
{
  const MemoryKey *self = data;

  return g_str_hash (self->key) ^ g_direct_hash (self->row);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const MemoryKey *one = a, *other = b;

  return one->row == other->row && strcmp (one->key, other->key) == 0;
}

static void
key_free (gpointer data)
{
  MemoryKey *self = data;

  g_free (self->key);
  g_free (self->result);
  g_free (self);
}

/**
 * memory_keys_clear:
 * @self: keys, or zeroed memory
 */
void
memory_keys_clear (MemoryKeys *self)
{
  g_clear_pointer (&self->table, g_hash_table_unref);
}

/**
 * memory_keys_add:
 * @self: keys
 * @row: a session
 * @commit: a commit of that session, with a key that the session does not have
 */
void
memory_keys_add (MemoryKeys *self, const MemoryRow *row, ClqCommit *commit)
{
  MemoryKey *added = g_new0 (MemoryKey, 1);

  if (self->table == NULL)
    self->table = g_hash_table_new_full (key_hash, key_equal, key_free, NULL);
  added->row = row;
  added->seq = clq_head_get_seq (clq_commit_get_head (commit));
  added->key = g_strdup (clq_commit_get_key (commit));
  added->result = g_strdup (clq_commit_get_result (commit));
  g_hash_table_add (self->table, added);
}

/**
 * memory_keys_find:
 * @self: keys
 * @row: (nullable): a session
 * @key: (nullable): a key
 *
 * Returns: (transfer none) (nullable): what the session knows of the key
 */
const MemoryKey *
memory_keys_find (MemoryKeys *self, const MemoryRow *row, const char *key)
{
  const MemoryKey wanted = { .row = row, .key = (char *) key };

  if (self->table == NULL || row == NULL || key == NULL)
    return NULL;
  return g_hash_table_lookup (self->table, &wanted);
}
