// cause_claims.h: what common_cause.c knows of the claims that have been tried.
#ifndef LAB_CAUSE_CLAIMS_H
#define LAB_CAUSE_CLAIMS_H

#include "judge.h"
#include "where_it_fails.h"

enum { LAB_MOST_TRIED = 64 };

typedef struct {
    lab_tried tried[LAB_MOST_TRIED];
    lab_guesses fits[LAB_MOST_TRIED];
    int mute
        [LAB_MOST_TRIED];  // nothing was compared, or all was NaN and none of it the checker's: there are no numbers
    int n, all_large;      // all_large: no other claim has failed
} lab_claims_seen;
extern lab_claims_seen lab_seen;

int lab_cause_counts(int i);   // 1: claim i has failed by itself, and its numbers tell something
int lab_cause_is_mute(int i);  // 1: it has no numbers, and nothing that it matches

#endif
