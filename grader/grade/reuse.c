// reuse.c: a folder for each text that was judged.
#define _GNU_SOURCE
#include "reuse.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lock.h"
#include "process.h"
#include "score.h"
#include "tool.h"

enum { MOST_STAGE_BYTES = 8 << 20 };

// ---- What is judged, as one text

static char *read_whole(const char *path, size_t *size) {
    char *content = NULL;
    FILE *f = fopen(path, "r"), *memory = f ? open_memstream(&content, size) : NULL;
    char piece[1 << 14];
    for (size_t n; memory && (n = fread(piece, 1, sizeof piece, f)) > 0;) fwrite(piece, 1, n, memory);
    if (memory) fclose(memory);
    if (f) fclose(f);
    return content;
}

static int put_file(FILE *out, const lab_graded *s, const lab_task *t) {
    char path[4600];
    size_t size;
    const int taken = s->submission.task[t - lab_tasks].verdict == LAB_PASSED;
    snprintf(path, sizeof path, "%s/%s/%s", s->work, t->folder, t->file);
    char *content = taken ? read_whole(path, &size) : NULL;
    fprintf(out, "%s %zu bytes\n", t->id, content ? size : 0);
    if (content) fwrite(content, 1, size, out);
    free(content);
    return content || !taken;
}

static void put_json(FILE *out, const char *name, const json_t *value) {
    fprintf(out, "%s ", name);
    json_dumpf(value, out, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    fputc('\n', out);
}

// NULL when a file cannot be read: then nothing is shared.
static char *describe(const lab_graded *s, const lab_task *t, size_t *size) {
    const lab_grading *g = s->g;
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) return NULL;
    fprintf(out, "lab %s, backend %s, checked %d, sandboxed %d, timeout %s, bench %d, full %d\n", lab_commit(),
            lab_backend_of(g), lab_has_checked_mode(t), g->sandboxed, g->timeout, g->bench, g->full);
    put_json(out, "cpu", json_object_get(s->machine, "cpu")), put_json(out, "gpu", json_object_get(s->machine, "gpu"));
    put_json(out, "rubric", g->rubric);
    int ok = put_file(out, s, t);
    for (int i = 0; i < 2 && t->parts[i]; i++) ok &= put_file(out, s, lab_task_find(t->parts[i]));
    if (fclose(out) == 0 && ok) return text;
    free(text);
    return NULL;
}

// FNV-1a. Who makes two texts of one hash gains nothing: the texts differ, and both are judged.
static uint64_t hash_of(const char *text, size_t size) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h;
}

// ---- The folder

static int write_whole(const char *folder, const char *name, const char *content, size_t size) {
    char path[4500], temporary[4520];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *f = fopen(temporary, "w");
    int ok = f && fwrite(content, 1, size, f) == size && fflush(f) == 0 && fsync(fileno(f)) == 0;
    if (f && fclose(f)) ok = 0;
    return ok && rename(temporary, path) == 0;
}

// 1: this text's, or nobody's yet; 0: another text of the same hash.
static int is_ours(const char *folder, const char *text, size_t size) {
    char path[4500];
    size_t there;
    snprintf(path, sizeof path, "%s/text", folder);
    char *old = read_whole(path, &there);
    const int ours = old ? there == size && memcmp(old, text, size) == 0 : write_whole(folder, "text", text, size);
    free(old);
    return ours;
}

// The machine is let go meanwhile: who judges the text may want the machine for itself.
static int take_lock(const lab_graded *s, const char *folder, int wait, int *busy) {
    char path[4500];
    snprintf(path, sizeof path, "%s/lock", folder);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    if (!wait) {
        *busy = 1;
        close(lock);
        return -1;
    }
    const double start = lab_now();
    s->g->progress(s->submission.name, "waits for the same text");
    lab_lock(LAB_WAIT);
    while (flock(lock, LOCK_EX) && errno == EINTR) continue;
    lab_deadline_later(lab_now() - start);
    lab_lock(LAB_BESIDE_OTHERS);
    return lock;
}

static void let_go(lab_reuse *r) {
    if (r->lock >= 0) close(r->lock);
    *r = (lab_reuse){.lock = -1, .busy = r->busy};
}

static void stage_paths(const lab_graded *s, const lab_task *t, const lab_reuse *r, char kept[4500], char stage[4600]) {
    snprintf(kept, 4500, "%s/stage.so", r->folder);
    snprintf(stage, 4600, "%s/%s.so", s->work, t->id);
}

json_t *lab_reuse_find(const lab_graded *s, const lab_task *t, int wait, lab_reuse *r) {
    char kept[4500], stage[4600], same[4200];
    size_t size;
    json_t *task = NULL;
    *r = (lab_reuse){.lock = -1};
    if (!s->g->reuse || s->submission.task[t - lab_tasks].verdict != LAB_PASSED) return NULL;
    char *text = describe(s, t, &size);
    if (!text) return NULL;
    snprintf(same, sizeof same, "%s/.same", s->g->out);
    snprintf(r->folder, sizeof r->folder, "%s/%016" PRIx64, same, hash_of(text, size));
    if ((mkdir(same, 0700) && errno != EEXIST) || (mkdir(r->folder, 0700) && errno != EEXIST) ||
        (r->lock = take_lock(s, r->folder, wait, &r->busy)) < 0 || !is_ours(r->folder, text, size))
        let_go(r);
    free(text);
    if (r->lock < 0) return NULL;
    snprintf(kept, sizeof kept, "%s/task.json", r->folder);
    if (!(task = json_load_file(kept, 0, NULL))) return NULL;
    stage_paths(s, t, r, kept, stage);
    if (link(kept, stage)) errno = 0;  // whoever needs it compiles it
    json_object_set_new(task, "same_text", json_true());
    let_go(r);
    return task;
}

// What others of the class may link to lies on the disk before the verdict that goes with it: a power cut leaves no empty
// file there. A large one is compiled by who needs it: three hundred such files would fill a disk.
static void keep_stage(const char *stage, const char *kept) {
    struct stat st;
    const int file = open(stage, O_RDONLY | O_CLOEXEC);
    unlink(kept);
    if (file >= 0 && fstat(file, &st) == 0 && st.st_size <= MOST_STAGE_BYTES && fsync(file) == 0 && link(stage, kept))
        errno = 0;
    if (file >= 0) close(file);
}

// Takes the words of `path` out of the text, in place.
static void remove_path(char *text, const char *path) {
    const size_t n = strlen(path);
    for (char *at = text; (at = strstr(at, path));) memmove(at, at + n, strlen(at + n) + 1);
}

void lab_reuse_keep(const lab_graded *s, const lab_task *t, lab_reuse *r, const json_t *task) {
    char kept[4500], stage[4600], folder[4600];
    if (r->lock >= 0 && task && !lab_is_unfinished(task, NULL, 0)) {
        char *text = json_dumps(task, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        snprintf(folder, sizeof folder, "%s/%s/", s->work, t->folder);
        if (text) remove_path(text, folder);
        snprintf(folder, sizeof folder, "%s/", s->work);
        if (text) remove_path(text, folder);
        stage_paths(s, t, r, kept, stage);
        keep_stage(stage, kept);
        if (text) write_whole(r->folder, "task.json", text, strlen(text));
        free(text);
    }
    let_go(r);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void lab_reuse_forget(const char *out) {
    char same[4200];
    snprintf(same, sizeof same, "%s/.same", out);
    nftw(same, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
