// latency_table.c: TTFT and TBT of task 6's model, an implementation a row.
#include "latency_table.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_of_model(const json_t *timing) { return strcmp(results_text(timing, "series"), "model") == 0; }

// A case is "TTFT, dummy, prompt 1024": what is timed, then which run of which model.
static const char *run_of(const json_t *timing) {
    const char *name = results_text(timing, "case");
    return name + strcspn(name, ",");
}

// The timing of this implementation and run whose case starts with TTFT or TBT; NULL if there is none.
static const json_t *find(const json_t *timings, const char *run, const char *implementation, const char *what) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (is_of_model(timing) && strcmp(results_text(timing, "implementation"), implementation) == 0 &&
            strcmp(run_of(timing), run) == 0 && strncmp(results_text(timing, "case"), what, strlen(what)) == 0) {
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

static void row(const json_t *timings, const char *run, const char *name) {
    const json_t *first = find(timings, run, name, "TTFT"), *next = find(timings, run, name, "TBT");
    const json_t *yours_first = find(timings, run, "yours", "TTFT"), *yours_next = find(timings, run, "yours", "TBT");
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

// Whether no timing before this one is of the same run (and implementation).
static bool is_first(const json_t *timings, size_t i, bool of_implementation) {
    const json_t *timing = json_array_get(timings, i);
    for (size_t k = 0; k < i; k++) {
        const json_t *earlier = json_array_get(timings, k);
        if (is_of_model(earlier) && strcmp(run_of(earlier), run_of(timing)) == 0 &&
            (!of_implementation ||
             strcmp(results_text(earlier, "implementation"), results_text(timing, "implementation")) == 0)) {
            return false;
        }
    }
    return is_of_model(timing);
}

static void table_of(const json_t *timings, const char *run) {
    const json_t *next = find(timings, run, "yours", "TBT");
    printf("\n");
    if (*run) {
        printf("**");
        md_text(run + strspn(run, ", "));
        printf("**\n\n");
    }
    if (next) {
        printf("TTFT: from the call to the first token's id on the host. TBT: between later tokens, at ");
        md_shape(json_object_get(next, "shape"));
        printf(".\n\n");
    }
    printf("| implementation | TTFT | yours is | TBT, median | TBT, p99 | yours is | tokens/s | attention's share |\n"
           "|---|--:|---|--:|--:|---|--:|--:|\n");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (is_first(timings, i, true) && strcmp(run_of(timing), run) == 0) {
            row(timings, run, results_text(timing, "implementation"));
        }
    }
}

void latency_table(const json_t *timings) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        if (is_first(timings, i, false)) {
            table_of(timings, run_of(json_array_get(timings, i)));
        }
    }
}
