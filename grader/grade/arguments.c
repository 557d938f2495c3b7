// arguments.c: the command line of grade_all.
#define _GNU_SOURCE
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal.h"
#include "names.h"
#include "submission.h"
#include "table.h"
#include "text.h"

// What a submission may take: one of a class all in all, so that a class has an end, too; one alone for each task.
enum { MOST_SECONDS = 900 };

// What --help says, which the script grader/grade_all shows before anything is built.
static void print_usage(FILE *to) {
    const char *root = getenv("LAB_ROOT");
    char path[4200];
    snprintf(path, sizeof path, "%s/grader/grade/usage.txt", root ? root : ".");
    FILE *f = fopen(path, "r");
    for (int c; f && (c = getc(f)) != EOF;) putc(c, to);
    if (f) fclose(f);
}

static int wrong_usage(const char *what, const char *word) {
    fprintf(stderr, "grade_all: %s%s%s\n", what, word ? " " : "", word ? word : "");
    print_usage(stderr);
    return 2;
}

// --regrade with a folder: a submission, or the DIR of --out. The usage would push the sentence off the screen.
static int wrong_regrade(const char *who, const char *given) {
    char journal[4400];
    snprintf(journal, sizeof journal, "%s/.journal", given);
    if (access(journal, F_OK) == 0)
        fprintf(stderr, "grade_all: %s is a run: grader/grade_all --regrade %s --out %s\n", lab_shown(given),
                lab_shown(who), lab_shown(given));
    else
        fprintf(stderr,
                "grade_all: --regrade %s grades again what the run in DIR holds: name no submission, and the run with "
                "--out DIR; not: %s\n",
                lab_shown(who), lab_shown(given));
    return 2;
}

// Is that item of a list ("3", "task3", up to a comma) the task's?
static int names_task(const char *item, const lab_task *t) {
    const size_t n = strcspn(item, ",");
    const char *number = t->id + strlen("task");
    return (strlen(t->id) == n && strncmp(item, t->id, n) == 0) ||
           (strlen(number) == n && strncmp(item, number, n) == 0);
}

// In the order of the task table. Returns 0 if the list names a task that there is not.
static int choose_tasks(lab_grading *g, const char *list) {
    int chosen[sizeof g->tasks / sizeof *g->tasks] = {0};
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        int known = 0;
        for (int i = 0; i < lab_n_tasks; i++)
            if (names_task(p, &lab_tasks[i])) chosen[i] = known = 1;
        if (!known) return 0;
    }
    for (int i = 0; i < lab_n_tasks; i++)
        if (!list || chosen[i]) g->tasks[g->n_tasks++] = &lab_tasks[i];
    return g->n_tasks;
}

// Two submissions of one name get folders NAME and NAME-2, also where only some file systems take the names for one.
static void name_entry(lab_entry *entries, int i) {
    lab_entry *e = &entries[i];
    lab_submission s = {0};
    lab_submission_name(e->path, &s);
    memcpy(e->name, s.name, sizeof e->name);
    memcpy(e->folder, s.folder, sizeof e->folder);
    for (int copy = 2, clash = 1; clash; copy++) {
        clash = 0;
        for (int k = 0; k < i && !clash; k++) clash = lab_same_folder(entries[k].folder, e->folder);
        if (clash) snprintf(e->folder, sizeof e->folder, "%.240s-%d", s.folder, copy);
    }
}

// A submission that is named twice is graded once.
static void add_entry(lab_arguments *all, const char *path, int recalled) {
    char *real = realpath(path, NULL);
    all->entries = realloc(all->entries, (all->n + 1) * sizeof *all->entries);
    lab_entry *e = &all->entries[all->n];
    *e = (lab_entry){.path = real ? real : strdup(path), .added = 1};
    for (int k = 0; k < all->n; k++)
        if (strcmp(all->entries[k].path, e->path) == 0) {
            if (k < recalled) return;
            char shown[4096];
            snprintf(shown, sizeof shown, "%s", path);
            lab_clean_text(shown);
            printf("  %s is named twice, and graded once\n", shown);
            return;
        }
    name_entry(all->entries, all->n++);
}

