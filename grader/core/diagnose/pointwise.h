// pointwise.h: what a loop over elements has left as it was, and a mask, by the rule that hides.
#ifndef LAB_POINTWISE_H
#define LAB_POINTWISE_H

#include "diagnose.h"

// Rows that start as a copy of those of a tensor: `columns` of each are in it, and out_row elements lie between two rows
// of the output.
typedef struct {
    const char *name;  // what the student's file calls them
    int tensor;
    size_t columns, out_row;
} lab_left;

// The elements that are wrong are what they were before: which ones?
int lab_explain_left(const lab_symptom *s, lab_left left, char *text, size_t size);

// What a score of -INFINITY comes out as in the probes of masks.
#define LAB_HIDDEN -12345.0

// Which keys does query i see, by what rule? Scores [seq_q, seq_kv]. first, offset: names of the row and of Sk - Sq.
int lab_explain_mask(const lab_symptom *s, const char *row, const char *offset, char *text, size_t size);

// masks.c: the edge of a mask that goes from corner to corner, in one of so many ways: how many keys does query i see?
enum { LAB_CORNER_WAYS = 8 };
int lab_from_corner(int way, int i, int seq_q, int seq_kv);
#define LAB_FROM_CORNER(step, last)                                                                                    \
    "matches a mask whose edge goes from corner to corner, by " step " keys with each query: it goes by one, and "     \
    "query i sees keys 0 .. " last

// The same in tiles of extra = {Br, Bc} (task 3): tile_masks.c.
int lab_tile_mask_else(const lab_symptom *s, char *text, size_t size);

// tile_gates.c: the same, where it looks at some tiles alone.
int lab_explain_tile_gate(const lab_symptom *s, char *text, size_t size);

// exponential.c: accuracy of exp, from x = in[1].
int lab_explain_exponential(const lab_symptom *s, char *text, size_t size);

// exponential_parts.c: the same, where y is split into other parts n and r. And the polynomial of r that 2^r is.
int lab_explain_exponential_parts(const lab_symptom *s, char *text, size_t size);
double lab_power_of_rest(double r);

// rescaled.c: a factor exp(m_old - m_new), of inputs 3 and 4, that is not finite where both are large. o: what the
// student's file calls an element of the output.
int lab_explain_two_exponentials(const lab_symptom *s, const char *o, char *text, size_t size);

// Rows of exp(s - m), s = in[1]: of so many columns, out_row elements apart; m: a tensor, or 0, the row's maximum.
typedef struct {
    int columns, out_row, m;
} lab_powers;

// powers.c: another base, or another scale of the exponent; or masked scores whose place is not written.
int lab_explain_power(const lab_symptom *s, lab_powers p, char *text, size_t size);

#endif
