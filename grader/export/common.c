// common.c: what a student is told about points, whatever the system that shows it.
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "markdown.h"
#include "results.h"

int lab_is_bonus(const json_t *criterion) { return strncmp(lab_str(criterion, "why"), "bonus: ", 7) == 0; }

int lab_is_secret(const json_t *test) { return strstr(lab_str(test, "name"), "_secret_shape") != NULL; }

static void put_claim(FILE *out, const json_t *test, int all) {
    const char *diagnosis = lab_str(test, "diagnosis");
    lab_md(out, "- %t: %t", lab_str(test, "name"), lab_str(test, "verdict"));
    if (all && *diagnosis) lab_md(out, ", %t", diagnosis);
    if (all && lab_is_secret(test)) lab_md(out, " (%h)", json_object_get(test, "shape"));
    fputs("\n", out);
}

char *lab_criterion_text(const json_t *task, const json_t *criterion) {
    char *text = NULL;
    size_t size, i;
    json_t *test;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    lab_md(out, "%t\n\n", lab_str(criterion, "why"));
    json_array_foreach(json_object_get(task, "cases"), i, test) {
        if (lab_is(test, "criterion", lab_str(criterion, "name")) && !lab_is(test, "verdict", "PASSED"))
            put_claim(out, test, !lab_is_secret(test));
    }
    fclose(out);
    return text;
}

char *lab_secret_text(const json_t *task) {
    char *text = NULL;
    size_t size, i;
    json_t *test;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    json_array_foreach(json_object_get(task, "cases"), i, test) {
        if (lab_is_secret(test) && !lab_is(test, "verdict", "PASSED") && !lab_is(test, "verdict", "SKIPPED"))
            put_claim(out, test, 1);
    }
    fclose(out);
    if (*text) return text;
    free(text);
    return NULL;
}
