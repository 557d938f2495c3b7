// run_demo.c: runs the demo and takes its results.
#include <stdio.h>

#include "grade.h"
#include "tool.h"

int lab_has_demo(const lab_task *t) { return t->parts[0] != NULL; }

json_t *lab_run_demo(const lab_graded *s, const lab_task *t, const char *stage) {
    char results[4600], part[2][4600];
    snprintf(results, sizeof results, "%s/demo.json", s->work);
    char *argv[LAB_WORDS] = {"build/bin/demo", "--stage", (char *)stage, "--json", results};
    lab_add_words(s, t, argv, part);
    const int status = lab_tool_with_seed(argv, s->log, lab_seed_of(s, t));
    json_t *written = status == 0 || status == 1 ? json_load_file(results, 0, NULL) : NULL;
    json_t *demo = json_incref(json_object_get(written, "demo"));
    json_decref(written);
    return demo;
}
