// splits.h: what the splits of task 5's bonus leave in workspace. See `change` and `left` in ops.h.
#ifndef LAB_SPLITS_H
#define LAB_SPLITS_H

#include "diagnose.h"
#include "shape.h"
#include "sizes.h"

void lab_group_keys(attn_shape s, uint64_t key, float *const in[LAB_MAX_TENSORS]);
int lab_splits_left(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], const float *work,
                    uint64_t changed, char *text, size_t size);

// O is wrong: are the parts right that it was joined from? 0: one split, whose part may be anywhere.
int lab_explain_splits(const lab_symptom *s, char *text, size_t size);
#define LAB_PARTS_WRONG                                                                                                \
    "the parts in workspace do not make O: what a split finds over its own keys is wrong, and not what joins them"
int lab_explain_empty_weight(const lab_symptom *s, char *text, size_t size);  // what looks like keys of score 0
int lab_explain_workspace(const lab_symptom *s, char *text, size_t size);     // diagnose/workspace.c: which other parts
int lab_explain_part_logs(const lab_symptom *s, char *text,
                          size_t size);  // diagnose/part_logs.c: L_s adds up logarithms
#define LAB_L_SPLITS_FIRST "matches L_s laid out [n_splits, batch, heads] in workspace: it is [batch, heads, n_splits]"
#define LAB_PARTS_OF_ONE                                                                                               \
    "matches the parts of one query alone, [n_splits, head_dim] and [n_splits], which all batches and heads share: "   \
    "those of each have a place of their own, [batch, heads, n_splits, head_dim] and [batch, heads, n_splits]"
int lab_leaves_splits_first(const lab_symptom *s);  // the same: L_s lies in that order
#define LAB_SPLITS_IN_BASE_2                                                                                           \
    "matches splits that count in base 2: L_s is m + log(l), a natural logarithm, and O_s has the weight exp(L_s - "   \
    "L), "                                                                                                             \
    "not 2^(L_s - L)"
int lab_leaves_base_2(const lab_symptom *s);                                // the same: L_s is log2 of the sum
int lab_explain_split_keys(const lab_symptom *s, char *text, size_t size);  // diagnose/split_keys.c: whose keys

#endif
