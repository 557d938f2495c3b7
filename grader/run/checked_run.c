// checked_run.c: one claim in simt's checked mode.
#include "checked_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "build.h"
#include "cache_words.h"

enum { COMPILE_SECONDS = 20 };

static int is_newer(const char *path, const char *than) {
    struct stat a, b;
    return stat(path, &a) == 0 && stat(than, &b) == 0 &&
           (a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
            (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec));
}

static int compile(const lab_checked_ask *ask, const char *stage, int probe) {
    char message[256], depend[4300];
    if (is_newer(stage, ask->stage)) return 1;
    snprintf(depend, sizeof depend, "%s.d", stage);
    const lab_build_options options = {
        .lab = ".", .source = ask->source, .output = stage, .depend = depend, .seconds = COMPILE_SECONDS};
    if (probe) return lab_build_probe(ask->task, options) && access(stage, R_OK) == 0;
    return lab_build(ask->task, &options, message, sizeof message, NULL, 0) == LAB_PASSED;
}

// A report, and not what is due to checked mode being slow, or to a wrong output.
static int is_report(const lab_result *r) {
    static const lab_verdict found[] = {LAB_RACE, LAB_ILLEGAL_ACCESS, LAB_GPU_HANG, LAB_WRONG_ANSWER};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (r->verdict == found[i] && !r->compared && *r->diagnosis) return 1;
    return 0;
}

int lab_is_built(const char *program, const char *why) {
    char command[4400];
    if (access(program, X_OK) == 0) return 1;
    printf("  %s: its program is built first, once ...\n", why);
    snprintf(command, sizeof command,
             "env -u MAKEFLAGS -u MAKELEVEL make -s -f Makefile -j%ld BACKEND=simt '%s' >/dev/null 2>&1",
             sysconf(_SC_NPROCESSORS_ONLN), program);
    return system(command) == 0 && access(program, X_OK) == 0;
}

static struct {
    int begun;
    lab_checked_ask ask;
    char stage[4200], room[4300];  // room: of compilers, which leave something in it where they are ended
} ahead;

static void name_stage(const lab_checked_ask *ask, char stage[4200], int probe) {
    snprintf(stage, 4200, "%.*s.checked%s.so", (int)strlen(ask->stage) - 3, ask->stage, probe ? ".probe" : "");
}

static int compile_ahead(void *unused) {
    (void)unused;
    setenv("LAB_CHECKED", "1", 1), setenv("TMPDIR", ahead.room, 1);
    return compile(&ahead.ask, ahead.stage, 0);
}

void lab_checked_ahead(const lab_checked_ask *ask) {
    if (ahead.begun || !ask->runner || !ask->source || strlen(ask->stage) < 3 || access(ask->runner, X_OK)) return;
    ahead.ask = *ask;
    name_stage(ask, ahead.stage, 0);
    snprintf(ahead.room, sizeof ahead.room, "%s.ahead", ahead.stage);
    mkdir(ahead.room, 0700);
    ahead.begun = lab_aside_begin(compile_ahead, NULL);
}

void lab_checked_drop(void) {
    char room[4300];
    if (!*ahead.room) return;
    const int runs = lab_aside_runs(ahead.begun);
    lab_aside_drop(ahead.begun);
    snprintf(room, sizeof room, "%s.room", ahead.stage);
    lab_aside_clear(ahead.room);
    if (runs) lab_aside_clear(room);
    ahead.begun = 0, *ahead.room = 0;
}

int lab_checked_run(const lab_checked_ask *ask, const lab_case *c, lab_result *r) {
    char stage[4200];
    memset(r, 0, sizeof *r);
    if (!ask->runner || !ask->source || strlen(ask->stage) < 3 ||
        !lab_is_built(ask->runner, "looking at it once more in checked mode"))
        return 0;
    const int probe = c->todo != NULL;
    name_stage(ask, stage, probe);
    lab_aside_end(ahead.begun), ahead.begun = 0;
    setenv("LAB_CHECKED", "1", 1);
    char *runner[] = {(char *)ask->runner, stage, NULL};
    const lab_stage_options options = {.runner = runner,
                                       .stage = stage,
                                       .arena_bytes = lab_layout_of(c->op, c->shape, 1).bytes,
                                       .load_seconds = ask->seconds};
    lab_stage opened;
    if (compile(ask, stage, probe)) {
        if (lab_stage_open(&opened, &options, r->diagnosis, sizeof r->diagnosis) == LAB_PASSED)
            lab_judge(&opened, c, ask->seed, ask->seconds, r);
        lab_stage_close(&opened);
    }
    unsetenv("LAB_CHECKED");
    lab_name_part_of_cache(c, r->diagnosis, sizeof r->diagnosis);
    return is_report(r);
}
