/* Files that are no plugin of this machine, whatever their name says: the linker must never see them. */
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "folder.h"

#define ID "file"

typedef ElfW (Ehdr) Header;

/* Writes a file, and checks that it is refused and that the host goes on. */
static void
refuse_bytes (const guint8 *bytes, gsize length, const char *words)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add_bytes (folder, ID, bytes, length);
  g_autofree char *good = folder_add (folder, "good");
  g_autofree char *message = g_strdup_printf ("%s: %s", path, words);
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  assert_refused (registry, ID, CLQ_PLUGIN_ERROR_OPEN, message);
  assert_works (registry, "good.wave");
}

static void
refuse_text (const char *text, const char *words)
{
  refuse_bytes ((const guint8 *) text, strlen (text), words);
}

static void
test_not_elf (void)
{
  static const guint8 noise[] = { 0x1f, 0x8b, 0x08, 0x00, 0xff, 0x00, 0x7f, 'E', 'L', 'F', 0x00, 0x12, 0x34, 0x56 };
  static const guint8 zeros[4096];

  refuse_text ("", "the file is empty; expected a shared object");
  refuse_text ("x", "no ELF file; expected a shared object");
  refuse_text ("Hello, I am a plugin.\n", "no ELF file; expected a shared object");
  refuse_text ("#!/bin/sh\nexit 0\n", "no ELF file; expected a shared object");
  refuse_text ("/* GNU ld script */\nINPUT ( /usr/lib/libc.so )\n", "no ELF file; expected a shared object");
  refuse_text ("!<arch>\n", "no ELF file; expected a shared object");
  refuse_text ("MZ\x90", "no ELF file; expected a shared object");
  refuse_text ("\x7f"
               "ELF",
               "cut off: the file has 4 bytes, its header asks for more");
  refuse_bytes (noise, sizeof noise, "no ELF file; expected a shared object");
  refuse_bytes (zeros, sizeof zeros, "no ELF file; expected a shared object");
}

/* Wherever a file is cut, there is either enough of it or a reason; the process never touches what is not there. */
static void
test_cut_off (void)
{
  g_autoptr (GByteArray) bytes = fixture_read ("good");
  gsize lengths[] = { 4, 5, 16, 40, sizeof (Header) - 1, sizeof (Header), sizeof (Header) + 1, 512, 4095, 4096, 4097, 8192 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *words = g_strdup_printf ("cut off: the file has %" G_GSIZE_FORMAT " bytes, its header asks for more", lengths[i]);

      g_assert_cmpuint (lengths[i], <, bytes->len);
      refuse_bytes (bytes->data, lengths[i], words);
    }
}

/* A copy of a good plugin with another header. */
static void
refuse_header (void (*change) (Header *header), const char *words)
{
  g_autoptr (GByteArray) bytes = fixture_read ("good");
  Header header;

  memcpy (&header, bytes->data, sizeof header);
  change (&header);
  memcpy (bytes->data, &header, sizeof header);
  refuse_bytes (bytes->data, bytes->len, words);
}

static void
set_machine (Header *header)
{
  header->e_machine = header->e_machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
}

static void
set_unknown_machine (Header *header)
{
  header->e_machine = 4711;
}

static void
set_class (Header *header)
{
  header->e_ident[EI_CLASS] = header->e_ident[EI_CLASS] == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64;
}

