// slurm.c: waits for the tasks of a class, and is one of them.
#define _GNU_SOURCE
#include "slurm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal.h"
#include "process.h"
#include "table.h"

// A file that another node has written may be seen late.
static const double LOOK_EVERY = 2, LOST_AFTER = 10;
enum { MOST_TRIES = 2 };

static struct {
    lab_slurm_place *place;
    int *tries;
    double *missing;  // since when neither in the queue nor done; 0: it is not
    int failed;
} now;

static void path_of(const lab_arguments *all, int i, char path[4300]) {
    snprintf(path, 4300, "%s/.slurm/%d.done", all->out, i);
}

// ---- In a task -------------------------------------------------------------------------------------------------------

static int write_done(const lab_arguments *all, int i, const lab_outcome *o) {
    char path[4300], temporary[4320];
    path_of(all, i, path);
    snprintf(temporary, sizeof temporary, "%s.%d", path, (int)getpid());
    json_t *text = json_string(o->why);
    json_t *done = json_pack("{s:b, s:f, s:f, s:o}", "ok", o->ok, "score", o->score, "max_score", o->max_score, "why",
                             text ? text : json_string("?"));
    FILE *f = fopen(temporary, "w");
    const int ok = f && json_dumpf(done, f, 0) == 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;
    json_decref(done);
    return f && fclose(f) == 0 && ok && rename(temporary, path) == 0;
}

int lab_slurm_task(lab_arguments *all) {
    const int i = all->slurm.entry;
    char path[4300];
    lab_outcome o;
    if (i >= all->n) {
        fprintf(stderr, "grade_all: there is no submission %d in the run\n", i);
        return 1;
    }
    lab_journal_only_read();
    lab_run_entry(all, &all->entries[i], &o);
    printf("%s: %s %g of %g %s\n", lab_shown(all->entries[i].name), o.ok ? "graded" : "could not be graded:", o.score,
           o.max_score, o.why);
    if (write_done(all, i, &o)) return 0;
    path_of(all, i, path);
    perror(path);
    return 1;
}

// ---- In grade_all ----------------------------------------------------------------------------------------------------

static int read_done(const lab_arguments *all, int i, lab_outcome *o) {
    char path[4300];
    const char *why;
    path_of(all, i, path);
    json_t *done = json_load_file(path, 0, NULL);
    *o = (lab_outcome){0};
    const int read = done && json_unpack(done, "{s:b, s:F, s:F, s:s}", "ok", &o->ok, "score", &o->score, "max_score",
                                         &o->max_score, "why", &why) == 0;
    if (read) snprintf(o->why, sizeof o->why, "%s", why);
    json_decref(done);
    return read;
}

// What a task has found out, for the journal: so the run can go on here, too.
static void keep(const lab_arguments *all, const lab_entry *e) {
    char path[4400];
    size_t i;
    json_t *task;
    snprintf(path, sizeof path, "%s/%s/results.json", all->out, e->folder);
    json_t *result = json_load_file(path, 0, NULL);
    json_array_foreach(json_object_get(result, "tasks"), i, task) {
        const char *id = json_string_value(json_object_get(task, "id"));
        if (id && lab_task_find(id)) lab_journal_task(e->folder, lab_task_find(id), task);
    }
    json_decref(result);
    lab_journal_done(e->folder);
}

static void finish(lab_arguments *all, int i, const lab_outcome *o) {
    if (o->ok) keep(all, &all->entries[i]);
    all->entries[i].pid = 0, all->entries[i].done = 1;
    now.failed += !o->ok;
    lab_table_done(all, &all->entries[i], o);
}

static void give_up(lab_arguments *all, int i) {
    lab_outcome o = {0};
    snprintf(o.why, sizeof o.why, "its job was lost %d times; .slurm/log-%d_%d.txt may say why", MOST_TRIES,
             now.place[i].job, now.place[i].at);
    finish(all, i, &o);
}

static void show_state(lab_entry *e, const lab_slurm_place *p) {
    const int runs = strcmp(p->state, "RUNNING") == 0 || strcmp(p->state, "COMPLETING") == 0;
    if (runs && !e->pid) e->pid = 1, e->since = lab_now();  // the table shows it as running
    if (!runs) e->pid = 0;
    snprintf(e->step, sizeof e->step, "on %.55s", p->where);
}

