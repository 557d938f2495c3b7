// mutant.h: the catalogue of mutants, and a mutant as a file.
//
// grader/mutants/TASK.mutants is the catalogue: edits of the answer, each of which must match exactly once. Edits of
// another tree follow a line that names it, as `base: grader/ladder/4_async_copies`.
//
//     [no_scale]
//     expect: WRONG_ANSWER
//     says: 1/sqrt(D)
//     why: the scores are not divided by sqrt(D)
//     gpu: may pass                              (only where a GPU may win the race that loses under simt)
//     gpu: other words                           (only where a GPU fails it otherwise, or simt alone says that much)
//     - const float scale = 1.0f / sqrtf(D);
//     + const float scale = 1.0f;
#ifndef LAB_MUTANT_H
#define LAB_MUTANT_H

enum { MAX_MUTANTS = 96, MAX_EDIT = 40, MAX_LINES = 4000 };

typedef struct {
    char name[64], base[128], expect[32], says[128];
    char todo[16], at_todo[32];  // the first TODO whose claims do not hold, and their verdict
    char *from[MAX_EDIT], *to[MAX_EDIT];
    int n_from, n_to;
    int lucky;        // a race that a GPU may win
    int other_words;  // on a GPU any verdict but PASSED will do
} mutant;

// Returns how many there are, at most MAX_MUTANTS.
int mutant_read(const char *path, mutant *mutants);

// A solution's lines, each with its end.
typedef struct {
    char line[MAX_LINES][512];
    int n;
} mutant_text;

// Returns 0 if the file cannot be read.
int mutant_read_text(const char *path, mutant_text *text);

// Returns how often the '-' lines match, and the first line (from 0) of the last place.
int mutant_find(const mutant *m, const mutant_text *text, int *at);

// Writes the solution with the edit applied. Returns how often the '-' lines matched: it must be once.
int mutant_apply(const mutant *m, const char *solution, const char *target);

#endif