static void
set_byte_order (Header *header)
{
  header->e_ident[EI_DATA] = header->e_ident[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
}

static void
test_other_machine (void)
{
#if defined(__x86_64__)
  refuse_header (set_machine, "built for another machine: aarch64, this host is x86-64");
  refuse_header (set_unknown_machine, "built for another machine: machine 4711, this host is x86-64");
  refuse_header (set_class, "built for another machine: 32-bit, this host is 64-bit");
#elif defined(__aarch64__)
  refuse_header (set_machine, "built for another machine: x86-64, this host is aarch64");
  refuse_header (set_unknown_machine, "built for another machine: machine 4711, this host is aarch64");
  refuse_header (set_class, "built for another machine: 32-bit, this host is 64-bit");
#else
  g_test_skip ("the words for this machine are not written down here");
  return;
#endif
  refuse_header (set_byte_order, "built for another machine: other byte order than this host");
}

static void
set_object (Header *header)
{
  header->e_type = ET_REL;
}

static void
set_program (Header *header)
{
  header->e_type = ET_EXEC;
}

static void
set_core (Header *header)
{
  header->e_type = ET_CORE;
}

static void
set_odd_type (Header *header)
{
  header->e_type = 0xfe01;
}

static void
test_other_type (void)
{
  refuse_header (set_object, "an object file; expected a shared object");
  refuse_header (set_program, "a program; expected a shared object");
  refuse_header (set_core, "a core dump; expected a shared object");
  refuse_header (set_odd_type, "another ELF file; expected a shared object");
}

static void
set_no_segments (Header *header)
{
  header->e_phnum = 0;
}

static void
set_segment_size (Header *header)
{
  header->e_phentsize = 7;
}

static void
set_segments_wrapped (Header *header)
{
  header->e_phoff = G_MAXUINT64 - 8;
}

static void
test_damaged (void)
{
  refuse_header (set_no_segments, "the ELF header is damaged");
  refuse_header (set_segment_size, "the ELF header is damaged");
  refuse_header (set_segments_wrapped, "the ELF header is damaged");
}

/* A segment that claims more bytes than there are numbers. */
static void
test_damaged_segment (void)
{
  g_autoptr (GByteArray) bytes = fixture_read ("good");
  ElfW (Phdr) segment;
  Header header;

  memcpy (&header, bytes->data, sizeof header);
  for (guint i = 0; i < header.e_phnum; i++)
    {
      gsize at = header.e_phoff + i * sizeof segment;

      memcpy (&segment, bytes->data + at, sizeof segment);
      if (segment.p_type != PT_LOAD)
        continue;
      segment.p_filesz = G_MAXUINT64;
      memcpy (bytes->data + at, &segment, sizeof segment);
      break;
    }
  refuse_bytes (bytes->data, bytes->len, "the ELF header is damaged");
}

/* What stands where a plugin should be, made by @make, is refused with @words. */
static void
refuse_made (gboolean (*make) (const char *path), const char *words)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = g_build_filename (folder, ID ".so", NULL);
  g_autofree char *good = folder_add (folder, "good");
  g_autofree char *message = g_strdup_printf ("%s: %s", path, words);
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  g_assert_true (make (path));
  assert_refused (registry, ID, CLQ_PLUGIN_ERROR_OPEN, message);
  assert_works (registry, "good.wave");
}

static gboolean
make_folder (const char *path)
{
  return g_mkdir (path, 0700) == 0;
}

/* To open a pipe that nobody writes to would wait for ever. */
static gboolean
make_pipe (const char *path)
{
  return mkfifo (path, 0600) == 0;
}

static gboolean
make_socket (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  gboolean made;

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  made = fd >= 0 && bind (fd, (const struct sockaddr *) &address, sizeof address) == 0;
  close (fd);
  return made && g_chmod (path, 0600) == 0;
}

static gboolean
make_circle (const char *path)
{
  return symlink (ID ".so", path) == 0;
}

static void
test_no_file (void)
{
  refuse_made (make_folder, "a folder; expected a shared object");
  refuse_made (make_pipe, "no regular file; expected a shared object");
  refuse_made (make_socket, "cannot be opened: No such device or address");
  refuse_made (make_circle, "cannot be opened: Too many levels of symbolic links");
}

static void
test_unreadable (void)
{
  g_autoptr (Folder) folder = folder_new ();
  g_autofree char *path = folder_add (folder, "good");
  g_autofree char *message = g_strdup_printf ("%s: cannot be opened: Permission denied", path);
  g_autoptr (ClqRegistry) registry = registry_for (folder);

  if (geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      return;
    }
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  assert_refused (registry, "good", CLQ_PLUGIN_ERROR_OPEN, message);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/plugins/files/not-elf", test_not_elf);
  g_test_add_func ("/colloquy/plugins/files/cut-off", test_cut_off);
  g_test_add_func ("/colloquy/plugins/files/other-machine", test_other_machine);
  g_test_add_func ("/colloquy/plugins/files/other-type", test_other_type);
  g_test_add_func ("/colloquy/plugins/files/damaged", test_damaged);
  g_test_add_func ("/colloquy/plugins/files/damaged-segment", test_damaged_segment);
  g_test_add_func ("/colloquy/plugins/files/no-file", test_no_file);
  g_test_add_func ("/colloquy/plugins/files/unreadable", test_unreadable);
  return g_test_run ();
}
