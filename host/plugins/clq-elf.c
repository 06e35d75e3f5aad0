#define G_LOG_DOMAIN "clq-plugins"

#include "clq-elf.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clq-private.h"

typedef ElfW (Ehdr) Header;
typedef ElfW (Phdr) Segment;

static const struct
{
  guint16 number;
  const char *name;
} machines[] = {
  { EM_386, "i386" },
  { EM_ARM, "arm" },
  { EM_AARCH64, "aarch64" },
  { EM_PPC64, "ppc64" },
  { EM_RISCV, "riscv" },
  { EM_S390, "s390" },
  { EM_X86_64, "x86-64" },
};

static char *
dup_machine (const Header *header)
{
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    if (machines[i].number == header->e_machine)
      return g_strdup (machines[i].name);
  return g_strdup_printf ("machine %u", header->e_machine);
}

static gboolean
refuse (GError **error, const char *path, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (GError **error, const char *path, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, CLQ_PLUGIN_ERROR, CLQ_PLUGIN_ERROR_OPEN, "%s: %s", path, what);
  return FALSE;
}

/* Private: reads exactly @length bytes. */
gboolean
clq_elf_read (int fd, gpointer buffer, gsize length, guint64 offset)
{
  gsize done = 0;

  while (done < length)
    {
      ssize_t n = pread (fd, (char *) buffer + done, length - done, (off_t) (offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      done += (gsize) n;
    }
  return TRUE;
}

/* The header of the library that this code is in: it tells what this machine is without a table of machines. */
static const Header *
get_own_header (void)
{
  Dl_info info;

  if (dladdr (&machines, &info) == 0 || memcmp (info.dli_fbase, ELFMAG, SELFMAG) != 0)
    return NULL;
  return info.dli_fbase;
}

static gboolean
check_machine (const Header *header, const char *path, GError **error)
{
  const Header *own = get_own_header ();
  g_autofree char *theirs = NULL;
  g_autofree char *ours = NULL;

  if (own == NULL)
    return TRUE;
  if (header->e_ident[EI_CLASS] != own->e_ident[EI_CLASS])
    return refuse (error, path, "built for another machine: %s, this host is %s",
                   header->e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit",
                   own->e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit");
  if (header->e_ident[EI_DATA] != own->e_ident[EI_DATA])
    return refuse (error, path, "built for another machine: other byte order than this host");
  if (header->e_machine == own->e_machine)
    return TRUE;
  theirs = dup_machine (header);
  ours = dup_machine (own);
  return refuse (error, path, "built for another machine: %s, this host is %s", theirs, ours);
}

/* A segment behind the end of the file would be mapped all the same, and the first look at it would end the process. */
static gboolean
check_length (int fd, const Header *header, guint64 length, const char *path, GError **error)
{
  guint64 needed = (guint64) header->e_phoff + (guint64) header->e_phnum * sizeof (Segment);

  if (header->e_phentsize != sizeof (Segment) || header->e_phnum == 0 || needed < header->e_phoff)
    return refuse (error, path, "the ELF header is damaged");
  for (guint i = 0; needed <= length && i < header->e_phnum; i++)
    {
      Segment segment;

      if (!clq_elf_read (fd, &segment, sizeof segment, header->e_phoff + i * sizeof segment))
        return refuse (error, path, "cannot be read: %s", g_strerror (errno));
      if (segment.p_type != PT_LOAD)
        continue;
      if (segment.p_offset > G_MAXINT64 || segment.p_filesz > G_MAXINT64)
        return refuse (error, path, "the ELF header is damaged");
      needed = MAX (needed, (guint64) segment.p_offset + segment.p_filesz);
    }
  if (needed > length)
    return refuse (error, path, "cut off: the file has %" G_GUINT64_FORMAT " bytes, its header asks for more", length);
  return TRUE;
}

static const char *
describe_type (guint type)
{
  switch (type)
    {
    case ET_REL:
      return "an object file";
    case ET_EXEC:
      return "a program";
    case ET_CORE:
      return "a core dump";
    default:
      return "another ELF file";
    }
}

/**
 * clq_elf_check:
 * @fd: an open regular file
 * @path: its name, for messages
 * @error: return location
 *
 * Refuses what is certainly no shared object of this machine, in words that say what it is instead.
 *
 * Returns: whether the dynamic linker may see the file
 */
gboolean
clq_elf_check (int fd, const char *path, GError **error)
{
  Header header = { 0 };
  struct stat info;
  guint64 length;

  if (fstat (fd, &info) != 0)
    return refuse (error, path, "cannot be read: %s", g_strerror (errno));
  length = (guint64) info.st_size;
  if (length == 0)
    return refuse (error, path, "the file is empty; expected a shared object");
  if (!clq_elf_read (fd, &header, MIN (length, sizeof header), 0))
    return refuse (error, path, "cannot be read: %s", g_strerror (errno));
  if (length < SELFMAG || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0)
    return refuse (error, path, "no ELF file; expected a shared object");
  if (length < sizeof header)
    return refuse (error, path, "cut off: the file has %" G_GUINT64_FORMAT " bytes, its header asks for more", length);
  if (!check_machine (&header, path, error))
    return FALSE;
  if (header.e_type != ET_DYN)
    return refuse (error, path, "%s; expected a shared object", describe_type (header.e_type));
  return check_length (fd, &header, length, path, error);
}
