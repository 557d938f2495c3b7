// source_axes.c: a function of the task's header is given a shape, and never reads how many sequences it has, or heads:
//
//     attn_status attn_merge_heads(float *X, const float *Y, attn_shape shape) {
//         const size_t H = shape.heads, S = shape.seq_q, D = shape.head_dim;
//
// or sets that to a number of its own, in the shape or in a copy of it, before anything has read it: shape.batch = 1;
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

// X in `attn_shape X = shape;`, where `at` is the shape.
static int is_copied(const char *body, const char *at, const char *shape, char copy[LONGEST]) {
    const char *behind = lab_skip_blanks(at + strlen(shape)), *to = at;
    while (to > body && to[-1] == ' ') to--;
    if (*behind != ';' || to == body || *--to != '=') return 0;
    while (to > body && to[-1] == ' ') to--;
    const char *from = to;
    while (from > body && lab_is_word(from[-1])) from--;
    return from < to && lab_copy_word(from, to, copy);
}

// shape.batch = 1; : where it stands, if nothing before it reads the field or hands the shape on; NULL: it does not. A copy's
// field, where that is asked for: the shape itself is copied, and its field is read nowhere.
static const char *first_is_set(const char *body, const char *end, const char *shape, const char *field, int copies) {
    char copy[LONGEST] = "";
    const char *copied = NULL;
    for (const char *at = body; (at = strstr(at, shape)) && at < end; at++) {
        if (!lab_is_word_at(body, at, shape)) continue;
        const char *member = at + strlen(shape);
        if (*member != '.') {
            if (!copies || copied || !is_copied(body, at, shape, copy)) return NULL;
            copied = at;
            continue;
        }
        if (!lab_is_word_at(body, member + 1, field)) continue;
        const char *sign = lab_skip_blanks(member + 1 + strlen(field));
        const char *number = *sign == '=' && sign[1] != '=' ? lab_skip_blanks(sign + 1) : "";
        const char *behind = number + strspn(number, "0123456789");
        return behind > number && *behind == ';' && !copied ? at : NULL;
    }
    return copied ? first_is_set(copied, end, copy, field, 0) : NULL;
}

// The lines that read how many queries there are, of the shape or of its copy.
static void lines_of_rows(const char *text, const char *body, const char *end, char *list, size_t size) {
    int last = 0;
    size_t used = 0;
    *list = 0;
    for (const char *at = body; (at = strstr(at, ".seq_q")) && at < end; at++) {
        const int line = lab_line_of(text, at);
        if (line == last || used + 16 > size || lab_is_word(at[strlen(".seq_q")])) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%d", used ? ", " : "line ", last = line);
    }
}

static int sets_its_own(const char *text, const char *name, const char *shape, const char *body, const char *end,
                        const char *field, const char *one, char *sentence, size_t size) {
    char rows[80];
    const char *at = first_is_set(body, end, shape, field, 1);
    if (!at) return 0;
    lines_of_rows(text, body, end, rows, sizeof rows);
    const int counts = !strcmp(field, "batch") && *rows;
    snprintf(sentence, size,
             "line %d, in %s, sets %.*s before anything has read it: from there on there is one %s and no other. Leave "
             "it as it was given%s%s%s",
             lab_line_of(text, at), name, (int)strcspn(at, ";"), at, one,
             counts ? ", and where all rows are counted, take batch times as many (" : "", counts ? rows : "",
             counts ? " has those of one sequence)" : "");
    return 1;
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
        if (sets_its_own(text, name, shape, body, end, axes[i].field, axes[i].one, sentence, size)) return 1;
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
