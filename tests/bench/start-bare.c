/* start-bare FOLDER GRAPH PLUGIN...: what nobody can do without: the same libraries and the same files, and nothing else. */
#include <colloquy-host.h>
#include <dlfcn.h>

int
main (int argc, char **argv)
{
  /* Libraries of which nothing is used are not linked. */
  gpointer volatile used = (gpointer) clq_host_new;

  for (int i = 3; i < argc; i++)
    {
      g_autofree char *path = g_strconcat (argv[1], "/", argv[i], ".so", NULL);

      if (used == NULL || dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) == NULL)
        return 1;
    }
  return 0;
}
