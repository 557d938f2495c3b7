// qualifiers.c: the words that only CUDA knows. They have done their work by now and leave blanks behind, so that the
// columns of error messages stay right.
#include "rewrite.h"

static const char *const words[] = {"__global__", "__device__", "__constant__", "__managed__", NULL};

void rewrite_qualifiers(unit *u) {
    for (int i = 0; i < u->token_count; i++) {
        if (is_any(u, i, words)) blank(u, i);
        // No macro: the standard library's own headers write __attribute__((__noinline__)).
        else if (is(u, i, "__noinline__") && !is(u, i - 1, "("))
            replace(u, i, "__attribute__((noinline))");
    }
}