// What the queue and the files say now. wanted[i]: submit it again. Returns how many are not done.
static int look(lab_arguments *all, char *wanted) {
    const int known = lab_slurm_look(all, now.place);
    int open = 0;
    lab_outcome o;
    for (int i = 0; i < all->n; i++) {
        lab_entry *e = &all->entries[i];
        wanted[i] = 0;
        if (e->done) continue;
        if (read_done(all, i, &o)) {
            finish(all, i, &o);
            continue;
        }
        open++;
        if (!known) continue;
        show_state(e, &now.place[i]);
        if (*now.place[i].state) {
            now.missing[i] = 0;
        } else if (!now.missing[i]) {
            now.missing[i] = lab_now();
        } else if (lab_now() - now.missing[i] >= LOST_AFTER) {
            now.missing[i] = 0;
            wanted[i] = now.tries[i] < MOST_TRIES;
            if (!wanted[i]) give_up(all, i), open--;
        }
    }
    return open;
}

// One line when what Slurm does, or why it waits, is another than before.
static void say_states(lab_arguments *all) {
    static char said[256];
    char line[256], reason[64] = "";
    int waiting = 0, running = 0;
    for (int i = 0; i < all->n; i++) {
        if (all->entries[i].done) continue;
        running += all->entries[i].pid != 0;
        if (strcmp(now.place[i].state, "PENDING")) continue;
        waiting++;
        if (strcmp(now.place[i].where, "(JobArrayTaskLimit)")) memcpy(reason, now.place[i].where, sizeof reason);
    }
    snprintf(line, sizeof line, "%s", *reason ? reason : running ? "runs" : "");
    if (!strcmp(line, said)) return;
    memcpy(said, line, sizeof said);
    if (*reason)
        lab_table_say("  Slurm: %d run, %d wait: %s", running, waiting, lab_shown(reason));
    else if (*said)
        lab_table_say("  Slurm: %d run, %d wait", running, waiting);
}

static int submit(lab_arguments *all, const char *wanted, int again, char *why, size_t size) {
    int n = 0;
    for (int i = 0; i < all->n; i++) n += wanted[i], now.tries[i] += wanted[i];
    if (!n) return 1;
    if (!lab_slurm_submit(all, wanted, now.place, why, size)) return 0;
    lab_table_say("  Slurm: %d %s %s", n, n > 1 ? "submissions" : "submission",
                  again ? "lost, and submitted again" : "submitted");
    return 1;
}

// Marks what there is to do. Those that an earlier grade_all has submitted are waited for.
static void choose(lab_arguments *all, char *wanted) {
    char path[4300];
    lab_outcome o;
    lab_slurm_remember(all, now.place);
    for (int i = 0; i < all->n; i++) {
        lab_entry *e = &all->entries[i];
        if (e->skip) {
            e->done = 1;
            lab_table_skipped();
        } else if (all->resume && !e->again && lab_is_graded(all, e)) {
            e->done = 1;
            lab_table_graded_before(all, e);
        } else if (now.place[i].job) {
            now.tries[i] = 1;
        } else {
            wanted[i] = 1;
            path_of(all, i, path);
            if (read_done(all, i, &o)) unlink(path);  // of an earlier try
        }
    }
}

int lab_slurm_class(lab_arguments *all) {
    char why[1024] = "", *wanted = calloc(all->n, 1);
    now.place = calloc(all->n, sizeof *now.place), now.tries = calloc(all->n, sizeof *now.tries);
    now.missing = calloc(all->n, sizeof *now.missing);
    int ok = wanted && now.place && now.tries && now.missing && lab_slurm_open(all, why, sizeof why);
    if (ok) choose(all, wanted);
    ok = ok && submit(all, wanted, 0, why, sizeof why);
    if (!ok) {
        fprintf(stderr, "grade_all: %s\n", why);
        return -1;
    }
    while (look(all, wanted)) {
        if (!submit(all, wanted, 1, why, sizeof why)) lab_table_say("  Slurm: %s", lab_shown(why));
        say_states(all);
        for (double until = lab_now() + LOOK_EVERY; lab_now() < until; usleep(200000)) lab_table_show(all, all->n);
    }
    lab_table_end();
    free(wanted), free(now.place), free(now.tries), free(now.missing);
    return now.failed;
}
