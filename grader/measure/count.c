// count.c: the memory traffic of one task's stage, counted: a table for people, JSON lines for the grader.
//
//     count TASK STAGE.checked.so [--json FILE [--seed-fd N]] [--only TEXT | --scored]
//         N: a descriptor that gives the inputs' seed; --scored: what carries points, and what shows an S x S buffer
//
// The stage is built for simt's checked mode. Run from the lab's root. A line of the JSON file is a row of results.json's
// "counts", or {"case", "verdict", "finding"}: what is wrong.
// Exit status: 0; 1 where something was found (an open TODO is not); 2 where nothing could be counted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "backend.h"
#include "count_case.h"
#include "count_sample.h"
#include "scored.h"
#include "seed.h"
#include "claims_text.h"
#include "shape_json.h"

static const double LOAD_SECONDS = 20, CALL_SECONDS = 60;

static struct {
    const lab_task *task;
    const char *stage;
    char runner[512];
    const char *only;  // a part of the cases' names; NULL: all
    int scored;
    FILE *json;
    int findings;
} c;

static const char *const squares[] = {"S=64 full", "S=128 full"};  // judge_square's

static int is_counted(const lab_experiment *e) {
    return e->method == LAB_COUNTED && strcmp(e->task, c.task->id) == 0 &&
           lab_only_wanted(c.only, e->series, e->name) &&
           (!c.scored || lab_is_counted_for_points(e->task, e->name) || strcmp(e->name, squares[0]) == 0);
}

static void write_line(json_t *o) {
    if (!o || (c.json && (json_dumpf(o, c.json, JSON_COMPACT) || fputc('\n', c.json) == EOF))) exit(2);
    json_decref(o);
}

static void report(const char *name, lab_verdict verdict, const char *why) {
    static char said[1400];
    char facts[1400];
    snprintf(facts, sizeof facts, "%s", why);
    const size_t first = strcspn(facts, ";");
    const int is_short = first && strlen(facts) < 50 && !facts[first];
    const int again = first && strncmp(facts, said, first + 1) == 0;
    const char *const shown = again ? ": as above" : first ? ":" : "";
    printf("  %-17s %s%s%s%s\n", name, lab_verdict_name(verdict), shown, is_short && !again ? " " : "",
           is_short && !again ? facts : "");
    if (first && !again && !is_short) lab_print_facts(facts, 20, 2, 0);
    snprintf(said, sizeof said, "%s", why);
    write_line(json_pack("{s:s, s:s, s:s}", "case", name, "verdict", lab_verdict_name(verdict), "finding", why));
    c.findings += verdict != LAB_MISSING;
}

// ---- one case

static void print_row(const char *name, const char *buffer, const lab_traffic *t, uint64_t least) {
    printf("  %-17s %-10s %9llu %9llu %9llu %9llu", name, buffer, (unsigned long long)t->bytes_loaded,
           (unsigned long long)t->bytes_stored, (unsigned long long)t->sectors, (unsigned long long)least);
    if (least) printf(" %8.2fx", 32.0 * t->sectors / least);
    putchar('\n');
}

// We leave out the shape of a softmax or a GEMM: its fields mean something else than attention's.
static void write_row(const lab_experiment *tc, const char *buffer, const lab_traffic *t, uint64_t least) {
    const int kernel = tc->op == &lab_softmax_batched || tc->op == &lab_gemm_nt || tc->op == &lab_gemm_nn;
    json_t *o = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "case", tc->name, "buffer", buffer, "bytes_loaded",
                          (json_int_t)t->bytes_loaded, "bytes_stored", (json_int_t)t->bytes_stored, "sectors",
                          (json_int_t)t->sectors, "bank_conflicts", (json_int_t)t->bank_conflicts, "least_bytes",
                          (json_int_t)least);
    if (o && !kernel) json_object_set_new(o, "shape", lab_shape_json(tc->shape));
    if (o && tc->sampled) json_object_set_new(o, "sampled", json_true());
    write_line(o);
}

// A wavefront brings 32 numbers: one for each lane of a warp, where no two want the same bank.
static void write_shared(const lab_experiment *tc, const lab_counts *counts) {
    write_line(json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "case", tc->name, "buffer", "shared",
                         "bytes_loaded", (json_int_t)0, "bytes_stored", (json_int_t)0, "sectors", (json_int_t)0,
                         "bank_conflicts", (json_int_t)counts->shared.bank_conflicts, "wavefronts",
                         (json_int_t)counts->wavefronts, "multiply_adds", (json_int_t)lab_multiply_adds(tc)));
}

static void show(const lab_experiment *tc, const lab_counts *counts) {
    const lab_op *op = tc->op;
    const uint64_t moved = lab_bytes_moved(counts), least = lab_experiment_bytes(tc, 0);
    const char *name = tc->name;
    for (int t = 0; t < op->n_tensors; t++) {
        const uint64_t must = lab_traffic_least(tc, t);
        if (!must && !counts->tensor[t].sectors) continue;  // the stage does not even see it
        print_row(name, op->tensors[t], &counts->tensor[t], must);
        write_row(tc, op->tensors[t], &counts->tensor[t], must);
        name = "";
    }
    if (counts->other.sectors) print_row(name, "other", &counts->other, 0);
    write_row(tc, "other", &counts->other, 0);
    write_shared(tc, counts);
    if (tc->sampled) printf("  %-17s from four blocks of each launch, which stand for all\n", "");
    printf("  %-17s %.2f times the minimum bytes, %.2f times the minimum sectors\n", "", (double)moved / least,
           moved / 32.0 / counts->ideal_sectors);
    if (counts->shared.bank_conflicts)
        printf("  %-17s %llu bank conflicts\n", "", (unsigned long long)counts->shared.bank_conflicts);
    if (counts->wavefronts && op != &lab_softmax_batched)  // which multiplies nothing
        printf("  %-17s %.2f numbers from and to shared memory per multiply-add\n", "",
               32.0 * counts->wavefronts / lab_multiply_adds(tc));
}

