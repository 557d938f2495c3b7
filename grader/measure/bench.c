// bench.c: measures one task's stage next to the baselines: a table for people, JSON lines for the grader.
//
//     bench TASK STAGE.so [--series seq,heads,...|-tiles] [--source FILE] [--tree DIR] [--json FILE]
//                         [--scored] [--kept DIR] [--anew] [--only TEXT]
//     bench task6 STAGE.so --model layers=12,hidden=768,... [--prompt N] [--tokens N]
//     bench ceilings [--json FILE]
//
// Run from the lab's root.
// --part: a stage of a task that this one is built from, in their order. --seed-fd N: a descriptor that gives the seed.
// --tree: the stage called "task 2", and task 6's reference kernels (default: those of grader/solutions).
// --scored: only the points that carry points in grader/rubric.json, and the table of speed-ups; without Python.
// --kept: a folder in which the baselines' times wait for the next run on this machine. --anew: forgets them first.
// --only: the points with this in their name, without PyTorch: a quick look.
// --model: a GPT-2 of these sizes with random weights, in place of the usual ones (GPT-2 124M's where nothing is said).
// A line of the JSON file is an element of results.json's "timings", or its "machine" ceilings.
#include "bench.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "clock.h"
#include "scored.h"
#include "seed.h"

static struct {
    const char *series, *source, *json, *tree, *model, *kept, *only, *parts[2];
    int prompt, tokens, seed_fd, scored, anew;
} o = {.prompt = 900, .tokens = 100};

static int usage(void) {
    fprintf(stderr, "usage: bench TASK STAGE.so [--series LIST] [--source FILE] [--tree DIR] [--json FILE]\n"
                    "             [--part TASK4.so --part TASK5.so] [--seed-fd N] [--scored] [--kept DIR] [--anew]\n"
                    "             [--only TEXT]\n"
                    "       bench task6 STAGE.so --model layers=N,hidden=N,... [--prompt N] [--tokens N]\n"
                    "       bench ceilings [--json FILE]\n");
    return 2;
}

// Options come in pairs, but for --scored and --anew. Returns 0 for one that there is not.
static int read_options(char **argv) {
    const struct {
        const char *name, **text;
        int *number;
    } options[] = {{"--series", &o.series, NULL},  {"--source", &o.source, NULL}, {"--json", &o.json, NULL},
                   {"--tree", &o.tree, NULL},      {"--model", &o.model, NULL},   {"--kept", &o.kept, NULL},
                   {"--only", &o.only, NULL},      {"--prompt", NULL, &o.prompt}, {"--tokens", NULL, &o.tokens},
                   {"--seed-fd", NULL, &o.seed_fd}};
    for (; *argv; argv += 2) {
        size_t i = 0;
        if (strcmp(*argv, "--part") == 0 && argv[1] && !o.parts[1]) {
            o.parts[o.parts[0] != NULL] = argv[1];
            continue;
        }
        int *const flag = strcmp(*argv, "--scored") == 0 ? &o.scored : strcmp(*argv, "--anew") == 0 ? &o.anew : NULL;
        if (flag) {
            *flag = 1, argv--;
            continue;
        }
        while (i < sizeof options / sizeof *options && strcmp(options[i].name, *argv)) i++;
        if (i == sizeof options / sizeof *options || !argv[1]) return 0;
        if (options[i].text) *options[i].text = argv[1];
        if (options[i].number) *options[i].number = atoi(argv[1]);
    }
    return 1;
}

static int bench_one_model(const lab_bench *b) {
    lab_model m = {.name = "random model", .runs = {{"model", o.prompt, o.tokens}}};
    char why[512];
    if (!lab_model_read(&m, o.model, why, sizeof why)) {
        fprintf(stderr, "bench: %s\n", why);
        return 2;
    }
    if (o.prompt > 0 && o.tokens > 0 && o.tokens <= LAB_MOST_TOKENS && o.prompt + o.tokens <= m.positions)
        return lab_bench_models(b, &m, 1);
    fprintf(stderr, "bench: --prompt and --tokens, at most %d, must fit into the model's positions\n", LAB_MOST_TOKENS);
    return 2;
}

// The task's points are whole models.
static int is_about_models(const lab_task *task) {
    for (int i = 0; i < lab_n_experiments; i++)
        if (lab_experiments[i].op == &lab_generate && strcmp(lab_experiments[i].task, task->id) == 0) return 1;
    return 0;
}

// Says so where there are none.
static int some_wanted(const lab_bench *b, lab_method method) {
    char name[64];
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (e->method != method || strcmp(e->task, b->task->id) || !lab_series_wanted(b->series, e->series)) continue;
        for (int threads = 1; threads <= omp_get_num_procs(); threads++) {
            lab_experiment_name(e, threads, name, sizeof name);
            if (lab_only_wanted(b->only, e->series, name)) return 1;
        }
    }
    lab_only_list(b->only, b->task->id, method, b->series);
    return 0;
}

static int bench(const lab_bench *b) {
    const int on_gpu = b->task->language == LAB_CUDA, models = is_about_models(b->task);
    if (b->scored && !lab_is_scored(b->task->id, NULL, NULL)) {
        printf("  SKIP     no time of %s carries points\n", b->task->id);
        return 0;
    }
    if (models && o.model) return bench_one_model(b);
    if (on_gpu && (!lab_backend()->on_gpu || !lab_has_experiments(b->task->id, LAB_ON_GPU))) {
        printf("  SKIP     %s is timed on a GPU only\n", b->task->id);
        return 0;
    }
    if (b->only && !models && !some_wanted(b, on_gpu ? LAB_ON_GPU : LAB_ON_HOST)) return 2;
    printf("%s  %s: medians of rounds with fresh inputs\n", b->task->id, b->task->title);
    if (models) return lab_bench_models(b, lab_models, lab_n_models);
    return on_gpu ? lab_bench_device(b) : lab_bench_host(b);
}

int main(int argc, char **argv) {
    char solutions[512];
    lab_bench b = {.build = "build", .seed = 1};
    const int ceilings = argc > 1 && strcmp(argv[1], "ceilings") == 0;
    if (argc < 2 + !ceilings || !read_options(argv + 2 + !ceilings)) return usage();
    snprintf(solutions, sizeof solutions, "%s/stage/grader+solutions", b.build);
    b.tree = o.tree ? o.tree : solutions;
    b.series = o.series, b.source = o.source, b.kept = o.kept, b.scored = o.scored, b.anew = o.anew;
    b.only = o.only && *o.only ? o.only : NULL;
    memcpy(b.parts, o.parts, sizeof b.parts);
    if (o.seed_fd) b.seed = lab_read_seed(o.seed_fd, 1);
    if (!ceilings && !(b.task = lab_task_find(argv[1]))) return usage();
    if (o.json && !(b.json = fopen(o.json, "w"))) {
        perror(o.json);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (ceilings) return lab_bench_ceilings(b.build, b.json);
    b.stage = argv[2];
    return bench(&b);
}
