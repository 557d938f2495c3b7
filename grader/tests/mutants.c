// mutants.c: every wrong variant of a solution gets its verdict, and the diagnosis that it was promised.
//
//     mutants TASK...        prints TAP; run from the lab's root. FULL=yes: every claim of every mutant, for the table of
//                            grader/mutants/README.md; otherwise a mutant is left as soon as it is caught as promised
//
// A mutant is caught when some claim of its task fails with the expected verdict and (where `says` is given) a
// diagnosis of such a claim holds that text. A line `todo: 4.3 WRONG_ANSWER`: the claims about TODO 4.3 must fail so,
// and those about earlier TODOs hold; `expect` is then about the whole file, and may be left out.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "backend.h"
#include "build.h"
#include "joint.h"
#include "mutant.h"
#include "tool.h"

enum { JOBS_ON_GPU = 8 };  // side by side: nvcc takes most of the time, and no claim here is timed

static int count;  // TAP numbers
static int full;   // all claims of every mutant

// Of the whole file (0) and of the probe around it (1): the object of many mutants that holds this one, or "".
static char joint_of[2][MAX_MUTANTS][128];

// ---- one mutant, in a process of its own; the answer is one line on standard output

static int judge(const mutant *m, int at_todo, const char *results, char *answer, size_t size) {
    const char *const expect = at_todo ? m->at_todo : m->expect;
    int failed = 0, expected = 0, said = !*m->says || (*m->todo && !at_todo);
    char other[400] = "";
    json_t *o;
    FILE *f = fopen(results, "r");
    while (f && (o = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
        const char *verdict = json_string_value(json_object_get(o, "verdict")), *todo = "";
        const char *diagnosis = json_string_value(json_object_get(o, "diagnosis"));
        if (!verdict) verdict = "PASSED";  // a remark, not a claim
        if (at_todo && json_object_get(o, "todo")) todo = json_string_value(json_object_get(o, "todo"));
        const int here = !at_todo || strcmp(todo, m->todo) == 0;
        if (strcmp(verdict, "PASSED") && !*other)
            snprintf(other, sizeof other, "%s %s: %s", todo, verdict, diagnosis ? diagnosis : "");
        if (strcmp(verdict, "PASSED") && (here || !failed)) failed += here ? 1 : 1000;  // 1000: an earlier TODO
        if (here && strcmp(verdict, expect) == 0) {
            expected++;
            said |= diagnosis && strstr(diagnosis, m->says) != NULL;
        }
        json_decref(o);
    }
    if (f) fclose(f);
    if (m->other_words && lab_backend()->on_gpu && failed && failed < 1000) {
        snprintf(answer, size, "%s", other + (*other == ' '));
        return 1;
    }
    if (!failed)
        snprintf(answer, size, "survived: every claim holds");
    else if (!expected || failed >= 1000)
        snprintf(answer, size, "no claim%s%s got %s, but%s%s", at_todo ? " about TODO " : "", at_todo ? m->todo : "",
                 expect, *other == ' ' ? "" : " ", other);
    else if (!said)
        snprintf(answer, size, "no diagnosis says \"%s\";%s%s", m->says, *other == ' ' ? "" : " ", other);
    else if (at_todo)
        snprintf(answer, size, "%s at TODO %s", expect, m->todo);
    else
        snprintf(answer, size, full ? "%s in %d claims" : "%s in a claim", expect, expected);
    return expected && said && failed < 1000;
}

// The whole file, or the probe around it.
static int build(const lab_task *t, const char *source, char *object, int at_todo, int quick, char *message,
                 size_t size) {
    // Nobody reads here after which tile a row goes wrong.
    const lab_build_options options = {
        .lab = ".", .source = source, .output = object, .seconds = 300, .quick = quick, .no_steps = !full};
    snprintf(message, size, "it is not what the probe expects");
    return at_todo ? lab_build_probe(t, options) && access(object, R_OK) == 0
                   : lab_build(t, &options, message, size, NULL, 0) == LAB_PASSED;
}

// Compiles it, or takes mutant `chosen` from its joint object, and runs its claims.
static int try_built(const lab_task *t, const mutant *m, int at_todo, const char *folder, int quick, int chosen,
                     char *answer, size_t size) {
    char *const says = *m->todo && !at_todo ? "" : (char *)m->says;  // where there is a TODO, its claims say it
    char *const expect = at_todo ? (char *)m->at_todo : (char *)m->expect;
    char source[300], object[300], results[300], log[300], runner[64], message[512];
    snprintf(source, sizeof source, "%s/%s", folder, t->file);
    snprintf(object, sizeof object, "%s/%s.so", folder, at_todo ? "probe" : "stage");
    snprintf(results, sizeof results, "%s/results", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    unlink(object), unlink(results), unlink(log);
    if (chosen >= 0 ? !joint_choose(joint_of[at_todo][chosen], chosen, object)
                    : !build(t, source, object, at_todo, quick, message, sizeof message)) {
        snprintf(answer, size, "does not compile: %s", message);
        return 0;
    }
    lab_runner_of(t, "build", runner, sizeof runner);
    // Task 6 is built with the lab's kernels. Only a mutant that is to run out of time gets little of it.
    char *const seconds = strcmp(expect, "TIMEOUT") ? "60" : "2";
    char *argv[20] = {"build/bin/claims", (char *)t->id, "--stage",   object, "--runner", runner,
                      "--results",        results,       "--timeout", seconds};
    if (!full) memcpy(argv + 10, (char *[]){"--until", expect, "--says", says}, 4 * sizeof *argv);
    if (at_todo) memcpy(argv + (full ? 10 : 14), (char *[]){"--probe", object, "--only", "todo"}, 4 * sizeof *argv);
    const int status = lab_tool(argv, log);
    if (status != 0 && status != 1) {
        snprintf(answer, size, "its claims could not be tried (status %d); see %s", status, log);
        return 0;
    }
    return judge(m, at_todo, results, answer, size);
}

// Together with others, or alone. A mistake that is there only where loops become vectors asks for these: twice the
// compiler's time.
static int try_claims(const lab_task *t, const mutant *m, int i, int at_todo, const char *folder, char *answer,
                      size_t size) {
    if (full) return try_built(t, m, at_todo, folder, 0, -1, answer, size);
    const int together = *joint_of[at_todo][i] != 0;
    if (together && try_built(t, m, at_todo, folder, 2, i, answer, size)) return 1;
    const int ok = try_built(t, m, at_todo, folder, 2, -1, answer, size) ||
                   (t->language == LAB_C_OPENMP && try_built(t, m, at_todo, folder, 1, -1, answer, size));
    const size_t used = strlen(answer);
    if (together) snprintf(answer + used, size - used, ", compiled alone");
    return ok;
}

static int try_mutant(const lab_task *t, const mutant *m, int i, char *answer, size_t size) {
    char solution[256], folder[256], source[300];
    snprintf(solution, sizeof solution, "%s/%s/%s", m->base, t->folder, t->file);
    snprintf(folder, sizeof folder, "build/mutants/%s.%s", t->id, m->name);
    snprintf(source, sizeof source, "%s/%s", folder, t->file);
    mkdir(folder, 0777);
    const int matches = mutant_apply(m, solution, source);
    if (matches != 1 || !m->n_from || !(*m->expect || *m->todo)) {
        snprintf(answer, size, "its edit matches %d times in %s, not once", matches, solution);
        return 0;
    }
    int ok = !*m->todo || try_claims(t, m, i, 1, folder, answer, size);
    const size_t used = strlen(answer);
    if (ok && used && *m->expect && full)
        snprintf(answer + used, size - used, "; "), answer += used + 2, size -= used + 2;
    if (ok && *m->expect && (full || !*m->todo)) ok = try_claims(t, m, i, 0, folder, answer, size);
    return ok;
}

static void start(const lab_task *t, const mutant *m, int i, FILE **from, pid_t *pid) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) || (*pid = fork()) < 0) exit(2);
    if (*pid == 0) {
        char answer[700] = "";
        const int ok = try_mutant(t, m, i, answer, sizeof answer);
        dprintf(ends[1], "%s %s\n", ok ? "ok" : "no", answer);
        _exit(0);
    }
    close(ends[1]);
    *from = fdopen(ends[0], "r");
}

