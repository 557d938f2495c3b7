// slurm_queue.c: sbatch, squeue, scancel, and the files in DIR/.slurm.
#define _GNU_SOURCE
#include "slurm.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

enum { MOST_TASKS = 1000, SBATCH_SECONDS = 60, MOST_QUEUE = 4 << 20 };  // Slurm's MaxArraySize is 1001 by default

static void path_of(const lab_arguments *all, const char *name, char path[4300]) {
    snprintf(path, 4300, "%s/.slurm/%s", all->out, name);
}

// ---- The queue

static void find(const lab_arguments *all, lab_slurm_place *places, const char *line) {
    int job, at;
    char state[24] = "", where[64] = "";
    if (sscanf(line, "%d_%d|%23[^|]|%63[^\n]", &job, &at, state, where) < 3) return;
    for (int i = 0; i < all->n; i++)
        if (places[i].job == job && places[i].at == at) {
            memcpy(places[i].state, state, sizeof state);
            memcpy(places[i].where, where, sizeof where);
        }
}

// %R is the node, or in parentheses why it waits. The header tells an empty queue from no answer.
int lab_slurm_look(const lab_arguments *all, lab_slurm_place *places) {
    char user[32], *text = malloc(MOST_QUEUE), *rest = NULL;
    char *const argv[] = {"squeue", "--array", "--user", user, "--format", "%i|%T|%R", NULL};
    snprintf(user, sizeof user, "%u", (unsigned)getuid());
    const int known = text && lab_tool_text(argv, text, MOST_QUEUE);
    for (int i = 0; known && i < all->n; i++) *places[i].state = *places[i].where = 0;
    if (known)
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            find(all, places, line);
    free(text);
    return known;
}

// ---- Submitting

// "3,5,6-9" of those in [from, from + MOST_TASKS) that are wanted.
static char *list_of(const lab_arguments *all, const char *wanted, int from) {
    char *list = NULL;
    size_t size;
    FILE *f = open_memstream(&list, &size);
    for (int i = from, n = 0; f && i < all->n && i < from + MOST_TASKS; i++)
        if (wanted[i]) fprintf(f, "%s%d", n++ ? "," : "", i - from);
    if (f && all->slurm.throttle) fprintf(f, "%%%d", all->slurm.throttle);
    if (f) fclose(f);
    return list;
}

static int submit(const lab_arguments *all, const char *list, int from, char *why, size_t size) {
    char words[9][4400], *argv[16] = {"sbatch", "--parsable", "--job-name=attention-lab", "--requeue"}, log[4300];
    const struct {
        const char *option, *value;
    } some[] = {{"partition", all->slurm.partition}, {"gres", all->slurm.gres}, {"time", all->slurm.time}};
    int n = 4, w = 0, job = 0;
    snprintf(words[w], sizeof *words, "--array=%s", list), argv[n++] = words[w++];
    snprintf(words[w], sizeof *words, "--output=%s/.slurm/log-%%A_%%a.txt", all->out), argv[n++] = words[w++];
    for (int i = 0; i < 3; i++)
        if (some[i].value)
            snprintf(words[w], sizeof *words, "--%s=%s", some[i].option, some[i].value), argv[n++] = words[w++];
    if (all->slurm.cpus)
        snprintf(words[w], sizeof *words, "--cpus-per-task=%d", all->slurm.cpus), argv[n++] = words[w++];
    path_of(all, "job.sh", words[w]), argv[n++] = words[w++];
    snprintf(words[w], sizeof *words, "%d", from), argv[n++] = words[w++];
    path_of(all, "sbatch.txt", log);
    unlink(log);
    const int status = lab_tool_within(SBATCH_SECONDS, argv, log);
    FILE *f = fopen(log, "r");
    if (f && status == 0 && fscanf(f, "%d", &job) != 1) job = 0;
    if (f && !job && !fgets(why, (int)size, f)) snprintf(why, size, "sbatch failed");
    if (!f) snprintf(why, size, "sbatch cannot be run");
    if (f) fclose(f);
    why[strcspn(why, "\n")] = 0;
    return job;
}

