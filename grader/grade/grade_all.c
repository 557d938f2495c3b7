// grade_all.c: the instructor's command. Started by the launcher grader/grade_all, which builds what it needs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "rubric.h"
#include "submission.h"
#include "tool.h"

static const char usage_text[] =
    "usage: grader/grade_all [options] SUBMISSION...\n"
    "\n"
    "Grades folders or archives (.zip, .tar.gz) that hold task folders. Writes DIR/NAME/{Results.md, results.json, "
    "plots}\n"
    "and, for several submissions, DIR/gradebook.csv. What is graded stays when a run is interrupted.\n"
    "\n"
    "  --out DIR          where results go (default: results)\n"
    "  --tasks 1,3        only these tasks\n"
    "  --backend B        cpu or auto: tasks 1 and 3 run on the processor\n"
    "  --jobs N           submissions at a time (default 1); nothing else runs while speed is measured\n"
    "  --resume           skip submissions that have a results.json in DIR\n"
    "  --secret-seed S    seed of the inputs (default: random; the same for all submissions of a run)\n"
    "  --no-bench         do not measure speed; points for speed are then not counted\n"
    "  --no-plots         do not draw\n"
    "\n"
    "exit status: 0 graded, whatever the scores; 1 some submission could not be graded; 2 wrong usage\n";

typedef struct {
    char *path;
    char name[256], folder[256];
    pid_t pid;
    int pipe;  // from the process that grades it
    int done;
} entry;

typedef struct {
    int ok;
    double score, max_score;
    char why[1024];
} outcome;

static struct {
    lab_grading grading;
    entry *entries;
    int n, jobs, resume, failed;
    char out[4096];
} all = {.jobs = 1, .grading = {.bench = 1, .plots = 1}};

static int wrong_usage(const char *what, const char *word) {
    fprintf(stderr, "grade_all: %s%s%s\n%s", what, word ? " " : "", word ? word : "", usage_text);
    return 2;
}

// A name may hold anything; a terminal may not get it.
static const char *shown(const char *name) {
    static char text[256];
    size_t i;
    for (i = 0; name[i] && i + 1 < sizeof text; i++)
        text[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
    text[i] = 0;
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

// ---- the list

static int choose_tasks(const char *list) {
    lab_grading *g = &all.grading;
    for (int i = 0; i < lab_n_tasks; i++) {
        const char *number = lab_tasks[i].id + strlen("task");
        int wanted = !list;
        for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',') {
            const char *q = strncmp(p, "task", 4) == 0 ? p + 4 : p;
            wanted |= strncmp(q, number, strlen(number)) == 0 && strchr(",", q[strlen(number)]) != NULL;
        }
        if (wanted) g->tasks[g->n_tasks++] = &lab_tasks[i];
    }
    return g->n_tasks;
}

// Two submissions of one name get folders NAME and NAME-2.
static void name_entry(int i) {
    entry *e = &all.entries[i];
    lab_submission s = {0};
    lab_submission_name(e->path, &s);
    memcpy(e->name, s.name, sizeof e->name);
    memcpy(e->folder, s.folder, sizeof e->folder);
    for (int copy = 2, clash = 1; clash; copy++) {
        clash = 0;
        for (int k = 0; k < i && !clash; k++) clash = strcmp(all.entries[k].folder, e->folder) == 0;
        if (clash) snprintf(e->folder, sizeof e->folder, "%.240s-%d", s.folder, copy);
    }
}

static int is_graded(const entry *e) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s/results.json", all.out, e->folder);
    json_t *o = json_load_file(path, 0, NULL);
    const int graded = json_is_array(json_object_get(o, "tasks"));
    json_decref(o);
    return graded;
}

// ---- one process per submission

static void start(entry *e) {
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
    outcome o = {0};
    json_t *result = NULL;
    char lock[4200];
    snprintf(lock, sizeof lock, "%s/.lock", all.out);
    all.grading.lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);  // each process its own, or flock means nothing
    flock(all.grading.lock, LOCK_SH);
    o.ok = lab_grade(&all.grading, e->path, e->folder, &result, o.why, sizeof o.why);
    o.score = json_number_value(json_object_get(result, "score"));
    o.max_score = json_number_value(json_object_get(result, "max_score"));
    fflush(stdout);
    _exit(write(ends[1], &o, sizeof o) == sizeof o ? 0 : 1);
}

