// canary.h: what a submission must not reach: a private file, places to write, the lab's own files, a listening port,
// life after its run. Set before a class of cheats is graded, and looked at afterwards.
#ifndef LAB_CANARY_H
#define LAB_CANARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    char top[64];                       // the scratch folder of this class
    char home[128], in[128], out[128];  // in it: HOME, the submissions, the results
    char mark[16];                      // in the name of each file and process that a cheat makes
    char secret[48];                    // what the private file ~/private says
    int listener, port;                 // on this machine; nobody may come
    uint64_t lab;                       // the lab's own files, as one number
} canary;

int canary_set(canary *c, const char *top);
void canary_seal(canary *c);   // the submissions are made: what stands there now is to stand there afterwards
void canary_clear(canary *c);  // removes the scratch folder

// Whose text stands in a word like @HOME@ of a cheat, or NULL: HOME, IN, OUT, MARK, ROOT, PORT, SECRET.
const char *canary_word(const canary *c, const char *word, size_t length);

// Each says what it found and returns how much that was; `said` is what grade_all printed.
int canary_quoted(const canary *c, const char *said, char *what,
                  size_t size);  // the secret, in pages or on the terminal
int canary_unclean(const canary *c, const char *said, char *what, size_t size);  // text that is more than text
int canary_written(const canary *c, char *what, size_t size);                    // files that a cheat made, or changed
int canary_alive(const canary *c, char *what, size_t size);                      // processes; ends them
int canary_called(const canary *c, char *what, size_t size);                     // the network

#endif
