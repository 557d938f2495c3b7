// stagecc.c: compile a student's file into a stage, as make does it.
//
//     stagecc LAB TASK SOURCE OUTPUT.so      writes OUTPUT.so and OUTPUT.so.d; exit status 0 or 1
#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

int main(int argc, char **argv) {
    static char message[1024], log[16 << 10], depend[4096];
    const lab_task *task = argc == 5 ? lab_task_find(argv[2]) : NULL;
    if (!task) {
        fprintf(stderr, "usage: stagecc LAB TASK SOURCE OUTPUT.so\n");
        return 2;
    }
    snprintf(depend, sizeof depend, "%s.d", argv[4]);
    unlink(argv[4]);  // an older file's object is not to be taken for this one's
    const lab_build_options options = {argv[1], argv[3], argv[4], depend, 60, NULL};
    const lab_verdict v = lab_build(task, &options, message, sizeof message, log, sizeof log);
    fputs(log, stderr);
    if (v == LAB_PASSED) return 0;
    if (!*log) fprintf(stderr, "%s\n", message);
    fprintf(stderr, "%s: %s does not compile (%s)\n", task->id, argv[3], lab_verdict_name(v));
    return 1;
}
