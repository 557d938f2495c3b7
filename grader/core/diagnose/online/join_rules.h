// join_rules.h: rules by which the m, l and O of parts are joined, and none of them is right. For part_joins.c.
#ifndef LAB_JOIN_RULES_H
#define LAB_JOIN_RULES_H

typedef enum {
    UNSCALED,
    UNSCALED_L_OF_FIRST,
    MEAN,
    SUM_OF_OUTPUTS,
    O_UNSCALED,
    L_UNSCALED,
    MAX_AS_WEIGHT,
    NEWCOMER,
    JOINED_SO_FAR,
    THE_WRONG_WAY,
    FIRST_ALONE,
    O_OF_FIRST,
    L_OF_FIRST,
    NOT_DIVIDED,
    LAST_LEFT_OUT,
    FIRST_LEFT_OUT,
    N_JOINS
} join;

const char *lab_join_text(join x);
double lab_join_max(const double *m, int n);  // the largest of n

// What the O and the l of each of n parts are multiplied by. *divisor: of O; 0: the sum of l.
void lab_join_factors(join x, int n, const double *m, const double *l, double *of_o, double *of_l, double *divisor);

#endif
