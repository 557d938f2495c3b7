// switch_x86_64.S: leaves one stack and goes on with another. System V ABI.
//
//     void simt_switch(void **save, void *to)
//
// Pushes the registers that a function must keep, stores the stack pointer in *save, takes the stack `to`, which an
// earlier simt_switch left (or fiber_prime laid out), and pops the same registers from there. 3 to 10 ns.
    .text
    .globl simt_switch
    .type simt_switch, @function
simt_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
// A signal handler that abandons a fiber enters here, with the stack pointer already set.
    .globl simt_switch_tail
simt_switch_tail:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret                     // mostly to the same place in suspend(): the return predictor is right
    .size simt_switch, . - simt_switch

// The first code of a fiber; the zero frame pointer ends every backtrace here.
    .globl simt_fiber_start
    .type simt_fiber_start, @function
simt_fiber_start:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    call simt_fiber_main@PLT
    ud2
    .cfi_endproc
    .size simt_fiber_start, . - simt_fiber_start
    .section .note.GNU-stack, "", @progbits
