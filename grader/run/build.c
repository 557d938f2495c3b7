// build.c: compile one stage, with limits, and keep what the compiler says.
#define _GNU_SOURCE
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "backend.h"
#include "broken_text.h"
#include "compiler.h"
#include "expect.h"
#include "process.h"
#include "symbols.h"
#include "text.h"
#include "todo.h"

enum { MAX_SOURCE_BYTES = 1 << 20, MAX_EDITS_BYTES = 64 << 20, LEAST_ROOM = 1 << 20 };

// A submission is a regular file of a sane size, not a link. What it contains, the compiler judges.
static lab_verdict inspect(const char *path, int edits, char *message, size_t size) {
    struct stat st;
    if (lstat(path, &st)) {
        snprintf(message, size, "there is no file %s", path);
        return LAB_MISSING;
    }
    if (!S_ISREG(st.st_mode)) {
        snprintf(message, size, "%s is %s: it must be a regular file", path,
                 S_ISDIR(st.st_mode)   ? "a folder"
                 : S_ISLNK(st.st_mode) ? "a link"
                                       : "a special file");
        return LAB_FORBIDDEN_FILE;
    }
    if (st.st_size == 0) {
        snprintf(message, size, "%s is empty", path);
        return LAB_MISSING;
    }
    if (st.st_size > (edits ? MAX_EDITS_BYTES : MAX_SOURCE_BYTES)) {
        snprintf(message, size, "%s is larger than %d KiB", path, MAX_SOURCE_BYTES >> 10);
        return LAB_FORBIDDEN_FILE;
    }
    return LAB_PASSED;
}

// Only attn_* (of a probe: lab_probe_*) leave the shared object: a student's own memcpy or clock_gettime stays the
// student's.
static int write_version_script(const char *path, const char *exported, const char *more) {
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fprintf(f, "{ global: %s*;%s local: *; };\n", exported, more);
    return fclose(f) == 0;
}

static int open_room(lab_room *r, const lab_build_options *o) {
    snprintf(r->folder, sizeof r->folder, "%s.room", o->output);
    snprintf(r->object, sizeof r->object, "%s/object.o", r->folder);
    snprintf(r->stage, sizeof r->stage, "%s/stage.so", r->folder);
    snprintf(r->depend, sizeof r->depend, "%s/depend", r->folder);
    snprintf(r->exports, sizeof r->exports, "%s/exports", r->folder);
    return (mkdir(r->folder, 0755) == 0 || errno == EEXIST) &&
           write_version_script(r->exports, o->probe ? "lab_probe_" : "attn_",
                                o->edits ? " lab_set_edit; lab_edit_idle; lab_set_values;" : "");
}

static int take_out(const char *from, const char *to) {
    return chown(from, getuid(), getgid()) == 0 && rename(from, to) == 0;
}

// Takes out what was made. Returns 0 if it cannot.
static int close_room(const lab_room *r, const lab_build_options *o, int compiled) {
    const int ok = !compiled || (take_out(r->stage, o->output) && (!o->depend || take_out(r->depend, o->depend)));
    unlink(r->object), unlink(r->stage), unlink(r->depend), unlink(r->exports), rmdir(r->folder);
    return ok;
}

// The first line that reports an error, or the first line at all. Warnings may come before it.
static void first_error(const char *log, const char *source, char *message, size_t size) {
    static const char *const signs[] = {": error: ", ": fatal error: ", ": Error: ", "undefined reference"};
    const char *line = NULL, *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = strstr(log, signs[i]);
        if (at && (!line || at < line)) line = at;
    }
    if (!line) line = log + strspn(log, "\n");  // "cc1: out of memory" comes after an empty line
    while (line > log && line[-1] != '\n') line--;
    // The student knows the file's name, not the folder in which the lab compiles it.
    const char *end = line + strcspn(line, "\n"), *file = strstr(line, name);
    if (file && file < end && file[strlen(name)] == ':') line = file;
    snprintf(message, size, "%.*s", (int)(end - line), line);
    lab_clean_text(message);
}

