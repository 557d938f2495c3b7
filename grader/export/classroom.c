// classroom.c: what GitHub Classroom's reporter reads from a step, before base64.
#include "export.h"

#include <stdlib.h>

#include "results.h"
#include "tasks.h"

static const char *status_of(const json_t *task, const json_t *criterion) {
    if (lab_is(task, "verdict", "GRADER_ERROR")) return "error";
    return lab_num(criterion, "points") >= lab_num(criterion, "max_points") - 1e-9 ? "pass" : "fail";
}

static void add_task(json_t *tests, const json_t *task, double *most, int *failed, int *error) {
    const lab_task *known = lab_task_find(lab_str(task, "id"));
    json_t *c;
    size_t i;
    json_array_foreach(json_object_get(task, "criteria"), i, c) {
        const char *status = status_of(task, c);
        char *text = lab_criterion_text(task, c);
        json_t *test = json_pack("{s:s, s:s, s:i, s:s, s:f}", "status", status, "message",
                                 *lab_str(task, "message") ? lab_str(task, "message") : text, "line_no", 0,
                                 "execution_time", "0s", "score", lab_num(c, "points"));
        json_object_set_new(test, "name", json_sprintf("%s: %s", lab_str(task, "id"), lab_str(c, "name")));
        json_object_set_new(test, "test_code", json_sprintf("make %s test", lab_str(task, "id")));
        json_object_set_new(test, "filename", json_sprintf("%s/%s", known->folder, known->file));
        json_array_append_new(tests, test);
        *most += lab_is_bonus(c) ? 0 : lab_num(c, "max_points");
        *failed |= *status == 'f' && !lab_is_bonus(c), *error |= *status == 'e';
        free(text);
    }
}

json_t *lab_classroom(const json_t *root, const char *id) {
    json_t *tests = json_array(), *task;
    double most = 0;
    int failed = 0, error = 0;
    size_t i;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        if (!id || lab_is(task, "id", id)) add_task(tests, task, &most, &failed, &error);
    }
    if (!json_array_size(tests)) error = 1;
    return json_pack("{s:i, s:s, s:f, s:o}", "version", 1, "status",
                     error    ? "error"
                     : failed ? "fail"
                              : "pass",
                     "max_score", most, "tests", tests);
}
