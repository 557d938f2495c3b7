// cuda_fp16.h: __half (IEEE binary16) and __half2.
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "simt/half_types.h"

SIMT_HALF_TYPE(__half, __half2, half_format)
SIMT_HALF_CONVERSIONS(__half, __half2, half, half2, half_format)
SIMT_HALF_ARITHMETIC(__half, __half2)
SIMT_HALF_COMPARISONS(__half, __half2)
SIMT_HALF_OPERATORS(__half, __half2)
SIMT_HALF_FUNCTIONS(__half, __half2)
SIMT_HALF_ATOMICS(__half, __half2, SIMT_F16, SIMT_F16X2)

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#endif
