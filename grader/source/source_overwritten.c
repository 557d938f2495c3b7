// source_overwritten.c: a product or a copy whose output is one of its inputs: what is still to be read is overwritten.
//
//     project(flat, flat, Wk, rows, E);        attn_merge_heads(O, O, shape);
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

// Functions of the tasks whose first argument is the output, and the next two are inputs at most.
static const struct {
    const char *name;
    int inputs;
} functions[] = {{"project", 2},      {"attn_split_heads", 1}, {"attn_merge_heads", 1},
                 {"attn_gemm_nt", 2}, {"attn_gemm_nn", 2},     {"merge_heads", 1},
                 {"linear", 2}};

// The argument that begins here, without blanks, and where the next one does; NULL: that was the last one.
static const char *argument(const char *at, char text[LONGEST]) {
    int depth = 0, n = 0;
    for (; *at && *at != ';' && (depth > 0 || (*at != ',' && *at != ')')); at++) {
        depth += *at == '(' || *at == '[', depth -= *at == ')' || *at == ']';
        if (n < LONGEST - 1 && !strchr(" \n\t", *at)) text[n++] = *at;
    }
    text[n] = 0;
    return *at == ',' ? at + 1 : NULL;
}

int lab_hint_of_overwriting(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
            const size_t n = strlen(functions[f].name);
            char out[LONGEST], in[LONGEST];
            if (strncmp(at, functions[f].name, n) || at[n] != '(' || (at > text && lab_is_word(at[-1]))) continue;
            const char *next = argument(at + n + 1, out);
            for (int i = 0; i < functions[f].inputs && next; i++) {
                next = argument(next, in);
                if (!*out || strcmp(out, in) || strchr(out, ' ')) continue;
                snprintf(sentence, size,
                         "line %d: %s reads %s and writes to it: what it still has to read is overwritten, and it must "
                         "read something else",
                         lab_line_of(text, at), functions[f].name, out);
                return LAB_HINT_CAUSE;
            }
        }
    return LAB_HINT_NONE;
}
