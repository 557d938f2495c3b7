// source_axes.c: a function of the task's header is given a shape, and never reads how many sequences it has, or heads:
//
//     attn_status attn_merge_heads(float *X, const float *Y, attn_shape shape) {
//         const size_t H = shape.heads, S = shape.seq_q, D = shape.head_dim;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 500 };

// "attn_shape NAME" among the parameters.
static int name_of_shape(const char *open, const char *body, char name[LONGEST]) {
    const char *type = open;
    while ((type = strstr(type, "attn_shape")) && type < body && !lab_is_word_at(open, type, "attn_shape")) type++;
    if (!type || type >= body) return 0;
    const char *word = lab_skip_blanks(type + strlen("attn_shape")), *end = word;
    while (lab_is_word(*end)) end++;
    return lab_copy_word(word, end, name);
}

// B = shape.batch, where nothing reads B.
static int goes_nowhere(const char *body, const char *at, const char *behind, const char *end) {
    char name[LONGEST];
    const char *to = at;
    while (to > body && to[-1] == ' ') to--;
    if (to == body || *--to != '=' || !strchr(",;", *behind)) return 0;
    while (to > body && to[-1] == ' ') to--;
    const char *from = to;
    while (from > body && lab_is_word(from[-1])) from--;
    return lab_copy_word(from, to, name) && !lab_has_word(behind, end, name);
}

// Are fields of the shape read, but not this one? It may be handed on as a whole.
static int is_unread(const char *body, const char *end, const char *shape, const char *field) {
    int others = 0;
    for (const char *at = body; (at = strstr(at, shape)) && at < end; at++) {
        if (!lab_is_word_at(body, at, shape)) continue;
        const char *member = at + strlen(shape);
        if (*member != '.') return 0;
        const int same = lab_is_word_at(body, member + 1, field);
        if (same && !goes_nowhere(body, at, member + 1 + strlen(field), end)) return 0;
        others += !same;
    }
    return others > 0;
}

static int is_incomplete(const char *text, const char *function, const char *body, char *sentence, size_t size) {
    static const struct {
        const char *field, *one, *all;
    } axes[] = {{"batch", "sequence", "the batch"}, {"heads", "head", "all heads"}};
    char name[LONGEST], shape[LONGEST];
    const char *end = lab_matching(body);
    if (!end || strncmp(function, "attn_", 5) || !lab_name_of_function(function, name) || strncmp(name, "attn_", 5) ||
        !name_of_shape(strchr(function, '('), body, shape))
        return 0;
    const char *todo = strstr(body, "ATTN_TODO(");
    for (size_t i = 0; i < sizeof axes / sizeof *axes && !(todo && todo < end); i++) {
        if (!is_unread(body, end, shape, axes[i].field)) continue;
        snprintf(
            sentence, size,
            "%s (line %d) never reads %s.%s: it does one %s and no other. A loop over %s is missing, and its number "
            "in the place of each element",
            name, lab_line_of(text, function), shape, axes[i].field, axes[i].one, axes[i].all);
        return 1;
    }
    return 0;
}

int lab_hint_of_axes(const char *text, int from, int to, char *sentence, size_t size) {
    const char *line = lab_line_at(text, from), *last = lab_line_at(text, to + 1);
    line = line ? lab_function_of(text, line) : NULL;
    for (int n = 0; line && *line && (!last || line < last) && n < MOST; n++) {
        const size_t length = strcspn(line, "\n");
        const char *body = lab_is_word(*line) && memchr(line, '(', length) ? line + strcspn(line, ";{}=") : NULL;
        if (body && *body == '{' && is_incomplete(text, line, body, sentence, size)) return 1;
        for (line += length; *line && !lab_is_word(line[*line == '\n']);) line += 1 + strcspn(line + 1, "\n");
        line = *line ? line + 1 : NULL;
    }
    return 0;
}
