// report_file.c: the report on disk.
#define _GNU_SOURCE
#include "report_file.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(char *error, size_t size, const char *what, const char *path) {
    snprintf(error, size, "cannot %s %s: %s", what, path, strerror(errno));
}

char *report_read(const char *path, size_t *length, char *error, size_t error_size) {
    char *text = NULL;
    FILE *in = fopen(path, "rb"), *out = open_memstream(&text, length);
    char part[65536];
    size_t n;
    while (in && out && (n = fread(part, 1, sizeof part, in)) > 0) {
        fwrite(part, 1, n, out);
    }
    bool good = in && out && !ferror(in);
    if (!good) {
        say(error, error_size, "read", path);
    }
    if (!in && errno == ENOENT) {
        snprintf(error, error_size, "there is no %s: copy report_template/report.md there first", path);
    }
    good = out && fclose(out) == 0 && good;
    if (in) {
        fclose(in);
    }
    if (!good) {
        free(text);
        text = NULL;
    }
    return text;
}

// One that replaces another keeps that one's mode; a new one has what the umask allows.
static mode_t mode_of(const char *path) {
    struct stat is;
    if (stat(path, &is) == 0) {
        return is.st_mode & 0777;
    }
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool report_write(const char *path, const char *text, size_t length, char *error, size_t error_size) {
    char target[PATH_MAX], temporary[PATH_MAX + 8];
    if (!realpath(path, target)) {
        snprintf(target, sizeof target, "%s", path);
    }
    if (access(target, F_OK) == 0 && access(target, W_OK) != 0) {  // rename would not ask
        say(error, error_size, "write", path);
        return false;
    }
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", target);
    int file = mkstemp(temporary);
    if (file < 0) {
        say(error, error_size, "write next to", path);
        return false;
    }
    FILE *out = fdopen(file, "wb");
    bool good = out && fwrite(text, 1, length, out) == length && fflush(out) == 0 &&
                fchmod(file, mode_of(target)) == 0 && fsync(file) == 0;
    int reason = errno;
    if (out && fclose(out) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(temporary, target) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        unlink(temporary);
        errno = reason;
        say(error, error_size, "write", path);
    }
    return good;
}

bool report_is_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool report_is_free(const char *path, const char *or_same_as) {
    struct stat is;
    return lstat(path, &is) != 0 || report_is_same(path, or_same_as);
}

char *report_folder(const char *path, char *error, size_t error_size) {
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    char *folder = realpath(dirname(copy), NULL);
    if (!folder) {
        say(error, error_size, "find the folder of", path);
    }
    return folder;
}

// How much of two absolute paths is the same, in whole parts: /a/b/c and /a/bb share "/a".
static size_t shared(const char *a, const char *b) {
    size_t last = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++) {
        last = a[i] == '/' ? i : last;
    }
    bool a_ends = !a[i] || a[i] == '/', b_ends = !b[i] || b[i] == '/';
    return a_ends && b_ends ? i : last;
}

char *report_link(const char *folder, const char *page, char *error, size_t error_size) {
    char *from = report_folder(page, error, error_size), *link = NULL;
    size_t size;
    FILE *out = from ? open_memstream(&link, &size) : NULL;
    if (!out) {
        free(from);
        return NULL;
    }
    size_t same = shared(from, folder);
    for (const char *c = from + same; *c; c++) {
        fputs(*c == '/' && c[1] ? "../" : "", out);
    }
    const char *rest = folder + same + (folder[same] == '/');
    for (const char *c = rest; *c; c++) {
        fprintf(out, isalnum((unsigned char)*c) || strchr("/._-", *c) ? "%c" : "%%%02X", (unsigned char)*c);
    }
    fputs(*rest ? "/" : "", out);
    fclose(out);
    free(from);
    return link;
}