static void finish(entry *e) {
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
        all.failed++;
        printf("  %-30s could not be graded: ", shown(e->name));
        printf("%s\n", shown(o.why));
    }
}

static void grade_everything(void) {
    int running = 0;
    for (int i = 0; i < all.n || running > 0;) {
        if (i < all.n && running < all.jobs) {
            entry *e = &all.entries[i++];
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
    char program[4200], csv[4200], log[4200];
    snprintf(program, sizeof program, "%s/bin/gradebook", all.grading.build);
    snprintf(csv, sizeof csv, "%s/gradebook.csv", all.out);
    snprintf(log, sizeof log, "%s/gradebook.log", all.out);
    char **argv = calloc(all.n + 3, sizeof *argv);
    argv[0] = program, argv[1] = csv;
    for (int i = 0; i < all.n; i++)
        if (asprintf(&argv[2 + i], "%s/%s/results.json", all.out, all.entries[i].folder) < 0) return 0;
    unlink(log);
    const int status = lab_tool(argv, log, NULL);
    if (status == 0) unlink(log);
    printf(status == 0 || status == 1 ? "  %s\n" : "  %s could not be written; see gradebook.log beside it\n", csv);
    return status == 0 || status == 1;
}

static int read_arguments(int argc, char **argv) {
    static const struct option options[] = {{"out", 1, 0, 'o'},         {"tasks", 1, 0, 't'},
                                            {"jobs", 1, 0, 'j'},        {"resume", 0, 0, 'r'},
                                            {"secret-seed", 1, 0, 's'}, {"no-bench", 0, 0, 'b'},
                                            {"no-plots", 0, 0, 'p'},    {"backend", 1, 0, 'k'},
                                            {"help", 0, 0, 'h'},        {0}};
    const char *out = "results", *tasks = NULL;
    int seeded = 0;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (c) {
        case 'o': out = optarg; break;
        case 't': tasks = optarg; break;
        case 'j': all.jobs = atoi(optarg); break;
        case 'r': all.resume = 1; break;
        case 's': all.grading.seed = strtoull(optarg, NULL, 0), seeded = 1; break;
        case 'b': all.grading.bench = 0; break;
        case 'p': all.grading.plots = 0; break;
        case 'k':
            if (strcmp(optarg, "cpu") && strcmp(optarg, "auto"))
                return wrong_usage("no task here runs on the backend", optarg);
            break;
        case 'h': fputs(usage_text, stdout); exit(0);
        default: return wrong_usage("unknown option", NULL);
        }
    if (optind == argc) return wrong_usage("no submission given", NULL);
    if (all.jobs < 1) return wrong_usage("--jobs needs a number from 1 on", NULL);
    if (!choose_tasks(tasks)) return wrong_usage("no such task:", tasks);
    if (!seeded && getrandom(&all.grading.seed, sizeof all.grading.seed, 0) < 0)
        return wrong_usage("no random seed to be had", NULL);
    if ((mkdir(out, 0777) && errno != EEXIST) || !realpath(out, all.out)) {
        fprintf(stderr, "grade_all: cannot make %s: %s\n", out, strerror(errno));
        return 2;
    }
    all.n = argc - optind;
    all.entries = calloc(all.n, sizeof *all.entries);
    for (int i = 0; i < all.n; i++) {
        char *real = realpath(argv[optind + i], NULL);
        all.entries[i].path = real ? real : argv[optind + i];
        name_entry(i);
    }
    return 0;
}

int main(int argc, char **argv) {
    char why[512];
    const int wrong = read_arguments(argc, argv);
    if (wrong) return wrong;
    const char *root = getenv("LAB_ROOT");
    if (root && chdir(root)) {
        perror(root);
        return 2;
    }
    lab_grading *g = &all.grading;
    g->lab = ".", g->build = "build", g->out = all.out, g->progress = progress;
    if (!(g->rubric = lab_rubric_load("grader/rubric.json", why, sizeof why))) {
        fprintf(stderr, "grade_all: %s\n", why);
        return 2;
    }
    g->machine = lab_machine(g->build, g->bench, all.out);
    grade_everything();
    if (all.n > 1 && !write_gradebook()) all.failed++;
    return all.failed ? 1 : 0;
}
