/* What the files of this plugin share. */
#pragma once

#include <colloquy.h>

G_BEGIN_DECLS

extern const ClqAgentInfo scripted_agent;

/* An answer or a failure, at once or later. */
/* How an agent speaks. */
typedef struct
{
  gboolean stream;
  GTimeSpan piece_delay;
  double price_in; /* of a million tokens */
  double price_out;
} ScriptedManner;

typedef struct
{
  char *text;         /* of the answer or of the failure */
  ClqFailure failure; /* 0: it is an answer */
  gboolean is_json;   /* the answer was written as an object */
  char *uses;         /* JSON: the tools that are asked for, [{tool, arguments}, …]; NULL = none */
  GTimeSpan delay;
  GTimeSpan retry_after; /* of a failure: when it may be tried again */
} ScriptedReply;

ScriptedReply *scripted_reply_new (const char *text);
ScriptedReply *scripted_reply_copy (const ScriptedReply *self);
ScriptedReply *scripted_reply_parse (const ClqJsonSpan *value, const char *where, GError **error);
void scripted_reply_free (ScriptedReply *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScriptedReply, scripted_reply_free)

/* What is answered to a message that fits. */
typedef struct
{
  char *match;
  GRegex *regex;
  ScriptedReply *reply;
} ScriptedRule;

ScriptedRule *scripted_rule_parse (const ClqJsonSpan *value, const char *where, GError **error);
ScriptedReply *scripted_rule_apply (const ScriptedRule *self, const char *text, GError **error);
void scripted_rule_free (ScriptedRule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScriptedRule, scripted_rule_free)

/* Everything that an agent has to say. */
typedef struct
{
  GQueue replies;   /* ScriptedReply, each given once */
  GPtrArray *rules; /* ScriptedRule */
} Script;

void scripted_script_init (Script *self);
void scripted_script_clear (Script *self);
gboolean scripted_script_add_replies (Script *self, const ClqJsonSpan *list, GError **error);
gboolean scripted_script_add_rules (Script *self, const ClqJsonSpan *list, GError **error);
gboolean scripted_script_add_file (Script *self, const char *path, char **fallback, GError **error);
gboolean scripted_script_add_instruction (Script *self, const char *json, GError **error);

void scripted_speech_begin (ClqCall *call, ScriptedReply *reply, const ScriptedManner *manner);

const char *scripted_name_type (const ClqJsonSpan *value);

G_END_DECLS
