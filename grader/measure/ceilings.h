// ceilings.h: what the machine can do at most: the roofline's two lines, measured.
#ifndef LAB_CEILINGS_H
#define LAB_CEILINGS_H

enum { LAB_MAX_CEILINGS = 32 };

typedef struct {
    const char *isa;  // "avx512", "avx2", "sse2", "neon"; NULL for bandwidth
    int threads;
    double rate;  // GFLOP/s (a multiply-add is two), or GB/s (STREAM triad: two reads and one write)
} lab_ceiling;

// The multiply-add rate of every instruction set of this processor, on 1, 2, 4, ... threads; then bandwidth likewise.
// Takes about half a second each. Returns how many; peaks first.
int lab_measure_ceilings(int threads, lab_ceiling found[LAB_MAX_CEILINGS]);

#endif
