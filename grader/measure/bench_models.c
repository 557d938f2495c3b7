// bench_models.c: who generates beside the student, and the rows that come of it.
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "bench_row.h"
#include "task6_kernels.h"
#include "time_tokens.h"

enum { YOURS, REFERENCE, HUGGING_FACE, PROCESSES, NO_CACHE = PROCESSES, GENERATORS, FEW_TOKENS = 6 };

typedef struct {
    const lab_bench *b;
    lab_kernels own, reference;
    char runner[512], reference_stage[512], text[256];
    lab_contender process[PROCESSES];
    double read_bytes_s, flop_s;  // what the GPU can do; 0: unknown
    int failed;
} bench;

// ---- Who is measured

static void measure_rates(bench *f) {
    json_t *rates = lab_gpu_rates(f->b->build);
    const double copy = json_number_value(json_object_get(rates, "copy_gb_s")),
                 read = json_number_value(json_object_get(rates, "read_gb_s"));
    f->read_bytes_s = 1e9 * fmax(copy, read);
    f->flop_s = 1e9 * json_number_value(json_object_get(rates, "gemm_gflop_s"));
    json_decref(rates);
}

static void choose_kernels(bench *f) {
    const lab_bench *b = f->b;
    lab_runner_of(lab_task_find("task6"), b->build, f->runner, sizeof f->runner);
    snprintf(f->reference_stage, sizeof f->reference_stage, "%s/task6%s.so", b->tree, lab_backend()->variant);
    lab_kernels_choose(&f->own, b->build, b->parts, b->seed);
    lab_kernels_reference(&f->reference, b->build);
    for (int i = 0; i < 2; i++)
        if (*f->own.note[i]) printf("  Note: %s\n", f->own.note[i]);
}

// The runners of one model; each loads its weights when it is first asked.
static void define_runners(bench *f, const lab_model *m) {
    static const char script[] = "grader/baselines/hf_generate.py";
    const char *python = getenv("LAB_TORCH_PYTHON");
    lab_contender *r = f->process;
    memset(r, 0, sizeof f->process);
    lab_model_text(m, lab_key(f->b->seed, m->name, 0, 0) & 0xffffffff, f->text, sizeof f->text);
    r[YOURS].stage = f->b->stage, r[REFERENCE].stage = f->reference_stage, r[HUGGING_FACE].stage = script;
    lab_kernels_command(&f->own, f->runner, f->b->stage, f->text, r[YOURS].runner);
    lab_kernels_command(&f->reference, f->runner, f->reference_stage, f->text, r[REFERENCE].runner);
    char *const command[] = {(char *)(python && *python ? python : "python3"), (char *)script, f->text,
                             (char *)(lab_backend()->on_gpu ? "cuda" : "cpu"), NULL};
    memcpy(r[HUGGING_FACE].runner, command, sizeof command);
    r[HUGGING_FACE].missing = "python3 has no torch and transformers that can be used here";
}

// ---- Rows

typedef struct {
    char name[64];  // of the point: "TBT, dummy, prompt 1024"
    attn_shape shape;
    double flops[2], bytes[2];  // [1]: without a cache
    double least_s;             // 0: unknown
    const char *least_of;
} point;

static void print_row(const lab_row *row) {
    const lab_timing *t = row->timing;
    printf("  %-30s %-18s", row->first ? row->point : "", row->implementation);
    if (!t->rounds || (t->verdict != LAB_PASSED && t->verdict != LAB_TIMING_SUSPECT)) {
        printf("%s%s%s\n", lab_verdict_name(t->verdict), *t->why ? ": " : "", t->why);
        return;
    }
    printf("%10.4g ms ", t->median_s * 1e3);
    lab_print_spread(t);
    if (row->tbt_p99_s > 0) printf("  p99 %.4g ms, %.0f tokens/s", row->tbt_p99_s * 1e3, row->tokens_per_s);
    if (row->attention_share > 0) printf(", attention %.0f %%", 100 * row->attention_share);
    if (!row->first && row->yours > 0)
        printf("  yours is %.2fx %s", fmax(t->median_s, row->yours) / fmin(t->median_s, row->yours),
               t->median_s >= row->yours ? "faster" : "slower");
    puts(t->verdict == LAB_PASSED ? "" : "  TIMING_SUSPECT");
}

static void write_rows(const bench *f, const lab_model_run *run, const point *p, const lab_generator *c,
                       const double *share, int is_tbt) {
    const lab_timing *yours = is_tbt ? &c[YOURS].next : &c[YOURS].first;
    for (int i = 0; i < GENERATORS; i++) {
        const lab_row row = {.series = run->series,
                             .point = p->name,
                             .shape = p->shape,
                             .implementation = c[i].name,
                             .timing = is_tbt ? &c[i].next : &c[i].first,
                             .flops = p->flops[i == NO_CACHE],
                             .bytes = p->bytes[i == NO_CACHE],
                             .yours = yours->rounds ? yours->median_s : 0,
                             .first = i == YOURS,
                             .tbt_p99_s = is_tbt ? c[i].p99_s : 0,
                             .tokens_per_s = is_tbt ? c[i].tokens_per_s : 0,
                             .attention_share = is_tbt ? share[i] : 0};
        if (i == NO_CACHE && run->tokens == 1) continue;  // there is no other token
        print_row(&row);
        lab_row_write(&row, f->b->json);
    }
    if (p->least_s > 0 && yours->rounds)
        printf("  %-30s %-18s%10.4g ms: %s. Yours takes %.2fx of it\n", "", "least", p->least_s * 1e3, p->least_of,
               yours->median_s / p->least_s);
}

