/* Typed errors. Codes are only ever appended; their numbers start at 1. */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_PLUGIN_ERROR_NOT_FOUND = 1,
  CLQ_PLUGIN_ERROR_OPEN,
  CLQ_PLUGIN_ERROR_NO_SYMBOL,
  CLQ_PLUGIN_ERROR_MAGIC,
  CLQ_PLUGIN_ERROR_ABI,
  CLQ_PLUGIN_ERROR_STRUCT,
  CLQ_PLUGIN_ERROR_NAME,
  CLQ_PLUGIN_ERROR_DUPLICATE,
  CLQ_PLUGIN_ERROR_PERMISSION,
  CLQ_PLUGIN_ERROR_START,
} ClqPluginError;

typedef enum
{
  CLQ_GRAPH_ERROR_SYNTAX = 1,
  CLQ_GRAPH_ERROR_FORMAT,
  CLQ_GRAPH_ERROR_UNKNOWN_KIND,
  CLQ_GRAPH_ERROR_UNKNOWN_KEY,
  CLQ_GRAPH_ERROR_VALUE,
  CLQ_GRAPH_ERROR_DUPLICATE,
  CLQ_GRAPH_ERROR_UNKNOWN_NODE,
  CLQ_GRAPH_ERROR_UNKNOWN_OUTCOME,
  CLQ_GRAPH_ERROR_MISSING_TRANSITION,
  CLQ_GRAPH_ERROR_UNREACHABLE,
  CLQ_GRAPH_ERROR_NOT_FOUND,
  CLQ_GRAPH_ERROR_INVARIANT,
} ClqGraphError;

typedef enum
{
  CLQ_NODE_ERROR_FAILED = 1,
  CLQ_NODE_ERROR_UNFINISHED,
  CLQ_NODE_ERROR_OUTCOME,
  CLQ_NODE_ERROR_TIMED_OUT,
  CLQ_NODE_ERROR_BUDGET,
} ClqNodeError;

typedef enum
{
  CLQ_STORE_ERROR_FAILED = 1,
  CLQ_STORE_ERROR_NOT_FOUND,
  CLQ_STORE_ERROR_CORRUPT,
  CLQ_STORE_ERROR_BUSY,
  CLQ_STORE_ERROR_STALE,
} ClqStoreError;

typedef enum
{
  CLQ_SETTING_ERROR_VALUE = 1,
  CLQ_SETTING_ERROR_RANGE,
  CLQ_SETTING_ERROR_UNKNOWN,
  CLQ_SETTING_ERROR_SECRET,
} ClqSettingError;

/* Why an input was not taken. clq_input_error_to_string () gives the word that programs see. */
typedef enum
{
  CLQ_INPUT_ERROR_REFUSED = 1,
  CLQ_INPUT_ERROR_UNHANDLED,
  CLQ_INPUT_ERROR_BUSY,
  CLQ_INPUT_ERROR_NOT_FOUND,
  CLQ_INPUT_ERROR_NOT_WAITING,
  CLQ_INPUT_ERROR_BAD_ANSWER,
  CLQ_INPUT_ERROR_BAD_INPUT,
  CLQ_INPUT_ERROR_LIMIT,
  CLQ_INPUT_ERROR_STORE,
  CLQ_INPUT_ERROR_FAILED,
} ClqInputError;

/* What kind of failure ended a call or a visit. It is the code of the CLQ_FAILURE domain. */
typedef enum
{
  CLQ_FAILURE_RECOVERABLE = 1, /* the same attempt may succeed later */
  CLQ_FAILURE_CRITICAL,        /* trying again does not help */
  CLQ_FAILURE_USER,            /* the request itself cannot be met */
  CLQ_FAILURE_AUTH,            /* credentials are missing or no longer valid */
} ClqFailure;

#define CLQ_PLUGIN_ERROR (clq_plugin_error_quark ())
#define CLQ_GRAPH_ERROR (clq_graph_error_quark ())
#define CLQ_NODE_ERROR (clq_node_error_quark ())
#define CLQ_STORE_ERROR (clq_store_error_quark ())
#define CLQ_SETTING_ERROR (clq_setting_error_quark ())
#define CLQ_INPUT_ERROR (clq_input_error_quark ())
#define CLQ_FAILURE (clq_failure_quark ())

CLQ_API GQuark clq_plugin_error_quark (void);
CLQ_API GQuark clq_graph_error_quark (void);
CLQ_API GQuark clq_node_error_quark (void);
CLQ_API GQuark clq_store_error_quark (void);
CLQ_API GQuark clq_setting_error_quark (void);
CLQ_API GQuark clq_input_error_quark (void);
CLQ_API GQuark clq_failure_quark (void);

CLQ_API const char *clq_input_error_to_string (const GError *error);
CLQ_API ClqFailure clq_failure_of (const GError *error);
CLQ_API const char *clq_failure_to_string (ClqFailure failure);
CLQ_API gboolean clq_failure_from_string (const char *string, ClqFailure *failure);

G_END_DECLS
