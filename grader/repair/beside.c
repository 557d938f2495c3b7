// beside.c: the second batch of a CUDA file is another file of the same list, so it need not wait for the first.
#define _GNU_SOURCE
#include "beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "build.h"

typedef struct {
    char file[4300], object[4300], room[4300];  // room: of compilers, which leave something in it where they are ended
} paths;

static struct {
    const lab_repair_ask *ask;
    lab_candidates c;
    int begun, probe;
    paths at;
} beside;

static paths name(const char *stage) {
    paths p;
    snprintf(p.file, sizeof p.file, "%.4200s.beside.cu", stage);
    snprintf(p.object, sizeof p.object, "%.4200s.beside.so", stage);
    snprintf(p.room, sizeof p.room, "%.4200s.beside", stage);
    return p;
}

static int build(void *unused) {
    static char log[64 << 10];
    char message[1024];
    lab_candidates *c = &beside.c;
    (void)unused;
    setenv("TMPDIR", beside.at.room, 1);
    c->batch = 2, c->hooks = 1;
    lab_candidates_choose(beside.ask, c);
    return c->most && lab_candidates_write(c) &&
           lab_candidates_build(beside.ask, c, beside.probe, beside.at.object, message, sizeof message, log,
                                sizeof log) == LAB_PASSED;
}

void lab_beside_begin(const lab_repair_ask *ask, const lab_candidates *c, int probe) {
    lab_beside_drop();
    beside.ask = ask, beside.c = *c, beside.probe = probe, beside.at = name(ask->stage);
    snprintf(beside.c.file, sizeof beside.c.file, "%s", beside.at.file);
    mkdir(beside.at.room, 0700);
    beside.begun = lab_aside_begin(build, NULL);
}

int lab_beside_take(const lab_candidates *c, int probe, const char *output) {
    if (!beside.begun || beside.probe != probe || !c->hooks) return 0;
    const int made = lab_aside_end(beside.begun);
    beside.begun = 0;
    const int taken = made && rename(beside.at.object, output) == 0;
    lab_beside_drop();
    return taken;
}

void lab_beside_drop(void) {
    if (!beside.ask) return;
    lab_aside_drop(beside.begun);
    lab_beside_clear(beside.ask->stage);
    beside.begun = 0, beside.ask = NULL;
}

void lab_beside_clear(const char *stage) {
    char room[4310];
    const paths p = name(stage);
    snprintf(room, sizeof room, "%s.room", p.object);
    lab_aside_clear(p.room), lab_aside_clear(room);
    unlink(p.file), unlink(p.object);
}
