/*
 * A store keeps sessions. The host hands it batches of commits, one batch at a time, and asks it queries, any number at a
 * time. Every function is called on the thread of the host's main context; every batch and query is answered there,
 * exactly once, from inside the call or later. `open` is called with that context as the thread's default: a store with
 * threads of its own keeps g_main_context_ref_thread_default () and answers from a source that it attaches there (but not
 * through g_main_context_invoke (), which may call from the wrong thread). Until a batch or query is answered, any thread
 * may read it, and one thread at a time may fail its commits or add to its answer. A query sees all batches that were
 * answered before it was asked. `clear` is called when nothing is in flight.
 *
 * What was damaged outside is found when it is read: a session of which the head or a record is damaged is
 * CLQ_STORE_ERROR_CORRUPT when it is asked for, is left out of lists, claims and searches, and harms no other session.
 *
 * The suite of <colloquy-testing.h> checks a store for all that is said here.
 */
#pragma once

#include "clq-plugin.h"
#include "clq-record.h"

G_BEGIN_DECLS

typedef struct _ClqBatch ClqBatch;
typedef struct _ClqQuery ClqQuery;

/*
 * A segment is a stretch of the journal that continues from a record of another one. The root, CLQ_ROOT_SEGMENT, is
 * always there and never given.
 */
typedef struct
{
  guint32 segment;
  guint32 parent;
  guint64 parent_seq;
} ClqSegment;

/* A name for a place in the journal: a branch, a checkpoint. seq 0 takes the name away. */
typedef struct
{
  const char *name;
  guint32 segment;
  guint64 seq;
} ClqMark;

/*
 * What an agent has used on one day. Days are those of UTC, counted from 1970-01-01. Cost is money, in whatever currency
 * the agents have their prices.
 */
typedef struct
{
  guint32 day;
  const char *agent;
  guint64 calls;
  guint64 tokens_in;
  guint64 tokens_out;
  double cost;
} ClqUsage;

#define CLQ_DAY (24 * G_TIME_SPAN_HOUR)

/*
 * open       Makes the store ready; @place is what the configuration says behind the store's name, %NULL if nothing.
 *
 * commit     Writes each commit of the batch as a whole or not at all: head, records, segments, marks, graph text. The
 *            expected number must be that of the session's newest record, or 0 if there is no such session; otherwise
 *            this commit alone fails with CLQ_STORE_ERROR_STALE. The records of a commit, at least one, are numbered
 *            from there on without gaps, and the head's number is that of the last. Segments have new numbers. The key
 *            of a commit and its result are kept for ever; a key that the session has already is STALE too. What
 *            agents have used is added, with the commit, to the sums that `usage` gives. Answered when all commits that
 *            have not failed are as safe as `durability` says.
 *
 * stage      Announces a commit of a batch that comes for sure; it begins with those that were staged, in the same order.
 *            Other batches may come before it. Until that batch is answered the commit stays as it is. So a store can write
 *            while the host makes the other commits, but nobody may see any of it before `commit` is called. May be %NULL.
 *
 * load       Gives the head, the segments and the marks of a session, in any order. For a session that does not exist
 *            the answer is empty; that is no error. If the query has a key that a commit of the session had, what that
 *            commit brought is given by clq_query_take_result ().
 *
 * journal    Gives records of a session: those of the wanted types whose number is above `after` and below `before`, on
 *            the path to `segment` (clq_path_build () says which these are), or on all segments. The order is that of
 *            the numbers; with `newest_first` the answer starts at the end, and the next page is what is before its last
 *            record. A session that does not exist has no records; a segment that a session does not have is
 *            CLQ_STORE_ERROR_NOT_FOUND.
 *
 * list       Gives heads that match all filters, in the order of their last write, equal ones by id; the latest first if
 *            `newest_first`. The next page continues behind the last head of the one before: the query then has its id,
 *            and its time of writing as `before` if newest first, else as `after`. `before` and `after` without an id
 *            are bounds that are left out themselves; 0 is no bound. A session that is written while pages are read
 *            moves to the new end: read from the oldest on it may come twice, from the newest on it may be missed.
 *            Filters are `graph`, `state`, `status` and `owner`, and `unread`, whatever its value: sessions with a
 *            notification that was not read (clq_record_dup_read ()), best found without looking at all others.
 *
 * claim_due  Gives heads with 0 < wake_at <= now, earliest first, equal ones by id, and claims them: a claimed session is
 *            not given again, to this host or another, until it is committed again or the claim ends at `lease_until`.
 *            Claims of a host that has stopped end at `lease_until` or when the store is opened again, whichever can be
 *            told first. Says with clq_query_set_next_due () when to ask next. May be %NULL: nothing wakes by itself.
 *
 * search     Gives context records that hold at least one of the words in `text`, the best first, through
 *            clq_query_add_hit (). Words are letters and digits of any script, without regard to case. Only sessions
 *            that match the filters, and only the one with the query's id if it has one. May be %NULL.
 *
 * graph      Gives the text of the graph whose hash is `text`; nothing if it is not there.
 *
 * remove     Takes away the session with the query's id and all that belongs to it, as safely as a commit. One that does
 *            not exist is no error. The sums of `usage` stay. May be %NULL: nothing is ever taken away.
 *
 * maintain   Looks after the store as a whole while it works on. The answer is a JSON object by clq_query_take_text ();
 *            CLQ_STORE_ERROR_NOT_FOUND if @what is unknown. May be %NULL. What a store with files should know:
 *
 *            `stats`   {"sessions": N, "records": N, "bytes": N, …}
 *            `check`   reads everything: {"ok": true, "sessions": N, "records": N, "problems": ["…", …]}
 *            `backup`  writes a copy, as of now, to the place `text`, where nothing may be: {"place": "…", "bytes": N}
 *
 * usage      Gives, through clq_query_add_usage (), what was added up by commits: one sum per day and agent, by day, equal
 *            ones by the bytes of the agent's name. Only days above `after` and below `before`; 0 is no bound. A sum that
 *            was damaged outside is left out and begins anew with the next commit. May be %NULL: sums are not kept.
 */
