// claims_next.h: what to do next follows from what the claims have shown.
#ifndef LAB_CLAIMS_NEXT_H
#define LAB_CLAIMS_NEXT_H

#include <stddef.h>

#include "claims.h"

typedef struct {
    int todos_held, todos, held, all;  // a TODO holds when all of its claims do
    int not_run;                       // claims
    char open[24];                     // the first TODO that is not written
    char wrong[24];                    // the first TODO that is written, and wrong
    int wrongs;                        // how many are, and do not follow from that one
    char fails[64];                    // the first claim of the whole that fails, and waits for no TODO
    char right[200];                   // "4.1,4.2,": the TODOs that hold
    const char *about[2];              // the TODO of the first note that knows one; of the first claim's sentence
    char waits[24];                    // the first TODO that the whole file says it waits for
    char misfit[640];                  // what the probe misses in the file
    int untried;                       // TODOs of which the same was to be said
    int costs;                         // a note says that right numbers cost points
    int bonus_waits;                   // claims of the bonus that wait for TODOs; held and all count them, too
} lab_seen;

// done: all that was asked for holds. next: one sentence, or "" where nothing is left to do.
void lab_say_next(const lab_end *e, const lab_seen *seen, int done, char *next, size_t size);

#endif
