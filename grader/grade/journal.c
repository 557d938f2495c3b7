// journal.c: the journal as a table in memory: which task of whom is done, and where in the file its result stands. The
// results stay on disk: a class of three hundred has thirty megabytes of them.
#define _GNU_SOURCE
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal_lines.h"
#include "journal_options.h"
#include "table.h"
#include "text.h"

typedef struct {
    char folder[256];
    const lab_task *task;
    long at;  // of its line
} finished;

static struct {
    char path[4200];
    int recalled, only_read;
    finished *rows;
    int n, room;
} journal;

static finished *row_of(const char *folder, const lab_task *t) {
    for (int i = 0; i < journal.n; i++)
        if (journal.rows[i].task == t && strcmp(journal.rows[i].folder, folder) == 0) return &journal.rows[i];
    return NULL;
}

static void remember(const char *folder, const lab_task *t, long at) {
    finished *row = row_of(folder, t);
    if (!row && journal.n == journal.room) {
        journal.room = 2 * journal.room + 64;
        journal.rows = realloc(journal.rows, journal.room * sizeof *journal.rows);
    }
    if (!row) row = &journal.rows[journal.n++];
    snprintf(row->folder, sizeof row->folder, "%s", folder);
    row->task = t, row->at = at;
}

static void forget(const char *folder, const lab_task *t) {
    finished *row = row_of(folder, t);
    if (row) *row = journal.rows[--journal.n];
}

// ---- reading

static lab_entry *entry_of(const lab_arguments *all, const char *folder) {
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->entries[i].folder, folder) == 0) return &all->entries[i];
    return NULL;
}

static void recall_entry(lab_arguments *all, const char *folder, const char *path) {
    lab_submission s = {0};
    if (!*folder || entry_of(all, folder)) return;
    if (strchr(folder, '/') || *folder == '.') {
        fprintf(stderr, "grade_all: %s names a folder that grade_all does not make, and leaves it out: %s\n",
                journal.path, lab_shown(folder));
        return;
    }
    all->entries = realloc(all->entries, (all->n + 1) * sizeof *all->entries);
    lab_entry *e = &all->entries[all->n++];
    *e = (lab_entry){.path = lab_unescape(path)};
    lab_submission_name(e->path, &s);
    memcpy(e->name, s.name, sizeof e->name);
    snprintf(e->folder, sizeof e->folder, "%s", folder);
}

static void recall_again(lab_arguments *all, const json_t *line) {
    const char *folder = lab_text_of(line, "again");
    lab_entry *e = entry_of(all, folder);
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(line, "tasks"), i, name) {
        if (json_is_string(name)) forget(folder, lab_task_find(json_string_value(name)));
    }
    if (e) e->again = 1;
}

static void recall_line(lab_arguments *all, const json_t *line, const char *given, long at) {
    const char *of = lab_text_of(line, "of");
    size_t i;
    json_t *one;
    const lab_task *t = lab_task_find(lab_text_of(line, "task"));
    lab_entry *done = entry_of(all, lab_text_of(line, "done"));
    if (json_object_get(line, "journal")) {
        all->grading.seed = strtoull(lab_text_of(line, "seed"), NULL, 10);
        lab_options_recall(all, json_object_get(line, "options"), given);
    } else if (*of && t) {
        remember(of, t, at);
    } else if (done) {
        done->again = 0;
    } else if (json_object_get(line, "again")) {
        recall_again(all, line);
    }
    json_array_foreach(json_object_get(line, "submissions"), i, one)
        recall_entry(all, lab_text_of(one, "folder"), lab_text_of(one, "path"));
}

static int recall(lab_arguments *all, const char *given) {
    char *text = NULL;
    size_t room = 0;
    long at = 0;
    FILE *f = fopen(journal.path, "r");
    if (!f) return 0;
    for (ssize_t n; (n = getline(&text, &room, f)) > 0; at += n) {
        json_t *line = json_loadb(text, n, 0, NULL);  // NULL: a line that was torn
        if (line) recall_line(all, line, given, at);
        json_decref(line);
    }
    free(text);
    fclose(f);
    return all->n > 0;
}