typedef struct
{
  CLQ_FEATURE_HEAD
  gboolean (*open) (gpointer self, const char *place, GError **error);
  void (*commit) (gpointer self, ClqBatch *batch);
  void (*load) (gpointer self, ClqQuery *query);
  void (*journal) (gpointer self, ClqQuery *query);
  void (*list) (gpointer self, ClqQuery *query);
  void (*claim_due) (gpointer self, ClqQuery *query);
  void (*search) (gpointer self, ClqQuery *query);
  void (*graph) (gpointer self, ClqQuery *query);
  const char *durability; /* "memory", "disk", ... */
  void (*remove) (gpointer self, ClqQuery *query);
  void (*maintain) (gpointer self, const char *what, ClqQuery *query);
  void (*usage) (gpointer self, ClqQuery *query);
  void (*stage) (gpointer self, ClqCommit *commit);
} ClqStoreInfo;

#define CLQ_STORE_INFO CLQ_FEATURE_INIT (ClqStoreInfo, CLQ_FEATURE_STORE)

/* A batch: several commits of different sessions. */
CLQ_API guint clq_batch_get_n_commits (ClqBatch *self);
CLQ_API ClqCommit *clq_batch_get_commit (ClqBatch *self, guint index);
CLQ_API void clq_batch_done (ClqBatch *self);
CLQ_API void clq_batch_fail (ClqBatch *self, const GError *error);

/* A commit: what one event writes to one session. */
CLQ_API const guint8 *clq_commit_get_id (ClqCommit *self);
CLQ_API guint64 clq_commit_get_expected_seq (ClqCommit *self);
CLQ_API const ClqHead *clq_commit_get_head (ClqCommit *self);
CLQ_API guint clq_commit_get_n_records (ClqCommit *self);
CLQ_API const ClqRecord *clq_commit_get_record (ClqCommit *self, guint index);
CLQ_API guint clq_commit_get_n_segments (ClqCommit *self);
CLQ_API const ClqSegment *clq_commit_get_segment (ClqCommit *self, guint index);
CLQ_API guint clq_commit_get_n_marks (ClqCommit *self);
CLQ_API const ClqMark *clq_commit_get_mark (ClqCommit *self, guint index);
CLQ_API const char *clq_commit_get_graph_text (ClqCommit *self);
CLQ_API const char *clq_commit_get_key (ClqCommit *self);
CLQ_API const char *clq_commit_get_result (ClqCommit *self);
CLQ_API guint clq_commit_get_n_usage (ClqCommit *self);
CLQ_API const ClqUsage *clq_commit_get_usage (ClqCommit *self, guint index);
CLQ_API void clq_commit_fail (ClqCommit *self, const GError *error);