enum { SLURM = 256, PARTITION, GRES, TIME, MOST, CPUS, ENTRY };

// Returns 0 if c is none of them, or its number is none.
static int read_slurm_option(int c, lab_slurm_options *o) {
    char *end = "";
    switch (c) {
    case SLURM: o->wanted = 1; break;
    case PARTITION: o->partition = optarg; break;
    case GRES: o->gres = optarg; break;
    case TIME: o->time = optarg; break;
    case MOST: o->throttle = (int)strtol(optarg, &end, 10); break;
    case CPUS: o->cpus = (int)strtol(optarg, &end, 10); break;
    case ENTRY: o->entry = (int)strtol(optarg, &end, 10); break;
    default: return 0;
    }
    return !*end && o->throttle >= 0 && o->cpus >= 0 && o->entry >= -1;
}

int lab_read_arguments(int argc, char **argv, lab_arguments *all) {
    *all = (lab_arguments){
        .jobs = 1, .grading = {.timeout = "10", .bench = 1, .plots = LAB_PLOTS_AT_ONCE}, .slurm = {.entry = -1}};
    static const struct option options[] = {{"out", 1, 0, 'o'},
                                            {"tasks", 1, 0, 't'},
                                            {"jobs", 1, 0, 'j'},
                                            {"resume", 0, 0, 'r'},
                                            {"secret-seed", 1, 0, 's'},
                                            {"no-bench", 0, 0, 'b'},
                                            {"no-plots", 0, 0, 'p'},
                                            {"backend", 1, 0, 'k'},
                                            {"rescore", 0, 0, 'R'},
                                            {"regrade", 1, 0, 'g'},
                                            {"anew", 0, 0, 'a'},
                                            {"unsafe-no-sandbox", 0, 0, 'u'},
                                            {"timeout", 1, 0, 'T'},
                                            {"deadline", 1, 0, 'd'},
                                            {"full", 0, 0, 'f'},
                                            {"scored", 0, 0, 'S'},
                                            {"gradescope", 0, 0, '1'},
                                            {"classroom", 0, 0, '2'},
                                            {"autolab", 0, 0, '3'},
                                            {"csv", 2, 0, '4'},
                                            {"slurm", 0, 0, SLURM},
                                            {"partition", 1, 0, PARTITION},
                                            {"gres", 1, 0, GRES},
                                            {"time", 1, 0, TIME},
                                            {"throttle", 1, 0, MOST},
                                            {"cpus", 1, 0, CPUS},
                                            {"slurm-task", 1, 0, ENTRY},
                                            {"help", 0, 0, 'h'},
                                            {0}};
    const char *out = "results", *tasks = NULL;
    char given[256] = "";
    all->regrade = calloc(argc, sizeof *all->regrade);
    int seeded = 0, scope = 0;
    char *end;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1; given[c & 255] = 1) switch (c) {
        case 'o': out = optarg; break;
        case 't': tasks = optarg; break;
        case 'j':
            all->jobs = (int)strtol(optarg, &end, 10);
            if (*end) all->jobs = 0;
            break;
        case 'r': all->resume = 1; break;
        case 'g': all->regrade[all->n_regrade++] = optarg; break;
        case 'a': all->anew = 1; break;
        case 'R': all->rescore = 1, all->grading.bench = 0; break;
        case 's':
            all->grading.seed = strtoull(optarg, &end, 0), seeded = 1;
            if (!*optarg || *end) return wrong_usage("--secret-seed needs a number, not", optarg);
            memset(optarg, '*', strlen(optarg));  // /proc shows the command line to every process of this machine
            break;
        case 'T':
            if (!(strtod(optarg, &end) > 0) || *end) return wrong_usage("--timeout needs seconds, not", optarg);
            all->grading.timeout = optarg;
            break;
        case 'd':
            all->grading.deadline = strtod(optarg, &end);
            if (!(all->grading.deadline > 0) || *end) return wrong_usage("--deadline needs seconds, not", optarg);
            break;
        case 'b': all->grading.bench = 0; break;
        case 'f': scope = 1; break;
        case 'S': scope = -1; break;
        case 'p': all->grading.plots = LAB_NO_PLOTS; break;
        case 'u': all->unsafe = 1; break;
        case 'k':
            if (strcmp(optarg, "simt") && strcmp(optarg, "cuda") && strcmp(optarg, "auto"))
                return wrong_usage("no such backend:", optarg);
            if (strcmp(optarg, "cuda") == 0 && !all->slurm.wanted && access("/dev/nvidia0", F_OK))
                return wrong_usage("this machine has no GPU for the backend", optarg);
            if (strcmp(optarg, "auto")) setenv("LAB_BACKEND", optarg, 1);
            break;
        case '1':
        case '2':
        case '3': all->export[c - '1'] = 1; break;
        case '4': all->columns = optarg ? optarg : "plain"; break;
        case 'h': print_usage(stdout); exit(0);
        default:
            if (!read_slurm_option(c, &all->slurm)) return wrong_usage("unknown option, or no number for it", NULL);
        }
    const int goes_on = all->resume || all->n_regrade > 0;
    if (optind == argc && !goes_on && !all->rescore) return wrong_usage("no submission given", NULL);
    if (optind < argc && all->n_regrade) return wrong_regrade(all->regrade[0], argv[optind]);
    if (goes_on && all->anew) return wrong_usage("--anew begins again; --resume and --regrade go on", NULL);
    if (all->resume && all->n_regrade) return wrong_usage("--resume and --regrade: one at a time", NULL);
    if (goes_on && seeded) return wrong_usage("a run goes on with its own seed: leave --secret-seed out", NULL);
    if (all->rescore && all->resume)
        return wrong_usage("--rescore is for what is graded, --resume for what is not", NULL);
    if (all->rescore && all->slurm.wanted) return wrong_usage("--rescore needs no cluster: leave --slurm out", NULL);
    if (all->jobs < 1) return wrong_usage("--jobs needs a number from 1 on", NULL);
    if (!choose_tasks(&all->grading, tasks)) return wrong_usage("no such task:", tasks);
    if (all->n_regrade && tasks) {
        memcpy(all->again, all->grading.tasks, sizeof all->again);
        all->n_again = all->grading.n_tasks;
    }
    if (!seeded && getrandom(&all->grading.seed, sizeof all->grading.seed, 0) < 0)
        return wrong_usage("no random seed to be had", NULL);
    if ((mkdir(out, 0777) && errno != EEXIST) || !realpath(out, all->out)) {
        fprintf(stderr, "grade_all: cannot make %s: %s\n", out, strerror(errno));
        return 2;
    }
    if (all->slurm.wanted && !given['k']) unsetenv("LAB_BACKEND");  // the nodes know what they have
    const int holds_a_run = (goes_on || (all->rescore && optind == argc)) && lab_journal_recall(all, given);
    if (optind == argc && !holds_a_run) {
        fprintf(stderr, "grade_all: %s holds no run: %s\n", all->out,
                all->n_regrade ? "--out DIR says where it is" : "name its submissions");
        return 2;
    }
    const int recalled = all->n;
    for (int i = optind; i < argc; i++) add_entry(all, argv[i], recalled);
    if (!holds_a_run) all->grading.full = scope ? scope > 0 : all->n == 1;
    if (scope) all->grading.full = scope > 0;
    if (!all->grading.deadline) all->grading.deadline = MOST_SECONDS * (all->n > 1 ? 1 : all->grading.n_tasks);
    all->grading.reuse = all->n > 1;
    if (all->grading.plots && all->n > 1) all->grading.plots = LAB_PLOTS_LATER;
    return 0;
}
