#define G_LOG_DOMAIN "clq-prompt"

#include "clq-private.h"
#include "clq-put-private.h"

/* What a message has beside its text, and the end of the prompt; some escapes, too. */
#define ROOM 128

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

  self->text = g_string_sized_new (500);
  clq_put_text (self->text, "{\"messages\":[");
  return self;
}

static void
open_message (ClqPrompt *self, ClqRole role, const char *text)
{
  clq_put_reserve (self->text, strlen (text) + ROOM);
  clq_put_text (self->text, self->has_messages ? ",{\"role\":\"" : "{\"role\":\"");
  clq_put_text (self->text, clq_role_to_string (role));
  clq_put_text (self->text, "\",\"text\":\"");
  self->has_messages = TRUE;
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
  open_message (self, role, text);
  clq_json_append_escaped (self->text, text, -1);
  clq_put_text (self->text, "\"}");
}

/**
 * clq_prompt_add_escaped:
 * @self: a prompt
 * @role: who speaks
 * @text: what is said, as clq_json_append_escaped() writes it
 *
 * Adds a message that was put together of escaped texts.
 */
void
clq_prompt_add_escaped (ClqPrompt *self, ClqRole role, const char *text)
{
  g_return_if_fail (self != NULL && text != NULL);
  open_message (self, role, text);
  clq_put_text (self->text, text);
  clq_put_text (self->text, "\"}");
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
  clq_put_text (self->text, "]}");
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
