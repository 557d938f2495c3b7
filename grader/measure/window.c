// window.c: one timed request to a CUDA stage.
//
//     rehearse, record a graph | fill, flush, call, link, call, ... wait, digest | copy parts out, compare
//                              |<----------------- timed ---------------------->|
//
// Each call gets fresh numbers that depend on the output of the one before (inputs.h), so calls cannot be made together
// or out of order. The digests say that the outputs were there when the clock stopped.
#define _GNU_SOURCE
#include "window.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "check.h"
#include "device.h"
#include "rows.h"

enum { PARTS = LAB_MOST_PARTS - 1, FEW_PARTS = 3, ROWS_AT_FIRST = 16, LEAST_BUSY = 8000, BUSY_FOR_A_SET = 30 };

typedef struct {  // one timed request
    lab_contender *c;
    const lab_experiment *e;
    lab_request r;
    uint64_t rows;        // draws what is checked; nothing that the runner gets depends on it
    uint64_t *digests;    // of every chunk, as they were when the clock stopped
    uint32_t *seen;       // of every set: an element of its output, as the link after it saw it
    size_t chunks;        // of an output
    uint64_t row[PARTS];  // of the output: what is compared of each part
    size_t large;         // the row with the large query
    double rms;           // the largest relative error of a row
} timed;

// ---- A request

// Asks for one step. Returns 1, or 0 with a verdict in t.
static int ask(lab_contender *c, lab_request *r, uint32_t steps, lab_timing *t) {
    attn_status status = ATTN_OK;
    r->steps = steps;
    t->verdict = lab_stage_call(&c->process, r, 60, &status, t->why, sizeof t->why);
    if (t->verdict != LAB_PASSED || status == ATTN_OK) return t->verdict == LAB_PASSED;
    t->verdict = lab_judge_status(status, r->symbol[0], c->process.process.text, NULL, t->why, sizeof t->why);
    if (steps & LAB_CAPTURE && status >= LAB_DEVICE)
        snprintf(t->why, sizeof t->why, "cannot be recorded in a CUDA graph: all work goes on `stream` (error %d)",
                 status - LAB_DEVICE);
    return 0;
}

int lab_is_null(const lab_contender *c) { return !c->is.does[0].what; }

// Everything that is drawn depends on the point, on who is timed, on the number of calls and on the round.
static uint64_t drawn(const lab_contender *c, const lab_experiment *e, const char *what, int sets, int t, int round,
                      uint64_t seed) {
    char name[256];
    snprintf(name, sizeof name, "%s of %s, %s, %s, %d calls", what, e->series, e->name, c->name, sets);
    return lab_key(seed, name, t, round);
}

// A stage's calls give the GPU so much to do that the processor has launched the next links long before their turn. The
// null stage has no calls: while it waits for these microseconds, the processor goes ahead, too. Otherwise the null
// stage's time would be that of launching, and too much would be subtracted.
static uint32_t busy_us(const lab_contender *c, int sets) {
    return lab_is_null(c) && lab_backend()->on_gpu ? (uint32_t)fmax(LEAST_BUSY, BUSY_FOR_A_SET * sets) : 0;
}

// One query of one call is large (rows.h): a kernel that is right pays at most for one row that is unlike the others.
static void make_large(timed *x, uint64_t key) {
    const size_t D = x->e->shape.head_dim;
    x->r.large.set = lab_bits(key, 0) % x->r.sets;
    x->large = lab_large_row(x->e->shape, key, 1);
    x->r.large.first = x->large * D, x->r.large.n = D;
}

static timed request_of(lab_contender *c, const lab_experiment *e, int sets, uint64_t seed, int round) {
    const lab_op *op = lab_does(&c->is, e->op);
    timed x = {.c = c, .e = e, .r = lab_request_of(op, e->shape, sets, 0)};
    x.r.extra[1] = e->op == &lab_tokens ? e->shape.seq_kv - e->shape.seq_q : e->shape.seq_kv;
    x.r.notes = x.r.bytes;
    x.r.busy_us = busy_us(c, sets);
    x.r.link = drawn(c, e, "links", sets, 0, round, seed) | 1;
    x.rows = drawn(c, e, "rows", sets, 0, round, seed);
    for (int t = 1; t < op->n_tensors; t++)
        if (t != op->scratch && t != op->lengths) x.r.key[t] = drawn(c, e, "inputs", sets, t, round, seed) | 1;
    if (strcmp(op->tensors[1], "Q") == 0) make_large(&x, drawn(c, e, "large", sets, 0, round, seed));
    x.chunks = (x.r.elements[0] + LAB_CHUNK - 1) / LAB_CHUNK;
    return x;
}

