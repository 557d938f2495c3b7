// unit_tables.c: rubric, tasks, cases and experiments agree with each other.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "grade.h"
#include "cases.h"
#include "experiments.h"
#include "mutant.h"
#include "series.h"
#include "sizes.h"
#include "tasks.h"

static json_t *rubric;

static int open_rubric(void **state) {
    (void)state;
    rubric = json_load_file("grader/rubric.json", JSON_REJECT_DUPLICATES, NULL);
    return rubric ? 0 : -1;
}

static int close_rubric(void **state) {
    (void)state;
    json_decref(rubric);
    return 0;
}

static json_t *criterion(const char *task, const char *name, const char *kind) {
    size_t i, k;
    json_t *t, *c;
    json_array_foreach(json_object_get(rubric, "tasks"), i, t) {
        if (strcmp(json_string_value(json_object_get(t, "id")), task)) continue;
        json_array_foreach(json_object_get(t, "criteria"), k, c) {
            if (strcmp(json_string_value(json_object_get(c, "name")), name) == 0 &&
                strcmp(json_string_value(json_object_get(c, "kind")), kind) == 0)
                return c;
        }
    }
    return NULL;
}

static void every_criterion_of_a_case_gives_points(void **state) {
    (void)state;
    for (int i = 0; lab_case_at(i); i++)
        if (!lab_case_at(i)->todo && !criterion(lab_case_at(i)->task, lab_case_at(i)->criterion, "correctness"))
            fail_msg("%s, %s is not in rubric.json", lab_case_at(i)->task, lab_case_at(i)->criterion);
}

static int has_case(const char *task, const char *name) {
    for (int i = 0; lab_case_at(i); i++)
        if (strcmp(lab_case_at(i)->task, task) == 0 && strcmp(lab_case_at(i)->criterion, name) == 0) return 1;
    return 0;
}

// What no case decides: the demo's recall.
static int has_evidence(const char *task, const json_t *c) {
    return lab_has_demo(lab_task_find(task)) &&
           strcmp(json_string_value(json_object_get(c, "evidence")), "recall") == 0;
}

static int has_point(const char *task, const json_t *c) {
    const char *series = json_string_value(json_object_get(c, "series")),
               *name = json_string_value(json_object_get(c, "case"));
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (strcmp(e->task, task) || e->alone || strcmp(e->series, series)) continue;
        // A point without a name is measured with 1, 2, 4, ... threads, and called so.
        if (e->name ? strcmp(e->name, name) == 0 : strcmp(name, "1 thread") == 0) return 1;
    }
    return 0;
}

static void every_criterion_that_gives_points_is_tested_or_measured(void **state) {
    (void)state;
    size_t i, k;
    json_t *t, *c;
    assert_int_equal(json_array_size(json_object_get(rubric, "tasks")), lab_n_tasks);
    json_array_foreach(json_object_get(rubric, "tasks"), i, t) {
        const char *id = json_string_value(json_object_get(t, "id"));
        assert_non_null(lab_task_find(id));
        json_array_foreach(json_object_get(t, "criteria"), k, c) {
            const char *name = json_string_value(json_object_get(c, "name"));
            const int tested = strcmp(json_string_value(json_object_get(c, "kind")), "correctness") == 0;
            if (json_object_get(c, "evidence") ? !has_evidence(id, c)
                                               : !(tested ? has_case(id, name) : has_point(id, c)))
                fail_msg("%s, %s: nothing decides it", id, name);
        }
    }
}

static void the_bonus_of_the_task_table_is_that_of_the_rubric(void **state) {
    (void)state;
    size_t i, k;
    json_t *t, *c;
    json_array_foreach(json_object_get(rubric, "tasks"), i, t) {
        const lab_task *task = lab_task_find(json_string_value(json_object_get(t, "id")));
        int found = 0;
        json_array_foreach(json_object_get(t, "criteria"), k, c) {
            const char *name = json_string_value(json_object_get(c, "name"));
            const int tested = strcmp(json_string_value(json_object_get(c, "kind")), "correctness") == 0;
            if (!tested || !json_is_true(json_object_get(c, "bonus"))) continue;
            if (!task->bonus || strcmp(task->bonus, name)) fail_msg("%s, %s is a bonus in rubric.json", task->id, name);
            found = 1;
        }
        if (task->bonus && !found) fail_msg("%s, %s is no bonus in rubric.json", task->id, task->bonus);
    }
}

