/* task: a request is validated, done with what was learned before, kept, and judged by a person. */
#include "task.h"

CLQ_PLUGIN ("task", "1.0", "Requests that are done with a memory and reviewed by a person", &task_task.feature, &task_receive.feature, &task_search.feature, &task_execute.feature, &task_update.feature, &task_review.feature, &task_idle.feature);
