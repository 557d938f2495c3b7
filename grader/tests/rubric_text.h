// rubric_text.h: a rubric as text, loaded as grade_all loads its file.
#ifndef LAB_TESTS_RUBRIC_TEXT_H
#define LAB_TESTS_RUBRIC_TEXT_H

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rubric.h"

static const char PATH[] = "build/tests/rubric.json";
static char why[512];

static inline json_t *load(const char *text) {
    mkdir("build/tests", 0777);
    FILE *f = fopen(PATH, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    *why = 0;
    json_t *rubric = lab_rubric_load(PATH, why, sizeof why);
    unlink(PATH);
    return rubric;
}

#define CORRECTNESS "{\"name\": \"a\", \"kind\": \"correctness\", \"points\": 1}"
#define SPEED                                                                                                          \
    "{\"name\": \"fast\", \"kind\": \"speed\", \"points\": 2, \"baseline\": \"base\", \"series\": \"seq\", "           \
    "\"case\": \"S=1\", \"from\": 1.5, \"to\": 3.5, \"traffic\": {\"case\": \"small\", \"from\": 8, \"to\": 3}}"

#endif
