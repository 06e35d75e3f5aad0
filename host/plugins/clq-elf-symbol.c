#define G_LOG_DOMAIN "clq-plugins"

#include "clq-elf.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

typedef ElfW (Addr) Address;
typedef ElfW (Dyn) Dynamic;
typedef ElfW (Ehdr) Header;
typedef ElfW (Phdr) Segment;
typedef ElfW (Sym) Symbol;

/* What the linker would have in memory, read from the file piece by piece. Addresses are those of the file. */
typedef struct
{
  int fd;
  GArray *segments; /* Segment, those that are loaded */
  Address dynamic;
  Address symbols;
  Address strings;
  Address hashes;
  guint8 window[2048]; /* what was read last, and what follows it */
  gsize window_length;
  guint64 window_offset;
} Image;

static void
image_clear (Image *self)
{
  g_clear_pointer (&self->segments, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Image, image_clear)

/* Tables are read entry by entry: one look at the file serves many of them. */
static gboolean
image_read_file (Image *self, gpointer buffer, gsize length, guint64 offset)
{
  guint64 start = offset - self->window_offset;

  if (offset < self->window_offset || start > self->window_length || length > self->window_length - start)
    {
      ssize_t n = pread (self->fd, self->window, sizeof self->window, (off_t) offset);

      self->window_length = n > 0 ? (gsize) n : 0;
      self->window_offset = offset;
      start = 0;
      if (length > self->window_length)
        return clq_elf_read (self->fd, buffer, length, offset);
    }
  memcpy (buffer, self->window + start, length);
  return TRUE;
}

/* Reads what the file brings for an address; memory that is only zeroed is not there. */
static gboolean
image_read (Image *self, Address address, gpointer buffer, gsize length)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);
      guint64 start = address - segment->p_vaddr;

      if (address >= segment->p_vaddr && start <= segment->p_filesz && length <= segment->p_filesz - start)
        return image_read_file (self, buffer, length, segment->p_offset + start);
    }
  return FALSE;
}

static gboolean
image_read_segments (Image *self)
{
  Header header;

  if (!image_read_file (self, &header, sizeof header, 0))
    return FALSE;
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  for (guint i = 0; i < header.e_phnum; i++)
    {
      Segment segment;

      if (!image_read_file (self, &segment, sizeof segment, header.e_phoff + i * sizeof segment))
        return FALSE;
      if (segment.p_type == PT_LOAD)
        g_array_append_val (self->segments, segment);
      else if (segment.p_type == PT_DYNAMIC)
        self->dynamic = segment.p_vaddr;
    }
  return self->dynamic != 0;
}

static gboolean
image_read_tables (Image *self)
{
  Address place = self->dynamic;
  Dynamic entry;

  for (;; place += sizeof entry)
    {
      if (!image_read (self, place, &entry, sizeof entry))
        return FALSE;
      if (entry.d_tag == DT_NULL)
        break;
      if (entry.d_tag == DT_SYMTAB)
        self->symbols = entry.d_un.d_ptr;
      else if (entry.d_tag == DT_STRTAB)
        self->strings = entry.d_un.d_ptr;
      else if (entry.d_tag == DT_GNU_HASH)
        self->hashes = entry.d_un.d_ptr;
    }
  return self->symbols != 0 && self->strings != 0 && self->hashes != 0;
}

static gboolean
image_has_name (Image *self, const Symbol *symbol, const char *name)
{
  gsize length = strlen (name) + 1;
  g_autofree char *text = g_malloc (length);

  return image_read (self, self->strings + symbol->st_name, text, length) && memcmp (text, name, length) == 0;
}

static guint32
hash_name (const char *name)
{
  guint32 hash = 5381;

  for (const char *c = name; *c != '\0'; c++)
    hash = hash * 33 + (guchar) *c;
  return hash;
}

/* The table: four numbers, a filter, the first symbol of every bucket, and the hashes, of which the last in a bucket is odd. */
static ClqElfAnswer
image_find (Image *self, const char *name, Symbol *symbol)
{
  struct
  {
    guint32 n_buckets, first, filter_size, filter_shift;
  } head;
  guint32 wanted = hash_name (name), index, hash;
  Address buckets, chain;

  if (!image_read (self, self->hashes, &head, sizeof head) || head.n_buckets == 0)
    return CLQ_ELF_UNKNOWN;
  buckets = self->hashes + sizeof head + (Address) head.filter_size * sizeof (Address);
  chain = buckets + (Address) head.n_buckets * sizeof index;
  if (!image_read (self, buckets + wanted % head.n_buckets * sizeof index, &index, sizeof index))
    return CLQ_ELF_UNKNOWN;
  if (index == 0)
    return CLQ_ELF_MISSING;
  if (index < head.first)
    return CLQ_ELF_UNKNOWN;
  for (;; index++)
    {
      if (!image_read (self, chain + (Address) (index - head.first) * sizeof hash, &hash, sizeof hash) ||
          !image_read (self, self->symbols + (Address) index * sizeof *symbol, symbol, sizeof *symbol))
        return CLQ_ELF_UNKNOWN;
      if ((hash | 1) == (wanted | 1) && symbol->st_shndx != SHN_UNDEF && image_has_name (self, symbol, name))
        return CLQ_ELF_FOUND;
      if ((hash & 1) != 0)
        return CLQ_ELF_MISSING;
    }
}

/**
 * clq_elf_read_symbol:
 * @fd: a file that has passed clq_elf_check()
 * @name: a symbol
 * @buffer: where to write what stands in the file for it; the rest is zeroed
 * @buffer_size: the size of @buffer
 * @size: (out): how many bytes the symbol has, %G_MAXSIZE if the file does not say
 *
 * Looks up a symbol that the file itself exports, and reads it as it is before the linker has put addresses into it: its
 * numbers are right, its pointers are not. Nothing of the file runs.
 *
 * Returns: whether the file has such a symbol
 */
ClqElfAnswer
clq_elf_read_symbol (int fd, const char *name, gpointer buffer, gsize buffer_size, gsize *size)
{
  g_auto (Image) image = { .fd = fd };
  ClqElfAnswer answer;
  Symbol symbol;

  memset (buffer, 0, buffer_size);
  if (!image_read_segments (&image) || !image_read_tables (&image))
    return CLQ_ELF_UNKNOWN;
  answer = image_find (&image, name, &symbol);
  if (answer != CLQ_ELF_FOUND)
    return answer;
  *size = symbol.st_size > 0 ? symbol.st_size : G_MAXSIZE;
  /* A variable without a value has no place in the file; it is zero until a constructor fills it. */
  if (!image_read (&image, symbol.st_value, buffer, MIN (*size, buffer_size)))
    memset (buffer, 0, buffer_size);
  return CLQ_ELF_FOUND;
}
