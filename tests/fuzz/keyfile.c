/* What a keyfile is printed as reads the same. */
#include "clq-keyfile.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_dup (data, size), *printed = NULL, *again = NULL;
  g_autoptr (ClqKeyfile) first = clq_keyfile_new (), second = clq_keyfile_new ();
  g_autoptr (ClqFindings) findings = clq_findings_new (), none = clq_findings_new ();

  if (!clq_keyfile_read_text (first, "fuzz", text, (gssize) size, findings))
    {
      g_autofree char *all = clq_findings_print (findings);

      g_assert (*all != '\0');
      return 0;
    }
  printed = clq_keyfile_print (first);
  g_assert (clq_keyfile_read_text (second, "again", printed, -1, none));
  again = clq_keyfile_print (second);
  g_assert_cmpstr (printed, ==, again);
  return 0;
}
