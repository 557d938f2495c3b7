// stagecc.c: compile a student's file into a stage, as make does it.
//
//     stagecc LAB TASK SOURCE OUTPUT.so              writes OUTPUT.so and OUTPUT.so.d; exit status 0 or 1
//     stagecc --plain ...                            not optimised, for gdb
//     stagecc --quick ...                            hardly optimised, for many files that run once
//     stagecc --probe LAB TASK SOURCE OUTPUT.so      the same of the probe around the file (grader/probes). One that
//                                                    does not compile leaves OUTPUT.so.txt (why), and status 0
//     stagecc --with PROBE.so ...                    and the probe, on another processor; PROBE.so.made: it was tried
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "broken_text.h"
#include "build.h"
#include "claims_text.h"
#include "todo.h"

// The first error alone: what follows it often follows from it.
static void say_error(const char *log, const char *source) {
    const char *error;
    const int line = lab_error_line(log, source, &error);
    char sentence[256], *text = lab_todo_read(source);
    lab_show_first_error(log, stderr);
    fflush(stdout), dup2(STDERR_FILENO, STDOUT_FILENO);  // one way for both, or the Note may come first
    if (text && lab_broken_text(text, error, line, sentence, sizeof sentence))
        lab_print_wrapped(sentence, 8, 0, printf("  Note: ")), fflush(stdout);
    free(text);
}

// The probe, beside the stage, in a process of its own.
static struct {
    const lab_task *task;
    const char *output;
    lab_build_options options;
    char room[4200];  // of its compiler, which leaves something in it where it is ended
    int begun;
} beside;

static int build_beside(void *unused) {
    char depend[4200];
    (void)unused;
    setenv("TMPDIR", beside.room, 1);
    snprintf(depend, sizeof depend, "%s.d", beside.output);
    beside.options.output = beside.output, beside.options.depend = depend;
    return lab_build_probe(beside.task, beside.options);
}

static void begin_beside(const lab_task *task, const char *output, const lab_build_options *options) {
    if (!output) return;
    beside.task = task, beside.output = output, beside.options = *options;
    snprintf(beside.room, sizeof beside.room, "%s.beside", output);
    mkdir(beside.room, 0700);
    char mark[4300];
    snprintf(mark, sizeof mark, "%s.made", output);
    unlink(mark);  // of an earlier one
    beside.begun = lab_aside_begin(build_beside, NULL);
}

// It is to be newer than the stage, or make would build it again.
static void end_beside(int wanted) {
    char path[4300];
    if (!beside.output) return;
    const int made = wanted && lab_aside_end(beside.begun);
    if (!wanted) lab_aside_drop(beside.begun);
    utimensat(AT_FDCWD, beside.output, NULL, 0);
    snprintf(path, sizeof path, "%s.made", beside.output);
    const int mark = made ? open(path, O_CREAT | O_WRONLY, 0644) : -1;
    if (mark >= 0) close(mark);
    snprintf(path, sizeof path, "%s.room", beside.output);
    lab_aside_clear(path), lab_aside_clear(beside.room);
}

int main(int argc, char **argv) {
    static char message[1024], log[16 << 10], depend[4200];
    const int plain = argc > 1 && strcmp(argv[1], "--plain") == 0;
    argc -= plain, argv += plain;
    const int quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    argc -= quick, argv += quick;
    const int with_probe = argc > 1 && strcmp(argv[1], "--probe") == 0;
    argc -= with_probe, argv += with_probe;
    const char *probe = argc > 2 && strcmp(argv[1], "--with") == 0 ? argv[2] : NULL;
    argc -= probe ? 2 : 0, argv += probe ? 2 : 0;
    const lab_task *task = argc == 5 ? lab_task_find(argv[2]) : NULL;
    if (!task) {
        fprintf(stderr, "usage: stagecc [--plain] [--quick] [--probe] [--with PROBE.so] LAB TASK SOURCE OUTPUT.so\n");
        return 2;
    }
    const lab_build_options options = {.lab = argv[1],
                                       .source = argv[3],
                                       .output = argv[4],
                                       .depend = depend,
                                       .seconds = 60,
                                       .plain = plain,
                                       .quick = quick};
    snprintf(depend, sizeof depend, "%s.d", argv[4]);
    if (with_probe) return !lab_build_probe(task, options);
    unlink(argv[4]);  // an older file's object is not to be taken for this one's
    begin_beside(task, probe, &options);
    const lab_verdict v = lab_build(task, &options, message, sizeof message, log, sizeof log);
    end_beside(v == LAB_PASSED);
    if (v == LAB_COMPILE_ERROR)
        say_error(log, argv[3]);
    else
        fputs(log, stderr);
    if (v == LAB_PASSED) return 0;
    if (!*log || v == LAB_FORBIDDEN_SYMBOL) fprintf(stderr, "%s\n", message);
    fprintf(stderr, "%s: %s %s (%s)\n", task->id, argv[3],
            v == LAB_FORBIDDEN_SYMBOL ? "uses what a stage may not" : "does not compile", lab_verdict_name(v));
    return 1;
}
