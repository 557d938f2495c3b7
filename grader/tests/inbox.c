// inbox.c: submissions are put under build/tests/collect/in and collected into build/tests/collect/work.
#define _GNU_SOURCE
#include "unit.h"

#include "alone.h"
#include "inbox.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char TOP[] = "build/tests/collect", IN[] = INBOX, WORK[] = "build/tests/collect/work";
lab_submission found;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

int inbox_clear(void **state) {
    (void)state;
    mkdir("build/tests", 0777), alone_in(TOP);
    nftw(TOP, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    mkdir(TOP, 0777), mkdir(IN, 0777), mkdir(WORK, 0777);
    return 0;
}

const char *in(const char *name) {
    static char path[4][512];
    static int i;
    snprintf(path[++i % 4], sizeof path[0], "%s/%s", IN, name);
    return path[i % 4];
}

void put(const char *name, const char *text) {
    FILE *f = fopen(in(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

void collect(const char *path, int expected) {
    memset(&found, 0, sizeof found);
    if (lab_submission_collect(path, WORK, &found) != expected) fail_msg("%s: \"%s\"", path, found.error);
}

void task(int i, lab_verdict verdict, const char *says) {
    if (found.task[i].verdict != verdict)
        fail_msg("%s: %s, \"%s\"", lab_tasks[i].id, lab_verdict_name(found.task[i].verdict), found.task[i].message);
    assert_says(found.task[i].message, says);
}

// What stands in the work folder for a task.
void taken(int i, const char *text) {
    char path[512], got[64] = "";
    snprintf(path, sizeof path, "%s/%s/%s", WORK, lab_tasks[i].folder, lab_tasks[i].file);
    FILE *f = fopen(path, "r");
    if (!f) fail_msg("there is no %s", path);
    assert_true(fread(got, 1, sizeof got - 1, f) == strlen(text));
    fclose(f);
    assert_string_equal(got, text);
}

static int files;
static int count_file(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)path, (void)st, (void)ftw;
    files += type != FTW_D;
    return 0;
}

void taken_in_all(int expected) {
    files = 0;
    nftw(WORK, count_file, 16, FTW_PHYS);
    assert_int_equal(files, expected);
}
