// ragged_rolled.cu: ragged.cu with every loop kept as it is written, which is how simt counts it.
#define KERNEL ragged_rolled
#define ROLLED _Pragma("unroll 1")
#include "ragged.cu"
