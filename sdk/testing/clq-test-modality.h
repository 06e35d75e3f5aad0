/*
 * One modality, without a graph: session and event in, change out. A plugin author writes
 *
 *   g_autoptr (ClqTestModality) test = clq_test_modality_new (&notes, "max-notes", "2", NULL);
 *
 *   clq_test_modality_open (test, NULL);
 *   clq_test_modality_set_text (test, "buy milk");
 *   g_assert_true (clq_test_modality_apply (test, &error));
 *   g_assert_cmpstr (clq_test_modality_get_data (test), ==, "{\"notes\":[\"buy milk\"]}");
 *   g_assert_true (clq_test_modality_check (test, "has-notes"));
 *
 * What it writes is done to the data, so that events can follow one another. Which rules the events meet is a matter of
 * graphs, which are tested with `colloquy pipe`.
 */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

typedef struct _ClqTestModality ClqTestModality;

CLQ_API ClqTestModality *clq_test_modality_new (const ClqModalityInfo *info, ...) G_GNUC_NULL_TERMINATED;
CLQ_API ClqTestModality *clq_test_modality_try_new (const ClqModalityInfo *info, GError **error, ...) G_GNUC_NULL_TERMINATED;
CLQ_API void clq_test_modality_free (ClqTestModality *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqTestModality, clq_test_modality_free)

/* The session and the event that it sees. */
CLQ_API void clq_test_modality_set_state (ClqTestModality *self, const char *state, guint visits);
CLQ_API void clq_test_modality_set_data (ClqTestModality *self, const char *json);
CLQ_API void clq_test_modality_set_schedule (ClqTestModality *self, const char *json, gint64 next_run);
CLQ_API void clq_test_modality_set_questions (ClqTestModality *self, const char *json);
CLQ_API void clq_test_modality_set_now (ClqTestModality *self, gint64 now);
CLQ_API void clq_test_modality_set_text (ClqTestModality *self, const char *text);
CLQ_API void clq_test_modality_set_event (ClqTestModality *self, ClqEventKind kind, const char *name, const char *payload);
CLQ_API void clq_test_modality_set_said (ClqTestModality *self, ClqRole role, const char *text);
CLQ_API void clq_test_modality_set_error (ClqTestModality *self, const GError *error, const char *partial);

/* What happens. */
CLQ_API gboolean clq_test_modality_open (ClqTestModality *self, GError **error);
CLQ_API gboolean clq_test_modality_apply (ClqTestModality *self, GError **error);
CLQ_API void clq_test_modality_arrive (ClqTestModality *self, const char *to);
CLQ_API gboolean clq_test_modality_check (ClqTestModality *self, const char *predicate);
CLQ_API char *clq_test_modality_describe (ClqTestModality *self);
CLQ_API char *clq_test_modality_headline (ClqTestModality *self);

/* What came of it. */
CLQ_API const char *clq_test_modality_get_written (ClqTestModality *self);
CLQ_API const char *clq_test_modality_get_data (ClqTestModality *self);

G_END_DECLS
