#define G_LOG_DOMAIN "clq-graph"

#include "clq-keyfile.h"
#include "clq-keyfile-private.h"

#include <string.h>

struct _ClqKeyfile
{
  GPtrArray *groups;
  GHashTable *index; /* name → ClqGroup */
  GHashTable *files; /* names of files that groups and keys point to */
};

static void
key_free (gpointer data)
{
  ClqKey *key = data;

  g_free (key->key);
  g_free (key->value);
  g_free (key);
}

static void
group_free (gpointer data)
{
  ClqGroup *group = data;

  g_hash_table_unref (group->index);
  g_ptr_array_unref (group->keys);
  g_free (group->name);
  g_free (group);
}

/**
 * clq_keyfile_new:
 *
 * Returns: (transfer full): an empty keyfile
 */
ClqKeyfile *
clq_keyfile_new (void)
{
  ClqKeyfile *self = g_new0 (ClqKeyfile, 1);

  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->index = g_hash_table_new (g_str_hash, g_str_equal);
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/**
 * clq_keyfile_free:
 * @self: (nullable): a keyfile
 *
 * Frees a keyfile with its groups and keys.
 */
void
clq_keyfile_free (ClqKeyfile *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->files);
  g_free (self);
}

/**
 * clq_keyfile_own_file:
 * @self: a keyfile
 * @file: the name of a file
 *
 * Returns: (transfer none): the same name, which lives as long as the keyfile
 */
const char *
clq_keyfile_own_file (ClqKeyfile *self, const char *file)
{
  gpointer own = NULL;

  if (!g_hash_table_lookup_extended (self->files, file, &own, NULL))
    {
      own = g_strdup (file);
      g_hash_table_add (self->files, own);
    }
  return own;
}

/**
 * clq_keyfile_add_group:
 * @self: a keyfile
 * @name: the name of a group
 * @file: where it stands
 * @line: the line there
 *
 * Returns: (transfer none): the group of that name, new at the end if there was none
 */
ClqGroup *
clq_keyfile_add_group (ClqKeyfile *self, const char *name, const char *file, guint line)
{
  ClqGroup *group = g_hash_table_lookup (self->index, name);

  if (group != NULL)
    return group;
  group = g_new0 (ClqGroup, 1);
  group->name = g_strdup (name);
  group->file = clq_keyfile_own_file (self, file);
  group->line = line;
  group->keys = g_ptr_array_new_with_free_func (key_free);
  group->index = g_hash_table_new (g_str_hash, g_str_equal);
  g_ptr_array_add (self->groups, group);
  g_hash_table_insert (self->index, group->name, group);
  return group;
}

/**
 * clq_keyfile_put:
 * @self: a keyfile
 * @group: a group of it
 * @name: a key
 * @value: its value
 * @file: where it stands
 * @line: the line there
 *
 * Gives a key its value and place; one that is there keeps its rank among the keys.
 */
void
clq_keyfile_put (ClqKeyfile *self,
                 ClqGroup *group,
                 const char *name,
                 const char *value,
                 const char *file,
                 guint line)
{
  ClqKey *key = g_hash_table_lookup (group->index, name);

  if (key == NULL)
    {
      key = g_new0 (ClqKey, 1);
      key->key = g_strdup (name);
      g_ptr_array_add (group->keys, key);
      g_hash_table_insert (group->index, key->key, key);
    }
  g_free (key->value);
  key->value = g_strdup (value);
  key->file = clq_keyfile_own_file (self, file);
  key->line = line;
}

/**
 * clq_keyfile_extend:
 * @self: a keyfile
 * @addition: another one
 *
 * Takes all keys of @addition. They replace those of the same group and name, in their place, or come at the end.
 */
void
clq_keyfile_extend (ClqKeyfile *self, const ClqKeyfile *addition)
{
  g_return_if_fail (self != NULL && addition != NULL && self != addition);

  for (guint i = 0; i < addition->groups->len; i++)
    {
      const ClqGroup *from = g_ptr_array_index (addition->groups, i);
      ClqGroup *to = clq_keyfile_add_group (self, from->name, from->file, from->line);

      for (guint j = 0; j < from->keys->len; j++)
        {
          const ClqKey *key = g_ptr_array_index (from->keys, j);

          clq_keyfile_put (self, to, key->key, key->value, key->file, key->line);
        }
    }
}

