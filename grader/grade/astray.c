// astray.c: of names in a submission, those that were meant for a task's file.
#define _GNU_SOURCE
#include "astray.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

enum { MOST_SEEN = 5000, DEEPEST = 4 };
enum { OTHER, IN_ITS_FOLDER, LIKE_ITS_NAME, ITS_NAME, ITS_NAME_IN_ITS_TASK, ITS_NAME_IN_ITS_FOLDER };

static int ends_in(const char *path, const char *const ends[]) {
    const size_t n = strlen(path);
    for (int i = 0; ends[i]; i++)
        if (n > strlen(ends[i]) && strcasecmp(path + n - strlen(ends[i]), ends[i]) == 0) return 1;
    return 0;
}

int lab_is_archive(const char *path) {
    static const char *const ends[] = {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", NULL};
    return ends_in(path, ends);
}

// What a Mac or an editor leaves, and the lab's own rooms, where a whole tree was handed in.
static int is_passed_over(const char *name, size_t n) {
    static const char *const names[] = {"__MACOSX", "grader", "build"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && strncmp(name, names[i], n) == 0) return 1;
    return *name == '.';
}

// How much a path is like a task's.
static int likeness(const lab_task *t, const char *path) {
    static const char *const ends[] = {".c", ".cu", ".cpp", ".cc", ".txt", NULL};
    char folder[64] = "";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *start = slash ? slash : path;
    while (start > path && start[-1] != '/') start--;
    if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - start), start);
    const int of_task = strncasecmp(folder, t->id, strlen(t->id)) == 0;
    if (strcasecmp(name, t->file) == 0)
        return strcasecmp(folder, t->folder) == 0 ? ITS_NAME_IN_ITS_FOLDER : of_task ? ITS_NAME_IN_ITS_TASK : ITS_NAME;
    if (!ends_in(name, ends)) return OTHER;
    return strncasecmp(name, t->file, strcspn(t->file, ".")) == 0 ? LIKE_ITS_NAME : of_task ? IN_ITS_FOLDER : OTHER;
}

// Of two that are equally alike, the first in the alphabet: folders are read in any order.
static int is_better(int like, int best, const char *path, const char *nearest) {
    return like > best || (like && like == best && strncmp(path, nearest, sizeof((lab_astray *)0)->nearest[0] - 1) < 0);
}

void lab_astray_see(lab_astray *a, const char *path) {
    while (strncmp(path, "./", 2) == 0) path += 2;
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (!*part || is_passed_over(part, strcspn(part, "/"))) return;
    for (int i = 0; i < lab_n_tasks; i++) {
        const int like = likeness(&lab_tasks[i], path);
        if (!is_better(like, a->likeness[i], path, a->nearest[i])) continue;
        a->likeness[i] = like;
        snprintf(a->nearest[i], sizeof a->nearest[i], "%.79s", path);
    }
    if (lab_is_archive(path) && !*a->archive) snprintf(a->archive, sizeof a->archive, "%.79s", path);
    if (a->n < 3) snprintf(a->others[a->n], sizeof a->others[0], "%.39s", path);
    a->n++;
}

static void see_below(lab_astray *a, int folder, const char *before, int depth) {
    DIR *dir = fdopendir(dup(folder));
    struct stat st;
    char path[600];
    if (dir) rewinddir(dir);  // who read this folder before has left its place behind the last name
    for (struct dirent *e; dir && a->n < MOST_SEEN && (e = readdir(dir));) {
        if (is_passed_over(e->d_name, strlen(e->d_name))) continue;
        if (fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW)) continue;
        if (snprintf(path, sizeof path, "%s%s", before, e->d_name) + 2 > (int)sizeof path) continue;
        if (S_ISREG(st.st_mode)) lab_astray_see(a, path);
        if (!S_ISDIR(st.st_mode) || depth == DEEPEST) continue;
        const int below = openat(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        strcat(path, "/");
        if (below >= 0) see_below(a, below, path, depth + 1), close(below);
    }
    if (dir) closedir(dir);
}

void lab_astray_see_folder(lab_astray *a, int folder) { see_below(a, folder, "", 0); }

void lab_astray_say(const lab_astray *a, lab_submission *s) {
    int taken = 0;
    for (int i = 0; i < lab_n_tasks; i++) taken += s->task[i].verdict != LAB_MISSING;
    for (int i = 0; i < lab_n_tasks; i++) {
        char *const said = s->task[i].message;
        const size_t used = strlen(said), size = sizeof s->task[i].message;
        if (s->task[i].verdict != LAB_MISSING) continue;
        if (a->likeness[i])
            snprintf(said + used, size - used, LAB_THERE_IS "%s", a->nearest[i]);
        else if (*a->archive)
            snprintf(said + used, size - used, LAB_THERE_IS "an archive, which is not opened: %s", a->archive);
        else if (!taken && a->n)  // who hands in one task of six has nothing in its place
            snprintf(said + used, size - used, LAB_THERE_IS "%s%s%s%s%s%s", a->others[0], a->n > 1 ? ", " : "",
                     a->others[1], a->n > 2 ? ", " : "", a->others[2], a->n > 3 ? ", ..." : "");
        lab_clean_text(said);
    }
}
