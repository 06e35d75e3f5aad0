/* Colloquy SDK: the only header that a plugin includes. */
#pragma once

#define CLQ_INSIDE
#include "clq-types.h"
#include "clq-error.h"
#include "clq-json.h"
#include "clq-text.h"
#include "clq-template.h"
#include "clq-secret.h"
#include "clq-setting.h"
#include "clq-question.h"
#include "clq-record.h"
#include "clq-prompt.h"
#include "clq-event.h"
#include "clq-view.h"
#include "clq-change.h"
#include "clq-call.h"
#include "clq-visit.h"
#include "clq-plugin.h"
#include "clq-node.h"
#include "clq-modality.h"
#include "clq-agent.h"
#include "clq-store.h"
#include "clq-path.h"
#include "clq-tool.h"
#include "clq-service.h"
#undef CLQ_INSIDE
