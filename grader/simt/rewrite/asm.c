// asm.c: inline PTX in device code. The statement becomes a call of a lambda, whose parameters are the operands:
//
//     asm volatile("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a));
//     [&](auto &simt_0, auto simt_1) __attribute__((always_inline)) { ... ptx.c writes this ... } ( (d) , (a));
//
// Operands stay where they stand, on their own lines.
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

bool rewrote_asm;

static const char *const asm_words[] = {"asm", "__asm__", "__asm", NULL};
static const char *const asm_qualifiers[] = {"volatile", "__volatile__", "__volatile", "inline", NULL};

static int asm_open(const unit *u, int i) {
    if (!is_any(u, i, asm_words)) return -1;
    int open = i + 1;
    while (is_any(u, open, asm_qualifiers)) open++;
    return is(u, open, "(") && u->tokens[open].match > open ? open : -1;
}

// Every one of these is rewritten or refused: no assembly of a device function reaches the compiler.
bool is_device_asm(const unit *u, int i) { return asm_open(u, i) > 0 && u->tokens[i].scope == SCOPE_DEVICE; }

// Blanks that keep the line breaks of a raw string.
static void blank_string(unit *u, int i) {
    const token *t = &u->tokens[i];
    char *spaces = keep(u, (size_t)t->length + 1);
    for (int k = 0; k < t->length; k++) spaces[k] = t->at[k] == '\n' ? '\n' : ' ';
    spaces[t->length] = 0;
    replace(u, i, spaces);
}

// The characters of a string literal.
static void decode(const token *t, FILE *out) {
    const char *p = memchr(t->at, '"', (size_t)t->length), *end = t->at + t->length - 1;
    if (!p || end <= p) return;
    if (p > t->at && p[-1] == 'R') {
        const char *open = memchr(p, '(', (size_t)(end - p));
        if (open) fwrite(open + 1, 1, (size_t)(end - (open - p) - open - 1), out);
        return;
    }
    for (p++; p < end; p++) {
        if (*p != '\\' || p + 1 == end) {
            fputc(*p, out);
            continue;
        }
        p++;
        fputc(*p == 'n' || *p == 'r' || *p == '\n' ? '\n' : *p == 't' || *p == 'v' ? ' ' : *p, out);
    }
}

// The sections of an asm statement are parted by colons; the lexer makes one token of two neighbours.
static int colons(const unit *u, int i) { return is(u, i, ":") ? 1 : is(u, i, "::") ? 2 : 0; }

// "=r"(x): reads the constraint at i. Returns the parenthesis behind it, or -1 after an error.
static int read_operand(unit *u, int i, bool output, asm_statement *s) {
    if (is(u, i, "[")) {
        error_at_token(u, i, "asm: nvcc knows no named operands; write %%0, %%1, ...");
        return -1;
    }
    const token *t = &u->tokens[i];
    char letter = 0;
    for (int k = 0; t->kind == TOKEN_STRING && k < t->length; k++)
        if (strchr("hrlfdnC", t->at[k])) letter = t->at[k];
    int open = i + 1;
    if (!letter || letter == 'C' || !is(u, open, "(") || s->count == MOST_ASM_OPERANDS) {
        error_at_token(u, i, "asm: simt does not know the operand %s; it knows h r l f d and n", text_between(u, i, i));
        return -1;
    }
    s->operands[s->count++] = (asm_operand){letter, output};
    return open;
}

// Reads the operands, and leaves of them a list of arguments.
static bool read_operands(unit *u, int from, int close, asm_statement *s) {
    int section = 0;
    for (int i = from; i < close; i++) {
        int n = colons(u, i);
        if (n) {
            section += n;
            s->extended = true;
            blank(u, i);
        } else if (section == 0 || section > 2) {
            blank_string(u, i);  // the text; what is clobbered
        } else if (is(u, i, ",")) {
            blank(u, i);
        } else if (u->tokens[i].kind == TOKEN_STRING || is(u, i, "[")) {  // nvcc asks for no comma between operands
            int open = read_operand(u, i, section == 1, s);
            if (open < 0) return false;
            replace(u, i, s->count > 1 ? "," : " ");
            i = u->tokens[open].match;
        } else {
            error_at_token(u, i, "asm: a comma or a colon should stand here");
            return false;
        }
    }
    return true;
}

static const char *register_type(char kind) {
    switch (kind) {
    case 'h': return "uint16_t";
    case 'r': return "uint32_t";
    case 'l': return "uint64_t";
    case 'f': return "float";
    default: return "double";
    }
}

static void rewrite_statement(unit *u, int i, int open) {
    static asm_statement s;
    rewrote_asm = true;
    s = (asm_statement){.at = i};
    char *text, *lambda;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int k = open + 1; k < u->tokens[open].match && u->tokens[k].kind == TOKEN_STRING; k++)
        decode(&u->tokens[k], out);
    fclose(out);
    if (read_operands(u, open + 1, u->tokens[open].match, &s)) {
        for (int k = i; k < open; k++) blank(u, k);
        out = open_memstream(&lambda, &size);
        fputs("[&](", out);
        for (int k = 0; k < s.count; k++)
            fprintf(out, "%sauto %ssimt_%d", k ? ", " : "", s.operands[k].output ? "&" : "", k);
        fputs(") __attribute__((always_inline)) { ", out);
        for (int k = 0; k < s.count; k++) {
            const asm_operand *o = &s.operands[k];
            if (o->kind == 'n')
                fprintf(out, "[[maybe_unused]] const auto simt_v%d = simt_%d; ", k, k);
            else
                fprintf(out, "[[maybe_unused]] auto %ssimt_v%d = simt::ptx::%s<%s>(simt_%d); ", o->output ? "&" : "", k,
                        o->output ? "output" : "input", register_type(o->kind), k);
        }
        write_ptx(u, &s, text, out);
        fputs("}", out);
        fclose(out);
        replace(u, i, format(u, "%s", lambda));
        free(lambda);
    }
    free(text);
}

void rewrite_asm(unit *u) {
    for (int i = 0; i < u->token_count; i++)
        if (is_device_asm(u, i)) rewrite_statement(u, i, asm_open(u, i));
}
