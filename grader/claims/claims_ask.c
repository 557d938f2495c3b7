// claims_ask.c: what the program claims is asked for. Besides TASK, --stage and --runner:
//
//     --probe PROBE.so --source FILE   also the claims of single TODOs: the probe, and the student's file
//     --part STAGE.so                  task 6: the student's stages of the tasks that it is built from, in their order
//     --build DIR                      task 6: where the lab's own kernels are (build)
//     --only TEXT                      claims whose name contains the text, whose criterion or TODO it is
//     --checked-runner RUNNER          simt's runner of checked mode: it is asked about a claim that has failed, and, where
//                                      all hold, about one of each criterion
//     --edits PROGRAM                  one change of the file that mends what fails is looked for: grader/repair
//     --line-only                      of such a change the line alone is said
//     --second-look COMMAND --second-runner RUNNER   on a GPU: the same claims under simt: second_look.h
//     --smallest                       of each criterion one small claim: for checked mode, where calls take long
//     --until VERDICT --says TEXT      no further claims after the first with that verdict and that text; long ones last
//     --results FILE                   one line of JSON per claim; {"note": ...}; {"told": claim, ...}: its last
//                                  words; {"explained": 1 if nothing is left to explain}
//     --summary FILE                   how many hold, in one line
//     --xml FILE                       CMocka's report, JUnit XML
//     --timeout S                      seconds that a call may take (10)
//     --seed-fd N                      a descriptor that gives the seed of the inputs; without it, 1
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "claims_text.h"
#include "seed.h"

int lab_read_ask(int argc, char **argv, lab_ask *ask) {
    static const struct option options[] = {{"stage", 1, 0, 's'},
                                            {"runner", 1, 0, 'r'},
                                            {"probe", 1, 0, 'p'},
                                            {"source", 1, 0, 'f'},
                                            {"part", 1, 0, 'k'},
                                            {"build", 1, 0, 'b'},
                                            {"only", 1, 0, 'o'},
                                            {"results", 1, 0, 'j'},
                                            {"summary", 1, 0, 'u'},
                                            {"xml", 1, 0, 'x'},
                                            {"timeout", 1, 0, 't'},
                                            {"seed-fd", 1, 0, 'd'},
                                            {"smallest", 0, 0, 'm'},
                                            {"until", 1, 0, 'w'},
                                            {"says", 1, 0, 'y'},
                                            {"checked-runner", 1, 0, 'c'},
                                            {"edits", 1, 0, 'e'},
                                            {"line-only", 0, 0, 'l'},
                                            {"second-look", 1, 0, '2'},
                                            {"second-runner", 1, 0, 'n'},
                                            {0}};
    int parts = 0;
    *ask = (lab_ask){.build = "build", .only = "", .says = "", .seconds = 10, .seed = 1};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (o) {
        case 's': ask->stage = optarg; break;
        case 'r': ask->runner = optarg; break;
        case 'p': ask->probe = optarg; break;
        case 'f': ask->source = optarg; break;
        case 'k':
            if (parts < 2) ask->part[parts++] = optarg;
            break;
        case 'b': ask->build = optarg; break;
        case 'o': ask->only = optarg; break;
        case 'j': ask->results_path = optarg; break;
        case 'u': ask->summary = optarg; break;
        case 'x': ask->xml = optarg; break;
        case 't': ask->seconds = atof(optarg); break;
        case 'w': ask->until = optarg; break;
        case 'y': ask->says = optarg; break;
        case 'c': ask->checked_runner = optarg; break;
        case 'e': ask->edits = optarg; break;
        case 'l': ask->line_only = 1; break;
        case '2': ask->second_look = optarg; break;
        case 'n': ask->second_runner = optarg; break;
        case 'm': ask->smallest = 1; break;
        case 'd': ask->seed = lab_read_seed(atoi(optarg), ask->seed); break;
        default: return 0;
        }
    ask->task = optind < argc ? lab_task_find(argv[optind]) : NULL;
    return ask->task && ask->stage && ask->runner && ask->seconds > 0;
}

