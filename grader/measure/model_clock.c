// model_clock.c: rounds of generations.
//
//     prompt to the device | run ............ token 0 ... token 1 ... token n - 1 | compare
//                          |<---- TTFT ------>|<- TBT ->|
//
// The checker does not sleep while it waits: being woken takes as long as a step of a small model. A call's boundary is
// part of TTFT, which is what a caller sees; a token's way to the checker is in every gap once and cancels.
#include "model_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "device.h"
#include "layer.h"
#include "model.h"

static const double LOAD_SECONDS = 180, CALL_SECONDS = 60, ROUNDS_SECONDS = 6;  // of all rounds of one contender

static attn_shape shape_of(const lab_model_run *run, int tokens, int columns) {
    return (attn_shape){1, tokens, run->prompt, run->prompt + tokens - 1, columns, 1};
}

static attn_shape with_logits(const lab_model *m, const lab_model_run *run, int tokens) {
    return shape_of(run, tokens, 1 + m->vocab);
}

int lab_model_start(lab_model_runner *r, const lab_model *m) {
    size_t bytes = 0;
    if (r->started) return r->process.alive;
    for (const lab_model_run *run = m->runs; run->tokens; run++) {
        const size_t b = lab_layout_of(&lab_generate, with_logits(m, run, run->tokens), 1).bytes;
        bytes = b > bytes ? b : bytes;
    }
    const lab_stage_options options = {r->runner, r->stage, 0, bytes, LOAD_SECONDS};
    r->started = 1;
    r->verdict = LAB_SKIPPED;
    if (access(r->stage, R_OK)) {
        snprintf(r->why, sizeof r->why, "%.500s is not built on this machine", r->stage);
        return 0;
    }
    r->verdict = lab_stage_open(&r->process, &options, r->why, sizeof r->why);
    if (r->verdict != LAB_PASSED && r->missing && r->process.process.exit_status == 3) {
        r->verdict = LAB_SKIPPED;
        snprintf(r->why, sizeof r->why, "%s", r->missing);
    }
    return r->process.alive;
}

// ---- One call

static void note(void *context, int step, const int32_t token[LAB_MAX_STREAMS]) {
    lab_generation *g = context;
    const double now = lab_now();
    if (step != g->n || g->n == LAB_MOST_TOKENS) {
        g->disordered = 1;
        return;
    }
    g->at[g->n] = now;
    g->token[g->n++] = token[0];
}

static lab_request request_of(const lab_model *m, const lab_model_run *run, int mode, attn_shape shape, uint64_t key,
                              char *arena) {
    lab_request r = lab_request_of(&lab_generate, shape, 1, 0);
    const int32_t length = run->prompt;
    const lab_sampling sampling = {.mode = mode, .stop = -1};
    lab_poison((float *)(arena + r.offset[0]), lab_generate.elements(shape, 0));
    lab_op_fill(&lab_generate, with_logits(m, run, 1), NULL, 1, LAB_NORMAL, key, (float *)(arena + r.offset[1]));
    memcpy(arena + r.offset[2], &length, sizeof length);
    memcpy(arena + r.offset[3], &sampling, sizeof sampling);
    return r;
}

// A step of the call came back with a status that is not ATTN_OK.
static lab_verdict judge(attn_status status, const lab_stage *s, char *why, size_t size) {
    if (status >= LAB_DEVICE && status < LAB_DEVICE + 1000)
        return lab_judge_device(status - LAB_DEVICE, "the model", s->process.text, why, size);
    if (status < 0) {
        snprintf(why, size, "TODO %d.%d is not written yet", -status / 100, -status % 100);
        return LAB_MISSING;
    }
    snprintf(why, size, status == ATTN_NO_MEMORY ? "the device has too little memory for it" : "returned status %d",
             status);
    return status == ATTN_NO_MEMORY    ? LAB_OUT_OF_MEMORY
           : status == LAB_NO_SYMBOL   ? LAB_MISSING
           : status == ATTN_CUDA_ERROR ? LAB_LAUNCH_FAILURE
                                       : LAB_WRONG_ANSWER;
}

static lab_verdict ask(lab_stage *s, lab_request *r, uint32_t steps, char *why, size_t size) {
    attn_status status = ATTN_OK;
    r->steps = steps;
    const lab_verdict v = lab_stage_call(s, r, CALL_SECONDS, &status, why, size);
    return v != LAB_PASSED || status == ATTN_OK ? v : judge(status, s, why, size);
}

static lab_verdict generate(const lab_contender *c, const lab_model *m, const lab_model_run *run, uint64_t key,
                            lab_generation *g, char *why, size_t size) {
    lab_stage *s = &c->runner->process;
    memset(g, 0, sizeof *g);
    lab_request r = request_of(m, run, c->mode, shape_of(run, c->tokens, 1), key, s->arena);
    s->on_token = note, s->context = g;
    lab_verdict v = ask(s, &r, LAB_LOAD, why, size);
    s->process.spin = 1;
    g->start = lab_now();
    if (v == LAB_PASSED) v = ask(s, &r, LAB_RUN, why, size);
    s->process.spin = 0;
    s->on_token = NULL;
    if (v != LAB_PASSED || (g->n == c->tokens && !g->disordered)) return v;
    snprintf(why, size, "%d tokens came instead of %d, or not in their order", g->n, c->tokens);
    return LAB_EARLY_EXIT;
}

