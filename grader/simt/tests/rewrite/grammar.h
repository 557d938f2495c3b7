// grammar.h: a source of random CUDA programs.
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Writes program number `seed` and returns how many kernel launches it has. With markers: as the preprocessor leaves it,
// line markers between tokens and a system header full of traps; without: a .cu file, with comments instead.
int write_program(FILE *file, uint64_t seed, bool with_markers);

#endif
