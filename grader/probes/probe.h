// probe.h: claims about one TODO. A probe is a file of this folder, taskN.c[u], that includes the student's file, so
// that it can call its static functions on small data while other TODOs are still open.
//
//     #include "probe.h"
//     #include LAB_STAGE_FILE                                       the student's file; sizes may be defined before it
//
//     EXPECT_DEVICE(void, scale_row, (float *x, int n, float by));  what the student's file must define
//
//     PROBE(scale_row) {                                            a function that the runner calls, as any stage
//         run_scale_row<<<1, 32, 0, stream>>>(tensors[0], tensors[1], shape.seq_kv);
//         return PROBED();
//     }
//
// The lab compiles it beside the stage, into taskN.probe.so, and calls lab_probe_scale_row with the tensors of its row
// in grader/core/probes_taskN.c (tensors[0] is the output), once per claim: README.md.
#ifndef LAB_PROBE_H
#define LAB_PROBE_H

#include "shape.h"

#ifdef __cplusplus
#include <cuda_runtime.h>
#else
typedef struct CUstream_st *cudaStream_t;  // always NULL for tasks in C
#endif

// extra: what the claim's row holds besides the shape (.tiles, .n_splits, .prompt).
#define PROBE(name)                                                                                                    \
    ATTN_API attn_status lab_probe_##name(float *const tensors[], attn_shape shape, const int extra[2],                \
                                          cudaStream_t stream);                                                        \
    attn_status lab_probe_##name(float *const tensors[], attn_shape shape, const int extra[2], cudaStream_t stream)

// PROBE(steps) shows m, l and O of every row after each of so many tiles of keys (grader/core/probes_steps.c). It calls
// functions that are given, too: a file in which they are others is compiled once more with LAB_NO_STEPS.
enum { STEPS = 16 };

// What a probe returns after its launches.
#define PROBED() (cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR)

// One function of the student's file, at the start of a line. Where the file has no such function, the student reads
// this signature. EXPECT is for functions of the host and for kernels, EXPECT_DEVICE for __device__ functions (under
// simt they are functions like any other, and a variable of the device costs the compiler more).
#define EXPECT(type, name, arguments) static __attribute__((unused)) type(*const lab_expected_##name) arguments = name
#ifdef __SIMT__
#define EXPECT_DEVICE EXPECT
#else
#define EXPECT_DEVICE(type, name, arguments)                                                                           \
    static __device__ __attribute__((unused)) type(*const lab_expected_##name) arguments = name
#endif

#endif
