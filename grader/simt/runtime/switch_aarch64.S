// switch_aarch64.S: leaves one stack and goes on with another. AAPCS64: x19 to x30 and d8 to d15 are kept.
//
//     void simt_switch(void **save, void *to)
    .text
    .globl simt_switch
    .type simt_switch, %function
simt_switch:
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
    mov x9, sp
    str x9, [x0]
    mov sp, x1
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
    mov x29, #0
    bl simt_fiber_main
    brk #0
    .cfi_endproc
    .size simt_fiber_start, . - simt_fiber_start
    .section .note.GNU-stack, "", %progbits
