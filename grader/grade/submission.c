// submission.c: takes an allow-list of files out of a folder; unpack.c does the same for archives.
#define _GNU_SOURCE
#include "submission.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "astray.h"
#include "names.h"
#include "text.h"
#include "unpack.h"

// ---- names

static const char *const suffixes[] = {".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".tar", ".zip"};

void lab_submission_name(const char *path, lab_submission *s) {
    char *real = realpath(path, NULL);
    const char *base = real ? real : path, *slash = strrchr(base, '/');
    if (slash && slash[1]) base = slash + 1;
    snprintf(s->name, sizeof s->name, "%s", *base == '/' ? "root" : base);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t n = strlen(s->name), m = strlen(suffixes[i]);
        if (n > m && strcmp(s->name + n - m, suffixes[i]) == 0) {
            s->name[n - m] = 0;
            break;
        }
    }
    lab_folder_name(s->name, s->folder);
    free(real);
}

// ---- a folder

enum { MOST_FOLDERS = 20000 };

// Opens folder/name without following a link at either step. Returns -1 with errno.
static int open_file(int root, const lab_task *t) {
    const int folder = openat(root, t->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return -1;
    const int file = openat(folder, t->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const int error = errno;
    close(folder);
    errno = error;
    return file;
}

// A link to a file of somebody else, who may not want it read: whoever collects submissions may read more than a student.
static int is_anothers(int root, const struct stat *st) {
    struct stat folder;
    return st->st_nlink > 1 && (fstat(root, &folder) || folder.st_uid != st->st_uid);
}

static void take_file(int root, int i, const char *work, lab_submission *s) {
    const lab_task *t = &lab_tasks[i];
    struct stat st;
    s->task[i].verdict = LAB_FORBIDDEN_FILE;
    const int in = open_file(root, t);
    if (in < 0 && errno == ENOENT) {
        s->task[i].verdict = LAB_MISSING;
        snprintf(s->task[i].message, sizeof s->task[i].message, "there is no %s/%s", t->folder, t->file);
    } else if (in < 0) {
        snprintf(s->task[i].message, sizeof s->task[i].message, "%s/%s: %s", t->folder, t->file,
                 errno == ELOOP || errno == ENOTDIR ? "links are not followed" : strerror(errno));
    } else if (fstat(in, &st) || !S_ISREG(st.st_mode)) {
        snprintf(s->task[i].message, sizeof s->task[i].message, "%s/%s is %s, not a regular file", t->folder, t->file,
                 S_ISDIR(st.st_mode) ? "a folder" : "a special file");
    } else if (is_anothers(root, &st)) {
        snprintf(s->task[i].message, sizeof s->task[i].message,
                 "%s/%s is a hard link to a file of another user than the submission's", t->folder, t->file);
    } else if (st.st_size > LAB_FILE_LIMIT) {
        snprintf(s->task[i].message, sizeof s->task[i].message, "%s/%s is larger than %d KiB", t->folder, t->file,
                 LAB_FILE_LIMIT >> 10);
    } else {
        char *content = malloc(st.st_size + 1);
        const ssize_t n = content ? read(in, content, st.st_size) : -1;
        s->task[i].verdict = n >= 0 && lab_work_write(work, t, content, n) ? LAB_PASSED : LAB_GRADER_ERROR;
        if (s->task[i].verdict != LAB_PASSED)
            snprintf(s->task[i].message, sizeof s->task[i].message, "cannot copy %s/%s: %s", t->folder, t->file,
                     strerror(errno));
        free(content);
    }
    if (in >= 0) close(in);
}

void lab_take_nickname(const char *content, size_t size, char nickname[LAB_NICKNAME_SIZE]) {
    char line[LAB_NICKNAME_SIZE + 24];
    snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line - 1 ? size : sizeof line - 1), content);
    const char *start = line + strspn(line, " \t\r\n");
    snprintf(nickname, LAB_NICKNAME_SIZE, "%.*s", (int)strcspn(start, "\r\n"), start);
    lab_cut_text(nickname, 24);
    lab_clean_text(nickname);
    for (size_t n = strlen(nickname); n && nickname[n - 1] == ' ';) nickname[--n] = 0;
}