// Before the window: gets the memory, rehearses the lab's part with other numbers, and records a graph if there is to be
// one. No key of the window is known yet.
static int prepare(const timed *x, int graph, lab_timing *t) {
    lab_request r = x->r;
    for (int k = 0; k < LAB_MAX_TENSORS; k++) r.key[k] = r.key[k] != 0;
    r.link = 1, r.large.set = r.large.first = 0;
    return ask(x->c, &r, LAB_FILL | (graph ? LAB_CAPTURE : 0), t);
}

// The clock. Returns seconds; 0 on failure. What was found in the window is copied at once: the runner could change it.
static double run(timed *x, lab_timing *t) {
    const size_t digests = x->chunks * x->r.sets * sizeof *x->digests, seen = x->r.sets * sizeof *x->seen;
    lab_stage *s = &x->c->process;
    s->process.spin = lab_backend()->on_gpu;  // kernels of the emulator take longer than to be woken
    const double start = lab_now();
    const int ran = ask(x->c, &x->r, LAB_FILL | LAB_RUN, t);
    const double all = lab_now() - start;
    s->process.spin = 0;
    const double seconds = all - 1e-6 * x->r.busy_us;
    if (!ran || !(x->digests = malloc(digests + seen))) return 0;
    memcpy(x->digests, s->arena + x->r.notes, digests + seen);
    x->seen = (uint32_t *)(x->digests + x->chunks * x->r.sets);
    return seconds;
}

// ---- Right or wrong

static const float *in_arena(const timed *x, int part) {
    const lab_request *r = &x->r;
    const uint64_t tensor = r->part[part].tensor;
    return (const float *)(x->c->process.arena + r->offset[tensor] + r->part[part].set * r->stride) +
           r->part[part].first;
}

// The element of a set's output that the link after it saw.
static size_t seen_at(const timed *x, int set) { return lab_bits(x->r.link, set + 1) % x->r.elements[0]; }

// Of a baseline nobody asks whether it has left the maximum out.
static int asks_for_large(const timed *x) { return x->r.large.n && !x->c->is.file; }

// Part i of the outputs: the chunks around a row of any call. Every other row is one that a link saw, and a student's first
// one that of the large query.
static void choose_part(timed *x, int i) {
    const uint64_t width = lab_row_width(x->e), n = x->r.elements[0];
    const int of_large = i == 0 && asks_for_large(x);
    const int set = of_large ? (int)x->r.large.set : (int)(lab_bits(x->rows, 2 * i) % x->r.sets);
    x->row[i] = of_large ? x->large
                : i % 2  ? seen_at(x, set) / width
                         : lab_bits(x->rows, 2 * i + 1) % lab_row_count(x->e);
    const uint64_t from = x->row[i] * width / LAB_CHUNK * LAB_CHUNK,
                   end = ((x->row[i] + 1) * width + LAB_CHUNK - 1) / LAB_CHUNK * LAB_CHUNK;
    x->r.part[i].set = set, x->r.part[i].first = from, x->r.part[i].n = (end < n ? end : n) - from;
}

// What is looked at, drawn after the calls: the whole first output (at first), or parts. The last part is of an input.
static void choose_parts(timed *x, int parts, int whole) {
    if (whole) x->r.part[0].n = x->r.elements[0];
    for (int i = 0; i < parts && !whole; i++) choose_part(x, i);
    const uint64_t t = 1 + lab_bits(x->rows, 1000) % (x->e->op == &lab_decode || x->e->op == &lab_sdpa ? 3 : 1);
    const uint64_t most = x->r.elements[t] < LAB_CHUNK ? x->r.elements[t] : LAB_CHUNK;
    x->r.part[PARTS].tensor = t, x->r.part[PARTS].set = lab_bits(x->rows, 1001) % x->r.sets;
    x->r.part[PARTS].first = lab_bits(x->rows, 1002) % (x->r.elements[t] - most + 1), x->r.part[PARTS].n = most;
}

static lab_made made(const timed *x, int part) {
    const int set = (int)x->r.part[part].set;
    return (lab_made){.key = x->r.key,
                      .set = set,
                      .link = x->r.link,
                      .seen = set ? x->seen[set - 1] : 0,
                      .large = x->r.large.n && x->r.large.set == x->r.part[part].set ? x->large + 1 : 0};
}

