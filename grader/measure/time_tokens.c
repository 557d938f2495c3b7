// time_tokens.c: rounds of generations.
//
//     prompt to the device | run ............ token 0 ... token 1 ... token n - 1 | compare
//                          |<---- TTFT ------>|<- TBT ->|
//
// A call's boundary is part of TTFT, as a caller sees it. A token's way to the checker is in every gap once, and
// cancels. On a GPU the checker does not sleep while it waits: being woken takes as long as a step of a small model.
#include "time_tokens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "check.h"

static const double LOAD_SECONDS = 180, CALL_SECONDS = 60;
static const lab_budget budget = {
    .sure = 1, .usual = 5, .most = LAB_TOKEN_ROUNDS, .seconds = 0.5, .longest = 6, .spread = 0.02};

static lab_question question_of(const lab_generator *g, const lab_model *m, const lab_model_run *run) {
    return (lab_question){.batch = 1,
                          .seq = run->prompt,
                          .n_new = g->tokens,
                          .max_seq = run->prompt + g->tokens - 1,  // nobody reads the last token
                          .vocab = m->vocab,
                          .length = &run->prompt,
                          .sampling = {.mode = g->mode, .stop = -1},
                          .seconds = CALL_SECONDS};
}

int lab_model_start(lab_contender *process, const lab_model *m) {
    process->load_seconds = LOAD_SECONDS;
    for (const lab_model_run *run = m->runs; run->tokens; run++) {
        const lab_generator g = {.tokens = run->tokens};
        lab_question q = question_of(&g, m, run);
        q.logits = 1;
        const size_t bytes = lab_question_bytes(&q);
        if (bytes > process->arena_bytes && !process->started) process->arena_bytes = bytes;
    }
    return lab_contender_start(process);
}

// ---- One call

typedef struct {
    lab_generator *g;
    const lab_model *m;
    const lab_model_run *run;
    uint64_t seed;
    struct {
        double first[LAB_TOKEN_ROUNDS], gaps[LAB_TOKEN_ROUNDS * LAB_MOST_TOKENS];
        int n;  // gaps
    } * times;
} point;

// The prompt of a round: random tokens, the same for every generator.
static void ask(lab_generator *g, const lab_model *m, const lab_model_run *run, uint64_t seed, int round, int logits,
                lab_answer *a) {
    lab_question q = question_of(g, m, run);
    const attn_shape shape = {1, 1, run->prompt, run->prompt, 1 + m->vocab, 1};
    float *prompt = malloc(run->prompt * sizeof *prompt);
    *a = (lab_answer){.verdict = LAB_GRADER_ERROR, .why = "the lab has no memory for this prompt"};
    if (!prompt) return;
    lab_op_fill(&lab_generate, shape, NULL, 1, LAB_NORMAL, lab_key(seed, m->name, run->prompt, round), prompt);
    q.ids = (const int *)prompt;  // as the runner gets them: int32 in the elements of a float tensor
    q.logits = logits;
    lab_ask(&g->process->process, &q, a);
    free(prompt);
}

// Round 0 of the clock is the second call: the first one loads libraries, allocates, records the graph of a step.
static double time_round(void *context, int i, int round, lab_timing *t) {
    const point *p = context;
    lab_generator *g = &p->g[i];
    lab_answer a;
    ask(g, p->m, p->run, p->seed, round + 1, 0, &a);
    t->verdict = a.verdict;
    memcpy(t->why, a.why, sizeof a.why);
    const double seconds = a.verdict == LAB_PASSED ? a.at[a.steps - 1] : 0;
    if (a.verdict == LAB_PASSED && round >= 0) {
        memcpy(g->said[t->rounds], a.token, g->tokens * sizeof *a.token);
        p->times[i].first[t->rounds] = a.at[0];
        for (int k = 1; k < a.steps; k++) p->times[i].gaps[p->times[i].n++] = a.at[k] - a.at[k - 1];
    }
    lab_answer_free(&a);
    return seconds;
}

// ---- A generator's rounds

static void summarise(point *p, int i) {
    lab_generator *g = &p->g[i];
    double *const gaps = p->times[i].gaps, sum = 0;
    const int rounds = g->first.rounds, n = rounds ? p->times[i].n : 0;
    for (int k = 0; k < n; k++) sum += gaps[k];
    lab_summarise(&g->first, p->times[i].first, 1);
    g->next = g->first;
    g->next.rounds = n;
    lab_summarise(&g->next, gaps, 1);
    g->next.rounds = n ? rounds : 0;
    if (!n) return;
    g->p99_s = lab_p99(gaps, n);
    g->tokens_per_s = n / sum;
    if (g->next.verdict != LAB_PASSED || g->next.median_s >= 0.5 * sum / n) return;
    // Most tokens right after another one: they were held back, or the checker did not get a processor while they came.
    g->next.verdict = LAB_TIMING_SUSPECT;
    snprintf(g->next.why, sizeof g->next.why, "tokens came in bursts: the mean gap is %.3g ms", 1e3 * sum / n);
}

void lab_time_tokens(lab_generator *g, int n, const lab_model *m, const lab_model_run *run, uint64_t seed) {
    lab_timing timings[LAB_MAX_IMPLEMENTATIONS] = {0};
    lab_samples samples[LAB_MAX_IMPLEMENTATIONS] = {0};
    point p = {.g = g, .m = m, .run = run, .seed = seed, .times = calloc(n, sizeof *p.times)};
    const lab_timer timer = {&p, NULL, time_round};
    for (int i = 0; p.times && i < n; i++) {
        lab_timing *t = &timings[i];
        *t = (lab_timing){.verdict = LAB_SKIPPED, .extra_bytes = -1};
        g[i].p99_s = g[i].tokens_per_s = 0;
        if (lab_model_start(g[i].process, m))
            time_round(&p, i, -1, t);
        else {
            t->verdict = g[i].process->verdict;
            memcpy(t->why, g[i].process->why, sizeof t->why);
        }
    }
    if (p.times) lab_clock(&timer, n, &budget, samples, timings);
    for (int i = 0; i < n; i++) g[i].first = timings[i];
    for (int i = 0; p.times && i < n; i++) summarise(&p, i);
    free(p.times);
}

// ---- Right or wrong

// Two tokens that the reference finds equally likely after the same text: its logits say so.
static int is_tie(lab_generator *reference, const lab_model *m, const lab_model_run *run, uint64_t seed, int round,
                  int step, int a, int b) {
    lab_answer answer;
    if (a < 0 || a >= m->vocab || b < 0 || b >= m->vocab) return 0;
    ask(reference, m, run, seed, round, 1, &answer);
    const float *row = answer.logits + (size_t)step * (1 + m->vocab);
    const int tie = answer.verdict == LAB_PASSED && fabs((double)row[1 + a] - row[1 + b]) <= 2 * LAB_TOLERANCE;
    lab_answer_free(&answer);
    return tie;
}

int lab_tokens_agree(const lab_generator *yours, lab_generator *reference, const lab_model *m, const lab_model_run *run,
                     uint64_t seed, char *why, size_t size) {
    for (int round = 0; round < yours->first.rounds && round < reference->first.rounds; round++)
        for (int i = 0; i < yours->tokens && i < reference->tokens; i++) {
            const int a = yours->said[round][i], b = reference->said[round][i];
            if (a == b) continue;
            if (is_tie(reference, m, run, seed, round + 1, i, a, b)) break;
            snprintf(why, size, "token %d after a prompt of %d is %d, with the reference kernels %d", i, run->prompt, a,
                     b);
            return 0;
        }
    return 1;
}
