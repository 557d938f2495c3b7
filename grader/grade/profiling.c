// profiling.c: runs the profiler and sorts its lines.
#include "profiling.h"

#include <stdio.h>
#include <string.h>

#include "tool.h"

// A pipeline is a chain of other tasks' kernels.
int lab_has_profile(const lab_task *t) { return t->language == LAB_CUDA && !t->parts[0]; }

void lab_profile(const lab_grading *g, const lab_task *t, const char *source, const char *work, const char *log,
                 json_t *task) {
    char program[4400], path[4400];
    snprintf(program, sizeof program, "%s/bin/profile", g->build);
    snprintf(path, sizeof path, "%s/%s.profile", work, t->id);
    char *const argv[] = {program, (char *)t->id, (char *)source, "--json", path, NULL};
    lab_tool(argv, log, NULL);
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

void lab_take_notes(const char *results, char *message, size_t size) {
    char path[4700], line[300];
    snprintf(path, sizeof path, "%s.notes", results);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        const size_t used = strlen(message);
        line[strcspn(line, "\n")] = 0;
        snprintf(message + used, size - used, "%s%s", used ? "; " : "", line);
    }
    if (f) fclose(f);
}
