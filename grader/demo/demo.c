// demo.c: a GPT-2 answers a prompt with the student's kernels, beside the reference; then recall from phone books.
//
//     options: options.c; environment: LAB_BACKEND
//     exit status: 0 answered, and as well as the reference; 1 not; 2 wrong usage, or a model that cannot be read
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <jansson.h>

#include "ask.h"
#include "backend.h"
#include "inputs.h"
#include "task6_kernels.h"
#include "options.h"
#include "prompt.h"
#include "recall.h"
#include "reference.h"
#include "seed.h"
#include "show.h"
#include "stream.h"

static struct {
    demo_options o;
    gpt2_checkpoint *model;
    gpt2_tokenizer *tokenizer;
    uint64_t seed;  // of the books
    demo_prompt prompt;
    lab_kernels kernels;
    lab_stage stage;
    char *runner[8], runner_path[512];
    lab_verdict opened;
    char why[512];
    demo_text yours, reference;
    int has_reference;
    demo_questions questions;
    int recall_yours, recall_reference;
    int broken;  // the GPU has gone: the lab's fault
} demo;

static int fail(const char *why) {
    fprintf(stderr, "demo: %s\n", why);
    return 2;
}

// ---- The model

static int open_model(void) {
    demo.model = gpt2_open(demo.o.model, demo.why, sizeof demo.why);
    if (demo.model)
        demo.tokenizer = gpt2_tokenizer_open(demo.o.model, demo.model->config.vocab_size, demo.why, sizeof demo.why);
    return demo.tokenizer != NULL;
}

static void show_prompt(void) {
    const gpt2_config *c = &demo.model->config;
    const int cuda = lab_backend()->on_gpu;
    printf("demo   a GPT-2 (%d layers, hidden size %d, %d tokens)\n       on your kernels, %s\n", c->n_layer, c->n_embd,
           c->vocab_size, cuda ? "on the GPU" : "on the CPU (simt)");
    for (int i = 0; i < 2; i++)
        if (*demo.kernels.note[i]) printf("  Note: %s\n", demo.kernels.note[i]);
    putchar('\n');
    if (demo.o.prompt) return;
    printf("  A random book, %d entries:", demo.prompt.book.n);
    for (int i = 0; i < demo.prompt.book.n; i++)
        printf("%s%-7s%s", i % 4 ? "  " : "\n    ", demo.prompt.book.entry[i].name, demo.prompt.book.entry[i].number);
    const int asked = demo.prompt.book.asked[0];
    printf("\n\n  %-*s%s?   (the book says %s)\n", DEMO_MARGIN - 2, "question", demo.prompt.book.entry[asked].name,
           demo.prompt.book.entry[asked].number);
}

// ---- The answer

static void say(void *text, const int *token) { demo_text_put(text, *token); }

static lab_sampling sampling(void) {
    return (lab_sampling){.temperature = demo.o.temperature,
                          .top_k = demo.o.top_k,
                          .seed = {(uint32_t)demo.o.seed, (uint32_t)(demo.o.seed >> 32)},
                          .mode = LAB_CACHED,
                          .stop = gpt2_end_of_text(demo.tokenizer)};
}

// The limit of a call, in seconds. Even without OpenBLAS the emulation does 1e7 multiply-adds a second.
static double limit(double sequences, double tokens, double generated) {
    const double rate = !lab_backend()->on_gpu ? 1e7 : 1e9;
    return demo.o.timeout > 0 ? demo.o.timeout
                              : 60 + sequences * demo_work(&demo.model->config, tokens, generated) / rate;
}

static lab_question the_question(void) {
    return (lab_question){.batch = 1,
                          .seq = demo.prompt.n,
                          .n_new = demo.prompt.n_new,
                          .max_seq = demo.prompt.n + demo.prompt.n_new,
                          .vocab = demo.model->config.vocab_size,
                          .ids = demo.prompt.ids,
                          .length = &demo.prompt.n,
                          .sampling = sampling(),
                          .seconds = limit(1, demo.prompt.n + demo.prompt.n_new, demo.prompt.n_new)};
}

// One runner serves all questions.
static void open_stage(void) {
    lab_question q = the_question();
    size_t bytes = lab_question_bytes(&q);
    if (demo.o.recall) {
        q = demo_batch(&demo.questions, 0, demo.model->config.vocab_size, 0);
        if (lab_question_bytes(&q) > bytes) bytes = lab_question_bytes(&q);
    }
    lab_runner_of(lab_task_find("task6"), "build", demo.runner_path, sizeof demo.runner_path);
    lab_kernels_command(&demo.kernels, demo.runner_path, demo.o.stage, demo.o.model, demo.runner);
    setenv("SIMT_GUARD", "0", 0);     // a model has a hundred launches a token: see grader/model/README.md
    setenv("SIMT_TIMEOUT", "60", 0);  // of one kernel, which has a long prompt to do
    const lab_stage_options options = {
        .runner = demo.runner, .stage = demo.o.stage, .arena_bytes = bytes, .load_seconds = limit(1, 0, 0) + 60};
    demo.opened = lab_stage_open(&demo.stage, &options, demo.why, sizeof demo.why);
}

// On a GPU the first call pays for buffers, libraries and a graph, so we make one before the clock starts.
static void warm_up(lab_answer *a) {
    lab_question q = the_question();
    if (q.n_new > 3) q.n_new = 3;
    lab_ask(&demo.stage, &q, a);
    if (a->verdict == LAB_PASSED) lab_answer_free(a);
}

