// cuda_bf16.h: __nv_bfloat16 (the upper half of a float) and __nv_bfloat162.
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "simt/half_types.h"

SIMT_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, bfloat16_format)
SIMT_HALF_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162, bfloat16_format)
SIMT_HALF_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)
SIMT_HALF_COMPARISONS(__nv_bfloat16, __nv_bfloat162)
SIMT_HALF_OPERATORS(__nv_bfloat16, __nv_bfloat162)
SIMT_HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
SIMT_HALF_ATOMICS(__nv_bfloat16, __nv_bfloat162, SIMT_BF16, SIMT_BF16X2)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#endif
