// cheats.c: a class of cheats is graded, as an instructor would do it. None gains a point, none harms.
//
//     cheats CATALOGUE...        prints TAP; run from the lab's root. ONLY=text[,text]: cheats whose name holds one of
//                                these; LAB_KEEP=1: the scratch folder stays
//
// grader/cheats/README.md says how a cheat is written, grader/cheats/*.cheats are the catalogues. All cheats of a class
// (the lines under one `class:`) are submissions of one run of grade_all, in the sandbox, between two honest
// classmates. Around that run stand canaries (canary.h).
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "backend.h"
#include "canary.h"
#include "cheat.h"
#include "tool.h"

// Two honest times differ, and with them the points.
static const double SPREAD = 0.15;

static int count;  // TAP numbers

static void tell(int ok, const char *about, const char *name, const char *what, const char *open) {
    printf("%sok %d - %s %s%s%s", ok || *open ? "" : "not ", ++count, about, name, *what ? ": " : "", what);
    if (*open) printf(ok ? " (it was open: strike that line)" : " # SKIP %s", open);
    printf("\n");
    fflush(stdout);
}

// ---- the run

static char *said;  // by grade_all

static int grade(const cheat_class *g, const canary *k) {
    char log[256], command[800];
    snprintf(log, sizeof log, "%s/said", k->top);
    snprintf(command, sizeof command,
             "LAB_ROOT=$PWD HOME=$PWD/%s LAB_PYTHON=/bin/false exec timeout -k 5 3600 build/bin/grade_all --out %s "
             "--tasks %s --jobs 2 --no-plots --timeout 2 %s -- %s/*",
             k->home, k->out, g->task->id, g->options, k->in);
    char *argv[] = {"bash", "-c", command, NULL};
    const int status = lab_tool(argv, log);
    FILE *f = fopen(log, "r");
    free(said);
    said = calloc(1, (1 << 20) + 1);
    if (f && fread(said, 1, 1 << 20, f) == 0) said[0] = 0;
    if (f) fclose(f);
    return status;
}

// The folder of a submission's results: the lab may have to call it otherwise.
static int is_folder_of(const canary *k, const char *folder, const char *name, json_t **results) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s/results.json", k->out, folder);
    *results = json_load_file(path, 0, NULL);
    const char *submission = json_string_value(json_object_get(*results, "submission"));
    if (submission && strcmp(submission, name) == 0) return 1;
    json_decref(*results);
    *results = NULL;
    return 0;
}

// Its verdict and points, as results.json has them; "not graded" without one.
static double result_of(const canary *k, const char *name, char *verdict, size_t size, double *out_of, double *bonus) {
    json_t *o = NULL;
    DIR *d = is_folder_of(k, name, name, &o) ? NULL : opendir(k->out);
    for (struct dirent *e; d && (e = readdir(d)) && !is_folder_of(k, e->d_name, name, &o);) {}
    if (d) closedir(d);
    json_t *task = json_array_get(json_object_get(o, "tasks"), 0);
    const char *text = json_string_value(json_object_get(task, "verdict"));
    const double points = json_number_value(json_object_get(o, "score"));
    *out_of = json_number_value(json_object_get(o, "max_score"));
    *bonus = json_number_value(json_object_get(o, "bonus"));
    snprintf(verdict, size, "%s", text ? text : "not graded");
    json_decref(o);
    return points;
}

static int is_among(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) return 1;
    return 0;
}

static const char *const classmates[] = {"an_honest_classmate", "zealous_and_honest"};

static void judge(const cheat_class *g, const canary *k, const cheat *c) {
    char verdict[64], what[240];
    double out_of, all, bonus;
    result_of(k, classmates[0], verdict, sizeof verdict, &all, &bonus);
    const double most =
        *c->deserves ? result_of(k, c->deserves, what, sizeof what, &out_of, &bonus) + SPREAD : c->points;
    const double points = result_of(k, c->name, verdict, sizeof verdict, &out_of, &bonus);
    // Points that are not counted are a gain, too.
    const int modest = points <= most + 1e-9 && (c->bonus < 0 || bonus <= c->bonus + 1e-9);
    const int fair = modest && (out_of >= all - 1e-9 || strcmp(verdict, "not graded") == 0);
    const int ok = fair && (!*c->expect || is_among(c->expect, verdict));
    snprintf(what, sizeof what, ok ? "%s, %g of %g points" : "%s, %g of %g points; expected %s, at most %g of %g",
             verdict, points, out_of, c->expect, most, all);
    tell(ok, g->task->id, c->name, what, c->open);
}

