// told.h: the numbers of a call that never was: what each depends on is made up, and what is said of them is compared
// (grader/values).
#ifndef LAB_TOLD_H
#define LAB_TOLD_H

#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "parts.h"

enum { KEYS = 4, DIMS = 4, COLUMNS = 2, ROOM = 64 };

static struct {
    lab_depends d;
    lab_number number[ROOM], output[COLUMNS];
    lab_line line[8];
    float total[COLUMNS], weight[KEYS], gain[ROOM * KEYS];
} world;

static inline int reset(void **state) {
    (void)state;
    memset(&world, 0, sizeof world);
    world.d = (lab_depends){.count = {KEYS, KEYS, DIMS, COLUMNS, 1},
                            .one = "key",
                            .number = world.number,
                            .output = world.output,
                            .n_output = COLUMNS,
                            .total = world.total,
                            .weight = world.weight,
                            .lines = {.line = world.line, .n = 8}};
    for (int i = 0; i < 8; i++) {
        world.line[i].line = 10 * (i + 1);
        snprintf(world.line[i].function, sizeof world.line[i].function, "f");
        snprintf(world.line[i].name, sizeof world.line[i].name, "x");
    }
    for (int i = 0; i < COLUMNS; i++) world.total[i] = 1;
    for (int i = 0; i < KEYS; i++) world.weight[i] = 0.25f;
    return 0;
}

// Sets are written as their bits: 5 is 0 and 2.
static inline lab_number *add(int id, int thread, uint64_t keys, uint64_t values, uint64_t dims, uint64_t columns,
                              int linear) {
    lab_number *x = &world.number[world.d.n];
    *x = (lab_number){.told = {id, thread, 1.2345678f + 0.7654321f * (float)world.d.n}, .linear = linear};
    world.d.n++;
    x->of[LAB_OF_KEYS].word[0] = keys, x->of[LAB_OF_VALUES].word[0] = values, x->of[LAB_OF_DIMS].word[0] = dims;
    x->of[LAB_OF_COLUMNS].word[0] = columns, x->of[LAB_OF_QUERIES].word[0] = 1;
    return x;
}

static inline void store(int column, const lab_number *x) { world.output[column] = *x; }

// Both threads store what is right.
static inline void add_outputs(void) {
    for (int t = 0; t < COLUMNS; t++) store(t, add(8, t, 15, 15, 15, 1u << t, 0));
}

static inline void expect(const char *sentence) {
    char text[900];
    assert_int_equal(lab_parts_say(&world.d, text, sizeof text), *sentence != 0);
    if (strcmp(text, sentence)) print_message("%s\n", text);
    assert_string_equal(text, sentence);
}

// How much a number grows with each of its keys: as a key's weight of 0.25 in all of them, or times as much.
static inline void grow(const lab_number *x, int first, int second, int third, int fourth) {
    const int times[KEYS] = {first, second, third, fourth};
    for (int j = 0; j < KEYS; j++) world.gain[(x - world.number) * KEYS + j] = 0.25f * (float)times[j];
    world.d.gain = world.gain;
}

#endif