// What the file's own text says about it, on a line of its own.
static void add_sentence(const char *log, const char *source, char *message, size_t size) {
    const char *error;
    const int line = lab_error_line(log, source, &error);
    char sentence[256], *text = lab_todo_read(source);
    const size_t used = strlen(message);
    if (text && lab_broken_text(text, error, line, sentence, sizeof sentence))
        snprintf(message + used, size - used, "; %s", sentence);
    free(text);
}

// A compiler fails when the disk has no room for its output or its temporary files. That is not the student's error.
static int disk_is_full(const char *output) {
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(output, '/');
    struct statvfs disk;
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - output) : 1, slash ? output : ".");
    return (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < LEAST_ROOM) ||
           (statvfs(temporary && *temporary ? temporary : "/tmp", &disk) == 0 &&
            disk.f_bavail * disk.f_frsize < LEAST_ROOM);
}

// A compiler sees the student's file, the headers that it may include, a probe, and CUDA on the CPU.
static const char *const parts[] = {"grader/core/shape.h", "grader/simt/simtcc",  "grader/simt/compile",
                                    "grader/simt/include", "grader/simt/runtime", "build/simt"};
enum { N_PARTS = sizeof parts / sizeof *parts, MAX_SHOWN = N_PARTS + 4 };

static void show_compiler(lab_sandbox *s, const lab_task *task, const lab_build_options *o, const lab_room *room,
                          char paths[MAX_SHOWN][4200]) {
    for (int i = 0; i < N_PARTS; i++) snprintf(paths[i], sizeof paths[i], "%s/%s", o->lab, parts[i]);
    snprintf(paths[N_PARTS], sizeof paths[N_PARTS], "%s/%s/%s.h", o->lab, task->folder, task->id);
    if (task->headers) snprintf(paths[N_PARTS + 1], sizeof paths[N_PARTS + 1], "%s/%s", o->lab, task->headers);
    for (int i = 0; i < N_PARTS + 1 + (task->headers != NULL); i++) lab_sandbox_show(s, paths[i]);
    lab_sandbox_show(s, o->source);
    if (o->probe) {  // and the headers beside it
        snprintf(paths[N_PARTS + 2], sizeof paths[N_PARTS + 2], "%.*s", (int)(strrchr(o->probe, '/') - o->probe),
                 o->probe);
        lab_sandbox_show(s, paths[N_PARTS + 2]);
    }
    if (o->tiny == 1) {
        snprintf(paths[N_PARTS + 3], sizeof paths[N_PARTS + 3], "%s/grader/repair/tcc", o->lab);
        lab_sandbox_show(s, paths[N_PARTS + 3]);
    }
    if (o->hooks) lab_sandbox_show(s, o->hooks);
    s->written = room->folder;
}

// Runs the compiler or the linker, and reads its end.
static lab_verdict run(const lab_task *task, char *const argv[], const lab_build_options *o, const lab_room *room,
                       lab_process *p, char *message, size_t size) {
    lab_limits limits = {.arena = -1, .cpu_seconds = o->seconds, .memory_bytes = (size_t)4 << 30};
    lab_sandbox sandbox = {.n_shown = 0};
    char paths[MAX_SHOWN][4200];
    if (lab_sandbox_wanted()) {
        show_compiler(&sandbox, task, o, room, paths);
        limits.sandbox = &sandbox;
    }
    if (!lab_process_start(p, argv, &limits)) {
        snprintf(message, size, "cannot start %s", argv[0]);
        return LAB_GRADER_ERROR;
    }
    const lab_event event = lab_process_wait(p, NULL, 0, o->seconds);
    lab_process_stop(p);
    if (event == LAB_EXITED && p->exit_status == 0) return LAB_PASSED;
    if (event == LAB_STARVED) {
        snprintf(message, size, LAB_TOO_BUSY " to compile. Try again later");
        return LAB_GRADER_ERROR;
    }
    if (event == LAB_TIMED_OUT || event == LAB_SIGNALLED) {
        snprintf(message, size, "the compiler did not finish within %g s", o->seconds);
        return LAB_COMPILE_TIMEOUT;
    }
    if (event == LAB_FLOODED) snprintf(message, size, "the compiler printed more than %d KiB", LAB_LOG_LIMIT >> 10);
    if (event == LAB_FLOODED) return LAB_COMPILE_ERROR;
    // Neither the shell nor bwrap found the compiler.
    if (p->exit_status == 127 || (limits.sandbox && lab_sandbox_failed(limits.sandbox, p->text))) {
        snprintf(message, size, "%s", p->text);
        return LAB_GRADER_ERROR;
    }
    if (disk_is_full(o->output)) {
        snprintf(message, size, "cannot write %s: %s", o->output, strerror(ENOSPC));
        return LAB_GRADER_ERROR;
    }
    if (!o->probe || !lab_expected(o->probe, p->text, o->source, message, size)) {
        first_error(p->text, o->source, message, size);
        if (!o->edits) add_sentence(p->text, o->source, message, size);
    }
    // simt refuses, by line, what would hide code from it (grader/simt/rewrite/guest.c).
    return strstr(message, " is not for a stage: ") ? LAB_FORBIDDEN_SYMBOL : LAB_COMPILE_ERROR;
}

