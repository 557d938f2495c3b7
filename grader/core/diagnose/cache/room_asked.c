// room_asked.c: task 6, a layer that was asked with the calls of room_rows.h: by which rule does it say that there is room?
#include <stdio.h>
#include <string.h>

#include "call_tables.h"
#include "heuristics.h"
#include "probes_task6.h"
#include "room_rows.h"

enum { B = LAB_CALL_SEQUENCES, ROW = 1 + 2 * B, HEADS = 2 };  // HEADS: as many as the driver has

// code: 1 for each call that is taken, the first one counts least.
int lab_say_room(int code, char *text, size_t size) {
    float calls[LAB_CALL_ROWS * ROW], got[LAB_CALL_ROWS];
    double want[LAB_CALL_ROWS];
    for (int i = 0; i < LAB_CALL_ROWS; i++, code /= 2) {
        float *x = calls + i * ROW;
        lab_put_int(x, lab_room_rows[i].S);
        for (int b = 0; b < B; b++)
            lab_put_int(x + 1 + b, lab_room_rows[i].past[b]), lab_put_int(x + 1 + B + b, lab_room_rows[i].count[b]);
        got[i] = (float)(code % 2);
    }
    const float *const in[LAB_MAX_TENSORS] = {NULL, calls};
    lab_symptom s = {
        .op = &probe_fits, .shape = {B, HEADS, 1, LAB_ROOM_SLOTS, 8, 0}, .in = in, .got = got, .want = want};
    char why[320] = "";
    s.op->oracle(s.shape, s.extra, in, 0, want);
    s.cmp = lab_compare(got, want, LAB_CALL_ROWS, LAB_TOLERANCE);
    if (code || s.cmp.verdict == LAB_PASSED || !s.op->diagnose(&s, why, sizeof why)) return 0;
    return !strncmp(why, "matches", 7) && snprintf(text, size, LAB_ROOM_WAS_ASKED ": %s", why) > 0;
}
