/* http-get: pages of hosts that are listed. */
#include "http-get.h"

CLQ_PLUGIN ("http-get", "1.0", "Pages of listed hosts, by HTTP", &http_get_get.feature);
