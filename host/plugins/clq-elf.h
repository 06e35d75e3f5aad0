/* What can be said about a shared object from its file alone, before the dynamic linker runs its constructors. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a file's own table of symbols says about a name. */
typedef enum
{
  CLQ_ELF_UNKNOWN, /* the table cannot be read; only the linker can tell */
  CLQ_ELF_MISSING,
  CLQ_ELF_FOUND,
} ClqElfAnswer;

gboolean clq_elf_check (int fd, const char *path, GError **error);
ClqElfAnswer clq_elf_read_symbol (int fd, const char *name, gpointer buffer, gsize buffer_size, gsize *size);
gboolean clq_elf_read (int fd, gpointer buffer, gsize length, guint64 offset);

G_END_DECLS
