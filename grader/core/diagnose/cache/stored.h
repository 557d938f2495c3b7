// stored.h: numbers [B, H, tokens, D] that code stores in a cache, and the steps in which they belong there.
#ifndef LAB_STORED_H
#define LAB_STORED_H

#include "heuristics.h"

enum { LAB_STORED_NAMES = 9, LAB_STORED_SIZES = 4 };

typedef struct {
    const float *from_tensor;  // the numbers
    size_t extent[4];          // how many sequences, heads, tokens, dims
    long step[4], first;       // in the cache: from one to the next, and where the first belongs
    int from;                  // 1: each sequence has a first place of its own, which is not looked at
    size_t cache;              // elements of the cache, the start of the output; input 1 is its state before
    struct {
        const char *text;
        long value;
    } name[LAB_STORED_NAMES],     // of steps; what stands first counts
        other[LAB_STORED_SIZES];  // sizes that can be taken for D, a row's numbers
} lab_stored;

// A number and where it lies; those of a cache are sorted and looked up by value.
typedef struct {
    float value;
    long at;
} lab_numbered;
enum { LAB_MOST_PLACES = 1 << 14 };
int lab_by_value(const void *a, const void *b);

// A step in words: the name that has this value, or the number.
const char *lab_step_named(const lab_stored *t, long step, char text[24]);

// Returns 1, with a sentence, if the numbers lie in even steps and one of these, or the first place, is another one.
int lab_explain_stored(const lab_symptom *s, const lab_stored *t, char *text, size_t size);

// taken.c: the same, if they lie where they belong and are read in other steps, or only some of them are stored.
int lab_explain_taken_from(const lab_symptom *s, const lab_stored *t, char *text, size_t size);

#endif
