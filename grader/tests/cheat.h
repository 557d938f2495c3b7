// cheat.h: the catalogue of cheats (grader/cheats/README.md), and a cheat as a submission.
#ifndef LAB_CHEAT_H
#define LAB_CHEAT_H

#include <stdio.h>

#include "canary.h"
#include "tasks.h"

enum { MAX_CHEATS = 80, MAX_TEXT = 24000 };

typedef struct {
    char name[64], expect[160], open[200], deserves[64];  // deserves: another cheat's points, and no more
    char like[64];                                        // another cheat, of which it is a variant: FULL=yes tries it
    double points, bonus;  // the most that its task may give, and beside it; bonus below 0: nobody asks
    int honest;            // 0: nothing of the answer stands in its file
    char top[MAX_TEXT], body[MAX_TEXT], end[MAX_TEXT], shell[4000];  // the lines that begin with < | > !
} cheat;

typedef struct {
    const lab_task *task;
    char options[160], needs[16], open[200];  // open: harm that is known and not mended
    cheat cheats[MAX_CHEATS];
    int n;
} cheat_class;

// Reads on to the next class. Returns 0 when there is none.
int cheat_read(FILE *f, cheat_class *g);

// Makes the submission among the canary's.
void cheat_submit(const lab_task *t, const canary *k, const cheat *c);

#endif
