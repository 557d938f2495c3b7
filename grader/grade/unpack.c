// unpack.c: the allow-list applied to the entries of an archive.
#define _GNU_SOURCE
#include "unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <archive.h>
#include <archive_entry.h>

#include "text.h"

enum { MOST_ENTRIES = 20000 };
static const long long MOST_BYTES = 256LL << 20;  // unpacked: an archive bomb stops here

int lab_work_write(const char *work, const lab_task *task, const char *content, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", work, task->folder);
    if (mkdir(path, 0777) && errno != EEXIST) return 0;
    snprintf(path, sizeof path, "%s/%s/%s", work, task->folder, task->file);
    FILE *f = fopen(path, "wb");
    if (!f) return 0;
    const int written = fwrite(content, 1, size, f) == size;
    return fclose(f) == 0 && written;
}

static int leaves_the_archive(const char *path) {
    if (*path == '/') return 1;
    for (const char *p = path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == 0)) return 1;
    return 0;
}

// The task whose file the entry is: FOLDER/FILE, alone or in one folder around everything. -1: not ours.
static int task_of(const char *path) {
    while (strncmp(path, "./", 2) == 0) path += 2;
    for (int i = 0; i < lab_n_tasks; i++) {
        char wanted[256];
        snprintf(wanted, sizeof wanted, "%s/%s", lab_tasks[i].folder, lab_tasks[i].file);
        const char *inner = strchr(path, '/');
        if (strcmp(path, wanted) == 0 || (inner && strcmp(inner + 1, wanted) == 0)) return i;
    }
    return -1;
}

static void note(lab_submission *s, const char *what, const char *path) {
    const size_t used = strlen(s->notes);
    if (used + 80 < sizeof s->notes)
        snprintf(s->notes + used, sizeof s->notes - used, "%s%s %.60s", used ? "; " : "", what, path);
    lab_clean_text(s->notes);
}

// Returns 0 when the archive ends, or is broken, inside of the entry.
static int take_entry(struct archive *a, struct archive_entry *e, int i, const char *work, lab_submission *s) {
    const lab_task *t = &lab_tasks[i];
    char *message = s->task[i].message;
    const size_t size = sizeof s->task[i].message;
    if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e)) {
        s->task[i].verdict = LAB_FORBIDDEN_FILE;
        snprintf(message, size, "%s/%s is %s, not a regular file", t->folder, t->file,
                 archive_entry_filetype(e) == AE_IFDIR ? "a folder" : "a link or a special file");
        return 1;
    }
    char *content = malloc(LAB_FILE_LIMIT + 1);
    const la_ssize_t n = content ? archive_read_data(a, content, LAB_FILE_LIMIT + 1) : -1;
    if (n > LAB_FILE_LIMIT) {
        s->task[i].verdict = LAB_FORBIDDEN_FILE;
        snprintf(message, size, "%s/%s is larger than %d KiB", t->folder, t->file, LAB_FILE_LIMIT >> 10);
    } else if (n >= 0 && lab_work_write(work, t, content, n)) {
        s->task[i].verdict = LAB_PASSED;
        *message = 0;
    } else if (n >= 0) {
        s->task[i].verdict = LAB_GRADER_ERROR;
        snprintf(message, size, "cannot write %s/%s: %s", t->folder, t->file, strerror(errno));
    }
    free(content);
    return n >= 0;
}

int lab_archive_collect(const char *path, const char *work, lab_submission *s) {
    struct archive *a = archive_read_new();
    struct archive_entry *e;
    int status = ARCHIVE_FATAL, entries = 0;
    if (!a) return 0;
    archive_read_support_filter_gzip(a);  // not filter_all: some of those run programs
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip(a);
    for (int i = 0; i < lab_n_tasks; i++)
        snprintf(s->task[i].message, sizeof s->task[i].message, "there is no %s/%s", lab_tasks[i].folder,
                 lab_tasks[i].file);
    if (archive_read_open_filename(a, path, 64 << 10) == ARCHIVE_OK)
        while ((status = archive_read_next_header(a, &e)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
            const char *name = archive_entry_pathname(e);
            // Its size counts before it is skipped: skipping decompresses it.
            if (++entries > MOST_ENTRIES || archive_entry_size(e) > MOST_BYTES - archive_filter_bytes(a, 0)) break;
            if (!name) continue;
            const int i = task_of(name);
            if (leaves_the_archive(name))
                note(s, "refused a path that leaves the archive:", name);
            else if (i >= 0 && !take_entry(a, e, i, work, s)) {
                status = ARCHIVE_FATAL;
                break;
            } else if (i < 0 && (archive_entry_filetype(e) == AE_IFLNK || archive_entry_hardlink(e)))
                note(s, "ignored a link:", name);
        }
    if (status != ARCHIVE_EOF)
        snprintf(s->error, sizeof s->error, "%s",
                 status == ARCHIVE_OK || status == ARCHIVE_WARN ? "the archive is larger than 256 MiB or 20000 files"
                 : archive_error_string(a)                      ? archive_error_string(a)
                                                                : "cannot be read");
    archive_read_free(a);
    return status == ARCHIVE_EOF;
}
