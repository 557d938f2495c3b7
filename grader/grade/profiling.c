// profiling.c: runs the profiler and sorts its lines.
#include <stdio.h>

#include "grade.h"
#include "tool.h"

int lab_has_profile(const lab_task *t) { return t->language == LAB_CUDA && !t->parts[0]; }

void lab_profile(const lab_graded *s, const lab_task *t, const char *source, json_t *task) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s.profile", s->work, t->id);
    char *const argv[] = {"build/bin/profile", (char *)t->id, (char *)source, "--json", path, NULL};
    lab_tool(argv, s->log);
    json_t *lines = lab_read_lines(path), *rows = json_array(), *line;
    size_t i;
    json_array_foreach(lines, i, line) {
        json_t *note = json_object_get(line, "profile_note");
        if (note)
            json_object_set(task, "profile_note", note);
        else
            json_array_append(rows, line);
    }
    if (json_array_size(rows)) json_object_set(task, "profile", rows);
    json_decref(rows);
    json_decref(lines);
}
