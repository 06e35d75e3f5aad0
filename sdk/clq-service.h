/* A service is a front of the host: HTTP, a notification sink, ... */
#pragma once

#include "clq-plugin.h"

G_BEGIN_DECLS

typedef struct
{
  CLQ_FEATURE_HEAD
  gboolean (*start) (gpointer self, ClqHost *host, GError **error);
  void (*stop) (gpointer self); /* may not call the host any more */
} ClqServiceInfo;

#define CLQ_SERVICE_INFO CLQ_FEATURE_INIT (ClqServiceInfo, CLQ_FEATURE_SERVICE)

G_END_DECLS
