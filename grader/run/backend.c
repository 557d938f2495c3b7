// backend.c: the choice of a backend.
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lab_backend(void) {
    const char *asked = getenv("LAB_BACKEND");
    return asked && strcmp(asked, "cuda") == 0 ? "cuda" : "simt";
}

int lab_checked(void) {
    const char *checked = getenv("LAB_CHECKED");
    return checked && *checked && strcmp(lab_backend(), "simt") == 0;
}

void lab_runner_of(const lab_task *task, const char *build, char *path, size_t size) {
    const int cuda = task->language == LAB_CUDA;
    snprintf(path, size, "%s/bin/runner%s%s%s", build, cuda ? "_" : "", cuda ? lab_backend() : "",
             cuda && lab_checked() ? "_checked" : "");
}
