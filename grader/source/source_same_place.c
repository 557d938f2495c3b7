// source_same_place.c: shared memory that is taken for a thread's own: all threads of a block store their own numbers at the
// same places.
//
//     __shared__ float a[DEPTH][4];
//     const int i = first + threadIdx.x;
//     for (int l = 0; l < DEPTH; l++) a[l][0] = A[i * k + l];
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, PASSES = 3, MOST = 60 };

// The names that another thread has another number in. Returns 0 where there may be more.
static int of_threads(const char *text, const char *body, const char *end, lab_names *names) {
    static lab_setting set[LAB_MOST_SET];
    names->n = 0;
    lab_add_word("threadIdx", "threadIdx" + strlen("threadIdx"), names);
    for (const char *at = text; (at = strstr(at, "#define ")); at++) {
        const char *name = at + strlen("#define "), *behind = name;
        while (lab_is_word(*behind)) behind++;
        if (lab_has_word(behind, behind + strcspn(behind, "\n"), "threadIdx")) lab_add_word(name, behind, names);
    }
    for (int pass = 0; pass < PASSES; pass++)
        for (const char *at = body; at < end;) {
            const int n = lab_settings_of(at, end, set);
            lab_varying(NULL, set, n, names);
            at = n == LAB_MOST_SET ? set[n - 1].end : end;
        }
    return names->n < LAB_MOST_VARYING;
}

// Does this place stand under a question that threads answer differently?
static int is_asked(const char *text, const char *body, const char *at, const lab_names *names) {
    for (const char *word = body; (word = strstr(word, "if")) && word < at; word += 2) {
        const char *open = lab_skip_blanks(word + 2), *close = *open == '(' ? lab_matching(open) : NULL;
        if (!lab_is_word_at(text, word, "if") || !close) continue;
        if (!lab_has_one_of(open, close, names) && !lab_calls_unknown(NULL, open + 1, close)) continue;
        const char *behind = lab_end_of_statement(close + 1);
        if (at < behind || lab_has_word(close, behind, "return") || lab_has_word(close, behind, "continue")) return 1;
        if (!strncmp(lab_skip_blanks(behind), "else", 4)) return 1;
    }
    return 0;
}

// The first store of the name; all of them are each thread's own, at places that all have. NULL: it is not so.
static const char *stored_by_all(const char *text, const char *body, const char *end, const char *name, int is_array,
                                 const lab_names *names) {
    const char *first = NULL;
    const size_t n = strlen(name);
    for (const char *at = body; (at = strstr(at, name)) && at < end; at += n) {
        if (!lab_is_word_at(text, at, name)) continue;
        if (at[-1] == '.' || at[-1] == '>' || at[-1] == '&') return NULL;
        const char *behind = at + n;
        while (*behind == '[') {
            const char *close = lab_closing(behind);
            if (!close || lab_calls_unknown(NULL, behind, close)) return NULL;
            if (lab_has_one_of(behind, close, names)) return NULL;
            behind = close + 1;
        }
        if (is_array == (behind == at + n)) return NULL;  // all of it, in a call
        behind = lab_skip_blanks(behind);
        behind += strchr("+-*/", *behind) && behind[1] == '=';
        if (*behind != '=' || behind[1] == '=') continue;
        const char *stop = behind + strcspn(behind, ";");
        if (!lab_has_one_of(behind, stop, names) || lab_calls_unknown(NULL, behind, stop)) return NULL;
        if (is_asked(text, lab_function_of(text, at), at, names)) return NULL;
        if (!first) first = at;
    }
    return first;
}

// The names of "__shared__ float a[8][4], b;", one after the other. Returns where to go on; NULL behind the last.
static const char *next_name(const char *at, const char *end, char name[LONGEST], int *is_array) {
    const char *open = at + (*at == ','), *first;
    int depth = 0;
    for (; open < end && (depth > 0 || *open != ','); open++) depth += *open == '(', depth -= *open == ')';
    const char *next = open, *subscript = at < end ? memchr(at + 1, '[', (size_t)(next - at - 1)) : NULL;
    *is_array = subscript != NULL;
    if (at >= end) return NULL;
    if (subscript) open = subscript;
    for (first = open; first > at && lab_is_word(first[-1]);) first--;
    return first < open && lab_copy_word(first, open, name) ? next : NULL;
}

int lab_hint_of_same_place(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *last = lab_line_at(text, to + 1);
    static lab_names names;
    for (int looks = 0; at && (at = strstr(at, "__shared__")) && (!last || at < last) && looks < MOST; looks++) {
        const char *start = at, *end = at + strcspn(at, ";"), *function = lab_function_of(text, at);
        const char *out = function ? strstr(end, "\n}") : NULL;
        char name[LONGEST];
        int is_array;
        at = end;
        if (!out || function >= start || !of_threads(text, function, out, &names)) continue;
        for (const char *next = start; (next = next_name(next, end, name, &is_array));) {
            const char *store = stored_by_all(text, end, out, name, is_array, &names);
            if (!store) continue;
            snprintf(sentence, size,
                     "line %d: every thread stores its own number in %s, at the same place%s, and line %d makes one %s "
                     "for the whole block. What each thread has for itself is not __shared__, or has a place for each "
                     "thread",
                     lab_line_of(text, store), name, is_array ? "s" : "", lab_line_of(text, start), name);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
