// source_handed_on.c: causes that stand where one function hands something on to another: a call that is given one memory twice,
// the wrong one of two functions, or one that each head calls.
#include "source_calls.h"
#include "source_kinds.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

static int counts_tokens(const char *at, const char *end) {
    const char *length = strstr(at, "lengths[");
    const int is_set = length && length < end;
    return (is_set && (lab_has_text(length, end, "++") || lab_has_text(length, end, "+ 1;") ||
                       lab_has_text(length, end, "+="))) ||
           lab_has_text(at, end, "++lengths[") || lab_has_text(at, end, "atomicAdd(&lengths[") ||
           lab_has_text(at, end, "atomicAdd(lengths + ");
}

// A length that is too large, and a file that never calls append: what it adds itself, each head adds.
int lab_say_counted(const char *text, char *sentence, size_t size) {
    char where[120];
    const lab_lines found = strstr(text, "append(") ? (lab_lines){.n = 0} : lab_lines_that(text, counts_tokens);
    if (!found.n || found.n > LAB_MOST_LINES) return 0;
    lab_say_lines(&found, where, sizeof where);
    return snprintf(sentence, size,
                    "each head adds 1, in %s, and a sequence has one length for all of them: one block of it alone "
                    "counts, when all have read it",
                    where) > 0;
}

// attn_sdpa(out, q, kv, kv, shape): one memory for two of its arguments. Its declaration has a type before each.
int lab_say_given_twice(const char *text, char *sentence, size_t size) {
    static const char *const names[] = {"Q", "K", "V"};
    for (const char *at = text; (at = strstr(at, "attn_sdpa(")); at++) {
        const char *open = strchr(at, '('), *close = lab_matching(open), *end[3], *from[3];
        int given = close != NULL;
        for (int i = 0; i < 3 && given; i++) given = (from[i] = lab_in_list(open + 1, close, i + 1, &end[i])) != NULL;
        for (int i = 0; i < 3 && given; i++) from[i] = lab_skip_blanks(from[i]);
        for (int i = 0; i < 3 && given; i++) {
            const int k = (i + 1) % 3, a = i < k ? i : k, b = i < k ? k : i;
            const size_t n = (size_t)(end[a] - from[a]);
            if (n != (size_t)(end[b] - from[b]) || memcmp(from[a], from[b], n)) continue;
            return snprintf(sentence, size,
                            "line %d gives attn_sdpa %.*s for %s and for %s: what is stored there last is taken for "
                            "both. Each needs memory of its own",
                            lab_line_of(text, at), (int)n, from[a], names[a], names[b]) > 0;
        }
    }
    return 0;
}

// attn_merge_heads is a call of attn_split_heads.
int lab_say_split_again(const char *text, char *sentence, size_t size) {
    for (const char *at = text; (at = strstr(at, "attn_split_heads(")); at++) {
        const char *function = lab_function_of(text, at),
                   *merge = function ? strstr(function, "attn_merge_heads(") : NULL;
        if (merge && merge < at && merge < function + strcspn(function, "(") + 1)
            return snprintf(sentence, size, "line %d, in attn_merge_heads, calls attn_split_heads",
                            lab_line_of(text, at)) > 0;
    }
    return 0;
}
