// shape.c: sizes that follow from a shape.
#include "sizes.h"

int lab_shape_valid(attn_shape s) {
    return s.batch >= 1 && s.heads >= 1 && s.seq_q >= 1 && s.seq_kv >= 1 && s.head_dim >= 8 && s.head_dim <= 128 &&
           s.head_dim % 8 == 0 && (!s.causal || s.seq_q <= s.seq_kv);
}

size_t lab_elements_q(attn_shape s) { return (size_t)s.batch * s.heads * s.seq_q * s.head_dim; }

size_t lab_elements_kv(attn_shape s) { return (size_t)s.batch * s.heads * s.seq_kv * s.head_dim; }

// Query i sees keys 0 .. i + (Sk - Sq): the pairs are a trapezium of Sq rows, from Sk - Sq + 1 keys to Sk.
double lab_pairs(attn_shape s) {
    double per_head = (double)s.seq_q * s.seq_kv;
    if (s.causal) per_head -= (double)s.seq_q * (s.seq_q - 1) / 2;
    return per_head * s.batch * s.heads;
}

double lab_flops(attn_shape s) { return 4.0 * s.head_dim * lab_pairs(s); }

double lab_least_bytes(attn_shape s) { return 4.0 * (2.0 * lab_elements_q(s) + 2.0 * lab_elements_kv(s)); }

// Q K^T reads Q and K and writes S; softmax reads S and writes P; P V reads P and V and writes O.
double lab_chain_bytes(attn_shape s) {
    return lab_least_bytes(s) + 4.0 * 4.0 * s.batch * s.heads * (double)s.seq_q * s.seq_kv;
}
