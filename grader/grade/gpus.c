// gpus.c: asks nvidia-smi, which numbers GPUs as PCI does, and the runner, which opens one.
#include "gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "stage.h"
#include "tool.h"

// Is the GPU in a list like "0,2" or "GPU-8932f937"?
static int is_listed(const char *list, const char *index, const char *name) {
    for (const char *c = list; *c; c += strcspn(c, ","), c += *c == ',') {
        const size_t n = strcspn(c, ",");
        if ((n == strlen(index) && strncmp(c, index, n) == 0) || (n > 4 && strncmp(c, name, n) == 0)) return 1;
    }
    return 0;
}

int lab_gpus(char names[LAB_MAX_GPUS][64]) {
    char *const argv[] = {"nvidia-smi", "--query-gpu=index,uuid", "--format=csv,noheader", NULL};
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    char text[4096], index[16], name[64], *rest = NULL;
    int n = 0;
    if (!lab_tool_text(argv, text, sizeof text)) return 0;
    for (char *line = strtok_r(text, "\n", &rest); line && n < LAB_MAX_GPUS; line = strtok_r(NULL, "\n", &rest))
        if (sscanf(line, "%15[0-9], %63s", index, name) == 2 && (!list || is_listed(list, index, name)))
            snprintf(names[n++], 64, "%s", name);
    return n;
}

int lab_gpu_works(void) {
    char runner[256], why[512];
    lab_runner_of(lab_task_find("task2"), "build", runner, sizeof runner);
    return lab_device_works(runner, why, sizeof why);
}

int lab_gpu_to_use(const int *users, const int *lost, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (lost[i] != lost[best] ? !lost[i] : users[i] < users[best]) best = i;
    return best;
}
