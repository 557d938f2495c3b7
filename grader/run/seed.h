// seed.h: the secret seed, on its way from grade_all to the programs that draw inputs. A stage could read it in /proc
// if it stood on a command line or in an environment.
#ifndef LAB_SEED_H
#define LAB_SEED_H

#include <stdint.h>

// The number that a descriptor gives, in decimal, or `otherwise`. Closes it.
uint64_t lab_read_seed(int fd, uint64_t otherwise);

#endif
