// ptx.h: inline PTX, between its three files.
//
//     asm.c  the asm statement: strings, operands, clobbers     ptx.c  what the strings say, as C++
//     ptx_table.c  the instructions that simt knows
#ifndef SIMT_REWRITE_PTX_H
#define SIMT_REWRITE_PTX_H

#include "rewrite.h"

enum { MOST_ASM_OPERANDS = 300 };  // wgmma with n256 has 128 accumulators

typedef struct {
    char kind;  // the constraint's letter: h r l f d, n for a constant
    bool output;
} asm_operand;

typedef struct {
    asm_operand operands[MOST_ASM_OPERANDS];
    int count;
    int at;         // the token `asm`, for errors
    bool extended;  // has operands, so that %% stands for %
} asm_statement;

// Writes C++ for `text`. The values of operand i are in the variable simt_v<i>.
void write_ptx(unit *u, const asm_statement *s, const char *text, FILE *out);

// ptx_table.c: the call for an opcode with all its modifiers.
typedef struct {
    const char *function;   // in namespace simt::ptx
    const char *arguments;  // "<simt::ptx::f32>", or ""
    bool gives_value;       // assigned to the instruction's first operand
} ptx_call;
bool find_instruction(unit *u, const char *opcode, ptx_call *call);
const char *ptx_type(const char *name, int length);              // "uint32_t" for b32; NULL: none
const char *ptx_special_register(const char *name, int length);  // an expression; NULL: none

#endif
