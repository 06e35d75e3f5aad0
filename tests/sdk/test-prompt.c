/* What agents are asked, and what is found in their answers. */
#include <colloquy.h>

static void
test_prompt_messages (void)
{
  ClqPrompt *prompt = clq_prompt_new ();
  g_autofree char *request = NULL;

  clq_prompt_add (prompt, CLQ_ROLE_SYSTEM, "Be \"brief\".");
  clq_prompt_add (prompt, CLQ_ROLE_USER, "one\ntwo");
  request = clq_prompt_finish (prompt);
  g_assert_cmpstr (request, ==,
                   "{\"messages\":[{\"role\":\"system\",\"text\":\"Be \\\"brief\\\".\"},{\"role\":\"user\",\"text\":\"one\\ntwo\"}]}");
  g_assert_true (clq_json_check (request, -1, NULL, NULL));
}

static void
test_prompt_empty (void)
{
  g_autoptr (ClqPrompt) unused = clq_prompt_new ();
  g_autofree char *request = clq_prompt_finish (clq_prompt_new ());

  clq_prompt_add (unused, CLQ_ROLE_USER, "never asked");
  g_assert_cmpstr (request, ==, "{\"messages\":[]}");
}

static void
test_extract_finds (void)
{
  static const struct
  {
    const char *text;
    ClqJsonType type;
    const char *found;
  } cases[] = {
    { "{\"a\":1}", CLQ_JSON_OBJECT, "{\"a\":1}" },
    { "Here you are:\n```json\n{\"a\": [1, 2]}\n```\nAnything else?", CLQ_JSON_OBJECT, "{\"a\": [1, 2]}" },
    { "{\"a\":\"}\"} and {\"b\":2}", CLQ_JSON_OBJECT, "{\"a\":\"}\"}" },
    { "{\"a\":\"\\\"}\"}", CLQ_JSON_OBJECT, "{\"a\":\"\\\"}\"}" },
    { "use {curly} braces: {\"a\":{}}", CLQ_JSON_OBJECT, "{\"a\":{}}" },
    { "{broken: {\"whole\":true}}", CLQ_JSON_OBJECT, "{\"whole\":true}" },
    { "list: [1, {\"a\":2}]", CLQ_JSON_ARRAY, "[1, {\"a\":2}]" },
    { "list: [1, {\"a\":2}]", CLQ_JSON_OBJECT, "{\"a\":2}" },
    { "{\"a\":1", CLQ_JSON_OBJECT, NULL },
    { "{\"a\":1,\"a\":2}", CLQ_JSON_OBJECT, NULL },
    { "no JSON at all", CLQ_JSON_OBJECT, NULL },
    { "", CLQ_JSON_ARRAY, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = clq_json_extract (cases[i].text, cases[i].type);

      g_assert_cmpstr (found, ==, cases[i].found);
    }
}

/* Openings that lead nowhere do not make it slow: it gives up. */
static void
test_extract_gives_up (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *found = NULL;

  for (guint i = 0; i < 1000000; i++)
    g_string_append (text, "{ ");
  g_string_append (text, "{\"a\":1}");
  found = clq_json_extract (text->str, CLQ_JSON_OBJECT);
  g_assert_null (found);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/prompt/messages", test_prompt_messages);
  g_test_add_func ("/colloquy/prompt/empty", test_prompt_empty);
  g_test_add_func ("/colloquy/prompt/extract/finds", test_extract_finds);
  g_test_add_func ("/colloquy/prompt/extract/gives-up", test_extract_gives_up);
  return g_test_run ();
}
