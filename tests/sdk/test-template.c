/* Templates: what is put in, what is left out, what is wrong. */
#include <colloquy.h>

#include <string.h>

static const char *const names[] = { "problem", "context", "round", NULL };

static void
test_template_expands (void)
{
  static const struct
  {
    const char *text;
    const char *values[3];
    const char *expanded;
  } cases[] = {
    { "no place", { NULL }, "no place" },
    { "Solve {{problem}}.", { "it" }, "Solve it." },
    { "{{ problem }}{{round}}", { "a", NULL, "1" }, "a1" },
    { "{{problem}}", { "{{round}} {{#if context}}", NULL, "no" }, "{{round}} {{#if context}}" },
    { "{{context}}|", { NULL, NULL }, "|" },
    { "a{{#if context}}: {{context}}{{/if}}.", { NULL, "b" }, "a: b." },
    { "a{{#if context}}: {{context}}{{/if}}.", { NULL, "" }, "a." },
    { "{{#if problem}}1{{#if context}}2{{/if}}3{{/if}}4", { "p", NULL }, "134" },
    { "{{#if problem}}1{{#if context}}2{{/if}}3{{/if}}4", { NULL, "c" }, "4" },
    { "one\n{{#if context}}\ntwo\n{{/if}}\nthree\n", { NULL, "c" }, "one\ntwo\nthree\n" },
    { "one\n{{#if context}}\ntwo\n{{/if}}\nthree\n", { NULL, NULL }, "one\nthree\n" },
    { "{ {round} }}", { NULL }, "{ {round} }}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *expanded = clq_template_expand (cases[i].text, names, cases[i].values, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (expanded, ==, cases[i].expanded);
    }
}

/* Pieces that were escaped once make the text that escaping the whole would make. */
static void
test_template_escaped (void)
{
  g_autoptr (ClqTemplate) template = clq_template_new ("\"Say\"\n{{#if context}}\n{{context}}\\\n{{/if}}\n{{problem}}\t", names, NULL);
  const char *values[] = { "a \"b\"\n", "c\\d é", NULL };
  g_autoptr (GString) plain = g_string_new (NULL), whole = g_string_new (NULL), escaped = g_string_new (NULL);
  const char *pieces[3] = { NULL };
  g_autofree char *first = clq_json_quote (values[0]), *second = clq_json_quote (values[1]);

  first[strlen (first) - 1] = second[strlen (second) - 1] = '\0';
  pieces[0] = first + 1;
  pieces[1] = second + 1;
  clq_template_append (template, values, plain);
  clq_json_append_escaped (whole, plain->str, -1);
  clq_template_append_escaped (template, pieces, escaped);
  g_assert_cmpstr (plain->str, ==, "\"Say\"\nc\\d é\\\na \"b\"\n\t");
  g_assert_cmpstr (escaped->str, ==, whole->str);
}

static void
test_template_refuses (void)
{
  static const struct
  {
    const char *text;
    ClqTemplateError code;
    const char *message;
  } cases[] = {
    { "a\nb {{problm}}", CLQ_TEMPLATE_ERROR_UNKNOWN, "line 2: there is nothing to put in the place of {{problm}}; did you mean 'problem'?" },
    { "{{#if contxt}}x{{/if}}", CLQ_TEMPLATE_ERROR_UNKNOWN, "line 1: there is nothing to put in the place of {{contxt}}; did you mean 'context'?" },
    { "\n\n{{problem", CLQ_TEMPLATE_ERROR_SYNTAX, "line 3: {{ without }}" },
    { "{{}}", CLQ_TEMPLATE_ERROR_SYNTAX, "line 1: {{}} is no placeholder; expected {{NAME}}, {{#if NAME}} or {{/if}}" },
    { "{{#each x}}", CLQ_TEMPLATE_ERROR_SYNTAX, "line 1: {{#each x}} is no placeholder; expected {{NAME}}, {{#if NAME}} or {{/if}}" },
    { "x{{/if}}", CLQ_TEMPLATE_ERROR_SYNTAX, "line 1: {{/if}} without {{#if NAME}} before it" },
    { "x\n{{#if round}}y", CLQ_TEMPLATE_ERROR_SYNTAX, "line 2: {{#if}} without {{/if}}" },
    { "{{#if context}}{{nothing}}{{/if}}", CLQ_TEMPLATE_ERROR_UNKNOWN, "line 1: there is nothing to put in the place of {{nothing}}; expected one of: problem, context, round" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (clq_template_check (cases[i].text, names, &error));
      g_assert_error (error, CLQ_TEMPLATE_ERROR, (int) cases[i].code);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_template_deep (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 17; i++)
    g_string_append (text, "{{#if round}}");
  g_assert_false (clq_template_check (text->str, names, &error));
  g_assert_error (error, CLQ_TEMPLATE_ERROR, CLQ_TEMPLATE_ERROR_SYNTAX);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/template/escaped", test_template_escaped);
  g_test_add_func ("/colloquy/template/expands", test_template_expands);
  g_test_add_func ("/colloquy/template/refuses", test_template_refuses);
  g_test_add_func ("/colloquy/template/deep", test_template_deep);
  return g_test_run ();
}
