/* odd: features that make a graph hard to load, one difficulty each. */
#include <colloquy.h>

/* ---- a node with a type of its own ---- */

typedef struct
{
  ClqNode parent_instance;
} OddTyped;

typedef struct
{
  ClqNodeClass parent_class;
} OddTypedClass;

static GType odd_typed_get_type (void);

G_DEFINE_TYPE (OddTyped, odd_typed, CLQ_TYPE_NODE)

static void
odd_typed_enter (ClqNode *self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static void
odd_typed_class_init (OddTypedClass *klass)
{
  CLQ_NODE_CLASS (klass)->enter = odd_typed_enter;
}

static void
odd_typed_init (OddTyped *self)
{
}

static const ClqNodeInfo typed = {
  CLQ_NODE_INFO,
  .name = "typed",
  .summary = "Has a type of its own",
  .outcomes = CLQ_OUTCOMES ("done"),
  .get_type = odd_typed_get_type,
  .type_name = "OddTyped",
};

/* ---- plain nodes ---- */

typedef struct
{
  GTimeSpan timeout;
  char *Some_Name;
} Odd;

static const ClqSetting settings[] = {
  CLQ_DURATION (Odd, timeout, "3s", "hidden by a key of the state"),
  CLQ_STRING (Odd, Some_Name, "x", "as it is spelled elsewhere"),
  { NULL },
};

static void
odd_enter (gpointer self, ClqVisit *visit)
{
  clq_visit_finish (visit, "done");
}

static const ClqNodeInfo hidden = {
  CLQ_NODE_INFO,
  .name = "hidden",
  .summary = "Has a setting that every state has",
  .outcomes = CLQ_OUTCOMES ("done"),
  .settings = settings,
  .self_size = sizeof (Odd),
  .enter = odd_enter,
};

static const ClqNodeInfo worded = {
  CLQ_NODE_INFO,
  .name = "worded",
  .summary = "Has an outcome that no rule can name",
  .outcomes = CLQ_OUTCOMES ("x-ray"),
  .enter = odd_enter,
};

/* ---- a modality that may not start ---- */

typedef struct
{
  char *mood;
} Moody;

static const ClqSetting moody_settings[] = {
  CLQ_STRING (Moody, mood, "good", "how it feels"),
  { NULL },
};

static gboolean
moody_init (gpointer self, GError **error)
{
  Moody *moody = self;

  if (!g_str_equal (moody->mood, "bad"))
    return TRUE;
  g_set_error (error, CLQ_SETTING_ERROR, CLQ_SETTING_ERROR_VALUE, "not in this mood");
  return FALSE;
}

static const ClqModalityInfo moody = {
  CLQ_MODALITY_INFO,
  .name = "moody",
  .summary = "Starts only in a good mood",
  .settings = moody_settings,
  .self_size = sizeof (Moody),
  .init = moody_init,
};

CLQ_PLUGIN ("odd", "1.0", "Features that make a graph hard to load", &typed.feature, &hidden.feature, &worded.feature, &moody.feature);
