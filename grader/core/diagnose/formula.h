// formula.h: elements that come from named numbers by another formula than the right one.
#ifndef LAB_FORMULA_H
#define LAB_FORMULA_H

#include "diagnose.h"

// Where a number that an element may depend on comes from.
typedef enum {
    LAB_OF_ELEMENT,  // the tensor has the element's row and column
    LAB_OF_ROW,      // it has one number for each row
    LAB_ROW_MAX,     // the largest of the tensor's row
    LAB_ROW_SUM,
    LAB_COLUMNS,  // how many there are
    LAB_FIRST,    // the tensor has two numbers for each row: the first, the second
    LAB_SECOND,
} lab_source;

enum { LAB_MOST_VARIABLES = 4 };

// Elements (r, c) of the output, first <= c < first + columns; its rows have out_row elements. The tensors' rows have
// `columns`.
typedef struct {
    const char *name, *is;  // "p", "exp(s - m)"
    size_t first, columns, out_row;
    struct {
        const char *name;
        lab_source from;
        int tensor;
    } variable[LAB_MOST_VARIABLES];
} lab_formula;

// Returns 1, with a sentence, if one short formula of these numbers gives all elements that are wrong.
int lab_explain_formula(const lab_symptom *s, const lab_formula *f, char *text, size_t size);

#endif