static void finish(const lab_task *t, const mutant *m, FILE *from, pid_t pid) {
    char line[800] = "no it crashed the harness\n";
    char *got = fgets(line, sizeof line, from);
    fclose(from);
    waitpid(pid, NULL, 0);
    line[strcspn(line, "\n")] = 0;
    const int ok = got && line[0] == 'o', lucky = !ok && m->lucky && lab_backend()->on_gpu;
    printf("%sok %d - mutant %s %s: %s%s\n", ok || lucky ? "" : "not ", ++count, t->id, m->name, line + 3,
           lucky ? " # SKIP a GPU may win this race" : "");
    fflush(stdout);
}

// The mutants that can be compiled together are: those of one base, at their TODOs or as whole files. Returns how many.
static int join(const lab_task *t, const mutant *mutants, int n) {
    int wanted[MAX_MUTANTS], joined = 0, bases = 0;
    char solution[256], source[256], object[128], message[512];
    memset(joint_of, 0, sizeof joint_of);
    for (int first = 0; first < n; first++) {
        if (first && strcmp(mutants[first].base, mutants[first - 1].base) == 0) continue;
        bases++;
        for (int at_todo = 0; at_todo < 2; at_todo++) {
            snprintf(solution, sizeof solution, "%s/%s/%s", mutants[first].base, t->folder, t->file);
            snprintf(object, sizeof object, "build/mutants/%s.joint%d%d", t->id, bases, at_todo);
            mkdir(object, 0777);
            snprintf(source, sizeof source, "%s/%s", object, t->file);
            strcat(object, "/joint.so");
            for (int i = 0; i < n; i++)
                wanted[i] = strcmp(mutants[i].base, mutants[first].base) == 0 && (*mutants[i].todo != 0) == at_todo;
            const int here = joint_write(mutants, n, solution, source, wanted);
            const int quick = t->language == LAB_C_OPENMP ? 1 : 2;  // some show where loops become vectors
            if (here < 2 || !build(t, source, object, at_todo, quick, message, sizeof message)) continue;
            for (int i = 0; i < n; i++)
                if (wanted[i]) strcpy(joint_of[at_todo][i], object), joined++;
        }
    }
    return joined;
}