static void write_first(const bench *f, const lab_model *m, const lab_model_run *run, const lab_generator *c) {
    const double flops = lab_prefill_flops(m, run->prompt), bytes = lab_prefill_bytes(m, run->prompt);
    point p = {.shape = lab_prefill_shape(m, run), .flops = {flops, flops}, .bytes = {bytes, bytes}};
    snprintf(p.name, sizeof p.name, "TTFT, %s, prompt %d", m->name, run->prompt);
    if (f->flop_s > 0) p.least_s = flops / f->flop_s, p.least_of = "its FLOPs at the rate of a large cuBLAS product";
    write_rows(f, run, &p, c, NULL, 0);
}

static void write_next(const bench *f, const lab_model *m, const lab_model_run *run, const lab_generator *c,
                       const double *share) {
    const int kv = lab_model_kv(run, run->tokens), without = lab_model_kv(run, c[NO_CACHE].tokens);
    point p = {.shape = lab_step_shape(m, kv),
               .flops = {lab_step_flops(m, kv), lab_prefill_flops(m, without)},
               .bytes = {lab_step_bytes(m, kv), lab_prefill_bytes(m, without)}};
    if (strcmp(run->series, "tbt") == 0)
        snprintf(p.name, sizeof p.name, "%s, KV=%d", m->name, kv);
    else
        snprintf(p.name, sizeof p.name, "TBT, %s, prompt %d", m->name, run->prompt);
    if (f->read_bytes_s > 0)
        p.least_s = p.bytes[0] / f->read_bytes_s, p.least_of = "weights and cache, once from memory";
    write_rows(f, run, &p, c, share, 1);
}

// ---- One run

// Tokens are right if they are those of the lab's kernels.
static void judge_tokens(lab_generator *c, lab_generator *reference, const lab_model *m, const lab_model_run *run,
                         uint64_t seed) {
    char why[256];
    if (c->first.verdict != LAB_PASSED) return;
    if (reference->first.verdict != LAB_PASSED)
        snprintf(c->first.why, sizeof c->first.why, "tokens not compared: no reference kernels (%.300s)",
                 reference->first.why);
    else if (!lab_tokens_agree(c, reference, m, run, seed, why, sizeof why)) {
        c->first.verdict = LAB_WRONG_ANSWER, c->first.rounds = 0;
        snprintf(c->first.why, sizeof c->first.why, "%s", why);
    }
    if (c->first.verdict != LAB_PASSED)
        c->next = c->first;
    else if (c->next.verdict == LAB_PASSED)
        memcpy(c->next.why, c->first.why, sizeof c->next.why);
}

// The part of a step that attention takes: what the step is shorter without it.
static void measure_shares(bench *f, const lab_generator *c, const lab_model *m, const lab_model_run *run,
                           double *share) {
    static lab_generator without[HUGGING_FACE];
    for (int i = 0; i < HUGGING_FACE; i++)
        without[i] = (lab_generator){
            .name = c[i].name, .process = &f->process[i], .mode = LAB_NO_ATTENTION, .tokens = run->tokens};
    lab_time_tokens(without, HUGGING_FACE, m, run, f->b->seed);
    for (int i = 0; i < HUGGING_FACE; i++)
        if (c[i].next.rounds && without[i].next.rounds)
            share[i] = fmax(0, 1 - without[i].next.median_s / c[i].next.median_s);
}

static void measure(bench *f, const lab_model *m, const lab_model_run *run) {
    static const char *const names[GENERATORS] = {"yours", "reference kernels", "Hugging Face", "no cache"};
    static lab_generator c[GENERATORS];
    double share[GENERATORS] = {0};
    for (int i = 0; i < PROCESSES; i++)
        c[i] = (lab_generator){.name = names[i], .process = &f->process[i], .mode = LAB_CACHED, .tokens = run->tokens};
    c[NO_CACHE] = (lab_generator){.name = names[NO_CACHE],
                                  .process = &f->process[YOURS],
                                  .mode = LAB_RECOMPUTE,
                                  .tokens = run->tokens < FEW_TOKENS ? run->tokens : FEW_TOKENS};
    // One mode after the other, not in turn: a change of mode makes a runner record its graph again.
    lab_time_tokens(c, PROCESSES, m, run, f->b->seed);
    if (run->tokens > 1) lab_time_tokens(&c[NO_CACHE], 1, m, run, f->b->seed);
    judge_tokens(&c[YOURS], &c[REFERENCE], m, run, f->b->seed);
    if (run->tokens > 1) judge_tokens(&c[NO_CACHE], &c[REFERENCE], m, run, f->b->seed);
    const int is_model = strcmp(run->series, "model") == 0;
    f->failed = c[YOURS].first.verdict != LAB_PASSED;
    if (is_model && run->tokens > 1 && !f->failed) measure_shares(f, c, m, run, share);
    if (is_model) write_first(f, m, run, c);
    if (run->tokens > 1) write_next(f, m, run, c, share);
}

int lab_bench_models(const lab_bench *b, const lab_model *models, int n) {
    static bench f;
    f = (bench){.b = b};
    choose_kernels(&f);
    measure_rates(&f);
    for (int i = 0; i < n && !f.failed; i++) {
        define_runners(&f, &models[i]);
        for (const lab_model_run *run = models[i].runs; run->tokens && !f.failed; run++)
            if (lab_series_wanted(b->series, run->series)) measure(&f, &models[i], run);
        for (int k = 0; k < PROCESSES; k++) lab_contender_stop(&f.process[k]);
    }
    return f.failed;
}