static int open_stage(lab_stage *stage) {
    size_t arena = 0;
    char why[640];
    char *const runner[] = {c.runner, (char *)c.stage, NULL};
    for (int i = 0; i < lab_n_experiments; i++) {
        const size_t needed = is_counted(&lab_experiments[i]) ? lab_count_arena(&lab_experiments[i]) : 0;
        if (needed > arena) arena = needed;
    }
    const lab_stage_options options = {
        .runner = runner, .stage = c.stage, .arena_bytes = arena, .load_seconds = LOAD_SECONDS};
    const lab_verdict v = lab_stage_open(stage, &options, why, sizeof why);
    if (v == LAB_PASSED) return 1;
    report("all", v, why);
    lab_stage_close(stage);
    return 0;
}

// ---- across cases

static const lab_counted *result_of(const lab_counted *results, const char *name) {
    for (int i = 0; i < lab_n_experiments; i++)
        if (is_counted(&lab_experiments[i]) && strcmp(lab_experiments[i].name, name) == 0)
            return results[i].verdict == LAB_PASSED ? &results[i] : NULL;
    return NULL;
}

// A fused kernel stores no S x S matrix. What it may keep for a row (m, l) grows with S, as small tables do; a matrix
// of scores takes at least 2 bytes for each query and key, and four times as many when S doubles.
static void judge_square(const lab_counted *results) {
    const lab_counted *half = result_of(results, squares[0]), *full = result_of(results, squares[1]);
    if (!half || !full) return;
    const uint64_t at_64 = 32 * half->counts.other.sectors, at_128 = 32 * full->counts.other.sectors;
    const uint64_t pairs = 2 * 128 * 128;  // of the two heads
    char why[320];
    if (at_128 < 2 * pairs || at_128 < 3 * at_64) {
        printf("  no S x S buffer: %llu bytes of global memory other than Q, K, V and O at S=128\n",
               (unsigned long long)at_128);
        return;
    }
    snprintf(why, sizeof why,
             "at S=128 it moved %llu bytes of global memory other than Q, K, V and O, and at S=64 %llu: a buffer of S "
             "x S, which a fused kernel does without",
             (unsigned long long)at_128, (unsigned long long)at_64);
    report("all", LAB_WRONG_ANSWER, why);
}

static int usage(void) {
    fprintf(stderr, "usage: count TASK STAGE.checked.so [--json FILE [--seed-fd N]] [--only TEXT | --scored]\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[argc - 2], "--only") == 0) c.only = *argv[argc - 1] ? argv[argc - 1] : NULL, argc -= 2;
    if (argc > 1 && strcmp(argv[argc - 1], "--scored") == 0) c.scored = 1, argc--;
    const int with_json = argc >= 5 && strcmp(argv[3], "--json") == 0;
    const int with_seed = argc == 7 && with_json && strcmp(argv[5], "--seed-fd") == 0;
    const uint64_t seed = with_seed ? lab_read_seed(atoi(argv[6]), 1) : 1;
    if ((argc != 3 + 2 * with_json + 2 * with_seed) || !(c.task = lab_task_find(argv[1]))) return usage();
    c.stage = argv[2];
    if (with_json && !(c.json = fopen(argv[4], "w"))) {
        perror(argv[4]);
        return 2;
    }
    setenv("LAB_BACKEND", "simt", 1);
    setenv("LAB_CHECKED", "1", 1);
    lab_runner_of(c.task, "build", c.runner, sizeof c.runner);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!lab_has_experiments(c.task->id, LAB_COUNTED)) {
        printf("  SKIP     %s has no traffic to count\n", c.task->id);
        return 0;
    }

    int counted = 0;
    for (int i = 0; i < lab_n_experiments; i++) counted += is_counted(&lab_experiments[i]);
    if (!counted) {
        lab_only_list(c.only, c.task->id, LAB_COUNTED, NULL);
        return 2;
    }
    lab_counted *results = calloc(lab_n_experiments, sizeof *results);
    lab_stage stage = {0};
    printf("%s  %s: memory traffic, counted by simt\n  %-17s %-10s %9s %9s %9s %9s %9s\n", c.task->id, c.task->title,
           "case", "buffer", "loaded", "stored", "sectors", "minimum", "x minimum");
    for (int i = 0; results && i < lab_n_experiments; i++) {
        const lab_experiment *tc = &lab_experiments[i];
        lab_counted *r = &results[i];
        if (!is_counted(tc)) continue;
        if (!stage.alive) {
            lab_stage_close(&stage);
            if (!open_stage(&stage)) return c.json && fclose(c.json) ? 2 : 1;
        }
        if (tc->sampled)
            lab_count_sampled(&stage, tc, seed, CALL_SECONDS, results, r);
        else
            lab_count_case(&stage, tc, seed, CALL_SECONDS, r);
        if (r->verdict == LAB_PASSED)
            show(tc, &r->counts);
        else if (tc->sampled)  // no finding: the points do not ask for it
            lab_print_wrapped(r->why, 20, 2, printf("  %-17s", tc->name));
        else
            report(tc->name, r->verdict, r->why);
    }
    lab_stage_close(&stage);
    judge_square(results);
    free(results);
    if (c.json && fclose(c.json)) return 2;
    return c.findings > 0;
}
