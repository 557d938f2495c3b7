// gradescope.c: results/results.json of a Gradescope autograder.
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "markdown.h"
#include "results.h"
#include "tasks.h"

static void put(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, json_string(text));
}

// A test of Gradescope; text is given up.
static json_t *test_of(const json_t *task, const char *what, const char *visibility, char *text) {
    json_t *test =
        json_pack("{s:s, s:s, s:s}", "output", text ? text : "", "output_format", "md", "visibility", visibility);
    json_object_set_new(test, "name", json_sprintf("%s: %s", lab_str(task, "id"), what));
    json_object_set_new(test, "tags", json_pack("[s]", lab_str(task, "id")));
    free(text);
    return test;
}

// What is said of the task as a whole: it does not compile, a TODO is open, the grader failed.
static char *message_of(const json_t *task) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    if (lab_is(task, "verdict", "GRADER_ERROR"))
        fputs("**The grader failed, not you.** Nothing was counted for this task; tell the instructor.\n\n", out);
    lab_md(out, "%t\n\n%k", lab_str(task, "verdict"), lab_str(task, "message"));
    fclose(out);
    return text;
}

static void add_task(json_t *tests, const json_t *task, const lab_gradescope_options *o) {
    json_t *criterion;
    size_t i;
    char number[32];
    const lab_task *known = lab_task_find(lab_str(task, "id"));
    if (*lab_str(task, "message")) {
        json_t *test = test_of(task, known ? known->file : "file", o->visibility, message_of(task));
        put(test, "status", "failed");
        json_array_append_new(tests, test);
    }
    json_array_foreach(json_object_get(task, "criteria"), i, criterion) {
        const double points = lab_num(criterion, "points"), most = lab_num(criterion, "max_points");
        json_t *test = test_of(task, lab_str(criterion, "name"), o->visibility, lab_criterion_text(task, criterion));
        snprintf(number, sizeof number, "%.4s.%zu", lab_str(task, "id") + strlen("task"), i + 1);
        put(test, "number", number);
        json_object_set_new(test, "score", json_real(points)), json_object_set_new(test, "max_score", json_real(most));
        if (most > 0) put(test, "status", points >= most - 1e-9 ? "passed" : "failed");
        json_array_append_new(tests, test);
    }
    char *secret = lab_secret_text(task);
    if (secret) json_array_append_new(tests, test_of(task, "claims with a secret shape", o->secret, secret));
}

static json_t *leaderboard_of(const json_t *root) {
    json_t *board = json_array(), *task, *c;
    size_t i, k;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            const double value = lab_num(c, "value");
            if (isnan(value)) continue;
            json_t *row = json_pack("{s:f, s:s}", "value", round(value * 1000) / 1000, "order",
                                    lab_num(c, "from") > lab_num(c, "to") ? "asc" : "desc");
            json_object_set_new(row, "name", json_sprintf("%s: %s", lab_str(task, "id"), lab_str(c, "name")));
            json_array_append_new(board, row);
        }
    }
    return board;
}

static json_t *headline_of(const json_t *root) {
    char score[40], max[40], bonus[40];
    return json_sprintf("%s of %s points%s%s. Lab version %s, backend %s.%s",
                        lab_number(score, 'P', lab_num(root, "score")),
                        lab_number(max, 'P', lab_num(root, "max_score")), lab_num(root, "bonus") > 0 ? ", bonus " : "",
                        lab_num(root, "bonus") > 0 ? lab_number(bonus, 'P', lab_num(root, "bonus")) : "",
                        lab_str(root, "lab_commit"), lab_str(root, "backend"),
                        json_is_false(json_object_get(root, "sandboxed"))
                            ? " This machine allows no sandbox: the instructor looks at suspicious results by hand."
                            : "");
}

json_t *lab_gradescope(const json_t *root, const lab_gradescope_options *o) {
    json_t *tests = json_array(), *task;
    size_t i;
    int failed = 0;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        add_task(tests, task, o);
        failed |= lab_is(task, "verdict", "GRADER_ERROR");
    }
    json_t *result =
        json_pack("{s:f, s:o, s:s, s:s, s:s, s:o}", "score", lab_num(root, "score") + lab_num(root, "bonus"), "output",
                  headline_of(root), "output_format", "md", "visibility", o->visibility, "stdout_visibility", "hidden",
                  "tests", tests);
    json_object_set_new(result, "extra_data",
                        json_pack("{s:b, s:O, s:O}", "grader_error", failed, "lab_commit",
                                  json_object_get(root, "lab_commit"), "created", json_object_get(root, "created")));
    if (o->leaderboard) json_object_set_new(result, "leaderboard", leaderboard_of(root));
    return result;
}
