/* What the cases of the store suite share: sessions, commits, queries, answers. */
#pragma once

#include "clq-private.h"
#include "clq-test-store.h"

G_BEGIN_DECLS

#define TEST_EPOCH G_GINT64_CONSTANT (1760000000000000)

/* A store under test. */
typedef struct
{
  const ClqTestStore *config;
  const ClqStoreInfo *info;
  gpointer instance;
  GMainContext *context;
  GThread *thread;
  guint n_batches;
} TestStore;

/* What a query brought. */
typedef struct
{
  GPtrArray *heads;
  GPtrArray *records;
  GArray *relevance;
  GByteArray *hit_ids;
  GArray *segments;
  GPtrArray *mark_names;
  GArray *marks;
  GArray *usage;
  char *text;
  char *result;
  guint64 key_seq;
  gint64 next_due;
  GError *error;
  gboolean is_done;
  GThread *thread;
} TestAnswer;

typedef void (*TestQueryFunc) (gpointer self, ClqQuery *query);
typedef void (*TestCaseFunc) (TestStore *store, gconstpointer config);

typedef struct
{
  const char *name;
  TestCaseFunc func;
} TestCase;

extern const TestCase test_load_cases[];
extern const TestCase test_commit_cases[];
extern const TestCase test_stage_cases[];
extern const TestCase test_journal_cases[];
extern const TestCase test_list_cases[];
extern const TestCase test_claim_cases[];
extern const TestCase test_search_cases[];
extern const TestCase test_key_cases[];
extern const TestCase test_care_cases[];
extern const TestCase test_usage_cases[];

/* commits */
void test_id (guint session, guint8 id[16]);
ClqCommit *test_commit_new (guint session, guint64 expected_seq);
ClqCommit *test_commit_next (guint session, guint64 *seq);
ClqExtra *test_commit_extra (ClqCommit *self);
void test_commit_set_data (ClqCommit *self, const char *data);
void test_commit_add_record (ClqCommit *self, ClqRecordType type, ClqRole role, gint64 at, const char *body);
void test_commit_add_segment (ClqCommit *self, guint32 segment, guint32 parent, guint64 parent_seq);
void test_commit_add_mark (ClqCommit *self, const char *name, guint32 segment, guint64 seq);
void test_commit_add_usage (ClqCommit *self, const ClqUsage *usage);
void test_commit_free (ClqCommit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqCommit, test_commit_free)

/* stores */
void test_store_stage (TestStore *self, GPtrArray *commits, guint first, guint end);
void test_store_commit (TestStore *self, GPtrArray *commits);
void test_store_commit_staged (TestStore *self, GPtrArray *commits);
void test_store_write (TestStore *self, ClqCommit *commit);
gboolean test_store_reopen (TestStore *self);
gboolean test_store_iterate (TestStore *self);

/* queries */
ClqQuery *test_query_new (guint session, TestAnswer **answer);
void test_store_ask (TestStore *self, TestQueryFunc func, ClqQuery *query, TestAnswer *answer);
TestAnswer *test_store_load (TestStore *self, guint session);
void test_answer_free (TestAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestAnswer, test_answer_free)

/* what is expected */
void test_assert_heads_equal (const ClqHead *a, const ClqHead *b);
void test_assert_records_equal (const ClqRecord *a, const ClqRecord *b);
void test_assert_loads (TestStore *store, guint session, const ClqHead *head);
void test_assert_is_session (const guint8 *id, guint session);

G_END_DECLS
