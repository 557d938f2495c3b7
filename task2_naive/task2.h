// task2.h: naive attention in CUDA, the contract. Four kernels in a row, and a matrix of scores between them.
//
//     scores = Q K^T,   scores = mask(scores / sqrt(D)),   scores = softmax(scores),   O = scores V
//
// Every pointer is device memory, row-major float32, 16-byte aligned. Layouts and attn_shape are in shape.h.
// Outputs come first; inputs stay as they are. A call queues its work on `stream`, in order, and does nothing else: no
// allocation, no synchronisation. So a CUDA graph can capture it.
// Return ATTN_OK; ATTN_BAD_SHAPE where a size is below 1 or the shape contradicts shape.h (nothing is launched then);
// ATTN_CUDA_ERROR if cudaGetLastError() reports an error after a launch.
#ifndef TASK2_H
#define TASK2_H

#include "shape.h"

#ifdef __cplusplus
#include <cuda_runtime.h>
#else
typedef struct CUstream_st *cudaStream_t;  // as cuda_runtime.h has it, for C files that do without CUDA
#endif

// P[r][c] = exp(S[r][c]) / sum_j exp(S[r][j]), computed so that large S cannot overflow.
// P, S: [rows, cols]; P may be S itself (in place). S may hold -INFINITY (a masked score, whose probability is 0); each
// row has a finite element. One block per row; max and sum are reduced in shared memory.
// FLOPs: about 4 rows cols. Minimum bytes: 8 rows cols.
ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream);

// C[b] = A[b] B[b]^T for every b: C[b][i][j] = sum_l A[b][i][l] B[b][j][l].
// C: [batch, m, n]. A: [batch, m, k]. B: [batch, n, k] ("N" times "T": B is stored transposed). Any m, n, k from 1;
// batch up to 65535, as many blocks as a grid has in z.
// FLOPs: 2 batch m n k. Minimum bytes: 4 batch (m n + m k + n k).
ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream);

// C[b] = A[b] B[b] for every b: C[b][i][j] = sum_l A[b][i][l] B[b][l][j].
// C: [batch, m, n]. A: [batch, m, k]. B: [batch, k, n]. FLOPs and bytes as above.
ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream);

// O = softmax(Q K^T / sqrt(head_dim) + mask) V for every batch and head, by the chain of kernels.
// Q, O: [batch, heads, seq_q, head_dim]. K, V: [batch, heads, seq_kv, head_dim].
// scores: [batch, heads, seq_q, seq_kv], the caller's memory to work in; the softmax runs in place there, so afterwards
// it holds the probabilities.
// causal: query i sees key j where j <= i + (seq_kv - seq_q).
// FLOPs: 4 B H Sq Sk D, also when causal. Minimum bytes: 4 (2 B H Sq D + 2 B H Sk D) + 24 B H Sq Sk: the scores are
// written by the first kernel, read and written by the next two, and read by the last.
ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores,
                                attn_shape shape, cudaStream_t stream);

#endif
