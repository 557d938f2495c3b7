// ask.c: one question: the prompts go to the device, then the model runs.
#define _GNU_SOURCE
#include "ask.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "clock.h"
#include "device.h"

// ---- Tokens as they come

typedef struct {
    lab_stage *stage;
    const lab_question *q;
    lab_answer *a;
    double start;
} listener;

// Invalid reply: records the verdict and kills the process, which may never stop sending.
static void refuse(listener *l, lab_verdict v) {
    l->a->verdict = v;
    if (l->stage->process.pid > 0) kill(l->stage->process.pid, SIGKILL);
}

static void on_token(void *context, int step, const int32_t token[LAB_MAX_STREAMS]) {
    listener *const l = context;
    lab_answer *const a = l->a;
    const lab_question *const q = l->q;
    if (a->verdict != LAB_PASSED) return;
    if (step != a->steps || step >= q->n_new) {
        if (step >= q->n_new)
            snprintf(a->why, sizeof a->why, "sent more than the %d tokens that it was asked for", q->n_new);
        else
            snprintf(a->why, sizeof a->why, "sent token %d when token %d was due", step, a->steps);
        refuse(l, LAB_WRONG_ANSWER);
        return;
    }
    for (int b = 0; b < q->batch; b++) {
        if (token[b] < 0 || token[b] >= q->vocab) {
            snprintf(a->why, sizeof a->why, "token %d of sequence %d is %d: the vocabulary has 0 to %d", step, b,
                     (int)token[b], q->vocab - 1);
            refuse(l, LAB_WRONG_ANSWER);
            return;
        }
        a->token[a->steps * q->batch + b] = token[b];
    }
    a->at[a->steps++] = lab_now() - l->start;
    if (q->each) q->each(q->context, a->token + (size_t)step * q->batch);
}

// ---- The call

static attn_shape shape_of(const lab_question *q) {
    return (attn_shape){q->batch, q->n_new, q->seq, q->max_seq, q->logits ? 1 + q->vocab : 1, 0};
}

size_t lab_question_bytes(const lab_question *q) { return lab_layout_of(&lab_generate, shape_of(q), 1).bytes; }

// Behind `stop` nothing is computed: what came there is not counted, in steps or in times.
static void cut(const lab_question *q, lab_answer *a) {
    for (int i = 0; q->batch == 1 && q->sampling.stop >= 0 && i < a->steps; i++)
        if (a->token[i] == q->sampling.stop) a->steps = i + 1;
}

static lab_verdict ask(lab_stage *stage, const lab_question *q, lab_request *r, uint32_t steps, lab_answer *a) {
    attn_status status = ATTN_OK;
    char why[sizeof a->why] = "";
    r->steps = steps;
    lab_verdict v = lab_stage_call(stage, r, q->seconds, &status, why, sizeof why);
    if (a->verdict != LAB_PASSED) {  // on_token has refused
        stage->alive = 0;
        return a->verdict;
    }
    if (v == LAB_PASSED && status != ATTN_OK)
        v = lab_judge_status(status, lab_generate.symbol, stage->process.text, a->todo, why, sizeof why);
    memcpy(a->why, why, sizeof why);
    return a->verdict = v;
}

void lab_ask(lab_stage *stage, const lab_question *q, lab_answer *a) {
    lab_request r = lab_request_of(&lab_generate, shape_of(q), 1, 0);
    *a = (lab_answer){.verdict = LAB_PASSED};
    a->token = calloc((size_t)q->n_new * q->batch, sizeof *a->token);
    a->at = calloc(q->n_new, sizeof *a->at);
    a->logits = (const float *)(stage->arena + r.offset[0]);
    if (!a->token || !a->at || r.bytes > stage->arena_bytes) {
        a->verdict = LAB_GRADER_ERROR;
        snprintf(a->why, sizeof a->why, "the lab has no memory for this question");
        return;
    }
    memcpy(stage->arena + r.offset[1], q->ids, (size_t)q->batch * q->seq * sizeof *q->ids);
    memcpy(stage->arena + r.offset[2], q->length, q->batch * sizeof *q->length);
    memcpy(stage->arena + r.offset[3], &q->sampling, sizeof q->sampling);
    if (ask(stage, q, &r, LAB_LOAD, a) != LAB_PASSED) return;

    listener l = {stage, q, a, lab_now()};
    stage->on_token = on_token, stage->context = &l;
    stage->process.spin = lab_backend()->on_gpu;  // to be woken takes as long as a token there
    ask(stage, q, &r, LAB_RUN | (q->logits ? LAB_STORE | LAB_STORE_ALL : 0), a);
    stage->process.spin = 0;
    stage->on_token = NULL;
    if (a->verdict == LAB_PASSED && a->steps < q->n_new) {
        snprintf(a->why, sizeof a->why, "sent %d of the %d tokens that it was asked for", a->steps, q->n_new);
        a->verdict = LAB_WRONG_ANSWER;
    }
    cut(q, a);
}

void lab_answer_free(lab_answer *a) {
    free(a->token);
    free(a->at);
    *a = (lab_answer){.verdict = LAB_PASSED};
}

// ---- Times

lab_token_times lab_times_of(const lab_answer *a) {
    const int n = a->steps - 1;
    lab_token_times t = {a->steps ? a->at[0] : 0, 0, 0};
    double *gap = n > 0 ? malloc(n * sizeof *gap) : NULL;
    if (!gap) return t;
    for (int i = 0; i < n; i++) gap[i] = a->at[i + 1] - a->at[i];
    lab_sort(gap, n);
    t.tbt = lab_quantile(gap, n, 0.5);
    t.tbt_p99 = lab_p99(gap, n);
    free(gap);
    return t;
}
