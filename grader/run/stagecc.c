// stagecc.c: compile a student's file into a stage, as make does it.
//
//     stagecc LAB TASK SOURCE OUTPUT.so              writes OUTPUT.so and OUTPUT.so.d; exit status 0 or 1
//     stagecc --plain ...                            not optimised, for gdb
//     stagecc --quick ...                            hardly optimised, for many files that run once
//     stagecc --probe LAB TASK SOURCE OUTPUT.so      the same of the probe around the file (grader/probes). One that
//                                                    does not compile leaves OUTPUT.so.txt (why), and status 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    if (text && lab_broken_text(text, error, line, sentence, sizeof sentence))
        lab_print_wrapped(sentence, 8, 0, printf("  Note: ")), fflush(stdout);
    free(text);
}

int main(int argc, char **argv) {
    static char message[1024], log[16 << 10], depend[4200];
    const int plain = argc > 1 && strcmp(argv[1], "--plain") == 0;
    argc -= plain, argv += plain;
    const int quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    argc -= quick, argv += quick;
    const int with_probe = argc > 1 && strcmp(argv[1], "--probe") == 0;
    argc -= with_probe, argv += with_probe;
    const lab_task *task = argc == 5 ? lab_task_find(argv[2]) : NULL;
    if (!task) {
        fprintf(stderr, "usage: stagecc [--plain] [--quick] [--probe] LAB TASK SOURCE OUTPUT.so\n");
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
    const lab_verdict v = lab_build(task, &options, message, sizeof message, log, sizeof log);
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