static double weight(const lab_case *row, uint64_t seed) {
    lab_case c;
    return lab_case_find(row->task, row->claim, seed, &c) ? lab_ask_weight(&c) : INFINITY;
}

// Elements of all tensors, times the tokens of a layer. A whole model takes longer than any of them.
static double work_of(const lab_case *c) {
    double n = 0;
    if (c->op == &lab_generate) return INFINITY;
    for (int t = 0; t < c->op->n_tensors; t++) n += c->op->elements(c->shape, t);
    return c->op == &lab_layer ? n * c->shape.batch * c->shape.seq_q : n;
}

int lab_takes_long(const lab_case *row, uint64_t seed) {
    lab_case c;
    return lab_case_find(row->task, row->claim, seed, &c) && work_of(&c) > 16e6;
}

// A claim with few elements shows little of what threads do to each other: it counts as large.
double lab_ask_weight(const lab_case *c) {
    enum { LEAST = 4096 };
    const double n = work_of(c);
    return n < LEAST ? 1e12 - n : n;
}

// Checked mode is a hundred times slower than the other. What it finds it finds in the first call of a claim, and what a
// call leaves behind for the next one in small claims: only they are called twice there. A large claim has one head, and
// its tokens come in the prompt, but for the last. A claim that is asked for by its name stays as it is.
int lab_ask_lighter(const lab_ask *ask, lab_case *c) {
    enum {
        SMALL = 1 << 13,
        LARGE = 1 << 17,
        LAST = 16
    };  // scores of all heads: 2 x 64 x 64, 2 x 4 x 128 x 128; tokens
    attn_shape *s = &c->shape;
    const double scores = (double)s->batch * s->heads * s->seq_q * s->seq_kv;
    if (*ask->only || !strstr(ask->runner, "_checked") || c->op->probe) return 0;
    c->once = c->op == &lab_generate || scores > SMALL;
    if (c->op == &lab_generate || scores <= LARGE) return 0;
    s->batch = s->heads = 1;
    if (c->op == &lab_layer && s->seq_q - c->prompt > LAST) c->prompt = s->seq_q - LAST;
    return 1;
}

// Of its criterion's claims about the whole file.
static int is_smallest(const lab_case *c, uint64_t seed) {
    const lab_case *other;
    const double own = weight(c, seed);
    if (isinf(own)) return 0;
    for (int i = 0; (other = lab_case_at(i)); i++)
        if (!other->todo && strcmp(other->task, c->task) == 0 && strcmp(other->criterion, c->criterion) == 0) {
            const double x = weight(other, seed);
            if (x < own || (x == own && other < c)) return 0;
        }
    return 1;
}

int lab_ask_for(const lab_ask *ask, const lab_case *c) {
    if (strcmp(c->task, ask->task->id) || (c->todo && !ask->probe)) return 0;
    if (ask->smallest && !is_smallest(c, ask->seed)) return 0;
    return strstr(c->claim, ask->only) || strcmp(c->criterion, ask->only) == 0 ||
           (c->todo && strcmp(c->todo, ask->only) == 0);
}

int lab_say_nothing_asked(const lab_ask *ask) {
    const lab_case *c, *first = NULL, *last = NULL, *before = NULL;
    char groups[200] = "";
    for (int i = 0; (c = lab_case_at(i)); i++) {
        if (strcmp(c->task, ask->task->id)) continue;
        if (c->todo) {
            first = first ? first : c, last = c;
            continue;
        }
        const size_t used = strlen(groups);
        if (!before || strcmp(before->criterion, c->criterion))
            snprintf(groups + used, sizeof groups - used, "%s%s", used ? ", " : "", c->criterion);
        before = c;
    }
    printf("  nothing of %s is called %s: no claim has it in its name.\n", ask->task->id, ask->only);
    char there[300];
    snprintf(there, sizeof there, "There are the claims of %s%s%s%s%s.", groups, first ? ", and the TODOs " : "",
             first ? first->todo : "", first ? " to " : "", first ? last->todo : "");
    lab_print_wrapped(there, 2, 0, 0);
    return 1;
}
