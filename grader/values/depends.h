// depends.h: on which keys, dims, columns and rows of the inputs each number depends that a line computes, and
// in which thread: an input is altered a little, the file is called again, and what has other bits depends on it.
#ifndef LAB_VALUES_DEPENDS_H
#define LAB_VALUES_DEPENDS_H

#include "lines.h"

typedef enum {
    LAB_OF_KEYS,     // rows of K; splits, by their L; columns of a softmax
    LAB_OF_VALUES,   // rows of V; splits, by their parts; the steps of a product's sum
    LAB_OF_DIMS,     // of q and k
    LAB_OF_COLUMNS,  // of V and of parts; of a product
    LAB_OF_QUERIES,
    LAB_N_OF
} lab_of;

enum { LAB_OF_MOST = 320 };  // of a kind, at most
typedef struct {
    uint64_t word[LAB_OF_MOST / 64];
} lab_set;

typedef struct {
    lab_told told;
    lab_set of[LAB_N_OF];
    int linear;  // twice the scores: it is twice as large
} lab_number;

typedef struct {
    int count[LAB_N_OF];  // how many of a kind there are; 0: none
    int causal;           // a query sees the keys up to its own place, the last one all of them
    int splits;           // the keys are shared out among so many; 0: they are not
    const char *one;      // "key", "split", "column", "product"
    char call[120];       // its sizes, in words: "70 keys and 24 dims"
    lab_lines lines;      // which line a number is of: lines.line[told.id - 1]
    lab_number *number;   // in the order in which they were told
    size_t n;
    lab_number *output;  // each element of the output
    size_t n_output;
    float *weight;  // what each key, or split, counts in the output of each row: they add up to 1; NULL: none
    float *mass;    // of each row: the logarithm of the sum of exp(s) over the keys that it sees
    float *gain;    // how much each number grows where row j of the values grows by 1; NULL: none
    char *moved;    // of each output: another row's query moves it by more than rounding; NULL: there is one row
    float *total;   // of attention: the outputs where all values are 1, which is what its weights add up to
} lab_depends;

// Of the function of case c, on a small shape of its own; of attention that is right there, on a causal one. Returns 0 if that
// cannot be done, or if the file is right there, too; lab_depends_free all the same.
int lab_depends_find(const lab_repair_ask *ask, const lab_case *c, double seconds, lab_depends *d);
void lab_depends_free(lab_depends *d);

int lab_depends_due(const lab_depends *d, int query);  // how many keys it sees, from the first one on

// Of these keys, those that it does not see; of those that it sees, those that are not among these. Returns how many.
int lab_depends_hidden(const lab_depends *d, int query, const lab_set *keys, lab_set *hidden);
int lab_depends_left(const lab_depends *d, int query, const lab_set *keys, lab_set *left);

int lab_set_has(const lab_set *s, int i);
int lab_set_size(const lab_set *s);
int lab_set_same(const lab_set *a, const lab_set *b);
int lab_set_within(const lab_set *a, const lab_set *b);  // all of a is in b
int lab_set_meet(const lab_set *a, const lab_set *b);    // they have one in common
void lab_set_join(lab_set *a, const lab_set *b);

#endif
