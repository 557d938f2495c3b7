// class_run.c: a process for each submission. It tells on a pipe what it does, and at its end how it went.
#define _GNU_SOURCE
#include "class_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "lock.h"
#include "process.h"
#include "score.h"
#include "table.h"

enum { MOST_WAITING = 3 };  // for the machine, times the jobs

// What such a process says; smaller than PIPE_BUF, so that it arrives whole.
typedef struct {
    enum { STEP, WAITS, WORKS, DONE } kind;  // WAITS: for the machine, which it wants alone
    char step[128];
    lab_outcome outcome;  // of DONE
} news;

// ---- in the process of a submission

static int to_parent = -1;

static void tell(const news *n) {
    if (to_parent >= 0 && write(to_parent, n, sizeof *n) < 0) _exit(1);
}

static void progress(const char *submission, const char *what) {
    news n = {.kind = STEP};
    (void)submission;
    snprintf(n.step, sizeof n.step, "%s", what);
    tell(&n);
}

static void tell_waiting(int waits) {
    const news n = {.kind = waits ? WAITS : WORKS, .step = "waiting until several can be measured"};
    tell(&n);
}

void lab_run_entry(lab_arguments *all, const lab_entry *e, lab_outcome *o) {
    json_t *result = NULL;
    char path[4400];
    *o = (lab_outcome){0};
    const char *gpu = all->grading.n_gpus ? all->grading.gpu[e->gpu] : "";
    if (*gpu) setenv("CUDA_VISIBLE_DEVICES", gpu, 1);
    if (!all->rescore && !lab_lock_open(gpu, all->grading.n_gpus, all->jobs, o->why, sizeof o->why)) return;
    all->grading.progress = progress;
    lab_lock_tell(tell_waiting);
    if (!all->rescore) lab_lock(LAB_BESIDE_OTHERS);  // counting points disturbs nobody
    if (e->again) all->grading.reuse = 0;            // otherwise the old verdict of the same text would come back
    snprintf(path, sizeof path, "%s/%s", all->out, e->folder);
    o->ok = all->rescore ? lab_rescore(all->grading.rubric, path, &result, o->why, sizeof o->why)
                         : lab_grade(&all->grading, e->path, e->folder, &result, o->why, sizeof o->why);
    o->score = json_number_value(json_object_get(result, "score"));
    o->max_score = json_number_value(json_object_get(result, "max_score"));
    json_decref(result);
    o->gpu_lost = !o->ok && *gpu && !all->rescore && !lab_gpu_works();
    lab_lock_close();
}

// ---- in grade_all

static volatile sig_atomic_t ending;  // the signal that ends us

int lab_is_graded(const lab_arguments *all, const lab_entry *e) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s/Results.md", all->out, e->folder);
    if (access(path, F_OK)) return 0;
    snprintf(path, sizeof path, "%s/%s/results.json", all->out, e->folder);
    json_t *o = json_load_file(path, 0, NULL);
    size_t i;
    json_t *task;
    int done = 0;  // of this run's tasks
    json_array_foreach(json_object_get(o, "tasks"), i, task) {
        const char *id = json_string_value(json_object_get(task, "id"));
        for (int k = 0; id && k < all->grading.n_tasks; k++)
            done += strcmp(id, all->grading.tasks[k]->id) == 0 && !lab_is_unfinished(task, NULL, 0);
    }
    const int graded = o && done == all->grading.n_tasks;
    json_decref(o);
    return graded;
}

static int lost[LAB_MAX_GPUS];  // they do not answer any more

static int choose_gpu(const lab_arguments *all) {
    int users[LAB_MAX_GPUS] = {0};
    for (int i = 0; i < all->n; i++) users[all->entries[i].gpu] += all->entries[i].pid > 0;
    return lab_gpu_to_use(users, lost, all->grading.n_gpus);
}

static void lose_gpu(const lab_arguments *all, int gpu) {
    int left = 0;
    if (lost[gpu]) return;
    lost[gpu] = 1;
    for (int i = 0; i < all->grading.n_gpus; i++) left += !lost[i];
    lab_table_say("  %s does not answer any more; %d of %d GPUs left. Later: grader/grade_all --resume --out %s",
                  all->grading.gpu[gpu], left, all->grading.n_gpus, lab_shown(all->out));
}

