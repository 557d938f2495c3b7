// wiring.h: right parts that are put together the wrong way.
#ifndef LAB_WIRING_H
#define LAB_WIRING_H

#include "diagnose.h"

int lab_explain_wiring(const lab_symptom *s, char *text, size_t size);      // multi-head attention
int lab_explain_step_order(const lab_symptom *s, char *text, size_t size);  // the same in another order
int lab_explain_heads_of_tokens(const lab_symptom *s, char *text, size_t size);
int lab_explain_head_weights(const lab_symptom *s, char *text, size_t size);  // weights taken for others
int lab_explain_overlaps(const lab_symptom *s, char *text, size_t size);
int lab_explain_chain(const lab_symptom *s, char *text, size_t size);  // chain.c: task 2's four calls

// op_heads.c: where element i of a [batch, heads, seq, head_dim] tensor stands in [batch, seq, heads * head_dim], and back.
size_t lab_packed_index(size_t i, attn_shape s);
size_t lab_unpacked_index(size_t i, attn_shape s);
void lab_packed_extent(attn_shape s, size_t extent[4]);  // of the output in that layout

#endif
