// class_mix.c: a class as instructors have it: good files, files with a mistake, cheats, files that are missing, broken
// archives. And were all judged right?
//
//     class_mix N SEED DIR        makes DIR/in/*, and DIR/expected: what each task of each must get. LAB_BACKEND=cuda: a
//                                 class for a GPU, in which no two files are the same text: each one is judged
//     class_mix DIR OUT           compares what grade_all wrote to OUT; exit status 0 if all is right
//
// A line of DIR/expected: submission, task, what it is, the most points (-1: whatever), verdicts, separated by bars. A
// verdict with a ~ need not be the task's: some claim has it. "!": any but PASSED; a mistake may look otherwise on a GPU.
#define _GNU_SOURCE
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "backend.h"
#include "cheat.h"
#include "mutant.h"
#include "tasks.h"

enum { MAX_VARIANTS = 700, ANSWER, LADDER, SKELETON, MUTANT, CHEAT };

// One file of one task that is not the answer.
typedef struct {
    const lab_task *task;
    int kind;
    const mutant *m;
    const cheat *c;
    const char *base;
} variant;

static variant variants[MAX_VARIANTS];
static int n_variants;
static uint64_t state;

// SplitMix64: the same class from the same seed, everywhere.
static uint64_t draw(uint64_t below) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u, z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static void add(variant v) {
    if (n_variants < MAX_VARIANTS) variants[n_variants++] = v;
}

static void read_mutants(const lab_task *t) {
    char path[128];
    mutant *all = calloc(MAX_MUTANTS, sizeof *all);
    snprintf(path, sizeof path, "grader/mutants/%s.mutants", t->id);
    const int n = all ? mutant_read(path, all) : 0;
    for (int i = 0; i < n; i++) {
        const mutant *m = &all[i];
        if (!*m->expect || !strcmp(m->expect, "TIMEOUT") || (lab_backend()->on_gpu && m->lucky)) continue;
        add((variant){t, MUTANT, .m = m});
    }
}

// Cheats whose work is a file alone, and that are no open limit.
static void read_cheats(const char *path) {
    FILE *f = fopen(path, "r");
    for (cheat_class *g = calloc(1, sizeof *g); f && g && cheat_read(f, g); g = calloc(1, sizeof *g))
        for (int i = 0; i < g->n; i++)
            if (!*g->cheats[i].shell && !*g->cheats[i].open && !*g->open &&
                (!*g->needs || !strcmp(g->needs, lab_backend()->on_gpu ? "gpu" : "simt")))
                add((variant){g->task, CHEAT, .c = &g->cheats[i]});
    if (f) fclose(f);
}

static void read_variants(void) {
    // Rungs that stand alone: the others include a file of the ladder, which no submission sees.
    static const char *const rungs[] = {"2_vectors", "3_register_tiles", "4_async_copies",
                                        "split_kv",  "tiled_simd",       "vector_gemm"};
    // Not names, whose work is a shell's, nor those that need time: class_mix is no clock.
    static const char *const cheats[] = {"task1", "task2", "task3", "task4", "task5", "task6", "compile", "gpu"};
    const int rare = lab_backend()->on_gpu ? 5 : 1;  // rungs, and cheats of the class's own kind, come so many times
    char path[256];
    for (int i = 0; i < lab_n_tasks; i++) {
        const lab_task *t = &lab_tasks[i];
        read_mutants(t);
        for (int k = 0; k < 6; k++) add((variant){t, SKELETON, .base = "."});
        for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++) {
            char *base;
            if (asprintf(&base, "grader/ladder/%s", rungs[k]) < 0) continue;
            snprintf(path, sizeof path, "%s/%s/%s", base, t->folder, t->file);
            for (int n = 0; n < rare && access(path, R_OK) == 0; n++) add((variant){t, LADDER, .base = base});
        }
    }
    for (size_t k = 0; k < sizeof cheats / sizeof *cheats; k++) {
        snprintf(path, sizeof path, "grader/cheats/%s.cheats", cheats[k]);
        for (int n = 0; n < (strcmp(cheats[k], "gpu") ? 1 : rare); n++) read_cheats(path);
    }
}

// ---- made

