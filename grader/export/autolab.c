// autolab.c: the last line that an Autolab autograder prints.
#include "export.h"

#include "results.h"

json_t *lab_autolab(const json_t *root) {
    json_t *scores = json_object(), *board = json_array(), *task, *c;
    size_t i, k;
    json_array_append_new(board, json_real(lab_num(root, "score")));
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        json_object_set_new(scores, lab_str(task, "id"), json_real(lab_num(task, "score")));
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            if (json_object_get(c, "value")) json_array_append(board, json_object_get(c, "value"));
        }
    }
    json_object_set_new(scores, "bonus", json_real(lab_num(root, "bonus")));
    return json_pack("{s:o, s:o}", "scores", scores, "scoreboard", board);
}
