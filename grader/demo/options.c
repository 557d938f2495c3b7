// options.c: the command line.
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

static const char DEMO_MODEL[] = "task6_pipeline/demo/model";

static const char USAGE[] = "usage: demo --stage TASK6.so [--model DIR] [--prompt TEXT] [--tokens N]\n"
                            "            [--recall N] [--temperature T [--top-k K] [--seed S]] [--json FILE]\n"
                            "            [--part TASK4.so --part TASK5.so] [--timeout S] [--seed-fd N]\n"
                            "\n"
                            "  --model DIR      a GPT-2 in Hugging Face's format; without: the phone book's\n"
                            "  --prompt TEXT    the text's beginning; without: a question about a phone book\n"
                            "  --tokens N       how many tokens at most (32; 64 with --model)\n"
                            "  --recall N       questions about fresh books (400; 20 without a GPU; 0 with\n"
                            "                   --prompt)\n"
                            "  --temperature T  0 (the default): the likeliest token always; otherwise tokens\n"
                            "                   are drawn at random\n"
                            "\n"
                            "From the lab's root: make demo [PROMPT=\"...\"] [MODEL=DIR] [TOKENS=N] [RECALL=N]\n"
                            "                               [TEMPERATURE=T TOP_K=K SEED=S]\n";

static int complain(const char *what, const char *value) {
    fprintf(stderr, "demo: %s%s%s\n\n%s", what, *value ? " " : "", value, USAGE);
    return 2;
}

// 1 if the whole text is a number between the bounds.
static int number(const char *text, double least, double most, double *x) {
    char *end;
    *x = strtod(text, &end);
    return end != text && !*end && *x >= least && *x <= most;
}

static int whole(const char *text, int least, int most, int *n) {
    double x;
    if (!number(text, least, most, &x) || x != (int)x) return 0;
    *n = (int)x;
    return 1;
}

static int real(const char *text, float *value) {
    double x;
    if (!number(text, 0, 1000, &x)) return 0;
    *value = (float)x;
    return 1;
}

static int seed(const char *text, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 0);
    return end != text && !*end && *text != '-';
}

int demo_read_options(int argc, char **argv, demo_options *o) {
    static const struct option names[] = {
        {"stage", 1, NULL, 's'},  {"model", 1, NULL, 'm'},   {"prompt", 1, NULL, 'p'},  {"json", 1, NULL, 'j'},
        {"tokens", 1, NULL, 'n'}, {"recall", 1, NULL, 'r'},  {"top-k", 1, NULL, 'k'},   {"temperature", 1, NULL, 't'},
        {"part", 1, NULL, 'P'},   {"seed-fd", 1, NULL, 'd'}, {"timeout", 1, NULL, 'T'}, {"seed", 1, NULL, 'S'},
        {"help", 0, NULL, 'h'},   {NULL, 0, NULL, 0}};
    *o = (demo_options){.model = DEMO_MODEL, .recall = -1, .seed = 1, .seed_fd = -1};
    opterr = 0;
    for (int c, good = 1; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (c) {
        case 's': o->stage = optarg; break;
        case 'm': o->model = optarg, o->own_model = 1; break;
        case 'p': o->prompt = optarg; break;
        case 'j': o->json = optarg; break;
        case 'n': good = whole(optarg, 1, 1 << 20, &o->tokens); break;
        case 'r': good = whole(optarg, 0, 100000, &o->recall); break;
        case 'k': good = whole(optarg, 0, 1 << 20, &o->top_k); break;
        case 't': good = real(optarg, &o->temperature); break;
        case 'P': o->part[o->part[0] != NULL] = optarg; break;
        case 'd': good = whole(optarg, 0, 1 << 20, &o->seed_fd); break;
        case 'T': good = real(optarg, &o->timeout); break;
        case 'S': good = seed(optarg, &o->seed); break;
        case 'h': fputs(USAGE, stdout); exit(0);
        default: return complain("unknown or incomplete option", argv[optind - 1]);
        }
        if (!good) return complain("not a number, or too large:", optarg);
    }
    if (optind < argc) return complain("unexpected argument", argv[optind]);
    if (!o->stage) return complain("--stage is missing", "");
    if (o->own_model && o->recall > 0) return complain("recall is asked of the phone-book model: no --model", "");
    if (o->own_model && !o->prompt) return complain("a model of your own needs --prompt (PROMPT=\"...\")", "");
    if (!o->tokens) o->tokens = o->own_model ? 64 : 32;
    if (o->recall < 0) o->recall = o->prompt ? 0 : lab_backend()->on_gpu ? 400 : 20;
    return 0;
}

char *demo_unescape(const char *text) {
    char *copy = malloc(strlen(text) + 1), *to = copy;
    while (copy && *text) {
        const int escaped = text[0] == '\\' && (text[1] == 'n' || text[1] == 't');
        *to++ = !escaped ? *text : text[1] == 'n' ? '\n' : '\t';
        text += 1 + escaped;
    }
    if (copy) *to = 0;
    return copy;
}