static void judge_class(const cheat_class *g, canary *k, int status) {
    static const struct {
        const char *name;
        int (*look)(const canary *c, const char *said, char *what, size_t size);
    } texts[] = {{"nothing private is quoted", canary_quoted}, {"texts are only texts", canary_unclean}};
    static const struct {
        const char *name;
        int (*look)(const canary *c, char *what, size_t size);
    } places[] = {{"nothing is written elsewhere", canary_written},
                  {"nothing lives on", canary_alive},
                  {"nobody reaches the network", canary_called}};
    char what[2000], verdict[2][64];
    double points[2], out_of[2], bonus;
    for (int i = 0; i < 2; i++)
        points[i] = result_of(k, classmates[i], verdict[i], sizeof verdict[i], &out_of[i], &bonus);
    snprintf(what, sizeof what, "%s %g, %s %g, exit status %d", verdict[0], points[0], verdict[1], points[1], status);
    tell(!strcmp(verdict[0], "PASSED") && !strcmp(verdict[1], "PASSED") && points[0] == points[1] &&
             points[0] == out_of[0] && status >= 0 && status < 2,
         g->task->id, "their classmates get what they deserve", what, g->open);
    for (int i = 0; i < 2; i++)
        tell(!texts[i].look(k, said, what, sizeof what), g->task->id, texts[i].name, what, g->open);
    for (int i = 0; i < 3; i++) tell(!places[i].look(k, what, sizeof what), g->task->id, places[i].name, what, g->open);
}

// Does the name hold one of the list's texts?
static int is_wanted(const char *name, const char *list) {
    char text[2000], *rest = NULL;
    snprintf(text, sizeof text, "%s", list);
    for (char *one = strtok_r(text, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (strstr(name, one)) return 1;
    return 0;
}

// Returns how many variants of others are left out.
static int drop_unwanted(cheat_class *g) {
    const char *only = getenv("ONLY");
    int n = 0, variants = 0;
    for (int i = 0; i < g->n; i++) {
        const int left_out = !only && *g->cheats[i].like && !getenv("FULL");
        variants += left_out;
        if (!left_out && (!only || is_wanted(g->cheats[i].name, only))) g->cheats[n++] = g->cheats[i];
    }
    g->n = n;
    return variants;
}

static void try_class(cheat_class *g, const char *title) {
    static cheat honest;
    canary k;
    char top[64];
    snprintf(top, sizeof top, "build/tests/cheats.%d", (int)getpid());
    mkdir("build/tests", 0777);
    if (!canary_set(&k, top)) {
        tell(0, title, "canaries cannot be set", top, "");
        return;
    }
    honest.honest = 1;
    for (int i = 0; i < 2; i++) {
        snprintf(honest.name, sizeof honest.name, "%s", classmates[i]);
        cheat_submit(g->task, &k, &honest);
    }
    const int variants = drop_unwanted(g);
    for (int i = 0; i < g->n; i++) cheat_submit(g->task, &k, &g->cheats[i]);
    canary_seal(&k);
    const int status = grade(g, &k);
    for (int i = 0; i < g->n; i++) judge(g, &k, &g->cheats[i]);
    judge_class(g, &k, status);
    snprintf(top, sizeof top, "%d variants of other cheats", variants);
    if (variants) tell(0, g->task->id, top, "", "FULL=yes tries them");
    if (getenv("LAB_KEEP"))
        printf("# kept: %s\n", k.top);
    else
        canary_clear(&k);
}

// Why a class is not tried here, or NULL.
static const char *unmet(const char *needs) {
    if (strcmp(needs, "time") == 0) return getenv("FULL") ? NULL : "it takes minutes: FULL=yes tries it";
    if (*needs && (strcmp(needs, "gpu") == 0) != lab_backend()->on_gpu) return "not on this backend";
    return NULL;
}

int main(int argc, char **argv) {
    static cheat_class g;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (!f) {
            perror(argv[i]);
            return 2;
        }
        while (cheat_read(f, &g)) {
            const char *const why = unmet(g.needs);
            if (why)
                tell(0, g.task->id, "cheats of a class that needs", g.needs, why);
            else
                try_class(&g, argv[i]);
        }
        fclose(f);
    }
    printf("1..%d\n", count);
    return 0;
}
