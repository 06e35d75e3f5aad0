/* A reply on its way to whoever asked. */
#include "scripted.h"

/* One that takes time hangs on the call's cancellable and goes with the call, whether that was answered or cancelled. */
typedef struct
{
  ScriptedReply *reply;
  const char *next; /* what was not given yet */
  ScriptedManner manner;
} Speech;

static void
free_speech (gpointer data)
{
  Speech *self = data;

  scripted_reply_free (self->reply);
  g_free (self);
}

/* Four characters are about one token. */
static guint64
estimate_tokens (const char *text)
{
  return text != NULL ? ((guint64) g_utf8_strlen (text, -1) + 3) / 4 : 0;
}

/* A word and the space after it: all pieces together are the text. */
static const char *
find_end_of_piece (const char *text)
{
  while (*text != '\0' && !g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  while (*text != '\0' && g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  return text;
}

static void
want_tools (ClqCall *call, const char *uses)
{
  ClqJsonSpan list = clq_json_span (uses, -1), use;
  ClqJsonIter iter;

  clq_json_iter_init (&iter, &list);
  while (clq_json_iter_next (&iter, NULL, &use))
    {
      ClqJsonSpan tool = clq_json_find (use.start, (gssize) use.length, "tool");
      ClqJsonSpan arguments = clq_json_find (use.start, (gssize) use.length, "arguments");
      g_autofree char *name = clq_json_span_dup_string (&tool);
      g_autofree char *text = arguments.type != CLQ_JSON_NONE ? g_strndup (arguments.start, arguments.length) : g_strdup ("{}");

      clq_call_want_tool (call, NULL, name, text);
    }
}

static void
tell_usage (ClqCall *call, const Speech *self)
{
  guint64 tokens_in = estimate_tokens (clq_call_get_request (call)), tokens_out = estimate_tokens (self->reply->text);

  clq_call_usage (call, tokens_in, tokens_out, ((double) tokens_in * self->manner.price_in + (double) tokens_out * self->manner.price_out) / 1e6);
}

static void
speak_on (ClqCall *call, gpointer user_data)
{
  Speech *self = user_data;

  while (self->manner.stream && *self->next != '\0')
    {
      const char *start = self->next;

      self->next = find_end_of_piece (start);
      clq_call_piece (call, start, self->next - start);
      if (self->manner.piece_delay > 0 && *self->next != '\0')
        {
          clq_call_after (call, self->manner.piece_delay, speak_on, self);
          return;
        }
    }
  if (self->reply->uses != NULL)
    want_tools (call, self->reply->uses);
  tell_usage (call, self);
  clq_call_return (call, self->reply->text);
}

static void
speak (ClqCall *call, gpointer user_data)
{
  Speech *self = user_data;

  if (self->reply->failure != 0)
    {
      clq_call_set_retry_after (call, self->reply->retry_after);
      clq_call_fail (call, self->reply->failure, "%s", self->reply->text);
    }
  else
    speak_on (call, self);
}

/* Gives @reply (transfer full) to @call, as soon as its delay is over. */
void
scripted_speech_begin (ClqCall *call, ScriptedReply *reply, const ScriptedManner *manner)
{
  Speech speech = { .reply = reply, .next = reply->text, .manner = *manner };
  Speech *self;

  if (reply->delay == 0 && (!manner->stream || manner->piece_delay == 0))
    {
      speak (call, &speech);
      scripted_reply_free (reply);
      return;
    }
  self = g_memdup2 (&speech, sizeof speech);
  g_object_set_data_full (G_OBJECT (clq_call_get_cancellable (call)), "scripted-speech", self, free_speech);
  if (reply->delay > 0)
    clq_call_after (call, reply->delay, speak, self);
  else
    speak (call, self);
}