static void copy_file(const lab_task *t, const char *base, const char *folder) {
    char from[512], to[512], buffer[8192];
    snprintf(to, sizeof to, "%s/%s", folder, t->folder);
    mkdir(to, 0755);
    snprintf(to, sizeof to, "%s/%s/%s", folder, t->folder, t->file);
    snprintf(from, sizeof from, "%s/%s/%s", base, t->folder, t->file);
    FILE *in = fopen(from, "r"), *out = in ? fopen(to, "w") : NULL;
    for (size_t n; out && (n = fread(buffer, 1, sizeof buffer, in));) fwrite(buffer, 1, n, out);
    if (in) fclose(in);
    if (out) fclose(out);
}

// Puts the variant into a submission and says what it must get.
static void put(const variant *v, const char *folder, const char *name, const canary *k, FILE *expected) {
    char target[512], solution[512];
    cheat c;
    snprintf(target, sizeof target, "%s/%s/%s", folder, v->task->folder, v->task->file);
    if (v->kind == MUTANT) {
        snprintf(solution, sizeof solution, "%s/%s/%s", v->m->base, v->task->folder, v->task->file);
        mutant_apply(v->m, solution, target);
        fprintf(expected, "%s|%s|mutant %s|-1|%s%s\n", name, v->task->id, v->m->name, lab_backend()->on_gpu ? "!" : "~",
                lab_backend()->on_gpu ? "" : v->m->expect);
    } else if (v->kind == CHEAT) {
        c = *v->c;
        snprintf(c.name, sizeof c.name, "%s", name);
        cheat_submit(v->task, k, &c);
        fprintf(expected, "%s|%s|cheat %s|%g|%s\n", name, v->task->id, v->c->name, *v->c->deserves ? -1 : v->c->points,
                v->c->expect);
    } else {
        copy_file(v->task, v->base, folder);
        fprintf(expected, "%s|%s|%s|-1|%s\n", name, v->task->id, v->base, v->kind == SKELETON ? "MISSING" : "PASSED");
    }
}

// A comment of its own: no other text is like this one.
static void sign(const lab_task *t, const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", folder, t->folder, t->file);
    FILE *f = access(path, F_OK) == 0 ? fopen(path, "a") : NULL;
    if (f) fprintf(f, "\n// %s\n", name), fclose(f);
}

// Most tasks are the answer's, one or two are not, some are missing. A pipeline of wrong kernels is not asked about.
static void make_submission(const char *in, int i, const canary *k, FILE *expected) {
    char folder[256], name[32];
    const variant *chosen[6] = {NULL};
    const int missing = draw(5) == 0 ? (int)draw(lab_n_tasks) : -1;
    snprintf(name, sizeof name, "student%03d", i);
    snprintf(folder, sizeof folder, "%s/%s", in, name);
    mkdir(folder, 0755);
    for (int n = i % 5 == 0 ? 0 : 1 + (int)draw(2); n > 0; n--) {
        const variant *v = &variants[draw(n_variants)];
        chosen[v->task - lab_tasks] = v;
    }
    for (int t = 0; t < lab_n_tasks; t++) {
        const lab_task *task = &lab_tasks[t];
        if (t == missing) {
            fprintf(expected, "%s|%s|nothing|0|MISSING\n", name, task->id);
            chosen[t] = NULL;
            continue;
        }
        copy_file(task, "grader/solutions", folder);
        if (chosen[t])
            put(chosen[t], folder, name, k, expected);
        else if (!task->parts[0] || (!chosen[3] && !chosen[4]))
            fprintf(expected, "%s|%s|answer|-1|PASSED\n", name, task->id);
        if (lab_backend()->on_gpu) sign(task, folder, name);
    }
}

// Every fifteenth is an archive, of which some are cut, or hold nothing.
static void make_archive(const char *in, int i, FILE *expected) {
    char command[1000];
    const int how = (int)draw(4);
    snprintf(command, sizeof command, "cd %s && %s && rm -rf student%03d", in,
             how == 0 ? "head -c 3000 /dev/urandom >student%1$03d.zip"
             : how == 1
                 ? "tar -czf whole.tgz student%1$03d && head -c 2000 whole.tgz >student%1$03d.tar.gz; rm whole.tgz"
             : how == 2 ? "mkdir empty && tar -czf student%1$03d.tar.gz empty && rmdir empty"
                        : "tar -czf student%1$03d.tar.gz --transform 's,^,../../,' -P student%1$03d",
             i);
    char text[1000];
    snprintf(text, sizeof text, command, i);
    if (system(text)) fprintf(stderr, "failed: %s\n", text);
    fprintf(expected, "student%03d|archive|broken in way %d|0|%s\n", i, how, how < 2 ? "not graded" : "MISSING");
}