/**
 * clq_keyfile_set:
 * @self: a keyfile
 * @group: the name of a group
 * @key: a key
 * @value: its value, as clq_keyfile_get () gives it back
 * @origin: what stands in place of the file in findings
 *
 * Sets a key that does not come from a file.
 */
void
clq_keyfile_set (ClqKeyfile *self, const char *group, const char *key, const char *value, const char *origin)
{
  g_return_if_fail (self != NULL && group != NULL && key != NULL && value != NULL && origin != NULL);
  clq_keyfile_put (self, clq_keyfile_add_group (self, group, origin, 0), key, value, origin, 0);
}

/**
 * clq_keyfile_unset:
 * @self: a keyfile
 * @group: the name of a group
 * @key: a key
 *
 * Removes a key, if it is there. Its group stays.
 */
void
clq_keyfile_unset (ClqKeyfile *self, const char *group, const char *key)
{
  ClqGroup *place;
  ClqKey *found;

  g_return_if_fail (self != NULL && group != NULL && key != NULL);
  place = g_hash_table_lookup (self->index, group);
  found = place != NULL ? g_hash_table_lookup (place->index, key) : NULL;
  if (found == NULL)
    return;
  g_hash_table_remove (place->index, key);
  g_ptr_array_remove (place->keys, found);
}

/**
 * clq_keyfile_get_groups:
 * @self: a keyfile
 *
 * Returns: (transfer none) (element-type ClqGroup): its groups, in order
 */
GPtrArray *
clq_keyfile_get_groups (const ClqKeyfile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->groups;
}

/**
 * clq_keyfile_find_group:
 * @self: a keyfile
 * @name: the name of a group
 *
 * Returns: (transfer none) (nullable): the group
 */
const ClqGroup *
clq_keyfile_find_group (const ClqKeyfile *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);
  return g_hash_table_lookup (self->index, name);
}

/**
 * clq_keyfile_find:
 * @self: a keyfile
 * @group: the name of a group
 * @key: a key
 *
 * Returns: (transfer none) (nullable): the key with its value and place
 */
const ClqKey *
clq_keyfile_find (const ClqKeyfile *self, const char *group, const char *key)
{
  const ClqGroup *place = clq_keyfile_find_group (self, group);

  return place != NULL ? g_hash_table_lookup (place->index, key) : NULL;
}

/**
 * clq_keyfile_get:
 * @self: a keyfile
 * @group: the name of a group
 * @key: a key
 *
 * Returns: (transfer none) (nullable): the value
 */
const char *
clq_keyfile_get (const ClqKeyfile *self, const char *group, const char *key)
{
  const ClqKey *found = clq_keyfile_find (self, group, key);

  return found != NULL ? found->value : NULL;
}

static void
print_value (const char *value, GString *out)
{
  gsize length = strlen (value);

  for (gsize i = 0; i < length; i++)
    switch (value[i])
      {
      case '\\':
        g_string_append (out, "\\\\");
        break;
      case '\n':
        g_string_append (out, "\\n");
        break;
      case '\t':
        g_string_append (out, "\\t");
        break;
      case '\r':
        g_string_append (out, "\\r");
        break;
      case ' ':
        /* White space around a value is not part of it. */
        g_string_append (out, i == 0 || i + 1 == length ? "\\s" : " ");
        break;
      default:
        g_string_append_c (out, value[i]);
      }
}

/**
 * clq_keyfile_print:
 * @self: a keyfile
 *
 * Returns: (transfer full): a text that reads back to the same groups, keys and values; comments are gone
 */
char *
clq_keyfile_print (const ClqKeyfile *self)
{
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (self != NULL, g_string_free (out, FALSE));
  for (guint i = 0; i < self->groups->len; i++)
    {
      const ClqGroup *group = g_ptr_array_index (self->groups, i);

      g_string_append_printf (out, "%s[%s]\n", i > 0 ? "\n" : "", group->name);
      for (guint j = 0; j < group->keys->len; j++)
        {
          const ClqKey *key = g_ptr_array_index (group->keys, j);

          g_string_append_printf (out, "%s=", key->key);
          print_value (key->value, out);
          g_string_append_c (out, '\n');
        }
    }
  return g_string_free (out, FALSE);
}
