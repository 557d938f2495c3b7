// watched.c: a process under simt's eyes.
#include "watched.h"

#include <stdio.h>
#include <stdlib.h>

static const double seconds = 120;

lab_event lab_watched_call(lab_process *p, const char *target, const char *stage, const lab_op *op, attn_shape s,
                           const char *report) {
    const int numbers[] = {s.batch, s.heads, s.seq_q, s.seq_kv, s.head_dim, s.causal};
    char text[6][16], *argv[12] = {(char *)target, (char *)stage, (char *)op->name};
    for (int i = 0; i < 6; i++) snprintf(text[i], sizeof text[i], "%d", numbers[i]), argv[3 + i] = text[i];
    setenv("SIMT_REPORT", report, 1);
    const lab_limits limits = {.arena = -1};
    if (!lab_process_start(p, argv, &limits)) return LAB_FLOODED;
    const lab_event event = lab_process_wait(p, NULL, 0, seconds);
    lab_process_stop(p);
    return event;
}