int main(int argc, char **argv) {
    static mutant mutants[MAX_MUTANTS];
    const int jobs = lab_backend()->on_gpu ? JOBS_ON_GPU : 1;
    full = getenv("FULL") != NULL;
    mkdir("build/mutants", 0777);
    for (int i = 1; i < argc; i++) {
        const lab_task *t = lab_task_find(argv[i]);
        char path[256];
        if (!t) return 2;
        memset(mutants, 0, sizeof mutants);
        snprintf(path, sizeof path, "grader/mutants/%s.mutants", t->id);
        const int n = mutant_read(path, mutants);
        printf("%sok %d - %s has at least 12 mutants: %d\n", n >= 12 ? "" : "not ", ++count, t->id, n);
        if (!full && !lab_backend()->on_gpu) {
            const int joined = join(t, mutants, n);
            printf("%sok %d - %s compiles most mutants together: %d\n", 2 * joined > n ? "" : "not ", ++count, t->id,
                   joined);
        }
        FILE *from[JOBS_ON_GPU];
        pid_t pid[JOBS_ON_GPU];
        for (int k = 0; k < n + jobs - 1; k++) {
            const int oldest = k - (jobs - 1);
            if (k < n) start(t, &mutants[k], k, &from[k % jobs], &pid[k % jobs]);
            if (oldest >= 0) finish(t, &mutants[oldest], from[oldest % jobs], pid[oldest % jobs]);
        }
    }
    printf("1..%d\n", count);
    return 0;
}
