// unpack_entries.c: the allow-list applied to the entries of an archive.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "astray.h"
#include "text.h"
#include "unpack.h"

enum { MOST_ENTRIES = 20000 };
static const long long MOST_BYTES = 256LL << 20;  // unpacked: an archive bomb stops here

typedef struct {
    struct archive *a;
    lab_submission *s;
    lab_unpacked *u;
    lab_astray astray;
    long long read;  // bytes of entries that we have unpacked
    int entries;
    const char *end;  // why we stop before the archive's end; NULL: we do not
} reading;

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
    if (used + 90 < sizeof s->notes)
        snprintf(s->notes + used, sizeof s->notes - used, "%s%s %.60s", used ? "; " : "", what, path);
    lab_clean_text(s->notes);
}

static void forbid(reading *r, int i, const char *what) {
    r->s->task[i].verdict = LAB_FORBIDDEN_FILE;
    snprintf(r->s->task[i].message, sizeof r->s->task[i].message, "%s/%s %s", lab_tasks[i].folder, lab_tasks[i].file,
             what);
}

// What is wrong with the archive, by what libarchive says of it.
static const char *broken(const reading *r) {
    static const char *const ends[] = {"runcated", "No progress is possible", "decompression failed (-5)"};
    const char *says = archive_error_string(r->a);
    for (size_t i = 0; says && i < sizeof ends / sizeof *ends; i++)
        if (strstr(says, ends[i])) return "an archive that ends too early";
    if (!r->entries) return "neither a folder nor an archive (.zip, .tar, .tar.gz, .tar.bz2, .tar.xz)";
    return says ? says : "the archive is broken";
}

static void take_content(reading *r, int i) {
    char *content = malloc(LAB_FILE_LIMIT + 1);
    const la_ssize_t n = content ? archive_read_data(r->a, content, LAB_FILE_LIMIT + 1) : -1;
    free(r->u->content[i]);
    r->u->content[i] = NULL;
    if (n > 0) r->read += n;
    if (n < 0) {
        r->end = broken(r);
    } else if (n > LAB_FILE_LIMIT) {
        forbid(r, i, "is larger than 1024 KiB");
    } else {
        r->u->content[i] = content, r->u->size[i] = n;
        r->s->task[i].verdict = LAB_PASSED;
        r->s->task[i].message[0] = 0;
        return;
    }
    free(content);
}

static void take_entry(reading *r, struct archive_entry *e, int i) {
    if (archive_entry_filetype(e) == AE_IFDIR)
        forbid(r, i, "is a folder, not a regular file");
    else if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e))
        forbid(r, i, "is a link or a special file, not a regular file");
    else if (archive_entry_is_data_encrypted(e) || archive_entry_is_metadata_encrypted(e))
        forbid(r, i, "is encrypted: hand it in without a password");
    else
        take_content(r, i);
}

// A file of that name beside the task folders, alone or in one folder around everything.
static int is_beside(struct archive_entry *e, const char *path, const char *wanted) {
    const char *slash = strchr(path, '/'), *name = slash && !strchr(slash + 1, '/') ? slash + 1 : path;
    return archive_entry_filetype(e) == AE_IFREG && !archive_entry_hardlink(e) && !archive_entry_is_data_encrypted(e) &&
           !strcmp(name, wanted);
}

static void take_report(reading *r) {
    char *content = malloc(LAB_FILE_LIMIT + 1);
    const la_ssize_t n = content ? archive_read_data(r->a, content, LAB_FILE_LIMIT + 1) : -1;
    if (n > 0) r->read += n;
    if (n <= 0 || n > LAB_FILE_LIMIT) {
        free(content);
        return;
    }
    free(r->u->report);
    r->u->report = content, r->u->report_size = (size_t)n;
}

static void take_nickname(reading *r) {
    char content[64];
    const la_ssize_t n = archive_read_data(r->a, content, sizeof content);
    if (n > 0) r->read += n, lab_take_nickname(content, n, r->s->nickname);
}

static void look_at(reading *r, struct archive_entry *e) {
    const char *name = archive_entry_pathname(e);
    const int i = name ? task_of(name) : -1;
    if (name && archive_entry_filetype(e) == AE_IFREG) lab_astray_see(&r->astray, name);
    if (!name)
        note(r->s, "ignored a name that cannot be read", "");
    else if (leaves_the_archive(name))
        note(r->s, "refused a path that leaves the archive:", name);
    else if (i >= 0)
        take_entry(r, e, i);
    else if (is_beside(e, name, "report.md"))
        take_report(r);
    else if (is_beside(e, name, "nickname") || is_beside(e, name, "nickname.txt"))
        take_nickname(r);
    else if (archive_entry_filetype(e) == AE_IFLNK || archive_entry_hardlink(e))
        note(r->s, "ignored a link:", name);
    else if (lab_is_archive(name))
        note(r->s, "an archive inside of the archive is not opened:", name);
}

// Unpacks what is left of an entry whose end is known in no other way, and counts it.
static void pass_over(reading *r, struct archive_entry *e) {
    const void *data;
    size_t n;
    la_int64_t offset;
    if (archive_entry_size_is_set(e)) return;  // the next header is found without unpacking
    while (r->read <= MOST_BYTES && archive_read_data_block(r->a, &data, &n, &offset) == ARCHIVE_OK)
        r->read += (long long)n;
}

static const char too_large[] = "the archive is larger than 256 MiB or 20000 files";

// Its size counts before it is passed over: a tar archive is unpacked then.
static int is_too_much(reading *r, struct archive_entry *e) {
    const long long read = r->read + archive_filter_bytes(r->a, 0), size = archive_entry_size(e);
    return ++r->entries > MOST_ENTRIES || read > MOST_BYTES || size > MOST_BYTES - read;
}

static struct archive *open_archive(int file) {
    struct archive *a = archive_read_new();
    if (!a) return NULL;
    archive_read_support_filter_gzip(a);  // not filter_all: some of those run programs
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip(a);
    archive_read_open_fd(a, file, 64 << 10);
    return a;
}

int lab_unpack(int file, lab_submission *s, lab_unpacked *u) {
    reading r = {.a = open_archive(file), .s = s, .u = u};
    struct archive_entry *e;
    int status = ARCHIVE_OK;
    for (int i = 0; i < lab_n_tasks; i++)
        snprintf(s->task[i].message, sizeof s->task[i].message, "there is no %s/%s", lab_tasks[i].folder,
                 lab_tasks[i].file);
    while (r.a && !r.end) {
        status = archive_read_next_header(r.a, &e);
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN) break;
        if (is_too_much(&r, e)) {
            r.end = too_large;
        } else {
            look_at(&r, e);
            if (!r.end) pass_over(&r, e);
        }
    }
    if (!r.end && status != ARCHIVE_EOF) r.end = broken(&r);
    if (r.end) snprintf(s->error, sizeof s->error, "%s", r.end);
    if (!r.end && !r.entries) note(s, "the archive is empty", "");
    lab_astray_say(&r.astray, s);
    lab_clean_text(s->error);
    archive_read_free(r.a);
    return !r.end;
}
