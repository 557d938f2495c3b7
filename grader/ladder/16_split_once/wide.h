// wide.h: wgmma with 48, 96, 144 and 192 columns, tiles with neighbours along the depth; and the meeting of a cluster's blocks.
#ifndef SPLIT_ONCE_WIDE_H
#define SPLIT_ONCE_WIDE_H

#include "../hopper.h"

#define R72 R64 ",%64,%65,%66,%67,%68,%69,%70,%71"
#define R96 R72 ",%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define R48 R32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47"
DEVICE void wgmma(float (&d)[24], uint64_t a, uint64_t b, int add) {  // d = A B^T, or d += A B^T
    asm volatile("{.reg .pred p; setp.ne.b32 p, %26, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 " R24 "}, %24, %25, p, 1, 1, 0, 0;}"
                 : D16(0), D4(16), D4(20)
                 : "l"(a), "l"(b), "r"(add));
}
DEVICE void wgmma(float (&d)[48], uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %50, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 " R48 "}, %48, %49, p, 1, 1, 0, 0;}"
                 : D32(0), D16(32)
                 : "l"(a), "l"(b), "r"(add));
}
DEVICE void wgmma(float (&d)[72], uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %74, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n144k16.f32.f16.f16 " R72 "}, %72, %73, p, 1, 1, 0, 0;}"
                 : D32(0), D32(32), D4(64), D4(68)
                 : "l"(a), "l"(b), "r"(add));
}
DEVICE void wgmma(float (&d)[96], uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %98, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 " R96 "}, %96, %97, p, 1, 1, 0, 0;}"
                 : D32(0), D32(32), D32(64)
                 : "l"(a), "l"(b), "r"(add));
}

DEVICE void cluster_meet() { asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory"); }

#endif
