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

// ---- What another thread may have another number in

typedef struct {
    const char *text, *function, *body, *end;
    const lab_names *names;  // of these it is sure
} place;

static int may_differ(const place *p, const char *from, const char *to, int depth);

// What its lines set it to decides; a kernel's parameter is one number for all, and of another name nobody knows: what a
// function is handed, and the members of its class.
static int name_may_differ(const place *p, const char *name, int depth) {
    static const char *const same[] = {"blockIdx", "blockDim", "gridDim", "int", "float", "size_t", NULL};
    lab_setting set[LAB_MOST_SET];
    char left[LONGEST];
    for (int i = 0; same[i]; i++)
        if (!strcmp(name, same[i])) return 0;
    int found = lab_constant(p->text, name, strlen(name)) >= 0 ||
                (lab_parameter_of(p->function, name) >= 0 && lab_has_word(p->function, p->body, "__global__"));
    const int n = lab_settings_of(p->body, p->end, set);
    for (int i = 0; i < n && depth; i++) {
        if (!lab_copy_word(set[i].left, set[i].left_end, left) || strcmp(left, name)) continue;
        if (may_differ(p, set[i].value, set[i].end, depth - 1)) return 1;
        found = 1;
    }
    return !found;
}

static int may_differ(const place *p, const char *from, const char *to, int depth) {
    char name[LONGEST];
    if (lab_has_one_of(from, to, p->names) || lab_calls_unknown(NULL, from, to)) return 1;
    for (const char *at = from, *behind; at < to; at = behind + (behind == at)) {
        for (behind = at; behind < to && lab_is_word(*behind);) behind++;
        if (behind == at || (*at >= '0' && *at <= '9') || strchr(".>", at[-1]) || *behind == '(') continue;
        if (!lab_copy_word(at, behind, name) || name_may_differ(p, name, depth)) return 1;
    }
    return 0;
}

// Does this place stand under a question that threads answer differently?
static int is_asked(const place *p, const char *at) {
    for (const char *word = p->function; (word = strstr(word, "if")) && word < at; word += 2) {
        const char *open = lab_skip_blanks(word + 2), *close = *open == '(' ? lab_matching(open) : NULL;
        if (!lab_is_word_at(p->text, word, "if") || !close || !may_differ(p, open + 1, close, PASSES)) continue;
        const char *behind = lab_end_of_statement(close + 1);
        if (at < behind || lab_has_word(close, behind, "return") || lab_has_word(close, behind, "continue")) return 1;
        if (!strncmp(lab_skip_blanks(behind), "else", 4)) return 1;
    }
    return 0;
}

// The first store of the name; all of them are each thread's own, at places that all have. NULL: it is not so.
static const char *stored_by_all(const place *p, const char *name, int is_array) {
    const char *first = NULL;
    const size_t n = strlen(name);
    for (const char *at = p->body; (at = strstr(at, name)) && at < p->end; at += n) {
        if (!lab_is_word_at(p->text, at, name)) continue;
        if (at[-1] == '.' || at[-1] == '>' || at[-1] == '&') return NULL;
        const char *behind = at + n;
        while (*behind == '[') {
            const char *close = lab_closing(behind);
            if (!close || may_differ(p, behind + 1, close, PASSES)) return NULL;
            behind = close + 1;
        }
        if (is_array == (behind == at + n)) return NULL;  // all of it, in a call
        behind = lab_skip_blanks(behind);
        behind += strchr("+-*/", *behind) && behind[1] == '=';
        if (*behind != '=' || behind[1] == '=') continue;
        const char *stop = behind + strcspn(behind, ";");
        if (!lab_has_one_of(behind, stop, p->names) || lab_calls_unknown(NULL, behind, stop)) return NULL;
        if (is_asked(p, at)) return NULL;
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
            const place here = {.text = text, .function = function, .body = end, .end = out, .names = &names};
            const char *store = stored_by_all(&here, name, is_array);
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
