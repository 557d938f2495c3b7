// page.c: headline, summary and correctness of Results.md.
#include "page.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void labelled(const char *label, const char *text) {
    printf("| %s | ", label);
    md_text(text);
    printf(" |\n");
}

void page_headline(const json_t *root) {
    const json_t *machine = json_object_get(root, "machine");
    double bonus = results_number(root, "bonus");
    printf("# Attention Lab: results of ");
    md_text(results_text(root, "submission"));
    printf("\n\n**Score: ");
    md_points(results_number(root, "score"));
    printf(" of ");
    md_points(results_number(root, "max_score"));
    printf("**");
    if (bonus > 0) {
        printf(", bonus ");
        md_points(bonus);
    }
    printf("\n\n| | |\n|---|---|\n");
    labelled("graded", results_text(root, "created"));
    labelled("lab version", results_text(root, "lab_commit"));
    const json_t *again = json_object_get(root, "rescored");
    if (again) {
        printf("| points | counted again from these measurements on ");
        md_text(results_text(again, "at"));
        printf(", by the rubric of lab version ");
        md_text(results_text(again, "lab_commit"));
        printf(" |\n");
    }
    labelled("backend", results_text(root, "backend"));
    printf("| processor | ");
    md_text(results_text(machine, "cpu"));
    printf(", %.0f cores |\n", results_number(machine, "cores"));
    const char *gpu = results_text(machine, "gpu");
    labelled("GPU", gpu ? gpu : "none");
    labelled("compiler", results_text(machine, "compiler"));
}

static size_t count_verdict(const json_t *list, const char *verdict) {
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        count += results_has_verdict(json_array_get(list, i), verdict);
    }
    return count;
}

static void points_table(const json_t *task) {
    const json_t *criteria = json_object_get(task, "criteria");
    for (size_t i = 0; i < json_array_size(criteria); i++) {
        const json_t *criterion = json_array_get(criteria, i);
        printf("| %s | ", results_text(task, "id"));
        md_text(results_text(criterion, "name"));
        printf(" | %s | ", results_text(criterion, "kind"));
        md_points(results_number(criterion, "points"));
        printf(" | ");
        md_points(results_number(criterion, "max_points"));
        printf(" | ");
        md_text(results_text(criterion, "why"));
        printf(" |\n");
    }
}

static void summary_row(const json_t *task) {
    const json_t *cases = json_object_get(task, "cases");
    printf("| %s: ", results_text(task, "id"));
    md_text(results_text(task, "title"));
    printf(" | %s | %zu of %zu | ", results_text(task, "verdict"), count_verdict(cases, "PASSED"),
           json_array_size(cases));
    md_points(results_number(task, "score"));
    printf(" | ");
    md_points(results_number(task, "max_score"));
    printf(" |\n");
}

void page_summary(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t criteria = 0;
    printf("\n## Summary\n\n");
    if (json_array_size(tasks) == 0) {
        printf("No task was graded.\n");
        return;
    }
    printf("| task | verdict | cases passed | score | of |\n|---|---|--:|--:|--:|\n");
    for (size_t i = 0; i < json_array_size(tasks); i++) {
        const json_t *task = json_array_get(tasks, i);
        summary_row(task);
        criteria += json_array_size(json_object_get(task, "criteria"));
    }
    if (criteria > 0) {
        printf("\n| task | criterion | kind | points | of | why |\n|---|---|---|--:|--:|---|\n");
        for (size_t i = 0; i < json_array_size(tasks); i++) {
            points_table(json_array_get(tasks, i));
        }
    }
}

// What went wrong, in one cell: the TODO, how many elements and where the first one is, the diagnosis.
static void findings_cell(const json_t *test) {
    const json_t *first = json_object_get(test, "first_bad");
    double bad = results_number(test, "bad_elements");
    const char *diagnosis = results_text(test, "diagnosis");
    const char *todo = results_text(test, "todo");
    const char *gap = "";
    if (todo) {
        printf("TODO %s", todo);
        gap = "; ";
    }
    if (bad > 0) {
        printf("%s%.0f wrong element%s", gap, bad, bad == 1 ? "" : "s");
        for (size_t i = 0; i < json_array_size(first); i++) {
            printf("%s%.0f", i ? ", " : ", first at (", json_number_value(json_array_get(first, i)));
        }
        printf("%s", json_array_size(first) ? ")" : "");
        gap = "; ";
    }
    if (diagnosis) {
        printf("%s", gap);
        md_text(diagnosis);
    }
}

static void error_cell(double error) { printf(isnan(error) ? " | -" : " | %.1e", error); }

static void case_row(const json_t *test) {
    printf("| %s | ", results_text(test, "verdict"));
    md_text(results_text(test, "name"));
    printf(" | ");
    md_shape(json_object_get(test, "shape"));
    error_cell(results_number(test, "max_err"));
    error_cell(results_number(test, "tolerance"));
    error_cell(results_number(test, "rms_rel_err"));
    printf(" | ");
    findings_cell(test);
    printf(" |\n");
}

// 0: failed, 1: not asked, 2: passed. The page shows them in this order.
static int rank(const json_t *test) {
    return results_has_verdict(test, "PASSED") ? 2 : results_has_verdict(test, "SKIPPED") ? 1 : 0;
}

void page_correctness(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    printf("\n## Correctness\n");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        const json_t *cases = json_object_get(task, "cases");
        size_t count = json_array_size(cases);
        printf("\n### %s: %zu of %zu cases passed\n\n", results_text(task, "id"), count_verdict(cases, "PASSED"),
               count);
        if (count == 0) {
            printf("No case ran: the task's verdict is %s.\n", results_text(task, "verdict"));
            continue;
        }
        printf("| verdict | claim | shape | max_err | tolerance | rms error | findings "
               "|\n|---|---|---|--:|--:|--:|---|\n");
        for (int wanted = 0; wanted <= 2; wanted++) {
            for (size_t i = 0; i < count; i++) {
                const json_t *test = json_array_get(cases, i);
                if (rank(test) == wanted) {
                    case_row(test);
                }
            }
        }
    }
}
