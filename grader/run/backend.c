// backend.c: the table of backends, and the choice.
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lab_backend_row backends[] = {
    {"simt", "simt", "", .checked = 0},
    {"simt", "simt_checked", ".checked", .checked = 1},
    {"cuda", "cuda", ".cuda", .on_gpu = 1},
};

const lab_backend_row *lab_backend(void) {
    const char *asked = getenv("LAB_BACKEND"), *checked = getenv("LAB_CHECKED");
    if (asked && strcmp(asked, "cuda") == 0) return &backends[2];
    return &backends[checked && *checked];
}

void lab_runner_of(const lab_task *task, const char *build, char *path, size_t size) {
    if (task->language == LAB_CUDA)
        snprintf(path, size, "%s/bin/runner_%s", build, lab_backend()->flavour);
    else
        snprintf(path, size, "%s/bin/runner", build);
}