static const char late[] = "an output was written after the clock had stopped",
                  overlapping[] = "an output was written after its call: the next call had begun",
                  absent[] = "an output was not there when the next call began",
                  wrong_row[] = "a row of a timed call's output is wrong", changed[] = "an input was changed";

// The part's chunks are as the window left them.
static int was_there(const timed *x, int part, const float *out) {
    const uint64_t n = x->r.part[part].n, first = x->r.part[part].set * x->chunks + x->r.part[part].first / LAB_CHUNK;
    for (uint64_t c = 0; c * LAB_CHUNK < n; c++) {
        const uint64_t left = n - c * LAB_CHUNK;
        if (lab_digest(out + c * LAB_CHUNK, left < LAB_CHUNK ? left : LAB_CHUNK, x->r.link) != x->digests[first + c])
            return 0;
    }
    return 1;
}

static const char *judge_part(timed *x, int part, int whole) {
    const uint64_t first = x->r.part[part].first, n = x->r.part[part].n, width = lab_row_width(x->e);
    const int set = (int)x->r.part[part].set, script = x->c->is.argument != NULL;
    const float *out = in_arena(x, part);
    const size_t at = seen_at(x, set), row = x->row[part], rows = lab_row_count(x->e);
    const lab_made m = made(x, part);
    if (!lab_all_finite(out, n)) return wrong_row;
    // A script is the lab's own; PyTorch's outputs are where it puts them, and have no digests.
    if (!whole && !script && !was_there(x, part, out)) return late;
    if (!script && set + 1 < (int)x->r.sets && at >= first && at < first + n &&
        memcmp(&out[at - first], &x->seen[set], sizeof *out))
        return overlapping;
    const int right = whole
                          ? lab_rows_are_right(x->e, &m, out, 0, rows, ROWS_AT_FIRST, lab_bits(x->rows, 2000), &x->rms)
                          : lab_rows_are_right(x->e, &m, out + row * width - first, row, 1, 1, 0, &x->rms);
    const int large = !whole || !asks_for_large(x) || lab_large_row_is_right(x->e, &m, out, 0);
    return right && large ? NULL : wrong_row;
}

// NULL, or what is wrong. Gives the arena's pages back.
static const char *judge(timed *x, int parts, int whole) {
    const char *wrong = NULL;
    for (int set = 0; set + 1 < (int)x->r.sets && !wrong; set++)
        if ((x->seen[set] & 0x7f800000) == 0x7f800000) wrong = absent;
    for (int i = 0; i < parts && !wrong; i++) wrong = judge_part(x, i, whole);
    const lab_made m = made(x, PARTS);
    if (!wrong && !lab_input_is_unchanged(x->e, &m, (int)x->r.part[PARTS].tensor, in_arena(x, PARTS),
                                          x->r.part[PARTS].first, x->r.part[PARTS].n))
        wrong = changed;
    fallocate(x->c->process.arena_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, x->c->process.arena_bytes);
    return wrong;
}

// ---- The whole

// Of a student's stage we check more than of a baseline.
double lab_window(lab_contender *c, const lab_experiment *e, int sets, uint64_t seed, int round, lab_timing *t) {
    timed x = request_of(c, e, sets, seed, round);
    const int first = round == 0,
              parts = lab_is_null(c) ? 0
                      : first        ? 1
                      : c->is.file   ? FEW_PARTS
                                     : PARTS,
              graph = e->graph && round > 1 && !(lab_is_null(c) && sets == 1);
    double seconds = prepare(&x, graph, t) ? run(&x, t) : 0;
    if (seconds > 0 && parts) choose_parts(&x, parts, first);
    if (seconds > 0 && parts && !ask(c, &x.r, LAB_STORE, t)) seconds = 0;
    const char *wrong = seconds > 0 && parts ? judge(&x, parts, first) : NULL;
    free(x.digests);
    if (!wrong && (c->is.file || !lab_is_inexact(x.rms, t->why, sizeof t->why))) return seconds;
    t->verdict = wrong == changed ? LAB_INPUT_MODIFIED : LAB_WRONG_ANSWER;
    if (wrong) snprintf(t->why, sizeof t->why, "%s", wrong);
    return 0;
}

void lab_window_free(lab_contender *c, const lab_experiment *e) {
    lab_request r = lab_request_of(lab_does(&c->is, e->op), e->shape, 1, 0);
    lab_timing t;
    if (c->process.alive) ask(c, &r, LAB_FREE, &t);
}
