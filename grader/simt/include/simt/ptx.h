// ptx.h: what inline PTX becomes. rewrite/ptx.c turns
//
//     mad.lo.u32 %0, %1, 4, x;      into      simt::ptx::ref(simt_v0) = simt::ptx::mad_part<lo, u32>(ref(simt_v1), imm(4), ref(x));
//
// and the functions of simt/ptx/*.h do the work, one file a family.
#ifndef SIMT_PTX_H
#define SIMT_PTX_H

#include "ptx/operands.h"

#include "ptx/scalar.h"
#include "ptx/convert.h"
#include "ptx/arithmetic.h"
#include "ptx/memory.h"
#include "ptx/sync.h"
#include "ptx/matrix.h"
#include "ptx/warp_matrix.h"
#include "ptx/async.h"
#include "ptx/wgmma.h"

#endif
