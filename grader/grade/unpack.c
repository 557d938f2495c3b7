// unpack.c: the process that reads an archive, and what we take from it.
//
// libarchive meets bytes that a stranger chose. It runs in a process that may read the one file, allocate, and write to
// one pipe: no other file, no program, no network. It has seconds of processor time and a gigabyte; here we wait no
// longer than WAIT_SECONDS, and take nothing from an archive that needed more.
#define _GNU_SOURCE
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "process.h"
#include "text.h"

enum { CPU_SECONDS = 5, WAIT_SECONDS = 20, MEMORY_MIB = 1024 };

static int write_to(const char *path, const char *content, size_t size) {
    FILE *f = fopen(path, "wb");
    if (!f) return 0;
    const int written = fwrite(content, 1, size, f) == size;
    return fclose(f) == 0 && written;
}

// A terminal obeys controls, and marks of direction show a line other than it is: '?' takes the place of each byte.
static int acts_on_a_terminal(uint32_t code) {
    const int control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    return (control && code != '\t' && code != '\n' && code != '\r') || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

// text ends with a zero behind its `size` bytes, and may hold others.
static void calm(char *text, size_t size) {
    uint32_t code;
    for (size_t i = 0; i < size;) {
        const int n = lab_utf8(text + i, &code);
        if (n && acts_on_a_terminal(code)) memset(text + i, '?', n);
        i += n ? n : 1;
    }
}

// What students write is text; an instructor may look at it by any means.
void lab_report_write(const char *work, const char *content, size_t size) {
    char path[4096], *const text = malloc(size + 1);
    snprintf(path, sizeof path, "%s/report.md", work);
    if (text) memcpy(text, content, size), text[size] = 0, calm(text, size);
    if (!text || !write_to(path, text, size)) unlink(path);
    free(text);
}

int lab_work_write(const char *work, const lab_task *task, const char *content, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", work, task->folder);
    if (mkdir(path, 0777) && errno != EEXIST) return 0;
    snprintf(path, sizeof path, "%s/%s/%s", work, task->folder, task->file);
    return write_to(path, content, size);
}

// ---- in the process that reads

// All other calls fail: libarchive then does without.
static int give_up(void) {
    static const int kept[] = {SCMP_SYS(read),          SCMP_SYS(write),           SCMP_SYS(lseek),
                               SCMP_SYS(fstat),         SCMP_SYS(newfstatat),      SCMP_SYS(mmap),
                               SCMP_SYS(munmap),        SCMP_SYS(mremap),          SCMP_SYS(brk),
                               SCMP_SYS(madvise),       SCMP_SYS(futex),           SCMP_SYS(rt_sigreturn),
                               SCMP_SYS(clock_gettime), SCMP_SYS(restart_syscall), SCMP_SYS(exit),
                               SCMP_SYS(exit_group)};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int ok = filter != NULL;
    for (size_t i = 0; ok && i < sizeof kept / sizeof *kept; i++)
        ok = seccomp_rule_add(filter, SCMP_ACT_ALLOW, kept[i], 0) == 0;
    ok = ok && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}

static int put(int to, const void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(to, (const char *)data + done, size - done);
        if (n <= 0) return 0;
        done += n;
    }
    return 1;
}

static void read_archive(int file, int to, lab_submission *s) {
    const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS}, memory = {(rlim_t)MEMORY_MIB << 20, (rlim_t)MEMORY_MIB << 20},
                        none = {0, 0};
    lab_unpacked u = {0};
    if (!lab_child_ends_with_parent()) _exit(1);
    setrlimit(RLIMIT_CPU, &cpu), setrlimit(RLIMIT_AS, &memory), setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_CORE, &none);
    if (!give_up()) _exit(1);
    lab_unpack(file, s, &u);
    put(to, s, sizeof *s);
    for (int i = 0; i < lab_n_tasks; i++)
        if (s->task[i].verdict == LAB_PASSED) put(to, &u.size[i], sizeof u.size[i]), put(to, u.content[i], u.size[i]);
    put(to, &u.report_size, sizeof u.report_size), put(to, u.report, u.report_size);
    _exit(0);
}

// ---- in the grader, which believes no word of it

static int get(int from, void *data, size_t size, double until) {
    for (size_t done = 0; done < size;) {
        struct pollfd p = {from, POLLIN, 0};
        const double left = until - lab_now();
        if (left <= 0 || poll(&p, 1, (int)(1000 * left) + 1) <= 0) return 0;
        const ssize_t n = read(from, (char *)data + done, size - done);
        if (n <= 0) return 0;
        done += n;
    }
    return 1;
}

static void clean(char *text, size_t size) {
    text[size - 1] = 0;
    lab_clean_text(text);
}

// The process may say what it likes of the files and why; names and paths stay ours.
static void take_words(const lab_submission *said, lab_submission *s) {
    memcpy(s->error, said->error, sizeof s->error), memcpy(s->notes, said->notes, sizeof s->notes);
    memcpy(s->task, said->task, sizeof s->task), memcpy(s->nickname, said->nickname, sizeof s->nickname);
    clean(s->nickname, sizeof s->nickname);
    clean(s->error, sizeof s->error), clean(s->notes, sizeof s->notes);
    for (int i = 0; i < LAB_MAX_TASKS; i++) {
        clean(s->task[i].message, sizeof s->task[i].message);
        const lab_verdict v = s->task[i].verdict;
        if (v != LAB_PASSED && v != LAB_FORBIDDEN_FILE) s->task[i].verdict = LAB_MISSING;
    }
}

static int take(int from, const char *work, lab_submission *s) {
    const double until = lab_now() + WAIT_SECONDS;
    lab_submission *said = malloc(sizeof *said);
    char *content = malloc(LAB_FILE_LIMIT);
    int ok = said && content && get(from, said, sizeof *said, until);
    if (ok) take_words(said, s);
    for (int i = 0; ok && !*s->error && i < lab_n_tasks; i++) {
        size_t size;
        if (s->task[i].verdict != LAB_PASSED) continue;
        ok = get(from, &size, sizeof size, until) && size <= LAB_FILE_LIMIT && get(from, content, size, until);
        if (!ok || lab_work_write(work, &lab_tasks[i], content, size)) continue;
        s->task[i].verdict = LAB_GRADER_ERROR;
        snprintf(s->task[i].message, sizeof s->task[i].message, "cannot write %s/%s: %s", lab_tasks[i].folder,
                 lab_tasks[i].file, strerror(errno));
    }
    size_t size = 0;
    if (ok && !*s->error && get(from, &size, sizeof size, until) && size && size <= LAB_FILE_LIMIT &&
        get(from, content, size, until))
        lab_report_write(work, content, size);
    free(said), free(content);
    return ok;
}

int lab_archive_collect(const char *path, const char *work, lab_submission *s) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int ends[2] = {-1, -1};
    pid_t pid = -1;
    fflush(NULL);
    if (file >= 0 && pipe2(ends, O_CLOEXEC) == 0) pid = lab_child();
    if (pid < 0) {
        snprintf(s->error, sizeof s->error, "cannot be read: %s", strerror(errno));
        if (file >= 0) close(file);
        return 0;
    }
    if (pid == 0) close(ends[0]), read_archive(file, ends[1], s);
    close(ends[1]), close(file);
    if (!take(ends[0], work, s))
        snprintf(s->error, sizeof s->error,
                 "the archive could not be unpacked within %d s of a processor and %d MiB of memory", CPU_SECONDS,
                 MEMORY_MIB);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(ends[0]);
    return !*s->error;
}