static void find_nickname(int root, lab_submission *s) {
    static const char *const names[] = {"nickname", "nickname.txt"};
    char content[64];
    struct stat st;
    for (int i = 0; i < 2 && !*s->nickname; i++) {
        const int in = openat(root, names[i], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (in < 0) continue;
        const ssize_t n = fstat(in, &st) == 0 && S_ISREG(st.st_mode) && !is_anothers(root, &st)
                              ? read(in, content, sizeof content)
                              : 0;
        if (n > 0) lab_take_nickname(content, n, s->nickname);
        close(in);
    }
}

static void take_report(int root, const char *work) {
    struct stat st;
    const int in = openat(root, "report.md", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0) return;
    if (fstat(in, &st) == 0 && S_ISREG(st.st_mode) && !is_anothers(root, &st) && st.st_size <= LAB_FILE_LIMIT) {
        char *content = malloc(st.st_size + 1);
        const ssize_t n = content ? read(in, content, st.st_size) : -1;
        if (n > 0) lab_report_write(work, content, n);
        free(content);
    }
    close(in);
}

static int has_a_task(int root) {
    struct stat st;
    for (int i = 0; i < lab_n_tasks; i++)
        if (fstatat(root, lab_tasks[i].folder, &st, AT_SYMLINK_NOFOLLOW) == 0) return 1;
    return 0;
}

// A download often wraps everything in one folder: the only folder that holds task folders. Among very many we do not
// look for long.
static int descend(int root) {
    DIR *dir = fdopendir(dup(root));
    int found = -1, several = 0, looked_at = 0;
    for (struct dirent *e; dir && looked_at < MOST_FOLDERS && (e = readdir(dir)); looked_at++) {
        if (e->d_name[0] == '.' || strcmp(e->d_name, "__MACOSX") == 0) continue;  // what a Mac adds
        const int sub = openat(root, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (sub < 0) continue;
        if (!has_a_task(sub))
            close(sub);
        else if (found >= 0)
            several = 1, close(sub);
        else
            found = sub;
    }
    if (dir) closedir(dir);
    if (several) close(found), found = -1;
    return found;
}

static void say_what_is_there(int root, lab_submission *s) {
    lab_astray *a = calloc(1, sizeof *a);
    int missing = 0;
    for (int i = 0; i < lab_n_tasks; i++) missing |= s->task[i].verdict == LAB_MISSING;
    if (a && missing) lab_astray_see_folder(a, root), lab_astray_say(a, s);
    free(a);
}

static int collect_folder(const char *path, const char *work, lab_submission *s) {
    int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        snprintf(s->error, sizeof s->error, "cannot be read: %s", strerror(errno));
        return 0;
    }
    const int sub = has_a_task(root) ? -1 : descend(root);
    if (sub >= 0) close(root), root = sub;
    for (int i = 0; i < lab_n_tasks; i++) take_file(root, i, work, s);
    say_what_is_there(root, s);
    find_nickname(root, s);
    take_report(root, work);
    close(root);
    return 1;
}

int lab_submission_collect(const char *path, const char *work, lab_submission *s) {
    struct stat st;
    for (int i = 0; i < lab_n_tasks; i++) s->task[i].verdict = LAB_MISSING;
    if (stat(path, &st)) {
        snprintf(s->error, sizeof s->error, "cannot be read: %s", strerror(errno));
        return 0;
    }
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode)) {
        snprintf(s->error, sizeof s->error, "is neither a folder nor a file");
        return 0;
    }
    return S_ISDIR(st.st_mode) ? collect_folder(path, work, s) : lab_archive_collect(path, work, s);
}