// 1 if the student's process did what it was asked.
static int answer(void) {
    lab_answer a = {.verdict = demo.opened};
    lab_question q = the_question();
    memcpy(a.why, demo.why, sizeof a.why);
    q.each = say, q.context = &demo.yours;
    demo_text_begin(&demo.yours, demo.tokenizer, "yours");
    if (a.verdict == LAB_PASSED && lab_backend()->on_gpu) warm_up(&a);
    if (a.verdict == LAB_PASSED) lab_ask(&demo.stage, &q, &a);
    const int good = a.verdict == LAB_PASSED, some = demo.yours.used > 0;
    if (good || some) demo_text_end(&demo.yours), printf("  %-*s", DEMO_MARGIN - 2, good ? "time" : "");
    if (good)
        demo_show_times(&a, demo.prompt.n);
    else
        demo_show_failure(a.verdict, a.why, a.todo);
    demo.broken |= a.verdict == LAB_GRADER_ERROR;
    lab_answer_free(&a);
    return good;
}

static void refer(int answered) {
    const double work = demo_work(&demo.model->config, demo.prompt.n + demo.prompt.n_new, demo.prompt.n_new);
    if (work > DEMO_MOST_WORK) {
        printf("  reference  skipped: %.1f billion multiply-adds in float64 take too long on a CPU (most: %.0f)\n",
               work / 1e9, DEMO_MOST_WORK / 1e9);
        return;
    }
    demo_text_begin(&demo.reference, demo.tokenizer, "reference");
    demo.has_reference =
        demo_reference(demo.model, demo.prompt.ids, demo.prompt.n, demo.prompt.n_new, sampling(), say, &demo.reference);
    demo_text_end(&demo.reference);
    if (!demo.has_reference)
        printf("  the lab has no memory for the reference\n");
    else if (answered && strcmp(demo.yours.text, demo.reference.text))
        printf("  The texts differ: a kernel is wrong (make task4 task5 task6 test), or two tokens were as good as "
               "equal.\n");
}

// ---- Recall

static int recall(int answered) {
    lab_answer a = {.verdict = LAB_PASSED};
    const int n = demo.o.recall, books = (n + BOOK_QUESTIONS - 1) / BOOK_QUESTIONS;
    const double start = lab_now();
    printf("\n  recall     %d questions about %d fresh book%s of %d entries\n", n, books, books == 1 ? "" : "s",
           RECALL_ENTRIES);
    fflush(stdout);
    demo.recall_reference = demo_recall_reference(&demo.questions, demo.model);
    const double middle = lab_now();
    if (answered)
        demo.recall_yours = demo_recall_yours(&demo.questions, &demo.stage, demo.model->config.vocab_size,
                                              limit(LAB_MAX_STREAMS, demo.questions.seq, BOOK_DIGITS), &a);
    printf("  %-*syours %d/%d, reference %d/%d, in %.1f s and %.1f s\n", DEMO_MARGIN - 2, "", demo.recall_yours, n,
           demo.recall_reference, n, lab_now() - middle, middle - start);
    if (a.verdict != LAB_PASSED) printf("  %-*s", DEMO_MARGIN - 2, ""), demo_show_failure(a.verdict, a.why, a.todo);
    demo.broken |= a.verdict == LAB_GRADER_ERROR;
    lab_answer_free(&a);
    return demo.recall_reference >= 0 && demo.recall_yours >= demo.recall_reference && a.verdict == LAB_PASSED;
}

// ---- The results

static int write_json(void) {
    json_t *o = json_pack("{s:{s:s, s:s}}", "demo", "prompt", demo.prompt.text, "text", demo.yours.text);
    json_t *inner = json_object_get(o, "demo");
    if (inner && demo.has_reference) json_object_set_new(inner, "reference_text", json_string(demo.reference.text));
    if (inner && demo.o.recall && demo.recall_reference >= 0)
        json_object_set_new(inner, "recall",
                            json_pack("{s:i, s:i, s:i}", "asked", demo.o.recall, "yours", demo.recall_yours,
                                      "reference", demo.recall_reference));
    const int written = o && json_dump_file(o, demo.o.json, JSON_INDENT(1)) == 0;
    json_decref(o);
    return written;
}

static void clean_up(void) {
    lab_stage_close(&demo.stage);
    demo_text_free(&demo.yours);
    demo_text_free(&demo.reference);
    demo_questions_free(&demo.questions);
    demo_prompt_free(&demo.prompt);
    gpt2_tokenizer_close(demo.tokenizer);
    gpt2_close(demo.model);
}

int main(int argc, char **argv) {
    const int status = demo_read_options(argc, argv, &demo.o);
    uint64_t fresh = 1;
    if (status) return status;
    if (getrandom(&fresh, sizeof fresh, 0) < 0) perror("getrandom");
    demo.seed = demo.o.seed_fd >= 0 ? lab_read_seed(demo.o.seed_fd, fresh) : fresh;
    if (!open_model() || demo_prompt_make(&demo.prompt, &demo.o, &demo.model->config, demo.tokenizer, demo.seed,
                                          demo.why, sizeof demo.why))
        return fail(demo.why);
    if (demo.o.recall &&
        !demo_questions_draw(&demo.questions, demo.o.recall, lab_key(demo.seed, "demo", 0, 1), demo.tokenizer))
        return fail("no memory for the questions");
    lab_kernels_choose(&demo.kernels, "build", demo.o.part, demo.seed);
    show_prompt();
    open_stage();
    int good = answer();
    refer(good);
    if (demo.o.recall) good &= recall(good);
    if (demo.o.json && !write_json()) return fail("cannot write the file of --json");
    clean_up();
    return demo.broken ? 2 : good ? 0 : 1;
}
