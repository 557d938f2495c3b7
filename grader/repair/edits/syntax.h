// syntax.h: what a file is read as: directives, expressions, variables, functions, statements.
#ifndef LAB_SYNTAX_H
#define LAB_SYNTAX_H

#include "../../simt/rewrite/rewrite.h"

typedef struct edits edits;  // edits.h

typedef struct {
    size_t first, end;  // bytes of the file, without the newline at the end
    bool pragma, omp_loop, omp_atomic, conditional;
    int collapse;  // of an omp_loop: how many loops are one
} directive;

typedef enum { BASE_UNKNOWN, BASE_INT, BASE_FLOAT, BASE_STRUCT, BASE_VOID } base_type;

typedef struct {
    base_type base;
    int pointers;      // of float **x and float x[2][3]: 2
    const char *word;  // of BASE_STRUCT: its name
    bool constant;     // const stands before its first *: what it points to is only read
} value_type;

typedef enum {
    E_NAME,
    E_NUMBER,
    E_PAREN,
    E_UNARY,
    E_POSTFIX,
    E_BINARY,
    E_ASSIGN,
    E_TERNARY,
    E_COMMA,
    E_CALL,
    E_INDEX,
    E_MEMBER,
    E_CAST,
    E_OPAQUE
} expression_kind;

// Tokens [first, end). The operator is at [op, op_end): of a member the . or ->, of a call its (.
typedef struct expression {
    expression_kind kind;
    int first, end, op, op_end;
    struct expression *a, *b, *c;  // operands; of a call: a is what is called
    struct expression *arguments;  // of a call, linked by `next`
    struct expression *next;
    struct expression *parent;
} expression;

typedef struct {
    const char *name;
    value_type type;
    int from, to;          // the tokens between which it is visible
    int declared;          // its token; -1: a macro
    int value, value_end;  // the tokens of its first value
    int before;            // the variable before it whose name begins with the same letter, or -1
    const char *owner;     // of a field, which is visible nowhere (from > to): its struct
    bool is_const, is_parameter, is_loop, is_global, is_enumerator;
} variable;

typedef struct {
    const char *name;
    int open, body, end;  // ( of the parameters, { and behind } of the body
    int parameters;
    value_type result;
    bool device, kernel;
    bool constant;  // constexpr: nothing in it is changed
} function;

typedef enum { S_EXPRESSION, S_DECLARATION, S_IF, S_LOOP, S_RETURN, S_JUMP, S_BLOCK, S_OTHER } statement_kind;

typedef struct {
    statement_kind kind;
    int first, end;  // tokens
    size_t begin;    // in bytes: with the pragmas above it
    int parent;      // the statement around it, or -1
    int body;        // of a loop: the statement that it repeats
    int function;
    int block_end;  // the } of the list in which it stands
    bool listed;    // stands in a list in braces: another one may stand before it
    bool fixed;     // a directive is in the way: nothing is put around it
} statement;

#endif
