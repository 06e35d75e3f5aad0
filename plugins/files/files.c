/* files: reading below one folder. */
#include "files.h"

CLQ_PLUGIN ("files", "1.0", "Files below one folder, to be read", &files_list.feature, &files_read.feature);
