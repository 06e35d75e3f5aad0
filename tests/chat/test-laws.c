/* Laws of the chat flow over random histories: what is seen always equals a simple model. */
#include "model.h"
#include "talk.h"

typedef struct
{
  Talk *talk;
  Model *model;
  GRand *random;
  GPtrArray *names;       /* of branches */
  GPtrArray *checkpoints; /* ids */
  guint n_said;
  gboolean talkative;
  GString *log;
} History;

/* ---- comparing ---- */

static void
assert_same_json (const char *a, const char *b)
{
  g_autoptr (JsonNode) one = clq_json_parse (a, -1, NULL);
  g_autoptr (JsonNode) other = clq_json_parse (b, -1, NULL);

  if (!json_node_equal (one, other))
    g_assert_cmpstr (a, ==, b);
}

static void
check (History *self)
{
  g_autofree char *seen = talk_dup_seen (self->talk), *wanted = model_dup_seen (self->model);
  g_autofree char *branch = talk_dup_string (self->talk, "branch"), *topic = talk_dup_string (self->talk, "topic");
  g_autofree char *state = talk_dup_state (self->talk);

  if (strcmp (seen, wanted) != 0)
    g_test_message ("%s", self->log->str);
  g_assert_cmpstr (seen, ==, wanted);
  g_assert_cmpint (talk_get_int (self->talk, "turnCount"), ==, model_count_turns (self->model));
  g_assert_cmpstr (branch, ==, self->model->branch);
  g_assert_cmpstr (topic, ==, self->model->path->topic);
  g_assert_cmpstr (state, ==, "STREAMING resting");
}

static const char *
pick (History *self, GPtrArray *from)
{
  return from->len > 0 ? g_ptr_array_index (from, g_rand_int_range (self->random, 0, from->len)) : NULL;
}

/* ---- steps ---- */

static void
say (History *self)
{
  g_autofree char *more = g_strnfill (self->talkative ? (gsize) g_rand_int_range (self->random, 0, 60) : 0, '-');
  g_autofree char *text = g_strdup_printf ("u%u%s", self->n_said++, more);
  g_autofree char *reply = g_strconcat ("r", text, NULL);

  talk_say (self->talk, text);
  model_say (self->model, text);
  model_say (self->model, reply);
}

static void
say_in_vain (History *self)
{
  g_autofree char *before = talk_dup_data (self->talk), *after = NULL;

  talk_say (self->talk, "fail");
  after = talk_dup_data (self->talk);
  assert_same_json (after, before);
}

static void
say_slowly (History *self)
{
  g_autofree char *text = g_strdup_printf ("slow%u", self->n_said++);
  g_autofree char *part = g_strconcat ("p", text, NULL);

  talk_say (self->talk, text);
  clq_host_advance (self->talk->host, 60 * G_TIME_SPAN_SECOND);
  model_say (self->model, text);
  model_say (self->model, part);
}

static void
inject (History *self)
{
  g_autofree char *text = g_strdup_printf ("c%u", self->n_said++);

  talk_act (self->talk, "inject_context", "{\"text\":\"%s\"}", text);
  model_say (self->model, text);
}

static void
put (History *self)
{
  g_free (self->model->path->topic);
  self->model->path->topic = g_strdup_printf ("t%u", self->n_said++);
  talk_put (self->talk, "{\"data\":{\"topic\":\"%s\"}}", self->model->path->topic);
}

static void
fork_branch (History *self)
{
  g_autofree char *name = g_strdup_printf ("b%u", self->names->len);

  talk_act (self->talk, "fork", "{\"name\":\"%s\"}", name);
  talk_act (self->talk, "confirm_fork", "{}");
  model_fork (self->model, name);
  g_ptr_array_add (self->names, g_steal_pointer (&name));
}

/* fork + cancel = identity. */
static void
fork_in_vain (History *self)
{
  g_autofree char *before = talk_dup_data (self->talk), *after = NULL;

  talk_act (self->talk, "fork", "{}");
  talk_act (self->talk, "cancel_fork", "{}");
  after = talk_dup_data (self->talk);
  assert_same_json (after, before);
}

static void
switch_branch (History *self)
{
  const char *name = pick (self, self->names);

  talk_act (self->talk, "switch", "{\"branch\":\"%s\"}", name);
  if (strcmp (name, self->model->branch) != 0)
    model_switch (self->model, name);
}

static void
make_checkpoint (History *self)
{
  char *id;

  talk_act (self->talk, "checkpoint", "{}");
  id = clq_json_find_string (self->talk->result, "checkpoint");
  model_checkpoint (self->model, id);
  g_ptr_array_add (self->checkpoints, id);
}

