// softmax_rolled.cu: softmax.cu with every loop kept as it is written, which is how simt counts it.
#define KERNEL softmax_rolled
#define ROLLED _Pragma("unroll 1")
#include "softmax.cu"