static int make_class(int n, const char *dir) {
    char path[256];
    canary k = {.port = 9};
    snprintf(k.in, sizeof k.in, "%s/in", dir);
    snprintf(k.top, sizeof k.top, "%s", dir);
    snprintf(k.home, sizeof k.home, "/root"), snprintf(k.out, sizeof k.out, "%s/out", dir);
    snprintf(k.mark, sizeof k.mark, "cheat"), snprintf(k.secret, sizeof k.secret, "secret");
    mkdir(dir, 0755), mkdir(k.in, 0755);
    snprintf(path, sizeof path, "%s/expected", dir);
    FILE *expected = fopen(path, "w");
    if (!expected) return 2;
    for (int i = 1; i <= n; i++) {
        char *lines = NULL;
        size_t size = 0;
        FILE *own = open_memstream(&lines, &size);
        make_submission(k.in, i, &k, own);
        fclose(own);
        if (i % 15 == 7)
            make_archive(k.in, i, expected);
        else
            fputs(lines, expected);
        free(lines);
    }
    printf("%d submissions, from %d files that are not the answer\n", n, n_variants);
    return fclose(expected) != 0;
}

// ---- compared

static int is_among(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ' ' || at[-1] == '~') && (at[n] == 0 || at[n] == ' ')) return 1;
    return 0;
}

static const char *text_of(const json_t *o, const char *field) {
    const char *text = json_string_value(json_object_get(o, field));
    return text ? text : "";
}

static int is_right(const json_t *task, const char *verdicts, double points, char *got, size_t size) {
    const char *verdict = text_of(task, "verdict");
    size_t i;
    json_t *c;
    snprintf(got, size, "%s, %g points", verdict, json_number_value(json_object_get(task, "score")));
    if (points >= 0 && json_number_value(json_object_get(task, "score")) > points + 1e-9) return 0;
    if (!*verdicts || is_among(verdicts, verdict)) return 1;
    const int any = *verdicts == '!';
    if (any && strcmp(verdict, "PASSED")) return 1;
    if (!any && *verdicts != '~') return 0;
    json_array_foreach(json_object_get(task, "cases"), i, c) {
        const char *of_case = text_of(c, "verdict");
        if (any ? strcmp(of_case, "PASSED") != 0 : is_among(verdicts, of_case)) return 1;
    }
    return 0;
}

static int compare_line(char *line, const char *out) {
    char path[600], got[200] = "not graded", *fields[5] = {line};
    for (int i = 1; i < 5; i++) fields[i] = strsep(&line, "|"), fields[i - 1] = fields[i];
    fields[4] = line;
    snprintf(path, sizeof path, "%s/%s/results.json", out, fields[0]);
    json_t *o = json_load_file(path, 0, NULL), *task;
    size_t i;
    int right = !o && is_among(fields[4], got);
    json_array_foreach(json_object_get(o, "tasks"), i, task) {
        if (strcmp(fields[1], "archive") && strcmp(fields[1], text_of(task, "id"))) continue;
        right = is_right(task, fields[4], atof(fields[3]), got, sizeof got);
        if (!right) break;
    }
    json_decref(o);
    if (!right) printf("%s %s (%s): %s; expected %s %s\n", fields[0], fields[1], fields[2], got, fields[4], fields[3]);
    return right;
}

static int compare(const char *dir, const char *out) {
    char path[256], line[1000], last[64] = "", name[64];
    int n = 0, right = 0, ok = 1;
    snprintf(path, sizeof path, "%s/expected", dir);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "|"), line);
        if (strcmp(name, last)) right += n && ok, n++, ok = 1;
        snprintf(last, sizeof last, "%s", name);
        ok &= compare_line(line, out);
    }
    right += n && ok;
    if (f) fclose(f);
    printf("%d of %d right\n", right, n);
    return right == n && n ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 3) return compare(argv[1], argv[2]);
    if (argc != 4 || atoi(argv[1]) < 1) {
        fputs("usage: class_mix N SEED DIR | class_mix DIR OUT\n", stderr);
        return 2;
    }
    state = strtoull(argv[2], NULL, 0);
    read_variants();
    return make_class(atoi(argv[1]), argv[3]);
}
