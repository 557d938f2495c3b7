// switch_aarch64.S: leaves one stack and goes on with another. AAPCS64: x19 to x30 and d8 to d15 are kept. See switch_x86_64.S.
//
//     void simt_switch(void **save, void *to)
//     void simt_syncthreads(void)
//     uint64_t simt_warp(simt_warp_op op, uint32_t mask, uint64_t value, int argument, int width)
    .macro push_kept
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    .endm

    .text
    .globl simt_switch
    .type simt_switch, %function
simt_switch:
    push_kept
    mov x9, sp
    str x9, [x0]
    mov x0, x1
simt_go_on:                 // with the stack in x0
    tbnz x0, #0, simt_fiber_start
    mov sp, x0
// A signal handler that abandons a fiber enters here, with the stack pointer already set.
    .globl simt_switch_tail
simt_switch_tail:
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size simt_switch, . - simt_switch

// The first code of a fiber; the zero frame pointer ends every backtrace here.
    .globl simt_fiber_start
    .type simt_fiber_start, %function
simt_fiber_start:
    .cfi_startproc
    .cfi_undefined x30
    sub x0, x0, #1
    mov sp, x0
    mov x29, #0
    bl simt_fiber_main
    b simt_go_on
    .cfi_endproc
    .size simt_fiber_start, . - simt_fiber_start

    .globl simt_syncthreads
    .type simt_syncthreads, %function
simt_syncthreads:
    push_kept
    mov x0, sp
    mov x1, x30             // where the student calls it
    bl simt_barrier_step
    b simt_go_on
    .size simt_syncthreads, . - simt_syncthreads

// See switch_x86_64.S.
    .globl simt_warp
    .type simt_warp, %function
simt_warp:
    mov x5, x30             // where the student calls it
    b simt_warp_step
    .size simt_warp, . - simt_warp
    .section .note.GNU-stack, "", %progbits
