// run_demo.c: runs build/bin/demo and takes its results.
#include "run_demo.h"

#include <stdio.h>

#include "tool.h"

int lab_has_demo(const char *task) { return lab_task_find(task)->parts[0] != NULL; }

json_t *lab_run_demo(const lab_grading *g, const char *stage, const char *work, const char *log) {
    char program[4400], results[4600];
    snprintf(program, sizeof program, "%s/bin/demo", g->build);
    snprintf(results, sizeof results, "%s/demo.json", work);
    char *const argv[] = {program, "--stage", (char *)stage, "--json", results, NULL};
    const int status = lab_tool(argv, log, NULL);
    json_t *written = status == 0 || status == 1 ? json_load_file(results, 0, NULL) : NULL;
    json_t *demo = json_incref(json_object_get(written, "demo"));
    json_decref(written);
    return demo;
}
