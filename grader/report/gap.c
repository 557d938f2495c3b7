// gap.c: "Against the baselines": the tables of versus.h one below the other.
#include "page.h"

#include "results.h"
#include "versus.h"

#include <stdio.h>
#include <string.h>

static bool has_task(const json_t *root, const char *id) {
    const json_t *tasks = json_object_get(root, "tasks");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        if (strcmp(results_text(json_array_get(tasks, t), "id"), id) == 0) {
            return true;
        }
    }
    return false;
}

void page_gap(const json_t *root) {
    printf("\n## Against the baselines\n");
    versus_baselines(root);
    if (has_task(root, "task4")) {
        printf("\n### The four speed-ups of the fused kernel\n\n");
        versus_four(root);
        printf("\n### The naive chain against the fused kernel\n\n");
        versus_naive(root);
    }
}
