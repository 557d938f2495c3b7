// kinds_asked.c: task 6, a layer that was asked with the calls of call_rows.h: by which rule does it take them for a prefill,
// for decode, or for neither?
#include <stdio.h>
#include <string.h>

#include "call_rows.h"
#include "call_tables.h"
#include "heuristics.h"
#include "probes_task6.h"

enum { B = LAB_CALL_SEQUENCES, ROW = 1 + 2 * B };

// code: three times the second call's kind and so on, as the driver has it; an answer that nobody can have given is none.
int lab_say_kinds(int code, char *text, size_t size) {
    float calls[LAB_CALL_ROWS * ROW], got[LAB_CALL_ROWS];
    double want[LAB_CALL_ROWS];
    for (int i = 0; i < LAB_CALL_ROWS; i++, code /= 3) {
        float *x = calls + i * ROW;
        lab_put_int(x, lab_call_rows[i].S);
        for (int b = 0; b < B; b++) {
            lab_put_int(x + 1 + b, lab_call_past(i, b, B, lab_call_some(i, b)));
            lab_put_int(x + 1 + B + b, lab_call_count(i, b));
        }
        got[i] = (float)(code % 3);
    }
    const float *const in[LAB_MAX_TENSORS] = {NULL, calls};
    lab_symptom s = {.op = &probe_which_call, .shape = {B, 1, 1, 1, 8, 0}, .in = in, .got = got, .want = want};
    char why[320] = "";
    s.op->oracle(s.shape, s.extra, in, 0, want);
    s.cmp = lab_compare(got, want, LAB_CALL_ROWS, LAB_TOLERANCE);
    if (code || s.cmp.verdict == LAB_PASSED || !s.op->diagnose(&s, why, sizeof why)) return 0;
    return snprintf(text, size, LAB_KINDS_WERE_ASKED ": %s", why) > 0;
}
