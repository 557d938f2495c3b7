// grade_all.c: the instructor's command. Started by the launcher grader/grade_all, which builds what it needs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "grade.h"
#include "rubric.h"
#include "sandbox.h"
#include "tool.h"
#include "score.h"
#include "text.h"

typedef struct {
    int ok;
    double score, max_score;
    char why[1024];
} outcome;

static lab_arguments all;
static int failed;  // submissions that could not be graded

// A name may contain control characters, which must not reach the terminal.
static const char *shown(const char *name) {
    static char text[1024];
    snprintf(text, sizeof text, "%s", name);
    lab_clean_text(text);
    return text;
}

static void progress(const char *submission, const char *what) {
    const int live = isatty(STDOUT_FILENO) && all.jobs == 1, task_done = strncmp(what, "task", 4) == 0;
    if (live)
        printf("\r\033[K  %-30s %s%s", shown(submission), what, task_done ? "\n" : " ...");
    else if (task_done)
        printf("  %-30s %s\n", shown(submission), what);
    fflush(stdout);
}

static int is_graded(const lab_entry *e) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s/Results.md", all.out, e->folder);
    if (access(path, F_OK)) return 0;
    snprintf(path, sizeof path, "%s/%s/results.json", all.out, e->folder);
    json_t *o = json_load_file(path, 0, NULL);
    int graded = json_is_array(json_object_get(o, "tasks"));
    size_t i;
    json_t *task;
    json_array_foreach(json_object_get(o, "tasks"), i, task) {
        const char *verdict = json_string_value(json_object_get(task, "verdict"));
        if (!verdict || strcmp(verdict, "GRADER_ERROR") == 0) graded = 0;
    }
    json_decref(o);
    return graded;
}

// ---- one process per submission

static int rescore(const lab_entry *e, json_t **result, char *why, size_t size) {
    char folder[4400];
    snprintf(folder, sizeof folder, "%s/%s", all.out, e->folder);
    return lab_rescore(all.grading.rubric, folder, result, why, size);
}

static void start(lab_entry *e) {
    int ends[2];
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) || (e->pid = fork()) < 0) {
        perror("grade_all");
        exit(1);
    }
    e->pipe = ends[0];
    if (e->pid > 0) {
        close(ends[1]);
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // an ended grade_all leaves nothing running
    outcome o = {0};
    json_t *result = NULL;
    char lock[4200];
    snprintf(lock, sizeof lock, "%s/.lock", all.out);
    all.grading.lock =
        open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);  // flock needs a descriptor of its own in each process
    flock(all.grading.lock, LOCK_SH);
    o.ok = all.rescore ? rescore(e, &result, o.why, sizeof o.why)
                       : lab_grade(&all.grading, e->path, e->folder, &result, o.why, sizeof o.why);
    o.score = json_number_value(json_object_get(result, "score"));
    o.max_score = json_number_value(json_object_get(result, "max_score"));
    fflush(stdout);
    _exit(write(ends[1], &o, sizeof o) == sizeof o ? 0 : 1);
}

static void finish(lab_entry *e) {
    outcome o = {0};
    const ssize_t n = read(e->pipe, &o, sizeof o);
    close(e->pipe);
    e->done = 1;
    if (n != sizeof o) snprintf(o.why, sizeof o.why, "the grader itself failed on it");
    if (isatty(STDOUT_FILENO) && all.jobs == 1) printf("\r\033[K");
    if (n == sizeof o && o.ok)
        printf("  %-30s %g of %g points, %s/%s/Results.md\n", shown(e->name), o.score, o.max_score, all.out,
               shown(e->folder));
    else {
        failed++;
        printf("  %-30s could not be graded: ", shown(e->name));
        printf("%s\n", shown(o.why));
    }
}

static void grade_everything(void) {
    int running = 0;
    for (int i = 0; i < all.n || running > 0;) {
        if (i < all.n && running < all.jobs) {
            lab_entry *e = &all.entries[i++];
            if (all.resume && is_graded(e)) {
                printf("  %-30s already graded\n", shown(e->name));
                continue;
            }
            start(e);
            running++;
            continue;
        }
        const pid_t pid = wait(NULL);
        if (pid < 0 && errno != EINTR) break;
        for (int k = 0; k < i; k++)
            if (all.entries[k].pid == pid && !all.entries[k].done) finish(&all.entries[k]), running--;
    }
}

static int write_gradebook(void) {
    char csv[4200], log[4200];
    snprintf(csv, sizeof csv, "%s/gradebook.csv", all.out);
    snprintf(log, sizeof log, "%s/gradebook.log", all.out);
    char **argv = calloc(all.n + 4, sizeof *argv);
    argv[0] = "build/bin/report", argv[1] = "gradebook", argv[2] = csv;
    for (int i = 0; i < all.n; i++)
        if (asprintf(&argv[3 + i], "%s/%s/results.json", all.out, all.entries[i].folder) < 0) return 0;
    unlink(log);
    const int status = lab_tool(argv, log);
    if (status == 0) unlink(log);
    printf(status == 0 || status == 1 ? "  %s\n" : "  %s could not be written; see gradebook.log beside it\n", csv);
    return status == 0 || status == 1;
}

// Files of this tree are the user's own, or the lab's.
static int are_all_own(void) {
    char root[4096];
    const size_t n = getcwd(root, sizeof root) ? strlen(root) : 0;
    int own = n > 0;
    for (int i = 0; i < all.n; i++) {
        const char *path = all.entries[i].path;
        own = own && strncmp(path, root, n) == 0 && (path[n] == '/' || !path[n]);
    }
    return own;
}

// Strangers' code runs in a sandbox, or not at all. Returns 0 when there is none and nobody has allowed to do without.
static int choose_sandbox(void) {
    char why[512];
    const int missing = lab_sandbox_missing(why, sizeof why);
    lab_sandbox_want(!missing);
    all.grading.sandboxed = !missing;
    if (!missing) return 1;
    if (!all.unsafe && !are_all_own()) {
        fprintf(stderr,
                "grade_all: %s. Without a sandbox a submission runs with your rights: it can read and change what "
                "you can. To do so all the same: --unsafe-no-sandbox\n",
                why);
        return 0;
    }
    printf("  No sandbox (%s): what is graded runs with your rights\n", why);
    return 1;
}

int main(int argc, char **argv) {
    char why[512];
    const int wrong = lab_read_arguments(argc, argv, &all);
    if (wrong) return wrong;
    const char *root = getenv("LAB_ROOT");
    if (root && chdir(root)) {
        perror(root);
        return 2;
    }
    lab_grading *g = &all.grading;
    g->out = all.out, g->progress = progress;
    if (!(g->rubric = lab_rubric_load("grader/rubric.json", why, sizeof why))) {
        fprintf(stderr, "grade_all: %s\n", why);
        return 2;
    }
    if (!all.rescore && !choose_sandbox()) return 2;
    g->machine = lab_machine(g->bench, all.out);
    grade_everything();
    if (all.n > 1 && !write_gradebook()) failed++;
    return failed ? 1 : 0;
}
