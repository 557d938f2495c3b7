// pragmas.c: a loop of OpenMP whose threads are in each other's way, and another loop of its nest whose are not.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "edits_list.h"
#include "judged.h"

enum { MOST_LOOPS = 8, TRIES = 4, AGAIN = 1 };  // of what failed, of what held
static const double COMPILE_SECONDS = 10, CALL_SECONDS = 3;
static const double SECONDS = 3;  // of a processor: nothing else is looked for

static int holds(lab_attempts *a, const lab_case *c, uint64_t seed, int times) {
    lab_prepared *p = lab_prepare(c, seed);
    int held = p != NULL;
    for (int i = 0; i < times && held; i++) held = lab_attempt(a, p, 0, CALL_SECONDS);
    lab_prepared_free(p);
    return held;
}

// Every claim, those that failed several times: threads that race do so in some runs.
static int all_hold(const lab_repair_ask *ask, const char *object) {
    static lab_subject s;
    char *runner[8] = {NULL};
    for (int i = 0; ask->runner[i] && i < 7; i++) runner[i] = ask->runner[i];
    runner[1] = (char *)object;
    lab_judged_choose(ask, NULL, runner, 1, &s);
    int held = s.n > 0;
    for (int k = 0; k < s.n && held; k++)
        held = lab_attempts_left() > 0 && holds(&s.attempts, &s.claim[k]->c, ask->seed, k < s.failed ? TRIES : AGAIN);
    lab_attempts_close(&s.attempts);
    return held;
}

static int is_right(const lab_repair_ask *ask, const char *source, const char *object) {
    const lab_build_options options = {
        .lab = ".", .source = source, .output = object, .seconds = COMPILE_SECONDS, .any_symbol = 1};
    lab_repair_ask moved = *ask;
    char message[1024], shared[700];
    moved.source = source;
    lab_threads_shared(&moved, shared, sizeof shared);
    const int own = *shared && !strstr(shared, "stays shared");  // a status that any of them sets is another matter
    if (own || lab_build(ask->task, &options, message, sizeof message, NULL, 0) != LAB_PASSED) return 0;
    return all_hold(ask, object);
}

int lab_threads_other_loop(const lab_repair_ask *ask, char *text, size_t size) {
    char source[4300], object[4300], number[12];
    const int stem = (int)strlen(ask->stage) - 3;
    int found = 0;
    snprintf(source, sizeof source, "%.*s.pragma%s", stem, ask->stage, strrchr(ask->task->file, '.'));
    snprintf(object, sizeof object, "%.*s.pragma.so", stem, ask->stage);
    // Inwards there is a short loop that is right, and of no use: what all threads work in is to be each thread's own.
    const int outwards = lab_threads_carry(ask) || lab_threads_in_memory(ask);
    lab_attempts_begin(SECONDS);
    for (int n = 1; n <= MOST_LOOPS && !found && lab_attempts_left() > 0; n++) {
        snprintf(number, sizeof number, "%d", n);
        char row[400] = "";
        const char *listed = lab_edits_list(ask, "--pragma", source, number);
        if (!listed || !*listed) break;
        snprintf(row, sizeof row, "%s", listed);
        char *rest = row, *from = strsep(&rest, "\t"), *to = rest ? strsep(&rest, "\t") : NULL;
        if (!rest || (outwards && atoi(to) > atoi(from)) || !is_right(ask, source, object)) continue;
        rest[strcspn(rest, "\n")] = 0;
        snprintf(text, size,
                 "the pragma of line %s shares out the wrong loop. It belongs above line %s:\n%s\nWith it there, every "
                 "claim passes.",
                 from, to, rest);
        found = 1;
    }
    unlink(source), unlink(object);
    return found;
}
