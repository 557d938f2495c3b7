// edit.h: a student's file and a change of it, as unit tests of grader/repair make them.
#ifndef LAB_TESTS_EDIT_H
#define LAB_TESTS_EDIT_H

#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "candidates.h"

static inline lab_edit replaced(const char *kind, const char *whole, const char *was, const char *now) {
    lab_edit e = {.rank = 20, .line = 3};
    snprintf(e.kind, sizeof e.kind, "%s", kind), snprintf(e.whole, sizeof e.whole, "%s", whole);
    snprintf(e.was, sizeof e.was, "%s", was), snprintf(e.now, sizeof e.now, "%s", now);
    return e;
}

static inline lab_edit placed(const char *kind, const char *whole, const char *was, const char *now) {
    lab_edit e = replaced(kind, whole, was, now);
    e.column = (int)(strstr(whole, was) - whole) + 1;
    return e;
}

static inline void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f), fclose(f);
}

#endif
