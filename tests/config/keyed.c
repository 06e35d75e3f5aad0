/* keyed: an agent that has a key, as those have that talk to a server. */
#include <colloquy.h>

typedef struct
{
  char *endpoint;
  gint64 max_tokens;
  ClqSecret *api_key;
  char *right;
  gboolean broken;
} Keyed;

static const ClqSetting settings[] = {
  CLQ_STRING (Keyed, endpoint, "http://127.0.0.1", "where it would be"),
  CLQ_INT (Keyed, max_tokens, 100, 1, 1000, "how long a reply may be"),
  CLQ_SECRET (Keyed, api_key, "its key"),
  CLQ_STRING (Keyed, right, "27042f4e6eca7d0b2a7ee4026df2ecfa51d3339e6d122aa099118ecd8563bad9", "the SHA-256 of the right key"),
  CLQ_BOOL (Keyed, broken, false, "it does not start"),
  { NULL },
};

static gboolean
keyed_init (gpointer self, GError **error)
{
  if (!((Keyed *) self)->broken)
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "it is broken");
  return FALSE;
}

static void
keyed_complete (gpointer self, ClqCall *call)
{
  const Keyed *keyed = self;
  g_autofree char *sum = NULL;

  if (keyed->api_key == NULL)
    {
      clq_call_fail (call, CLQ_FAILURE_AUTH, "no key");
      return;
    }
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, clq_secret_reveal (keyed->api_key), -1);
  if (!g_str_equal (sum, keyed->right))
    clq_call_fail (call, CLQ_FAILURE_AUTH, "wrong key");
  else
    clq_call_return (call, "let in");
}

static const ClqAgentInfo keyed = {
  CLQ_AGENT_INFO,
  .name = "agent",
  .summary = "Lets in who has the right key",
  .settings = settings,
  .self_size = sizeof (Keyed),
  .init = keyed_init,
  .complete = keyed_complete,
};
CLQ_PLUGIN ("keyed", "1.0", "An agent with a key", &keyed.feature);
