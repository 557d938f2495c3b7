// device_fill.h: what a timed request does on the device beside the calls. All of it stands inside of the timed window,
// so it is fast, and its cost is known: the null stage's request has it, too. Every int returned is a cudaError_t.
//
// Tensor of set s: x + s * stride bytes. stream: a cudaStream_t.
#ifndef LAB_DEVICE_FILL_H
#define LAB_DEVICE_FILL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Element i of set s = element s * n + i of lab_fill_quick's numbers under key (grader/core/inputs.h), bit by bit. n is
// even.
int lab_fill_normal(float *x, size_t n, uint64_t key, uint32_t sets, size_t stride, void *stream);
int lab_fill_constant(int *x, size_t n, int value, uint32_t sets, size_t stride, void *stream);

// x[0 .. n) become LAB_LARGE_TIMES as large. A row of the head dimension: one block does it.
int lab_fill_large(float *x, size_t n, void *stream);

// Between the calls of set - 1 and set: seen[set - 1] = an element of the last call's output, drawn by *key; element
// j * lab_fresh_step(n[t]) of x[t], which has n[t], = lab_fresh(*key, seen[set - 1], set, t, j). Tensors with n 0 stay.
// The key is in device memory, so that a graph can be recorded before there is one.
int lab_link(float *const x[], const size_t n[], int tensors, const float *last, size_t n_last, uint32_t set,
             const uint64_t *key, float *seen, void *stream);

// digests[s * chunks + c] = lab_digest of chunk c of set s.
int lab_digest_all(const float *x, size_t n, uint64_t key, uint32_t sets, size_t stride, uint64_t *digests,
                   void *stream);

// Writes more than the L2 holds.
int lab_flush_caches(void *stream);

// In the null stage's window: the device does nothing else for so long, by its own clock. 0 where it has none.
int lab_keep_busy(unsigned microseconds, void *stream);

// Outside of the window: a GPU that has rested is slower for a moment, so it works for some milliseconds.
int lab_wake(void *stream);

// Outside of the window: undoes what a stage may have set aside in the L2, and wakes.
int lab_free_caches(void);

#ifdef __cplusplus
}
#endif
#endif
