// threads.c: a file that fails with two threads and is right with one has a race: no change of a value mends that.
#include <stdio.h>
#include <string.h>

#include "process.h"
#include "search.h"

enum { CLAIMS = 4, TRIES = 8, ALONE = 3 };  // of each claim: with two threads, with one
static const double SECONDS = 3, READ_SECONDS = 5;

static int holds(lab_attempts *a, lab_prepared *p, int times) {
    for (int i = 0; i < times; i++)
        if (!lab_attempt(a, p, 0, SECONDS)) return 0;
    return 1;
}

int lab_threads_race(lab_subject *s, uint64_t seed) {
    lab_attempts alone = {.options = s->attempts.options};
    int fails = 0, right = 1;
    alone.options.threads = 1;
    for (int k = 0; k < s->failed && k < CLAIMS && right; k++) {
        lab_prepared *p = lab_prepare(&s->claim[k]->c, seed);
        right = p && holds(&alone, p, ALONE);
        fails |= right && !holds(&s->attempts, p, TRIES);
        lab_prepared_free(p);
    }
    lab_attempts_close(&alone);
    return right && fails;
}

// Lines `name, tab, line` become "x (line 51) and d (line 53)".
static int list_names(char *rows, char *text, size_t size) {
    size_t used = 0;
    int n = 0;
    for (char *row; (row = strsep(&rows, "\n")) && *row && used < size; n++) {
        const char *name = strsep(&row, "\t");
        const int last = !rows || !*rows;
        used += (size_t)snprintf(text + used, size - used, "%s%s (line %s)",
                                 !n     ? ""
                                 : last ? " and "
                                        : ", ",
                                 name, row ? row : "?");
    }
    return n;
}

void lab_threads_shared(const lab_repair_ask *ask, char *text, size_t size) {
    static lab_process p;
    char *argv[] = {(char *)ask->edits, (char *)ask->source, "--shared", ".", NULL}, names[300];
    const lab_limits limits = {.arena = -1, .cpu_seconds = READ_SECONDS, .memory_bytes = (size_t)1 << 30};
    text[0] = 0;
    if (!lab_process_start(&p, argv, &limits)) return;
    const lab_event event = lab_process_wait(&p, NULL, 0, READ_SECONDS);
    lab_process_stop(&p);
    if (event != LAB_EXITED || p.exit_status) return;
    const int n = list_names(p.text, names, sizeof names);
    if (n)
        snprintf(text, size,
                 "all threads set %s, which %s declared outside of the parallel region: declare %s within, "
                 "or add private(...) to the pragma.",
                 names, n > 1 ? "are" : "is", n > 1 ? "them" : "it");
}
