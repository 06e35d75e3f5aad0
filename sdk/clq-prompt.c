#define G_LOG_DOMAIN "clq-prompt"

#include "clq-private.h"

struct _ClqPrompt
{
  GString *text;
  gboolean has_messages;
};

/**
 * clq_prompt_new:
 *
 * Returns: (transfer full): a prompt without messages
 */
ClqPrompt *
clq_prompt_new (void)
{
  ClqPrompt *self = g_new0 (ClqPrompt, 1);

  self->text = g_string_new ("{\"messages\":[");
  return self;
}

/**
 * clq_prompt_add:
 * @self: a prompt
 * @role: who speaks
 * @text: what is said
 *
 * Adds a message.
 */
void
clq_prompt_add (ClqPrompt *self, ClqRole role, const char *text)
{
  g_return_if_fail (self != NULL && text != NULL);
  g_string_append (self->text, self->has_messages ? ",{\"role\":" : "{\"role\":");
  clq_json_append_string (self->text, clq_role_to_string (role), -1);
  g_string_append (self->text, ",\"text\":");
  clq_json_append_string (self->text, text, -1);
  g_string_append_c (self->text, '}');
  self->has_messages = TRUE;
}

/**
 * clq_prompt_finish:
 * @self: (transfer full): a prompt
 *
 * Returns: (transfer full): the request for clq_visit_call_agent (), `{"messages":[{"role":"user","text":"…"},…]}`
 */
char *
clq_prompt_finish (ClqPrompt *self)
{
  char *request;

  g_return_val_if_fail (self != NULL, NULL);
  g_string_append (self->text, "]}");
  request = g_string_free (g_steal_pointer (&self->text), FALSE);
  g_free (self);
  return request;
}

/**
 * clq_prompt_free:
 * @self: (transfer full): a prompt that nobody will be asked
 */
void
clq_prompt_free (ClqPrompt *self)
{
  g_string_free (self->text, TRUE);
  g_free (self);
}