static void keep(const lab_process *p, char *log, size_t log_size) {
    const size_t used = log_size ? strlen(log) : 0;
    if (log_size) snprintf(log + used, log_size - used, "%s", p->text);
}

// Compile -> inspect -> link. What nobody knows is the linker's to explain first: a function may be missing.
static lab_verdict make_stage(const lab_task *task, const lab_build_options *o, const lab_room *room, lab_process *p,
                              char *message, size_t size, char *log, size_t log_size) {
    char words[LAB_COMPILER_WORDS][4400], *argv[LAB_COMPILER_ARGS], why[1024] = "";
    lab_verdict inspected = LAB_PASSED;
    int unknown = 0;
    lab_compile_command(task, o, room, words, argv);
    lab_verdict v = run(task, argv, o, room, p, message, size);
    keep(p, log, log_size);
    if (v == LAB_PASSED && !o->any_symbol)
        inspected = lab_symbols_inspect(task, room->object, o->source, &unknown, why, sizeof why);
    if (v == LAB_PASSED && o->tiny == 2) return v;
    if (v == LAB_PASSED && (inspected == LAB_PASSED || unknown)) {
        lab_link_command(task, o, room, words, argv);
        v = run(task, argv, o, room, p, message, size);
        keep(p, log, log_size);
    }
    if (v != LAB_PASSED || inspected == LAB_PASSED) return v;
    snprintf(message, size, "%s", why);
    return inspected;
}

lab_verdict lab_build(const lab_task *task, const lab_build_options *o, char *message, size_t size, char *log,
                      size_t log_size) {
    lab_room room;
    message[0] = 0;
    if (log_size) log[0] = 0;
    lab_verdict v = inspect(o->source, o->edits, message, size);
    if (v != LAB_PASSED) return v;
    if (!open_room(&room, o)) {
        snprintf(message, size, "cannot write %s: %s", room.exports, strerror(errno));
        return LAB_GRADER_ERROR;
    }
    lab_process *p = calloc(1, sizeof *p);
    v = p ? make_stage(task, o, &room, p, message, size, log, log_size) : LAB_GRADER_ERROR;
    if (!close_room(&room, o, v == LAB_PASSED && o->tiny < 2)) {
        snprintf(message, size, "cannot write %s: %s", o->output, strerror(errno));
        v = LAB_GRADER_ERROR;
    }
    free(p);
    return v;
}

int lab_build_probe(const lab_task *task, lab_build_options o) {
    char probe[4200], reason[4200], message[1024] = "there is no probe";
    snprintf(probe, sizeof probe, "%s/grader/probes/%s%s", o.lab, task->id, strrchr(task->file, '.'));
    snprintf(reason, sizeof reason, "%s.txt", o.output);
    unlink(o.output), unlink(reason);
    o.probe = probe;
    const int is_there = access(probe, R_OK) == 0;
    for (; is_there && o.no_steps < 2; o.no_steps++)
        if (lab_build(task, &o, message, sizeof message, NULL, 0) == LAB_PASSED) return 1;
    FILE *f = fopen(reason, "w");
    if (!f) return 0;
    fprintf(f, "%s\n", message);
    return fclose(f) == 0;
}