// ---- A contender's rounds

typedef struct {
    double first[LAB_MODEL_ROUNDS], gaps[LAB_MODEL_ROUNDS * LAB_MOST_TOKENS], cost;
    int n_gaps;
} samples;

static uint64_t prompt_key(const lab_model *m, const lab_model_run *run, uint64_t seed, int round) {
    return lab_key(seed, m->name, run->prompt, round);
}

static void one_round(lab_contender *c, const lab_model *m, const lab_model_run *run, uint64_t seed, int round,
                      samples *s) {
    static lab_generation g;
    lab_timing *t = &c->first;
    t->verdict = generate(c, m, run, prompt_key(m, run, seed, round), &g, t->why, sizeof t->why);
    if (t->verdict != LAB_PASSED) return;
    s->cost = g.at[g.n - 1] - g.start;
    if (round == 0) return;  // loads what is loaded lazily, allocates, records the graph of a step
    memcpy(c->said[t->rounds], g.token, sizeof c->said[0]);
    s->first[t->rounds++] = g.at[0] - g.start;
    for (int i = 1; i < g.n; i++) s->gaps[s->n_gaps++] = g.at[i] - g.at[i - 1];
}

static void summarise(lab_contender *c, samples *s) {
    const int rounds = c->first.rounds;
    double sum = 0;
    for (int i = 0; i < s->n_gaps; i++) sum += s->gaps[i];
    lab_summarise(&c->first, s->first, 1);
    c->next = c->first;
    c->next.rounds = s->n_gaps;
    lab_summarise(&c->next, s->gaps, 1);
    c->next.rounds = s->n_gaps ? rounds : 0;
    if (!s->n_gaps) return;
    c->p99_s = s->gaps[(int)ceil(0.99 * s->n_gaps) - 1];
    c->tokens_per_s = s->n_gaps / sum;
    if (c->next.verdict != LAB_PASSED || c->next.median_s >= 0.5 * sum / s->n_gaps) return;
    // Most tokens right after another one: they were held back, or the checker did not get a processor while they came.
    c->next.verdict = LAB_TIMING_SUSPECT;
    snprintf(c->next.why, sizeof c->next.why, "tokens came in bursts: the mean gap is %.3g ms", 1e3 * sum / s->n_gaps);
}

void lab_model_measure(lab_contender *c, int n, const lab_model *m, const lab_model_run *run, uint64_t seed) {
    samples *s = calloc(n, sizeof *s);
    for (int i = 0; i < n; i++) {
        c[i].first = (lab_timing){.verdict = LAB_SKIPPED, .extra_bytes = -1};
        c[i].p99_s = c[i].tokens_per_s = 0;
        const lab_model_runner *r = c[i].runner;
        if (s && lab_model_start(c[i].runner, m)) {
            one_round(&c[i], m, run, seed, 0, &s[i]);
            continue;
        }
        if (r->verdict != LAB_PASSED) c[i].first.verdict = r->verdict;
        snprintf(c[i].first.why, sizeof c[i].first.why, "%s", *r->why ? r->why : "its process has ended");
    }
    for (int round = 1; s && round <= LAB_MODEL_ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            const int affordable = round == 1 || round * s[i].cost <= ROUNDS_SECONDS;
            if (c[i].first.verdict == LAB_PASSED && affordable) one_round(&c[i], m, run, seed, round, &s[i]);
        }
    for (int i = 0; s && i < n; i++) summarise(&c[i], &s[i]);
    free(s);
}

// ---- Right or wrong

// Two tokens that the reference finds equally likely after the same text: its logits say so.
static int is_tie(lab_contender *reference, const lab_model *m, const lab_model_run *run, uint64_t key, int step,
                  int32_t a, int32_t b) {
    char why[640];
    lab_stage *s = &reference->runner->process;
    if (a < 0 || a >= m->vocab || b < 0 || b >= m->vocab) return 0;
    const attn_shape shape = with_logits(m, run, reference->tokens);
    lab_request r = request_of(m, run, reference->mode, shape, key, s->arena);
    if (ask(s, &r, LAB_TEST, why, sizeof why) != LAB_PASSED) return 0;
    const float *row = (const float *)(s->arena + r.offset[0]) + (size_t)step * shape.head_dim;
    return fabs((double)row[1 + a] - row[1 + b]) <= 2 * LAB_TOLERANCE;
}

int lab_model_agrees(const lab_contender *yours, lab_contender *reference, const lab_model *m, const lab_model_run *run,
                     uint64_t seed, char *why, size_t size) {
    for (int round = 0; round < yours->first.rounds && round < reference->first.rounds; round++)
        for (int i = 0; i < yours->tokens && i < reference->tokens; i++) {
            const int32_t a = yours->said[round][i], b = reference->said[round][i];
            if (a == b) continue;
            if (is_tie(reference, m, run, prompt_key(m, run, seed, round + 1), i, a, b)) break;
            snprintf(why, size, "token %d after a prompt of %d is %d, with the reference kernels %d", i, run->prompt, a,
                     b);
            return 0;
        }
    return 1;
}
