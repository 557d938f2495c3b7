// symptom.c: one symptom at a time.
#include "unit.h"

#include "cases.h"
#include "symptom.h"
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

held_symptom wrong;

int release(void **state) {
    (void)state;
    for (int t = 0; t < LAB_MAX_TENSORS; t++) free(wrong.in[t]), wrong.in[t] = NULL;
    free(wrong.got), free(wrong.want);
    wrong.got = NULL, wrong.want = NULL;
    return 0;
}

// The right output for random inputs of that kind.
void begin_kind(const lab_op *op, attn_shape shape, lab_input_kind kind) {
    release(NULL);
    wrong.op = op, wrong.shape = shape, wrong.n = op->elements(shape, 0);
    for (int t = 1; t < op->n_tensors; t++) {
        wrong.in[t] = malloc(op->elements(shape, t) * sizeof(float));
        lab_op_fill(op, shape, wrong.extra, t, kind, lab_key(9, "diagnose", t, 0), wrong.in[t]);
    }
    wrong.got = malloc(wrong.n * sizeof *wrong.got);
    wrong.want = malloc(wrong.n * sizeof *wrong.want);
    assert_true(op->oracle(shape, wrong.extra, (const float *const *)wrong.in, LAB_NO_MISTAKE, wrong.want));
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i];
}

void begin(const lab_op *op, attn_shape shape) { begin_kind(op, shape, LAB_NORMAL); }

void begin_claim(const char *task, const char *claim) {
    const lab_case *rows = lab_task_find(task)->todos;
    while (rows->claim && strcmp(rows->claim, claim)) rows++;
    if (!rows->claim) fail_msg("there is no %s", claim);
    memcpy(wrong.extra, rows->extra, sizeof wrong.extra);
    begin_kind(rows->op, rows->shape, rows->kind);
}

lab_comparison examine(void) {
    const lab_symptom symptom = {wrong.op,
                                 wrong.shape,
                                 (const float *const *)wrong.in,
                                 wrong.got,
                                 wrong.want,
                                 lab_compare(wrong.got, wrong.want, wrong.n, LAB_TOLERANCE),
                                 {wrong.extra[0], wrong.extra[1]},
                                 wrong.guesses,
                                 wrong.work};
    lab_diagnose(&symptom, wrong.text, sizeof wrong.text);
    return symptom.cmp;
}

void hand_in(const double *out) {
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)out[i];
}

void says(const char *words) {
    examine();
    memset(wrong.extra, 0, sizeof wrong.extra);
    assert_says(wrong.text, words);
}

void it_says(const char *words) {
    examine();
    if (*words)
        assert_says(wrong.text, words);
    else
        assert_string_equal(wrong.text, "");
}

int sentences_that_fit(const char *words) {
    static lab_guesses fits;
    int n = 0;
    fits.n = 0, wrong.guesses = &fits;
    examine();
    wrong.guesses = NULL;
    for (int i = 0; i < fits.n; i++) n += strstr(fits.text[i], words) != NULL;
    return n;
}

void is_among_what_fits(const char *words) {
    if (!sentences_that_fit(words)) fail_msg("%s: not %s", wrong.text, words);
    memset(wrong.extra, 0, sizeof wrong.extra);
}
