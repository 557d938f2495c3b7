// where_it_fails.h: what the failed claims of a function have in common.
#ifndef LAB_WHERE_IT_FAILS_H
#define LAB_WHERE_IT_FAILS_H

#include "judge.h"

typedef struct {
    lab_case c;
    lab_verdict verdict;
    int refuses;  // it returned ATTN_BAD_SHAPE for what the contract allows
} lab_tried;

int lab_has_large_scores(const lab_case *c);

// Of n claims that were tried: "attn_tiled fails where seq_q differs from seq_kv, and nowhere else", or nothing.
void lab_where_it_fails(const lab_op *op, const lab_tried *claims, int n, char *text, size_t size);

#endif
