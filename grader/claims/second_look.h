// second_look.h: on a GPU, what the same claims say under simt, on the CPU, where every line can be looked at, and no
// thread happens to win a race.
#ifndef LAB_SECOND_LOOK_H
#define LAB_SECOND_LOOK_H

#include "judge.h"

// Starts `command` in the background, once: a run of the same claims that writes its results to the file that the
// environment variable LAB_WHY names. NULL: nobody asks for one. `runner` is the program that it needs: without it
// nothing is started before the first claim. Then lab_second_look_keep hears of each claim, and starts after one that fails,
// with a program that is built for that.
void lab_second_look_early(const char *command, const char *runner);
void lab_second_look_keep(const char *command, const char *runner, const lab_result *r);

// Waits for it, and hands over what it says of why claims fail, or of what right numbers hide. Returns how many
// sentences; *certain: 1 if they leave nothing to explain.
int lab_second_look_end(void (*note)(const char *label, const char *text), int *certain);

int lab_second_look_saw(void);  // 1: it looked at a right file, and has said what it found

#endif
