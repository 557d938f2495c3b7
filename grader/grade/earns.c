// earns.c: what a task's times or counts earn, as `make bench` says it.
//
//     earns TASK FILE.json [some]      the file that bench or count has written (--json); some: of what is in it
//
// One line a criterion of grader/rubric.json that is about speed. They count when all claims hold.
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "claims_text.h"
#include "rubric.h"
#include "tasks.h"

// Lines of FILE are timings or counts; both have a "case".
static json_t *read_lines(const char *path, const char *having) {
    json_t *all = json_array(), *line;
    FILE *f = fopen(path, "r");
    while (f && (line = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
        if (json_object_get(line, having)) json_array_append(all, line);
        json_decref(line);
    }
    if (f) fclose(f);
    return all;
}

static const char *text(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static void print(const json_t *c, int some) {
    const double from = number(c, "from"), to = number(c, "to");
    const char *unit = text(c, "unit");
    if (strcmp(text(c, "kind"), "speed") || (some && !unit)) return;
    const int times = unit && strcmp(unit, "x") == 0;
    printf("  %s%s\n      ", text(c, "name"), !unit || times ? "" : ": from counts, as there is no GPU");
    if (!unit) {
        char why[400];  // of what was found in a count its first fact: count has said it all
        const char *found = text(c, "why"), *facts = strstr(found, "; kernel ");
        snprintf(why, sizeof why, "%.*s", facts ? (int)(facts - found) : (int)sizeof why, found);
        lab_print_wrapped(why, 6, 0, 6);
        return;
    }
    printf("%.2f%s%s\n", number(c, "value"), times ? "" : " ", unit);
    printf("      earns %g of %g", number(c, "points"), number(c, "max_points"));
    printf(number(c, "points") == number(c, "max_points") ? "\n"
           : from < to                                    ? "; all of it from %g%s\n"
                                                          : "; all of it at %g%s or less\n",
           to, times ? "x" : "");
}

int main(int argc, char **argv) {
    char why[512];
    double score, max_score, bonus;
    const lab_task *task = argc == 3 || argc == 4 ? lab_task_find(argv[1]) : NULL;
    if (!task) return fputs("usage: earns TASK FILE.json [some]\n", stderr), 2;
    json_t *rubric = lab_rubric_load("grader/rubric.json", why, sizeof why), *c;
    if (!rubric) return fprintf(stderr, "earns: %s\n", why), 2;
    json_t *held = json_pack("[{s:s, s:s}]", "criterion", "all", "verdict", "PASSED");
    json_t *timings = read_lines(argv[2], "implementation"), *counts = read_lines(argv[2], "case");
    const int counted = task->language == LAB_CUDA && !lab_backend()->on_gpu;
    const lab_evidence evidence = {held, timings, counted ? counts : NULL, 1, NULL};
    json_t *criteria = lab_rubric_score(rubric, task->id, &evidence, &score, &max_score, &bonus);
    size_t i;
    json_array_foreach(criteria, i, c) print(c, argc == 4);
    json_decref(criteria), json_decref(held), json_decref(timings), json_decref(counts), json_decref(rubric);
    return 0;
}