static int note_job(const lab_arguments *all, int job, int from) {
    char path[4300];
    path_of(all, "jobs", path);
    FILE *f = fopen(path, "a");
    const int ok = f && fprintf(f, "%d %d\n", job, from) > 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;
    return f && fclose(f) == 0 && ok;
}

int lab_slurm_submit(const lab_arguments *all, const char *wanted, lab_slurm_place *places, char *why, size_t size) {
    for (int from = 0; from < all->n; from += MOST_TASKS) {
        const int end = from + MOST_TASKS < all->n ? from + MOST_TASKS : all->n;
        if (!memchr(wanted + from, 1, end - from)) continue;
        char *list = list_of(all, wanted, from);
        const int job = list ? submit(all, list, from, why, size) : 0;
        free(list);
        if (!job) return 0;
        if (!note_job(all, job, from)) return snprintf(why, size, "cannot write %s/.slurm/jobs", all->out), 0;
        for (int i = from; i < end; i++)
            if (wanted[i]) places[i] = (lab_slurm_place){.job = job, .at = i - from};
    }
    return 1;
}

// ---- What an earlier grade_all has left

// A later array of the same submission comes after the earlier, and only it can be in the queue.
static void remember(const lab_arguments *all, lab_slurm_place *places, int job, int from) {
    lab_slurm_place *trial = calloc(all->n, sizeof *trial);
    for (int i = from; trial && i < all->n && i < from + MOST_TASKS; i++)
        trial[i] = (lab_slurm_place){.job = job, .at = i - from};
    if (trial && lab_slurm_look(all, trial))
        for (int i = 0; i < all->n; i++)
            if (*trial[i].state) places[i] = trial[i];
    free(trial);
}

static void each_job(const lab_arguments *all, void (*visit)(const lab_arguments *, lab_slurm_place *, int, int),
                     lab_slurm_place *places) {
    char path[4300];
    int job, from;
    path_of(all, "jobs", path);
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%d %d", &job, &from) == 2) visit(all, places, job, from);
    if (f) fclose(f);
}

void lab_slurm_remember(const lab_arguments *all, lab_slurm_place *places) { each_job(all, remember, places); }

static void cancel(const lab_arguments *all, lab_slurm_place *places, int job, int from) {
    char number[32], log[4300];
    (void)places, (void)from;
    snprintf(number, sizeof number, "%d", job);
    path_of(all, "sbatch.txt", log);
    lab_tool_within(SBATCH_SECONDS, (char *[]){"scancel", number, NULL}, log);
}

// ---- The folder

static void put_quoted(FILE *out, const char *word) {
    fputs(" '", out);
    for (; *word; word++) *word == '\'' ? fputs("'\\''", out) : fputc(*word, out);
    fputc('\'', out);
}

static char *script(const lab_arguments *all) {
    const char *root = getenv("LAB_ROOT");
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fprintf(f, "#!/bin/sh\n# A task of the array grades one submission: number $1 + SLURM_ARRAY_TASK_ID of the run.\n"
               "unset LAB_BACKEND LAB_ROOT\nexec");
    put_quoted(f, root ? root : ".");
    fputs("/grader/grade_all --resume --slurm-task \"$(($1 + SLURM_ARRAY_TASK_ID))\" --out", f);
    put_quoted(f, all->out);
    fputc('\n', f);
    fclose(f);
    return text;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

int lab_slurm_open(const lab_arguments *all, char *why, size_t size) {
    char folder[4300], path[4300], *text = script(all);
    path_of(all, "job.sh", path);
    path_of(all, "", folder);
    if (!all->resume && !all->n_regrade) {
        each_job(all, cancel, NULL);
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    int ok = text && (mkdir(folder, 0700) == 0 || errno == EEXIST);
    FILE *f = ok ? fopen(path, "w") : NULL;
    ok = f && fputs(text, f) >= 0;
    if (f && fclose(f)) ok = 0;
    if (!ok) snprintf(why, size, "cannot write %s: %s", path, strerror(errno));
    free(text);
    return ok;
}
