// macros.h: a macro whose body is an expression, and its uses.
#ifndef LAB_MACROS_H
#define LAB_MACROS_H

#include "edits.h"

enum { MACRO_PARAMETERS = 8, MACRO_USES = 12 };

typedef struct {
    const char *name, *body, *parameter[MACRO_PARAMETERS];
    int n;             // parameters; -1: it takes none
    int line, column;  // of the body
} macro;

typedef struct {
    int first, end, place;
} macro_use;

// Returns false if it is no macro that can be read as an expression.
bool edits_read_macro(edits *e, const directive *d, macro *m);
// All of its uses; 0: there is none, or one where nothing can be changed.
int edits_macro_uses(const edits *e, const macro *m, macro_use *list);
// Bytes [from, to) of the body become `text`.
void edits_add_of_macro(edits *e, const macro *m, const macro_use *list, int n, int from, int to, int rank,
                        const char *kind, const char *text);
// Names that change places.
void edits_trade_names(edits *e, const macro *m, const macro_use *list, int n);
int edits_closing(const char *text, int at);  // the bracket that closes the one there, or the end of the text
bool edits_in_word(char c);
const char *edits_cut(edits *e, const char *from, const char *to);  // without the blanks around it

#endif
