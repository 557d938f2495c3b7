// stretch.c: what a claim costs is known from what it reads, once one like it was tried.
#include "stretch.h"

double lab_elements(const lab_case *c) {
    double n = 0;
    for (int t = 0; t < c->op->n_tensors; t++) n += (double)c->op->elements(c->shape, t);
    return n;
}

// What a claim costs grows with what it reads, and with the keys that each query sees.
double lab_weight(const lab_case *c) { return lab_elements(c) * (16 + c->shape.seq_kv); }

lab_stretch lab_begin_stretch(void) { return (lab_stretch){lab_attempts_left(), 0}; }

int lab_is_too_long(const lab_stretch *t, const lab_case *c, double most) {
    return t->begun - lab_attempts_left() + t->rate * lab_weight(c) > most;
}

void lab_note_length(lab_stretch *t, const lab_case *c, double before) {
    const double rate = (before - lab_attempts_left()) / lab_weight(c);
    if (lab_elements(c) > LAB_SMALL && rate > t->rate) t->rate = rate;
}
