/*
 * One node, run in a host of its own. A plugin author writes
 *
 *   g_autoptr (ClqTestNode) test = clq_test_node_new (&shout, "suffix", "?!", NULL);
 *
 *   clq_test_node_set_text (test, "hello");
 *   clq_test_node_enter (test);
 *   clq_test_node_assert_said (test, "HELLO?!");
 *   clq_test_node_assert_outcome (test, "done");
 *
 * The host has a graph with one state for the node, and a clock that stands still until clq_test_node_advance () moves it.
 * Agents and tools answer what was queued for them, or are real ones. Plugins are not looked for.
 */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct _ClqTestNode ClqTestNode;

CLQ_API ClqTestNode *clq_test_node_new (const ClqNodeInfo *info, ...) G_GNUC_NULL_TERMINATED;
CLQ_API ClqTestNode *clq_test_node_try_new (const ClqNodeInfo *info, GError **error, ...) G_GNUC_NULL_TERMINATED;
CLQ_API void clq_test_node_free (ClqTestNode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqTestNode, clq_test_node_free)

/* The session that the node sees. */
CLQ_API void clq_test_node_set_state (ClqTestNode *self, const char *state);
CLQ_API void clq_test_node_set_data (ClqTestNode *self, const char *json);
CLQ_API void clq_test_node_set_schedule (ClqTestNode *self, const char *json, gint64 next_run);
CLQ_API void clq_test_node_set_text (ClqTestNode *self, const char *text);
CLQ_API void clq_test_node_set_event (ClqTestNode *self, ClqEventKind kind, const char *name, const char *payload);
CLQ_API void clq_test_node_set_modality_setting (ClqTestNode *self, const char *key, const char *value);
CLQ_API void clq_test_node_add_record (ClqTestNode *self, ClqRecordType type, ClqRole role, const char *json);

/* What the graph says of the state. */
CLQ_API void clq_test_node_set_retry (ClqTestNode *self, guint retry);
CLQ_API void clq_test_node_set_visit_timeout (ClqTestNode *self, GTimeSpan timeout);

/* Who answers. */
CLQ_API void clq_test_node_reply (ClqTestNode *self, const char *name, const char *text);
CLQ_API void clq_test_node_reply_failure (ClqTestNode *self, const char *name, ClqFailure failure, const char *message);
CLQ_API void clq_test_node_delay_reply (ClqTestNode *self, const char *name, GTimeSpan delay);
CLQ_API gboolean clq_test_node_add_agent (ClqTestNode *self, const char *name, const ClqAgentInfo *info, GError **error, ...) G_GNUC_NULL_TERMINATED;
CLQ_API gboolean clq_test_node_add_tool (ClqTestNode *self, const char *kind, const ClqToolInfo *info, GError **error, ...) G_GNUC_NULL_TERMINATED;
CLQ_API gboolean clq_test_node_instruct_agent (ClqTestNode *self, const char *name, const char *json, GError **error);

/* What happens. */
CLQ_API void clq_test_node_enter (ClqTestNode *self);
CLQ_API void clq_test_node_advance (ClqTestNode *self, GTimeSpan by);
CLQ_API gboolean clq_test_node_answer (ClqTestNode *self, const char *key, const char *json, GError **error);
CLQ_API void clq_test_node_cancel (ClqTestNode *self);
CLQ_API void clq_test_node_wait (ClqTestNode *self);

/* What came of it. */
CLQ_API const char *clq_test_node_get_outcome (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_payload (ClqTestNode *self);
CLQ_API const GError *clq_test_node_get_error (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_said (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_pieces (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_progress (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_written (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_data (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_question (ClqTestNode *self, const char *prompt);
CLQ_API const char *clq_test_node_get_calls (ClqTestNode *self);
CLQ_API const char *clq_test_node_get_request (ClqTestNode *self, const char *key);
CLQ_API void clq_test_node_get_usage (ClqTestNode *self, guint64 *tokens_in, guint64 *tokens_out, double *cost);
CLQ_API gint64 clq_test_node_get_now (ClqTestNode *self);

/*
 * A failed assertion names the line of the test. JSON is compared by its meaning.
 *
 * outcome   the visit has finished with this outcome
 * failed    it has failed like this; %NULL = with any message
 * running   it waits for something: the clock, an answer, its next attempt
 * said      it has said this, so far or in all; %NULL = nothing
 * set       the outcome sets a path of the data to this; %NULL = to nothing
 * wrote     the outcome wrote a line of clq_test_node_get_written ()
 * asked     people are asked this, by the visit or by its outcome; %NULL = nothing
 * payload   the outcome has this payload; %NULL = none
 * released  nobody holds a visit or a call any more
 */
#define CLQ_TEST_PLACE __FILE__, __LINE__, G_STRFUNC
#define clq_test_node_assert_outcome(self, outcome) clq_test_node_check_outcome (self, outcome, CLQ_TEST_PLACE)
#define clq_test_node_assert_failed(self, failure, message) clq_test_node_check_failed (self, failure, message, CLQ_TEST_PLACE)
#define clq_test_node_assert_running(self) clq_test_node_check_running (self, CLQ_TEST_PLACE)
#define clq_test_node_assert_said(self, text) clq_test_node_check_said (self, text, CLQ_TEST_PLACE)
#define clq_test_node_assert_set(self, path, json) clq_test_node_check_set (self, path, json, CLQ_TEST_PLACE)
#define clq_test_node_assert_wrote(self, line) clq_test_node_check_wrote (self, line, CLQ_TEST_PLACE)
#define clq_test_node_assert_asked(self, prompt) clq_test_node_check_asked (self, prompt, CLQ_TEST_PLACE)
#define clq_test_node_assert_payload(self, json) clq_test_node_check_payload (self, json, CLQ_TEST_PLACE)
#define clq_test_node_assert_released(self) clq_test_node_check_released (self, CLQ_TEST_PLACE)

CLQ_API void clq_test_node_check_outcome (ClqTestNode *self, const char *outcome, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_failed (ClqTestNode *self, ClqFailure failure, const char *message, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_running (ClqTestNode *self, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_said (ClqTestNode *self, const char *text, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_set (ClqTestNode *self, const char *path, const char *json, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_wrote (ClqTestNode *self, const char *text, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_asked (ClqTestNode *self, const char *prompt, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_payload (ClqTestNode *self, const char *json, const char *file, int line, const char *func);
CLQ_API void clq_test_node_check_released (ClqTestNode *self, const char *file, int line, const char *func);

G_END_DECLS
