// source_behind.c: what stands between a file's softmax and the product behind it. A mask there comes too late.
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"

// Where the task's softmax is called, and not where it is written. NULL: nowhere.
static const char *call_of_softmax(const char *text) {
    for (const char *at = text; (at = strstr(at, "attn_softmax_")); at++) {
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        if (!lab_is_word(*line)) return at;
    }
    return NULL;
}

// The end of the function, or its next product.
static const char *end_of_walk(const char *at) {
    const char *end = strstr(at, "\n}"), *product = strstr(at, "attn_gemm_nn(");
    if (!end) end = at + strlen(at);
    return product && product < end ? product : end;
}

// "p[j] = 0;", "scores[n] = 0.0f;", "p[j] = j > i ? 0.0f : p[j];", "p[j] *= j <= i;"
static int sets_to_0(const char *at, const char *end) {
    return lab_has_text(at, end, "] = 0;") || lab_has_text(at, end, "] = 0.0f;") || lab_has_text(at, end, "] = 0.f;") ||
           lab_has_text(at, end, "? 0.0f :") || lab_has_text(at, end, "] *= ");
}

// Does a function of the file that is called here set elements to 0, or launch a kernel?
static int calls_such(const char *text, const char *at, const char *end, char name[LAB_LONGEST_WORD]) {
    for (const char *open = at; (open = memchr(open, '(', (size_t)(end - open))); open++) {
        const char *start = open;
        while (start > at && lab_is_word(start[-1])) start--;
        if (start == open || !strncmp(start, "attn_", 5) || !lab_copy_word(start, open, name)) continue;
        for (const char *made = text; (made = strstr(made, name)); made++) {
            const char *function = lab_function_of(text, made), *close = strstr(made, "\n}");
            if (!lab_is_word_at(text, made, name) || made[strlen(name)] != '(' || !close ||
                memchr(function, '\n', (size_t)(made - function)) || !lab_is_word(*function))
                continue;
            if (sets_to_0(made, close) || lab_has_text(made, close, "<<<")) return 1;
        }
    }
    return 0;
}

// "triangle<<<", "triangle<true><<<"
static int launches(const char *at, const char *end, char name[LAB_LONGEST_WORD]) {
    const char *launch = strstr(at, "<<<"), *start = at;
    if (!launch || launch >= end) return 0;
    while (start < launch && !lab_is_word(*start)) start++;
    const char *behind = start;
    while (lab_is_word(*behind)) behind++;
    return lab_copy_word(start, behind, name);
}

int lab_say_behind_softmax(const char *text, char *sentence, size_t size) {
    const char *softmax = call_of_softmax(text), *end = softmax ? end_of_walk(softmax) : NULL;
    char name[LAB_LONGEST_WORD];
    for (const char *at = softmax ? strchr(softmax, '\n') : NULL; at && at < end; at = strchr(at, '\n')) {
        const char *stop = at + 1 + strcspn(at + 1, "\n");
        at++;
        if (stop > end) stop = end;
        const int launched = launches(at, stop, name), of = lab_line_of(text, softmax), line = lab_line_of(text, at);
        if (launched || calls_such(text, at, stop, name))
            return snprintf(sentence, size, "line %d %s %s, behind the softmax of line %d", line,
                            launched ? "launches" : "calls", name, of) > 0;
        if (sets_to_0(at, stop))
            return snprintf(sentence, size, "line %d sets weights, behind the softmax of line %d", line, of) > 0;
    }
    return 0;
}
