// ask.c: one request to generate.
#define _GNU_SOURCE
#include "ask.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "device.h"

// ---- Tokens as they come

typedef struct {
    lab_stage *stage;
    const demo_question *q;
    demo_answer *a;
    double start;
} listener;

// What was sent is no answer: said once, and the process ends, which may have no end of it.
static void refuse(listener *l, lab_verdict v) {
    l->a->verdict = v;
    if (l->stage->process.pid > 0) kill(l->stage->process.pid, SIGKILL);
}

static void on_token(void *context, int step, const int32_t token[LAB_MAX_STREAMS]) {
    listener *const l = context;
    demo_answer *const a = l->a;
    const demo_question *const q = l->q;
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

// What a status means that is not ATTN_OK.
static void judge_status(int status, const char *log, demo_answer *a) {
    static const char symbol[] = "attn_layer_forward";
    a->verdict = LAB_WRONG_ANSWER;
    if (status < 0 && status > ATTN_TODO(10, 0)) {
        snprintf(a->todo, sizeof a->todo, "%d.%d", -status / 100, -status % 100);
        snprintf(a->why, sizeof a->why, "TODO %s is not written yet", a->todo);
        a->verdict = LAB_MISSING;
    } else if (status >= LAB_DEVICE && status < LAB_DEVICE + 1000)
        a->verdict = lab_judge_device(status - LAB_DEVICE, symbol, log, a->why, sizeof a->why);
    else if (status == LAB_NO_SYMBOL) {
        snprintf(a->why, sizeof a->why, "the file does not define %s", symbol);
        a->verdict = LAB_MISSING;
    } else if (status == ATTN_NO_MEMORY) {
        snprintf(a->why, sizeof a->why, "no memory for the model's buffers");
        a->verdict = LAB_OUT_OF_MEMORY;
    } else if (status == ATTN_CACHE_FULL)
        snprintf(a->why, sizeof a->why, "%s returned ATTN_CACHE_FULL, although there is room", symbol);
    else
        snprintf(a->why, sizeof a->why, "%s returned status %d", symbol, status);
}

static attn_shape shape_of(const demo_question *q) {
    return (attn_shape){.batch = q->batch, .heads = q->n_new, .seq_q = q->seq, .seq_kv = q->max_seq, .head_dim = 1};
}

size_t demo_arena(const demo_question *q) { return lab_layout_of(&lab_generate, shape_of(q), 1).bytes; }

// Behind `stop` nothing is computed: what came there is not counted, in steps or in times.
static void cut(const demo_question *q, demo_answer *a) {
    for (int i = 0; q->batch == 1 && q->sampling.stop >= 0 && i < a->steps; i++)
        if (a->token[i] == q->sampling.stop) a->steps = i + 1;
}

void demo_ask(lab_stage *stage, const demo_question *q, demo_answer *a) {
    const lab_layout layout = lab_layout_of(&lab_generate, shape_of(q), 1);
    *a = (demo_answer){.verdict = LAB_PASSED};
    a->token = calloc((size_t)q->n_new * q->batch, sizeof *a->token);
    a->at = calloc(q->n_new, sizeof *a->at);
    if (!a->token || !a->at || layout.bytes > stage->arena_bytes) {
        a->verdict = LAB_GRADER_ERROR;
        snprintf(a->why, sizeof a->why, "the lab has no memory for this question");
        return;
    }
    memset(stage->arena + layout.offset[0], 0, (size_t)q->batch * q->n_new * sizeof(float));
    memcpy(stage->arena + layout.offset[1], q->ids, (size_t)q->batch * q->seq * sizeof *q->ids);
    memcpy(stage->arena + layout.offset[2], q->length, q->batch * sizeof *q->length);
    memcpy(stage->arena + layout.offset[3], &q->sampling, sizeof q->sampling);
    lab_request request = lab_request_of(&lab_generate, shape_of(q), 1, LAB_LOAD | LAB_RUN);

    listener l = {stage, q, a, lab_now()};
    char why[sizeof a->why] = "";
    attn_status status = ATTN_OK;
    stage->on_token = on_token, stage->context = &l;
    stage->process.spin = strcmp(lab_backend(), "cuda") == 0;  // to be woken takes as long as a token there
    const lab_verdict v = lab_stage_call(stage, &request, q->seconds, &status, why, sizeof why);
    stage->process.spin = 0;
    stage->on_token = NULL;
    if (a->verdict != LAB_PASSED) {
        stage->alive = 0;
        return;
    }
    a->verdict = v;
    if (v != LAB_PASSED)
        memcpy(a->why, why, sizeof why);
    else if (status != ATTN_OK)
        judge_status(status, stage->process.text, a);
    else if (a->steps < q->n_new) {
        snprintf(a->why, sizeof a->why, "sent %d of the %d tokens that it was asked for", a->steps, q->n_new);
        a->verdict = LAB_WRONG_ANSWER;
    }
    cut(q, a);
}

void demo_answer_free(demo_answer *a) {
    free(a->token);
    free(a->at);
    *a = (demo_answer){.verdict = LAB_PASSED};
}

// ---- Times

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

demo_times demo_times_of(const demo_answer *a) {
    demo_times t = {a->steps ? a->at[0] : 0, 0, 0};
    const int n = a->steps - 1;
    double *gap = n > 0 ? malloc(n * sizeof *gap) : NULL;
    if (!gap) return t;
    for (int i = 0; i < n; i++) gap[i] = a->at[i + 1] - a->at[i];
    qsort(gap, n, sizeof *gap, ascending);
    t.tbt = n % 2 ? gap[n / 2] : (gap[n / 2 - 1] + gap[n / 2]) / 2;
    t.tbt_p99 = gap[(int)(0.99 * (n - 1) + 0.5)];
    free(gap);
    return t;
}