static void start(lab_arguments *all, lab_entry *e) {
    int ends[2];
    news n = {.kind = DONE};
    fflush(NULL);
    e->gpu = choose_gpu(all);
    if (pipe2(ends, O_CLOEXEC) || (e->pid = lab_child()) < 0) {
        perror("grade_all");
        exit(1);
    }
    e->pipe = ends[0], e->since = lab_now();
    if (e->pid > 0) {
        close(ends[1]);
        return;
    }
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) signal(signals[i], SIG_DFL);
    if (!lab_child_ends_with_parent()) _exit(1);  // an ended grade_all leaves nothing running
    to_parent = ends[1];
    lab_run_entry(all, e, &n.outcome);
    fflush(stdout);
    tell(&n);
    _exit(0);
}

// Reads what a submission's process says. Returns 1 when that was its last word.
static int listen(lab_arguments *all, lab_entry *e, lab_outcome *o) {
    news n;
    const ssize_t got = read(e->pipe, &n, sizeof n);
    if (got < 0 && errno == EINTR) return 0;
    if (got == sizeof n && n.kind != DONE) {
        e->waits = n.kind == WAITS || (n.kind == STEP && e->waits);
        if (*n.step) lab_table_step(all, e, n.kind == WORKS ? "measuring" : n.step);
        return 0;
    }
    *o = n.outcome;
    if (got != sizeof n) {
        *o = (lab_outcome){0};
        snprintf(o->why, sizeof o->why, "the grader itself failed on it");
    }
    close(e->pipe);
    waitpid(e->pid, NULL, 0);
    e->pid = e->waits = 0, e->done = 1;
    return 1;
}

// Waits for news, a second at most. Returns how many submissions ended.
static int hear(lab_arguments *all, int begun, int *failed) {
    struct pollfd *fds = calloc(begun, sizeof *fds);
    int ended = 0;
    lab_outcome o;
    for (int i = 0; i < begun; i++)
        fds[i] = (struct pollfd){all->entries[i].pid ? all->entries[i].pipe : -1, POLLIN, 0};
    if (poll(fds, begun, 1000) > 0)
        for (int i = 0; i < begun; i++) {
            if (ending || !fds[i].revents || !listen(all, &all->entries[i], &o)) continue;
            lab_table_done(all, &all->entries[i], &o);
            if (o.gpu_lost) lose_gpu(all, all->entries[i].gpu);
            *failed += !o.ok, ended++;
        }
    free(fds);
    return ended;
}

// ---- ^C

static void on_end(int sig) { ending = sig; }

static void catch_end(void) {
    const struct sigaction action = {.sa_handler = on_end};  // poll() comes back at once
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) sigaction(signals[i], &action, NULL);
}

// What a submission's process has started dies with it.
static int end_early(lab_arguments *all) {
    int open = 0;
    for (int i = 0; i < all->n; i++) {
        lab_entry *e = &all->entries[i];
        open += !e->done && !e->skip;
        if (e->pid <= 0) continue;
        kill(e->pid, SIGKILL);
        waitpid(e->pid, NULL, 0);
    }
    printf("  interrupted; %d of %d submissions are not graded. To go on:\n    grader/grade_all --resume --out %s\n",
           open, all->n, lab_shown(all->out));
    return open + 1;
}

// Those who wait for the machine do nothing meanwhile, and others may begin. When many wait nobody does: the machine
// will be empty, and theirs.
static int is_full(const lab_arguments *all, int begun) {
    int working = 0, waiting = 0;
    for (int i = 0; i < begun; i++) {
        const lab_entry *e = &all->entries[i];
        working += e->pid > 0 && !e->waits;
        waiting += e->pid > 0 && e->waits;
    }
    return working >= all->jobs || waiting >= MOST_WAITING * all->jobs;
}

int lab_run_class(lab_arguments *all) {
    int begun = 0, running = 0, failed = 0;
    catch_end();
    while (!ending && (begun < all->n || running > 0)) {
        lab_entry *e = &all->entries[begun];
        if (begun == all->n || is_full(all, begun)) {
            running -= hear(all, begun, &failed);
        } else if (begun++, e->skip) {
            lab_table_skipped();
        } else if (all->resume && !e->again && lab_is_graded(all, e)) {
            e->done = 1;
            lab_table_graded_before(all, e);
        } else {
            start(all, e);
            running++;
        }
        lab_table_show(all, begun);
    }
    lab_table_end();
    if (ending) failed += end_early(all);
    return failed;
}
