// thunks_x86_64.S: indirect calls of guests' code in checked mode (-mindirect-branch=thunk-extern). The guest's function that
// was called last is called at once; any other target is shown to simt_indirect_call, which returns only if it may be called:
// a pointer made by arithmetic from a function's address does not lead into the middle of simt, of the C library, or of an
// instruction.
        .text
        .macro THUNK reg
        .globl __x86_indirect_thunk_\reg
        .type __x86_indirect_thunk_\reg, @function
__x86_indirect_thunk_\reg:
        pushq %\reg
        jmp check_target
        .size __x86_indirect_thunk_\reg, . - __x86_indirect_thunk_\reg
        .endm
        .irp reg, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
        THUNK \reg
        .endr

// The target is on the stack, above it the return address.
        .type check_target, @function
check_target:
        pushq %rax
        movq 8(%rsp), %rax
        cmpq simt_guest_code(%rip), %rax
        jb 1f
        cmpq simt_guest_code+8(%rip), %rax
        jae 1f
        popq %rax
        ret
1:      pushq %rcx
        pushq %rdx
        pushq %rsi
        pushq %rdi
        pushq %r8
        pushq %r9
        pushq %r10
        pushq %r11
        pushq %rbp
        movq %rsp, %rbp
        movq 80(%rbp), %rdi
        movq 88(%rbp), %rsi
        subq $512, %rsp
        andq $-64, %rsp
        fxsave64 (%rsp)
        call simt_indirect_call
        fxrstor64 (%rsp)
        movq %rbp, %rsp
        popq %rbp
        popq %r11
        popq %r10
        popq %r9
        popq %r8
        popq %rdi
        popq %rsi
        popq %rdx
        popq %rcx
        popq %rax
        ret
        .size check_target, . - check_target
        .section .note.GNU-stack, "", @progbits
