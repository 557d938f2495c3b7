// latency_table.c: TTFT and TBT of task 6's model, an implementation a row.
#include "latency_table.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The timing of this implementation whose case starts with TTFT or TBT; NULL if there is none.
static const json_t *find(const json_t *timings, const char *implementation, const char *what) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (strcmp(results_text(timing, "series"), "model") == 0 &&
            strcmp(results_text(timing, "implementation"), implementation) == 0 &&
            strncmp(results_text(timing, "case"), what, strlen(what)) == 0) {
            return timing;
        }
    }
    return NULL;
}

static void time_cell(const json_t *timing) {
    if (!timing || results_is_measured(timing)) {
        md_seconds(results_number(timing, "median_s"));
    } else {
        printf("not measured: %s%s", results_text(timing, "verdict"), results_text(timing, "why") ? ", " : "");
        md_text(results_text(timing, "why"));
    }
}

static void row(const json_t *timings, const char *name) {
    const json_t *first = find(timings, name, "TTFT"), *next = find(timings, name, "TBT");
    const json_t *yours_first = find(timings, "yours", "TTFT"), *yours_next = find(timings, "yours", "TBT");
    double share = results_number(next, "attention_share");
    bool yours = strcmp(name, "yours") == 0;
    printf(yours ? "| **" : "| ");
    md_text(name);
    printf(yours ? "** | " : " | ");
    time_cell(first);
    printf(" | ");
    if (!yours) {
        md_factor(results_number(first, "median_s") / results_number(yours_first, "median_s"));
    }
    printf(" | ");
    time_cell(next);
    printf(" | ");
    md_seconds(results_number(next, "tbt_p99_s"));
    printf(" | ");
    if (!yours) {
        md_factor(results_number(next, "median_s") / results_number(yours_next, "median_s"));
    }
    printf(" | ");
    md_number(results_number(next, "tokens_per_s"));
    printf(isnan(share) ? " | - |\n" : " | %.0f %% |\n", 100 * share);
}

void latency_table(const json_t *timings) {
    const json_t *next = find(timings, "yours", "TBT");
    printf("\n");
    if (next) {
        printf("TTFT: from the call to the first token's id on the host. TBT: between later tokens, at ");
        md_shape(json_object_get(next, "shape"));
        printf(".\n\n");
    }
    printf("| implementation | TTFT | yours is | TBT, median | TBT, p99 | yours is | tokens/s | attention's share |\n"
           "|---|--:|---|--:|--:|---|--:|--:|\n");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        const char *name = results_text(timing, "implementation");
        bool first = strcmp(results_text(timing, "series"), "model") == 0;
        for (size_t k = 0; k < i; k++) {
            const json_t *earlier = json_array_get(timings, k);
            first = first && !(strcmp(results_text(earlier, "series"), "model") == 0 &&
                               strcmp(results_text(earlier, "implementation"), name) == 0);
        }
        if (first) {
            row(timings, name);
        }
    }
}
