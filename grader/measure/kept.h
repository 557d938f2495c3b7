// kept.h: what was measured of the baselines, kept for the next submission: on this machine, by this lab, for a while.
// It was all measured while no process of a submission was there, so none of them can have slowed a baseline down.
#ifndef LAB_KEPT_H
#define LAB_KEPT_H

#include <jansson.h>

#include "clock.h"

typedef struct {
    char path[4400];  // "": nothing is kept
    json_t *all;
    int check;  // 1: what is found next is to be measured again, and compared
} lab_kept;

// folder: where it is kept, for each machine, GPU and build of the lab apart; NULL: nowhere. tree: of the lab's stages.
void lab_kept_open(lab_kept *k, const char *folder, const char *build, const char *tree, int on_gpu);

// Is there all of a point? Then *of_point is it: an object that belongs to k.
json_t *lab_kept_find(const lab_kept *k, const char *point);

// Keeps a new one (takes it over). If it is off by more than 3 % from the one that is there, the machine is not what it
// was: everything else is forgotten. Writes the file.
void lab_kept_put(lab_kept *k, const char *point, json_t *of_point);

// A timing in such an object, under a contender's name. lab_kept_get returns 0 when it is not there.
void lab_kept_set(json_t *of_point, const char *name, const lab_timing *t);
int lab_kept_get(const json_t *of_point, const char *name, lab_timing *t);

void lab_kept_close(lab_kept *k);

#endif