static void
go_to_checkpoint (History *self)
{
  const char *id = pick (self, self->checkpoints);

  if (id == NULL)
    return;
  talk_act (self->talk, "rewind", "{\"checkpoint\":\"%s\"}", id);
  model_go_to (self->model, id);
}

/* checkpoint + rewind = identity, whatever was said between. */
static void
checkpoint_and_rewind (History *self)
{
  g_autofree char *data = NULL, *seen = NULL, *data_after = NULL, *seen_after = NULL, *kept = NULL, *kept_after = NULL, *id = NULL;

  talk_act (self->talk, "checkpoint", "{}");
  id = clq_json_find_string (self->talk->result, "checkpoint");
  model_checkpoint (self->model, id);
  data = talk_dup_data (self->talk);
  kept = talk_dup_kept (self->talk);
  seen = talk_dup_seen (self->talk);
  talk_act (self->talk, "rewind", "{\"checkpoint\":\"%s\"}", id);
  data_after = talk_dup_data (self->talk);
  assert_same_json (data_after, data);
  say (self);
  put (self);
  talk_act (self->talk, "rewind", "{\"checkpoint\":\"%s\"}", id);
  model_go_to (self->model, id);
  kept_after = talk_dup_kept (self->talk);
  seen_after = talk_dup_seen (self->talk);
  assert_same_json (kept_after, kept);
  g_assert_cmpstr (seen_after, ==, seen);
}

static void
rewind_turns (History *self)
{
  guint turns = model_count_turns (self->model), back = g_rand_int_range (self->random, 1, 4);

  if (back > turns)
    {
      g_assert_false (talk_try (self->talk, "rewind", "{\"turns\":%u}", back));
      g_assert_error (self->talk->error, CLQ_INPUT_ERROR, CLQ_INPUT_ERROR_REFUSED);
      return;
    }
  talk_act (self->talk, "rewind", "{\"turns\":%u}", back);
  model_rewind (self->model, back);
  /* A place inside of what was merged has the data of before the merge. */
  g_free (self->model->path->topic);
  self->model->path->topic = talk_dup_string (self->talk, "topic");
}

/* Either side's topic is what the merge may lead to. */
static void
resolve (History *self, const char *there)
{
  g_autofree char *here = g_strdup (self->model->path->topic), *topic = NULL;
  gboolean is_open = strstr (self->talk->result, "\"topic\"") != NULL;
  gboolean follow = g_rand_boolean (self->random);

  if (is_open)
    {
      g_assert_cmpstr (here, !=, there);
      g_assert_false (talk_try (self->talk, "confirm_merge", "{}"));
      talk_act (self->talk, "resolve_conflict", "{\"id\":\"topic\",\"choice\":\"%s\"}", follow ? "branch" : "base");
    }
  talk_act (self->talk, "confirm_merge", "{}");
  topic = talk_dup_string (self->talk, "topic");
  if (is_open)
    g_assert_cmpstr (topic, ==, follow ? there : here);
  else
    g_assert_true (g_strcmp0 (topic, here) == 0 || g_strcmp0 (topic, there) == 0);
  g_free (self->model->path->topic);
  self->model->path->topic = g_steal_pointer (&topic);
}

static void
merge (History *self)
{
  static const char *const strategies[] = { "append-branch", "sequential", "interleave" };
  const char *name = pick (self, self->names);
  guint how = g_rand_int_range (self->random, 0, 3);
  const Path *there = g_hash_table_lookup (self->model->branches, name);

  if (there == NULL)
    return;
  talk_act (self->talk, "merge", "{\"branch\":\"%s\",\"strategy\":\"%s\"}", name, strategies[how]);
  if (g_rand_int_range (self->random, 0, 4) == 0)
    {
      talk_act (self->talk, "cancel_merge", "{}");
      return;
    }
  resolve (self, there->topic);
  model_merge (self->model, name, how);
  g_assert_cmpint (talk_get_int (self->talk, "turnCount"), ==, model_count_turns (self->model));
}

