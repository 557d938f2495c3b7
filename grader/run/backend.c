// backend.c: the table of backends, and the choice.
#define _GNU_SOURCE
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

int lab_gpu_says(const char *fields, char *text, size_t size) {
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    const size_t n = list ? strspn(list, "0123456789abcdefABCDEFGPU-") : 0;  // an index, or GPU-8932f937...
    char command[512];
    // Of a GPU that has fallen off its bus nvidia-smi never comes back.
    snprintf(command, sizeof command,
             "timeout -k 1 20 nvidia-smi %s%.*s --query-gpu=%s --format=csv,noheader,nounits 2>/dev/null",
             n ? "-i " : "", (int)n, n ? list : "", fields);
    FILE *f = popen(command, "r");
    int said = f && fgets(text, (int)size, f);
    if (f) said = pclose(f) == 0 && said;
    if (!said) *text = 0;
    text[strcspn(text, "\n")] = 0;
    return said;
}
