// options.h: what the demo was asked to do.
#ifndef DEMO_OPTIONS_H
#define DEMO_OPTIONS_H

#include <stdint.h>

typedef struct {
    const char *stage;    // the student's task 6, a shared object
    const char *model;    // a folder in Hugging Face's format
    const char *prompt;   // NULL: a question about a random book
    const char *json;     // file for the results, or NULL
    const char *part[2];  // the student's tasks 4 and 5, shared objects, or NULL
    int seed_fd;          // a descriptor that gives the seed of the books; -1: they are random
    float timeout;        // seconds that a call may take; 0: the demo's own estimate
    int own_model;        // --model was given: not the phone-book model
    int tokens;           // to generate
    int recall;           // questions of the recall
    int top_k;
    float temperature;
    uint64_t seed;  // of the sampling
} demo_options;

// Returns 0, or the exit status after saying what is wrong. --help prints and exits.
int demo_read_options(int argc, char **argv, demo_options *o);

// The prompt as it is meant: \n and \t, two characters each, are a line break and a tab (make and the shell make them hard
// to type). The caller frees.
char *demo_unescape(const char *text);

#endif
