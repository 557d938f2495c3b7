// second_look.h: on a GPU, what the same claims say under simt, on the CPU, where every line can be looked at.
#ifndef LAB_SECOND_LOOK_H
#define LAB_SECOND_LOOK_H

// Starts `command` in the background, once: a run of the same claims that writes its results to the file that the
// environment variable LAB_WHY names. NULL: nobody asks for one. `runner` is the program that it needs first.
void lab_second_look_begin(const char *command, const char *runner);

// Waits for it, and hands over what it says of why claims fail. Returns how many sentences; *certain: 1 if they leave
// nothing to explain.
int lab_second_look_end(void (*note)(const char *label, const char *text), int *certain);

#endif
