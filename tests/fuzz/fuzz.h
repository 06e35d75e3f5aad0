/* What the targets share: a text that ends where the input ends, and nothing behind it that could be read by mistake. */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static inline char *
fuzz_dup (const uint8_t *data, size_t size)
{
  char *text = g_malloc (size + 1);

  memcpy (text, data, size);
  text[size] = '\0';
  return text;
}
