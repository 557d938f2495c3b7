// seed.h: the secret seed, on its way from grade_all to the programs that draw inputs.
#ifndef LAB_SEED_H
#define LAB_SEED_H

#include <stdint.h>

// LAB_SEED, or `otherwise`. Wipes it from this process's environment, which /proc shows to every process of the same user:
// a stage could read it there.
uint64_t lab_take_seed(uint64_t otherwise);

// The number that a descriptor gives, in decimal, or `otherwise`. Closes it.
uint64_t lab_read_seed(int fd, uint64_t otherwise);

#endif
