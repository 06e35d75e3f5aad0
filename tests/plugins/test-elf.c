/* The reader of symbol tables: right about fixtures, harmless about files that only look like one. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "clq-elf.h"
#include "folder.h"

#define SEED 20240229

static int
open_bytes (const GByteArray *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("clq-test-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, bytes->len);
  return fd;
}

static ClqElfAnswer
read_plugin (const char *id, const char *symbol, ClqPlugin *plugin, gsize *size)
{
  g_autoptr (GByteArray) bytes = fixture_read (id);
  g_autoptr (GError) error = NULL;
  int fd = open_bytes (bytes);
  ClqElfAnswer answer;

  g_assert_true (clq_elf_check (fd, id, &error));
  g_assert_no_error (error);
  answer = clq_elf_read_symbol (fd, symbol, plugin, sizeof *plugin, size);
  close (fd);
  return answer;
}

static void
test_found (void)
{
  ClqPlugin plugin;
  gsize size = 0;

  g_assert_cmpint (read_plugin ("good", "clq_plugin", &plugin, &size), ==, CLQ_ELF_FOUND);
  g_assert_cmpuint (size, ==, sizeof plugin);
  g_assert_cmphex (plugin.magic, ==, CLQ_PLUGIN_MAGIC);
  g_assert_cmpuint (plugin.abi_major, ==, CLQ_ABI_MAJOR);
  g_assert_cmpuint (plugin.size, ==, sizeof plugin);
  g_assert_cmpuint (plugin.n_features, ==, 1);
}

static void
test_short (void)
{
  ClqPlugin plugin;
  gsize size = 0;

  g_assert_cmpint (read_plugin ("short-symbol", "clq_plugin", &plugin, &size), ==, CLQ_ELF_FOUND);
  g_assert_cmpuint (size, ==, 8);
  g_assert_cmphex (plugin.magic, ==, CLQ_PLUGIN_MAGIC);
  g_assert_cmpuint (plugin.size, ==, 0);
  g_assert_null (plugin.features);
}

static void
test_without_value (void)
{
  ClqPlugin plugin;
  gsize size = 0;

  g_assert_cmpint (read_plugin ("not-filled", "clq_plugin", &plugin, &size), ==, CLQ_ELF_FOUND);
  g_assert_cmpuint (size, ==, sizeof plugin);
  g_assert_cmphex (plugin.magic, ==, 0);
}

/* Neither what a file needs, nor a part of a name, nor a longer one. */
static void
test_missing (void)
{
  static const char *const names[] = { "clq_visit_finish", "g_setenv", "clq_plugi", "clq_plugin_", "", "x" };
  ClqPlugin plugin;
  gsize size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (read_plugin ("good", names[i], &plugin, &size), ==, CLQ_ELF_MISSING);
  g_assert_cmpint (read_plugin ("no-symbol", "clq_plugin", &plugin, &size), ==, CLQ_ELF_MISSING);
  g_assert_cmpint (read_plugin ("symbol-elsewhere", "clq_plugin", &plugin, &size), ==, CLQ_ELF_MISSING);
}

/* Without the table of hashes nothing can be said, and nothing is. */
static void
test_unknown (void)
{
  g_autoptr (GByteArray) bytes = fixture_read ("good");
  ElfW (Ehdr) header;
  ClqPlugin plugin;
  gsize size = 0;
  int fd;

  memcpy (&header, bytes->data, sizeof header);
  for (guint i = 0; i < header.e_phnum; i++)
    {
      gsize at = header.e_phoff + i * sizeof (ElfW (Phdr));
      ElfW (Phdr) segment;

      memcpy (&segment, bytes->data + at, sizeof segment);
      if (segment.p_type == PT_DYNAMIC)
        segment.p_type = PT_NULL;
      memcpy (bytes->data + at, &segment, sizeof segment);
    }
  fd = open_bytes (bytes);
  g_assert_cmpint (clq_elf_read_symbol (fd, "clq_plugin", &plugin, sizeof plugin, &size), ==, CLQ_ELF_UNKNOWN);
  close (fd);
}

/* Whatever the bytes are, every question has an answer. */
static void
test_noise (void)
{
  g_autoptr (GByteArray) original = fixture_read ("good");
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  guint answers[3] = { 0 };
  guint n_damaged = 0;

  for (int i = 0; i < 3000; i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      /* The tables stand at the beginning, except for the one that says where they are. */
      gint32 end = (gint32) MIN (original->len, i % 2 == 0 ? 4096 : G_MAXINT32);
      ClqPlugin plugin;
      gsize size = 0;
      int fd;

      g_byte_array_append (bytes, original->data, original->len);
      for (int j = g_rand_int_range (rand, 1, 16); j > 0; j--)
        bytes->data[g_rand_int_range (rand, EI_NIDENT, end)] = (guint8) g_rand_int (rand);
      fd = open_bytes (bytes);
      if (clq_elf_check (fd, "noise", NULL))
        answers[clq_elf_read_symbol (fd, "clq_plugin", &plugin, sizeof plugin, &size)]++;
      else
        n_damaged++;
      close (fd);
    }
  g_assert_cmpuint (answers[CLQ_ELF_FOUND], >, 0);
  g_assert_cmpuint (answers[CLQ_ELF_MISSING], >, 0);
  g_assert_cmpuint (answers[CLQ_ELF_UNKNOWN], >, 0);
  g_assert_cmpuint (n_damaged, >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/plugins/elf/found", test_found);
  g_test_add_func ("/colloquy/plugins/elf/short", test_short);
  g_test_add_func ("/colloquy/plugins/elf/without-value", test_without_value);
  g_test_add_func ("/colloquy/plugins/elf/missing", test_missing);
  g_test_add_func ("/colloquy/plugins/elf/unknown", test_unknown);
  g_test_add_func ("/colloquy/plugins/elf/noise", test_noise);
  return g_test_run ();
}
