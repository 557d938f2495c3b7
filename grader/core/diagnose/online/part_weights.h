// part_weights.h: the parts of a row, and the weights that known mistakes give them. For parts.c.
#ifndef LAB_PART_WEIGHTS_H
#define LAB_PART_WEIGHTS_H

enum { LAB_MOST_PARTS = 16 };

typedef struct {
    int n, which[LAB_MOST_PARTS];                 // parts that have keys
    double m[LAB_MOST_PARTS], l[LAB_MOST_PARTS];  // of their scores
    double o[LAB_MOST_PARTS][256];                // sum of exp(s - m) v, over l
    double top, sum;                              // over all of them
    double w[LAB_MOST_PARTS];                     // fitted: row = sum of w o
} lab_parts;

typedef enum {
    RIGHT,
    O_KEPT,
    L_KEPT,
    WITHOUT_L,
    L_TWICE,
    LOG_AS_WEIGHT,
    ADDED,
    ONE_ALONE,
    MAX_OF_HALF,
    MAX_OF_FIRST,
    UNEVEN,
    UNKNOWN,
    N_MISTAKES
} lab_part_mistake;

double lab_part_weight(lab_part_mistake x, const lab_parts *a, int i);  // of part i, with that mistake
int lab_part_times(const lab_parts *a, int i);                          // how often it counts; -1: no whole number
int lab_parts_are(lab_part_mistake x, const lab_parts *a);              // do the fitted weights fit it?

#endif
