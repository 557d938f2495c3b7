// picture.c: one block of a student's kernel as it runs: a page that plays it, and a few lines for the terminal.
//
//     picture TASK STAGE.checked.so SOURCE.cu TARGET [--case TEXT] [--block N] [--html FILE]
//
// STAGE and TARGET (target.cu) are built for simt's checked mode. TEXT is a part of a name in the table below; without it,
// the task's first one that has no open TODO. N: which block of each launch; without it, the last.
// Exit status: 0; 1 nothing could be drawn; 2 wrong usage, or the page cannot be written.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"
#include "text.h"
#include "watched.h"

// Small enough to be seen whole. With D = 32 a row is one request of a warp.
static const struct {
    const char *task, *name;
    const lab_op *op;
    attn_shape shape;
} points[] = {
    {"task2", "chain S=64", &lab_naive, {1, 1, 64, 64, 64, 1}},
    {"task2", "GEMM_NT 64", &lab_gemm_nt, {1, 1, 64, 64, 64, 0}},
    {"task2", "GEMM_NN 64", &lab_gemm_nn, {1, 1, 64, 64, 64, 0}},
    {"task2", "softmax 64", &lab_softmax_batched, {1, 1, 64, 64, 64, 0}},
    {"task4", "causal S=64", &lab_flash, {1, 1, 64, 64, 32, 1}},
    {"task4", "full S=64", &lab_flash, {1, 1, 64, 64, 32, 0}},
    {"task4", "ragged S=56", &lab_flash, {1, 1, 56, 56, 32, 1}},
    {"task5", "decode KV=64", &lab_decode, {1, 1, 1, 64, 32, 0}},
    {"task5", "split KV=64", &lab_decode_split, {1, 1, 1, 64, 32, 0}},
};
enum { N_POINTS = sizeof points / sizeof *points };

static int names(const char *task) {
    printf("  %s: no shape of this name is drawn. There are:\n", task);
    for (int i = 0; i < N_POINTS; i++)
        if (!strcmp(points[i].task, task)) printf("    CASE=\"%s\"\n", points[i].name);
    return 2;
}

static int show(const char *task, int i, const char *source, const char *record, const char *report, const char *html) {
    static lab_picture p;
    char why[256];
    p.task = task, p.point = points[i].name, p.path = source, p.op = points[i].op, p.shape = points[i].shape;
    if (!lab_picture_read(&p, record, report, why, sizeof why)) {
        printf("  %s\n", why);
        return 1;
    }
    lab_picture_tell(&p);
    FILE *page = html ? fopen(html, "w") : NULL;
    const int written = page && lab_picture_page(&p, page) && fclose(page) == 0;
    if (written) printf("  the block as it runs: %s  (open it in a browser)\n", html);
    lab_picture_free(&p);
    return html && !written ? 2 : 0;
}

// 1: it ran, whatever simt said about it. What simt prints is on the page.
static int ran(lab_event event, const lab_process *p) {
    return event == LAB_EXITED && (p->exit_status == 0 || p->exit_status == 86);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"case", 1, 0, 'c'}, {"block", 1, 0, 'b'}, {"html", 1, 0, 'h'}, {0}};
    static lab_process process;
    const char *wanted = NULL, *html = NULL;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (o == 'c')
            wanted = *optarg ? optarg : NULL;
        else if (o == 'h')
            html = optarg;
        else if (o != 'b' || setenv("SIMT_RECORD_BLOCK", optarg, 1))
            return 2;
    if (argc - optind != 4) return 2;
    char **const word = argv + optind, record[64], report[64];
    snprintf(record, sizeof record, "/tmp/lab-picture-%d.jsonl", (int)getpid());
    snprintf(report, sizeof report, "/tmp/lab-picture-%d.json", (int)getpid());
    setenv("SIMT_RECORD", record, 1);
    int status = 1, tried = 0;
    for (int i = 0; i < N_POINTS && status == 1; i++) {
        if (strcmp(points[i].task, word[0]) || (wanted && !strcasestr(points[i].name, wanted))) continue;
        tried++;
        const lab_event event = lab_watched_call(&process, word[3], word[1], points[i].op, points[i].shape, report);
        process.text[strcspn(process.text, "\n")] = 0;
        lab_clean_text(process.text);
        const int open = strstr(process.text, "is still open") != NULL;
        if (open && tried == 1) printf("%s  %s: %s\n", word[0], points[i].name, process.text);
        if (open) continue;
        if (!ran(event, &process))
            printf("  %s\n", event == LAB_TIMED_OUT ? "took too long" : "the kernel did not come to its end");
        status = show(word[0], i, word[2], record, report, html);
        break;
    }
    unlink(record), unlink(report);
    return tried ? status : names(word[0]);
}
