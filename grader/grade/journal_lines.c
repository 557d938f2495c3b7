// journal_lines.c: one line, whole or not there.
#define _GNU_SOURCE
#include "journal_lines.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

static int write_all(int file, const char *text, size_t size) {
    while (size > 0) {
        const ssize_t n = write(file, text, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        text += n, size -= n;
    }
    return 1;
}

int lab_append_line(const char *path, const json_t *line) {
    const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    int ok = 0, error = ENOMEM;
    if (file >= 0 && text) {
        while (flock(file, LOCK_EX) && errno == EINTR) continue;
        const off_t end = lseek(file, 0, SEEK_END);
        char last = '\n';
        if (end > 0 && pread(file, &last, 1, end - 1) != 1) last = 0;
        ok = (last == '\n' || write_all(file, "\n", 1)) && write_all(file, text, strlen(text)) &&
             write_all(file, "\n", 1) && fsync(file) == 0;
        error = errno;
        if (!ok && ftruncate(file, end)) error = errno;
    } else if (file < 0) {
        error = errno;
    }
    if (file >= 0) close(file);
    free(text);
    errno = error;
    return ok;
}

char *lab_escape(const char *path) {
    char *text = malloc(3 * strlen(path) + 1), *to = text;
    uint32_t code;
    while (*path) {
        const int n = lab_utf8(path, &code);
        if (n && code >= ' ' && code != '%' && code != 0x7f) {
            memcpy(to, path, n);
            to += n, path += n;
        } else {
            to += sprintf(to, "%%%02X", (unsigned char)*path++);
        }
    }
    *to = 0;
    return text;
}

char *lab_unescape(const char *text) {
    char *path = strdup(text), *to = path;
    unsigned byte;
    for (; *text; to++)
        if (*text == '%' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]) &&
            sscanf(text + 1, "%2x", &byte) == 1 && byte)
            *to = (char)byte, text += 3;
        else
            *to = *text++;
    *to = 0;
    return path;
}

const char *lab_text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}