int lab_journal_recall(lab_arguments *all, const char *given) {
    snprintf(journal.path, sizeof journal.path, "%s/.journal", all->out);
    journal.recalled = recall(all, given);
    return journal.recalled;
}

void lab_journal_only_read(void) { journal.only_read = 1; }

json_t *lab_journal_find(const char *folder, const lab_task *t) {
    const finished *row = row_of(folder, t);
    char *text = NULL;
    size_t room = 0;
    json_t *line = NULL, *result = NULL;
    FILE *f = row ? fopen(journal.path, "r") : NULL;
    if (f && fseek(f, row->at, SEEK_SET) == 0 && getline(&text, &room, f) > 0) line = json_loads(text, 0, NULL);
    if (line && strcmp(lab_text_of(line, "of"), folder) == 0) result = json_incref(json_object_get(line, "result"));
    json_decref(line);
    free(text);
    if (f) fclose(f);
    return result;
}

// ---- writing

static int add(json_t *line) {
    const int ok = !*journal.path || journal.only_read || lab_append_line(journal.path, line);
    const int error = errno;
    json_decref(line);
    errno = error;
    return ok;
}

static json_t *submissions_of(const lab_arguments *all) {
    json_t *list = json_array();
    for (int i = 0; i < all->n; i++) {
        const lab_entry *e = &all->entries[i];
        if (journal.recalled && !e->added) continue;
        char *path = lab_escape(e->path);
        json_array_append_new(list, json_pack("{s:s, s:s}", "folder", e->folder, "path", path));
        free(path);
    }
    return list;
}

static int begin_anew(const lab_arguments *all) {
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)all->grading.seed);
    if (unlink(journal.path) && errno != ENOENT) return 0;
    const int ok = add(json_pack("{s:i, s:s, s:o, s:o}", "journal", 1, "seed", seed, "options",
                                 lab_options_for_journal(all), "submissions", submissions_of(all)));
    const int folder = open(all->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) fsync(folder), close(folder);
    return ok;
}

static int go_on(lab_arguments *all) {
    json_t *added = submissions_of(all);
    const int any = json_array_size(added) > 0;
    json_t *line = json_pack("{s:o}", "submissions", added);
    if (any) return add(line);
    json_decref(line);
    return 1;
}

static int holds_a_class(const lab_arguments *all, char *why, size_t size) {
    static char nothing[512];
    lab_arguments old = {0};
    recall(&old, nothing);
    journal.n = 0;
    if (old.n < 2 || all->anew) return 0;
    snprintf(why, size,
             "%s holds a run of %d submissions: --resume goes on with it, --regrade grades some of it again, "
             "--anew begins again in its place",
             all->out, old.n);
    return 1;
}

int lab_journal_begin(lab_arguments *all, char *why, size_t size) {
    char path[4200];
    snprintf(journal.path, sizeof journal.path, "%s/.journal", all->out);
    snprintf(path, sizeof path, "%s/.run.lock", all->out);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        if (all->n == 1 && !journal.recalled) return !(*journal.path = 0);  // single submissions may share a folder
        snprintf(why, size, "another grade_all works in %s", all->out);
        return 0;
    }
    if (!journal.recalled && holds_a_class(all, why, size)) return 0;
    if (!(journal.recalled ? go_on(all) : begin_anew(all)))
        printf("  %s cannot be written (%s): this run cannot be resumed\n", journal.path, strerror(errno));
    return 1;
}

int lab_journal_task(const char *folder, const lab_task *t, const json_t *result) {
    return add(json_pack("{s:s, s:s, s:O}", "of", folder, "task", t->id, "result", result));
}

int lab_journal_done(const char *folder) { return add(json_pack("{s:s}", "done", folder)); }

int lab_journal_again(lab_arguments *all, lab_entry *e, const lab_task *const *tasks, int n_tasks) {
    json_t *names = json_array();
    for (int i = 0; i < (tasks ? n_tasks : all->grading.n_tasks); i++) {
        const lab_task *t = tasks ? tasks[i] : all->grading.tasks[i];
        json_array_append_new(names, json_string(t->id));
        forget(e->folder, t);
    }
    e->again = 1;
    return add(json_pack("{s:s, s:o}", "again", e->folder, "tasks", names));
}
