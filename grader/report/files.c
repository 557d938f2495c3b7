// files.c: files of the report.
#define _GNU_SOURCE
#include "files.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, const char *path) {
    fprintf(stderr, "report: cannot %s %s: %s\n", what, path, strerror(errno));
}

char *lab_read_file(const char *path, size_t *length) {
    char *text = NULL, part[65536];
    size_t n;
    FILE *in = fopen(path, "rb"), *out = open_memstream(&text, length);
    while (in && (n = fread(part, 1, sizeof part, in)) > 0) fwrite(part, 1, n, out);
    const int good = in && !ferror(in);
    if (!good) say("read", path);
    if (in) fclose(in);
    fclose(out);
    if (good) return text;
    free(text);
    return NULL;
}

int lab_write_file(const char *path, const char *text, size_t length) {
    char target[PATH_MAX], temporary[PATH_MAX + 8];
    struct stat is;
    const mode_t mask = umask(0);
    umask(mask);
    if (!realpath(path, target)) snprintf(target, sizeof target, "%s", path);
    const int there = stat(target, &is) == 0;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", target);
    if (there && access(target, W_OK) != 0) return say("write", path), 0;  // rename would not ask
    const int file = mkstemp(temporary);
    if (file < 0) return say("write next to", path), 0;
    FILE *out = fdopen(file, "wb");
    int good = fwrite(text, 1, length, out) == length && fflush(out) == 0 &&
               fchmod(file, there ? is.st_mode & 0777 : 0666 & ~mask) == 0 && fsync(file) == 0;
    int reason = errno;
    if (fclose(out) != 0 && good) good = 0, reason = errno;
    if (good && rename(temporary, target) != 0) good = 0, reason = errno;
    if (good) return 1;
    unlink(temporary);
    errno = reason;
    return say("write", path), 0;
}

char *lab_folder_of(const char *path) {
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    char *folder = realpath(dirname(copy), NULL);
    if (!folder) say("find the folder of", path);
    return folder;
}

// How much of two absolute paths is the same, in whole parts: /a/b/c and /a/bb share "/a".
static size_t shared(const char *a, const char *b) {
    size_t last = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++) last = a[i] == '/' ? i : last;
    return (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/') ? i : last;
}

char *lab_link_to(const char *folder, const char *page) {
    char *from = lab_folder_of(page), *link = NULL;
    size_t size;
    if (!from) return NULL;
    FILE *out = open_memstream(&link, &size);
    const size_t same = shared(from, folder);
    for (const char *c = from + same; *c; c++) fputs(*c == '/' && c[1] ? "../" : "", out);
    const char *rest = folder + same + (folder[same] == '/');
    for (const char *c = rest; *c; c++)
        fprintf(out, isalnum((unsigned char)*c) || strchr("/._-", *c) ? "%c" : "%%%02X", (unsigned char)*c);
    fputs(*rest ? "/" : "", out);
    fclose(out);
    free(from);
    return link;
}
