/*
 * Text on a terminal: made harmless, measured, laid out and drawn.
 *
 * Between these steps text is *marked*: UTF-8 in which TERM_MARK and two more characters say how it goes on. Text from
 * outside loses all control characters before it is marked, and drawing lets no other control character through, so
 * whatever an agent says can at most be ugly.
 *
 *   term-safe.c      text from outside loses what could move the cursor
 *   term-width.c     how many columns text takes
 *   term-wrap.c      text becomes lines
 *   term-markdown.c  Markdown becomes lines
 *   term-table.c     tables of Markdown
 *   term-heal.c      Markdown that is still coming
 *   term-draw.c      lines become bytes: the one way to the terminal
 *   term-stream.c    Markdown is drawn while it comes
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* ---- styles ---- */

typedef enum
{
  TERM_BOLD = 1 << 0,
  TERM_DIM = 1 << 1,
  TERM_ITALIC = 1 << 2,
  TERM_UNDERLINE = 1 << 3,
  TERM_STRIKE = 1 << 4,
} TermAttribute;

typedef enum
{
  TERM_DEFAULT,
  TERM_RED,
  TERM_GREEN,
  TERM_YELLOW,
  TERM_BLUE,
  TERM_MAGENTA,
  TERM_CYAN,
} TermColour;

typedef struct
{
  guint8 attributes;
  guint8 colour;
} TermStyle;

#define TERM_MARK '\x01'
#define TERM_MARK_LENGTH 3

/* ---- term-safe.c ---- */

/* What is known between two pieces of one text. All zero at first. */
typedef struct
{
  guint8 state;
  guint8 n_marks; /* combining characters since the last one with a width */
  guint8 n_bytes; /* of a character that is not complete */
  char bytes[4];
} TermSafe;

void term_safe_append (TermSafe *self, GString *out, const char *text, gssize length);
void term_safe_finish (TermSafe *self, GString *out);
char *term_safe_dup (const char *text, gssize length);

/* ---- term-width.c ---- */

int term_char_width (gunichar character);
int term_width (const char *marked, gssize length);
char *term_fit (const char *marked, int columns);
guint term_rows (const char *text, gssize length, int first_column, int columns);

/* ---- term-draw.c ---- */

/* A terminal, or a file or pipe that only gets plain text. */
typedef struct
{
  int fd;            /* -1: what is drawn stays in @out */
  gboolean is_plain; /* no attributes, no moving about: text as it comes */
  gboolean colours;
  int columns;
  int rows;
  GString *out; /* not written yet */
} Term;

void term_init (Term *self, int fd, gboolean is_plain);
void term_clear (Term *self);
void term_measure (Term *self);
int term_text_columns (const Term *self);
void term_mark (GString *out, TermStyle style);
void term_draw (Term *self, const char *marked, gsize from);
void term_draw_line (Term *self, const char *marked);
void term_newline (Term *self);
void term_erase_up (Term *self, guint rows);
void term_erase_line (Term *self);
gboolean term_flush (Term *self);

void term_say (Term *self, TermStyle style, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* ---- term-wrap.c ---- */

void term_wrap (const char *marked, int columns, const char *first_indent, const char *next_indent, GPtrArray *lines);
void term_split (const char *marked, int columns, const char *indent, GPtrArray *lines);

/* ---- term-markdown.c ---- */

GPtrArray *term_markdown (const char *safe, gssize length, int columns);

/* ---- term-table.c ---- */

typedef struct _TermTable TermTable;

TermTable *term_table_new (void);
void term_table_free (TermTable *self);
void term_table_begin_row (TermTable *self);
void term_table_add_cell (TermTable *self, const char *marked, int align);
void term_table_lay_out (const TermTable *self, int columns, const char *indent, GPtrArray *lines);

/* ---- term-heal.c ---- */

void term_heal (GString *markdown);
gsize term_find_settled (const char *markdown, gsize length);

/* ---- term-stream.c ---- */

typedef struct
{
  Term *term;
  TermSafe safe;
  GString *open;         /* Markdown whose drawing may still change */
  GPtrArray *shown;      /* lines of it on the screen */
  int columns;           /* how wide these are */
  gboolean is_drawn;     /* something of the whole text is on the screen */
  gboolean line_is_open; /* plain: the last line has no end */
} TermStream;

void term_stream_init (TermStream *self, Term *term);
void term_stream_clear (TermStream *self);
void term_stream_add (TermStream *self, const char *text, gssize length);
void term_stream_end (TermStream *self);
gboolean term_stream_is_empty (const TermStream *self);

G_END_DECLS
