// golden.h: reads the vectors in grader/golden: arrays of float32 in NumPy's .npy format.
#ifndef LAB_GOLDEN_H
#define LAB_GOLDEN_H

#include <stddef.h>

// The numbers of grader/golden/NAME, to be freed by the caller; *n is how many. NULL (with a message on stderr) if the
// file is not a little-endian float32 array in C order, or does not hold as many numbers as its header says.
float *golden_read(const char *name, size_t *n);

#endif