/* A head: where a session is. Stores keep it packed, with what they want to look for beside it. */
CLQ_API void clq_head_pack (const ClqHead *self, GByteArray *out);
CLQ_API ClqHead *clq_head_unpack (const guint8 id[16], guint64 seq, const char *graph_hash, const char *graph_name, const char *state, const guint8 *bytes, gsize length, GError **error);
CLQ_API ClqHead *clq_head_copy (const ClqHead *self);
CLQ_API void clq_head_free (ClqHead *self);
CLQ_API const guint8 *clq_head_get_id (const ClqHead *self);
CLQ_API guint64 clq_head_get_seq (const ClqHead *self);
CLQ_API const char *clq_head_get_graph_hash (const ClqHead *self);
CLQ_API const char *clq_head_get_graph_name (const ClqHead *self);
CLQ_API const char *clq_head_get_state (const ClqHead *self);
CLQ_API const char *clq_head_get_status (const ClqHead *self);
CLQ_API const char *clq_head_get_owner (const ClqHead *self);
CLQ_API const char *clq_head_get_title (const ClqHead *self);
CLQ_API gint64 clq_head_get_created_at (const ClqHead *self);
CLQ_API gint64 clq_head_get_updated_at (const ClqHead *self);
CLQ_API gint64 clq_head_get_wake_at (const ClqHead *self);
CLQ_API gint64 clq_head_get_next_run (const ClqHead *self);
CLQ_API gboolean clq_head_has_visit (const ClqHead *self);
CLQ_API const char *clq_head_get_data (const ClqHead *self);
CLQ_API void clq_head_get_usage (const ClqHead *self, guint64 *tokens_in, guint64 *tokens_out, double *cost);

/* A query: what is asked of a store, and where its answer goes. */
CLQ_API const guint8 *clq_query_get_id (ClqQuery *self);
CLQ_API gboolean clq_query_has_id (ClqQuery *self);
CLQ_API guint clq_query_get_limit (ClqQuery *self);
CLQ_API guint64 clq_query_get_after (ClqQuery *self);
CLQ_API guint64 clq_query_get_before (ClqQuery *self);
CLQ_API guint clq_query_get_types (ClqQuery *self);
CLQ_API gboolean clq_query_get_newest_first (ClqQuery *self);
CLQ_API guint32 clq_query_get_segment (ClqQuery *self);
CLQ_API const char *clq_query_get_text (ClqQuery *self);
CLQ_API const char *clq_query_get_key (ClqQuery *self);
CLQ_API const char *clq_query_get_filter (ClqQuery *self, const char *name);
CLQ_API gint64 clq_query_get_now (ClqQuery *self);
CLQ_API gint64 clq_query_get_lease_until (ClqQuery *self);
CLQ_API void clq_query_add_head (ClqQuery *self, ClqHead *head);
CLQ_API void clq_query_add_record (ClqQuery *self, ClqRecord *record);
CLQ_API void clq_query_add_hit (ClqQuery *self, const guint8 id[16], ClqRecord *record, double relevance);
CLQ_API void clq_query_add_segment (ClqQuery *self, const ClqSegment *segment);
CLQ_API void clq_query_add_mark (ClqQuery *self, const ClqMark *mark);
CLQ_API void clq_query_add_usage (ClqQuery *self, const ClqUsage *usage);
CLQ_API void clq_query_take_text (ClqQuery *self, char *text);
CLQ_API void clq_query_take_result (ClqQuery *self, guint64 seq, char *result);
CLQ_API void clq_query_set_next_due (ClqQuery *self, gint64 time);
CLQ_API void clq_query_done (ClqQuery *self, const GError *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClqHead, clq_head_free)

G_END_DECLS