static void the_files_of_the_task_table_exist(void **state) {
    (void)state;
    for (int t = 0; t < lab_n_tasks; t++) {
        const char *const places[] = {".", "grader/solutions"};
        for (int p = 0; p < 2; p++) {
            char path[256];
            snprintf(path, sizeof path, "%s/%s/%s", places[p], lab_tasks[t].folder, lab_tasks[t].file);
            if (access(path, R_OK)) fail_msg("there is no %s", path);
        }
        assert_ptr_equal(lab_task_find(lab_tasks[t].id), &lab_tasks[t]);
    }
    assert_null(lab_task_find("task"));
}

static void experiments_have_valid_shapes_and_names_of_their_own(void **state) {
    (void)state;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        const int on_host = e->method == LAB_ON_HOST;
        assert_non_null(lab_task_find(e->task));
        if (e->op != &lab_gemm_nn && e->op != &lab_gemm_nt) assert_true(lab_shape_valid(e->shape));
        assert_true(e->name || strcmp(e->series, "threads") == 0);
        if (e->method == LAB_ON_HOST || e->method == LAB_ON_GPU) assert_non_null(lab_series_find(e->series));
        assert_true((e->tiles[0] > 0) == (on_host && strcmp(e->series, "tiles") == 0));
        assert_true((e->tiles[1] > 0) == (e->tiles[0] > 0));
        for (int k = 0; k < i && e->name; k++) {
            const lab_experiment *f = &lab_experiments[k];
            assert_false(e->method == f->method && strcmp(e->task, f->task) == 0 && strcmp(e->series, f->series) == 0 &&
                         f->name && strcmp(e->name, f->name) == 0);
        }
    }
}

static void a_list_of_series_names_those_that_are_wanted_or_not(void **state) {
    (void)state;
    assert_true(lab_series_wanted(NULL, "seq") && lab_series_wanted("heads,seq", "seq"));
    assert_true(lab_series_wanted("-tiles", "seq") && !lab_series_wanted("-tiles", "tiles"));
    assert_true(!lab_series_wanted("heads,seqs", "seq") && !lab_series_wanted("-heads,tiles", "tiles"));
}

// ---- The table of mutants in its README

static char *read_text(const char *path) {
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (!f || !text || fread(text, 1, (1 << 20) - 1, f) == 0) fail_msg("cannot read %s", path);
    fclose(f);
    return text;
}

static void compare_row(const char *table, const lab_task *t, const mutant *m) {
    char row[128], caught[80], line[300];
    snprintf(row, sizeof row, "| %s | `%s` | ", t->id, m->name);
    if (*m->todo)
        snprintf(caught, sizeof caught, "%s at TODO %s", m->at_todo, m->todo);
    else
        snprintf(caught, sizeof caught, "%s in ", m->expect);
    const char *at = strstr(table, row);
    if (!at || strstr(at + 1, row)) fail_msg("%s is not once in the table", row);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (!strstr(line, caught)) fail_msg("the catalogue says %s; the table: %s", caught, line);
}

static void the_table_of_mutants_has_what_the_catalogues_promise(void **state) {
    static mutant all[MAX_MUTANTS];
    char *table = read_text("grader/mutants/README.md"), path[128], total[64];
    int n = 0, rows = 0;
    (void)state;
    for (int i = 0; i < lab_n_tasks; i++) {
        memset(all, 0, sizeof all);
        snprintf(path, sizeof path, "grader/mutants/%s.mutants", lab_tasks[i].id);
        const int here = mutant_read(path, all);
        for (int k = 0; k < here; k++) compare_row(table, &lab_tasks[i], &all[k]);
        n += here;
    }
    for (const char *at = table; (at = strstr(at, "\n| task")); at++) rows += at[7] != ' ';
    assert_int_equal(rows, n);
    snprintf(total, sizeof total, "There are %d;", n);
    assert_says(table, total);
    free(table);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(every_criterion_of_a_case_gives_points),
        CLAIM(every_criterion_that_gives_points_is_tested_or_measured),
        CLAIM(the_bonus_of_the_task_table_is_that_of_the_rubric),
        CLAIM(the_files_of_the_task_table_exist),
        CLAIM(experiments_have_valid_shapes_and_names_of_their_own),
        CLAIM(a_list_of_series_names_those_that_are_wanted_or_not),
        CLAIM(the_table_of_mutants_has_what_the_catalogues_promise),
    };
    return cmocka_run_group_tests_name("tables", claims, open_rubric, close_rubric);
}
