/*
 * Lists runs for the comparison with other programs: each line of stdin is EXPRESSION, ZONE, FROM and TO, separated by
 * tabs, with times in seconds since 1970; the answer is one line with the times after FROM and before TO, or `refused`.
 */
#include <stdio.h>
#include <string.h>

#include <colloquy.h>

static void
answer (char **columns)
{
  g_autoptr (ClqCron) cron = clq_cron_new (columns[0], columns[1], NULL);
  gint64 time = g_ascii_strtoll (columns[2], NULL, 10) * G_USEC_PER_SEC, end = g_ascii_strtoll (columns[3], NULL, 10) * G_USEC_PER_SEC;

  if (cron == NULL)
    {
      puts ("refused");
      return;
    }
  while ((time = clq_cron_next (cron, time)) != 0 && time < end)
    printf ("%" G_GINT64_FORMAT " ", time / G_USEC_PER_SEC);
  putchar ('\n');
}

int
main (void)
{
  char line[1024];

  while (fgets (line, sizeof line, stdin) != NULL)
    {
      g_auto (GStrv) columns = g_strsplit (g_strchomp (line), "\t", -1);

      if (g_strv_length (columns) == 4)
        answer (columns);
    }
  return 0;
}
