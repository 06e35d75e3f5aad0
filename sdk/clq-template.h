/*
 * A template is a text with places for values: `{{name}}` is replaced by the value of that name, `{{#if name}}…{{/if}}` stays
 * if the value is not empty. Nothing else is special, and a value is never looked at again.
 */
#pragma once

#include "clq-types.h"

G_BEGIN_DECLS

typedef enum
{
  CLQ_TEMPLATE_ERROR_SYNTAX = 1,
  CLQ_TEMPLATE_ERROR_UNKNOWN,
} ClqTemplateError;

#define CLQ_TEMPLATE_ERROR (clq_template_error_quark ())
CLQ_API GQuark clq_template_error_quark (void);

/* A template that was read once and is used often. */
typedef struct _ClqTemplate ClqTemplate;

CLQ_API ClqTemplate *clq_template_new (const char *text, const char *const *names, GError **error);
CLQ_API void clq_template_free (ClqTemplate *self);
CLQ_API void clq_template_append (const ClqTemplate *self, const char *const *values, GString *out);
CLQ_API void clq_template_append_escaped (const ClqTemplate *self, const char *const *values, GString *out);

CLQ_API gboolean clq_template_check (const char *text, const char *const *names, GError **error);
CLQ_API char *clq_template_expand (const char *text, const char *const *names, const char *const *values, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqTemplate, clq_template_free)

G_END_DECLS