/* Merging a branch that has gone on into one that has not is following it: messages and data. */
static void
fast_forward (History *self)
{
  g_autofree char *old = g_strdup (self->model->branch), *name = NULL;
  g_autofree char *before = NULL, *kept = NULL, *seen = NULL, *kept_after = NULL, *seen_after = NULL, *after = NULL;
  static const char *const strategies[] = { "append-branch", "sequential", "interleave" };
  const char *strategy = strategies[g_rand_int_range (self->random, 0, 3)];

  fork_branch (self);
  name = g_strdup (self->model->branch);
  before = talk_dup_kept (self->talk);
  talk_act (self->talk, "merge", "{\"branch\":\"%s\",\"strategy\":\"%s\"}", old, strategy);
  talk_act (self->talk, "confirm_merge", "{}");
  after = talk_dup_kept (self->talk);
  assert_same_json (after, before);
  say (self);
  if (g_rand_boolean (self->random))
    put (self);
  kept = talk_dup_kept (self->talk);
  seen = talk_dup_seen (self->talk);
  talk_act (self->talk, "switch", "{\"branch\":\"%s\"}", old);
  model_switch (self->model, old);
  talk_act (self->talk, "merge", "{\"branch\":\"%s\",\"strategy\":\"%s\"}", name, strategy);
  g_assert_cmpstr (self->talk->result, ==, "{\"conflicts\":[]}");
  talk_act (self->talk, "confirm_merge", "{}");
  model_merge (self->model, name, MODEL_APPEND);
  g_free (self->model->path->topic);
  self->model->path->topic = talk_dup_string (self->talk, "topic");
  kept_after = talk_dup_kept (self->talk);
  seen_after = talk_dup_seen (self->talk);
  assert_same_json (kept_after, kept);
  g_assert_cmpstr (seen_after, ==, seen);
}

static const struct
{
  const char *name;
  void (*run) (History *self);
  guint weight;
} steps[] = {
  { "say", say, 8 },
  { "say-in-vain", say_in_vain, 1 },
  { "say-slowly", say_slowly, 1 },
  { "inject", inject, 1 },
  { "put", put, 2 },
  { "fork", fork_branch, 2 },
  { "fork-in-vain", fork_in_vain, 1 },
  { "switch", switch_branch, 3 },
  { "checkpoint", make_checkpoint, 1 },
  { "go-to-checkpoint", go_to_checkpoint, 1 },
  { "checkpoint-and-rewind", checkpoint_and_rewind, 1 },
  { "rewind", rewind_turns, 3 },
  { "merge", merge, 3 },
  { "fast-forward", fast_forward, 1 },
};

static void
take_step (History *self)
{
  int number = g_rand_int_range (self->random, 0, 29);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      number -= (int) steps[i].weight;
      if (number >= 0)
        continue;
      g_string_append_printf (self->log, "%s ", steps[i].name);
      steps[i].run (self);
      clq_host_advance (self->talk->host, G_TIME_SPAN_SECOND);
      return;
    }
  g_assert_not_reached ();
}

static void
run_history (Talk *talk, guint32 seed, guint n_steps, gboolean talkative)
{
  History self = { .talk = talk, .model = model_new (), .random = g_rand_new_with_seed (seed), .talkative = talkative };

  self.names = g_ptr_array_new_with_free_func (g_free);
  self.checkpoints = g_ptr_array_new_with_free_func (g_free);
  self.log = g_string_new (NULL);
  g_ptr_array_add (self.names, g_strdup ("main"));
  g_string_printf (self.log, "seed %u: ", seed);
  talk_open (talk);
  for (guint i = 0; i < n_steps; i++)
    {
      take_step (&self);
      check (&self);
    }
  model_free (self.model);
  g_rand_free (self.random);
  g_ptr_array_unref (self.names);
  g_ptr_array_unref (self.checkpoints);
  g_string_free (self.log, TRUE);
}

static void
run_histories (const char *store, const char *window, guint first_seed, guint n_histories, guint n_steps)
{
  g_autofree char *override = g_strconcat ("modality.context-window=", window, NULL);
  const char *const overrides[] = { override, NULL };
  g_autoptr (Talk) talk = talk_new (store, overrides, "window", window, NULL);

  for (guint i = 0; i < n_histories; i++)
    run_history (talk, first_seed + i, n_steps, strlen (window) < 3);
}

/* Most histories are short; together they are 10,000. */
static void
test_laws_short (void)
{
  run_histories ("memory", "8192", 1, SANITIZED ? 200 : 9000, 8);
}

static void
test_laws_long (void)
{
  run_histories ("memory", "8192", 100000, SANITIZED ? 20 : 500, 40);
}

/* With a window that holds only a few words, summaries are made all the time. */
static void
test_laws_small_window (void)
{
  run_histories ("memory", "64", 200000, SANITIZED ? 20 : 500, 20);
}

/* A store that answers later, from a file. */
static void
test_laws_sqlite (void)
{
  g_autofree char *folder = g_dir_make_tmp ("chat-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "chat.db", NULL);
  g_autofree char *store = g_strconcat ("sqlite:", path, NULL);

  run_histories (store, "64", 300000, SANITIZED ? 5 : 30, 20);
  talk_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colloquy/chat/laws/short", test_laws_short);
  g_test_add_func ("/colloquy/chat/laws/long", test_laws_long);
  g_test_add_func ("/colloquy/chat/laws/small-window", test_laws_small_window);
  g_test_add_func ("/colloquy/chat/laws/sqlite", test_laws_sqlite);
  return g_test_run ();
}
