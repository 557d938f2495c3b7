// switch_x86_64.S: leaves one stack and goes on with another. System V ABI.
//
//     void simt_switch(void **save, void *to)
//     void simt_syncthreads(void)
//     uint64_t simt_warp(simt_warp_op op, uint32_t mask, uint64_t value, int argument, int width)
//
// A stack that waits has the registers that a function must keep at its top, and then the address at which it goes on. An odd
// one is a fresh fiber's: nothing lies there yet, and it begins with simt_fiber_main. 2 to 10 ns.
//
// The processor foresees where a `ret` leads by the calls that it has seen. In a warp collective all threads wait in the same
// place of the library, so it is right, though the calls were another thread's; if only there is a `ret` for each call. Hence
// a fiber begins with a call, and returns from it when it has ended. At a barrier the next thread goes on where this one was
// a barrier ago: in a loop with two of them a `ret` would always be foreseen wrongly (22 ns instead of 7), a jump never is.
    .macro push_kept
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    .endm
    .macro pop_kept
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    .endm

    .text
    .globl simt_switch
    .type simt_switch, @function
simt_switch:
    push_kept
    movq %rsp, (%rdi)
    movq %rsi, %rax
simt_go_on:                 // with the stack in %rax
    testb $1, %al
    jnz simt_fiber_start
    movq %rax, %rsp
// A signal handler that abandons a fiber enters here, with the stack pointer already set.
    .globl simt_switch_tail
simt_switch_tail:
    pop_kept
    ret
    .size simt_switch, . - simt_switch

// The first code of a fiber; the zero frame pointer ends every backtrace here.
    .globl simt_fiber_start
    .type simt_fiber_start, @function
simt_fiber_start:
    .cfi_startproc
    .cfi_undefined rip
    leaq -1(%rax), %rsp
    xorl %ebp, %ebp
    call simt_fiber_main@PLT
    jmp simt_go_on
    .cfi_endproc
    .size simt_fiber_start, . - simt_fiber_start

// barrier.cpp says who is next; the registers are kept once.
    .globl simt_syncthreads
    .type simt_syncthreads, @function
simt_syncthreads:
    .cfi_startproc
    push_kept
    .cfi_def_cfa_offset 56
    .cfi_offset rbp, -16
    movq %rsp, %rdi
    movq 48(%rsp), %rsi     // where the student calls it
    subq $8, %rsp
    .cfi_def_cfa_offset 64
    call simt_barrier_step@PLT
    testb $1, %al
    jnz simt_fiber_start
    movq %rax, %rsp
    pop_kept
    popq %rcx
    jmp *%rcx
    .cfi_endproc
    .size simt_syncthreads, . - simt_syncthreads

// warp.cpp does it, and threads wait within. The one that goes on may have called from another line than the one before:
// hence a jump here, too (where shuffles of two lines take turns, 31 ns instead of 16).
    .globl simt_warp
    .type simt_warp, @function
simt_warp:
    .cfi_startproc
    movq (%rsp), %r9        // where the student calls it
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call simt_warp_step@PLT
    addq $8, %rsp
    .cfi_def_cfa_offset 8
    popq %rcx
    jmp *%rcx
    .cfi_endproc
    .size simt_warp, . - simt_warp
    .section .note.GNU-stack, "", @progbits
