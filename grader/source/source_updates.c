// source_updates.c: of a race: one line that adds to an element, in several threads; a line that makes an element anew of what
// another line has stored there:
//
//     out[r][d] += p * v[c][d];                   (c is shared out among the threads, and d is not)
//     s[r][c] = dot;     ...     s[r][c] = expf(s[r][c] - m);
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// What the statement of a line stores to: out of "out(r, d) += ...". The element as it stands there, and what is behind the =.
typedef struct {
    char root[LONGEST], element[LONGEST + 8];
    const char *value, *end;
    int adds;
} update;

static int read_update(const char *text, int number, update *u) {
    const char *line = lab_line_at(text, number), *end = line ? line + strcspn(line, "\n") : NULL;
    for (const char *at = line; at && at < end; at++) {
        const char *behind = at;
        if (!lab_is_word(*at) || (at > line && lab_is_of_name(at[-1]))) continue;
        while (lab_is_of_name(*behind)) behind++;
        if ((*behind != '[' && *behind != '(') || !lab_copy_word(at, behind, u->root)) continue;
        const char *close = behind;
        while (*close == '[' || *close == '(') close = lab_behind_bracket(close);
        const char *op = lab_skip_blanks(close);
        u->adds = !strncmp(op, "+=", 2);
        if (!u->adds && (*op != '=' || op[1] == '=')) continue;
        if (close >= end || close - at >= (int)sizeof u->element) return 0;
        snprintf(u->element, sizeof u->element, "%.*s", (int)(close - at), at);
        u->value = op + 1 + u->adds, u->end = u->value + strcspn(u->value, ";\n");
        return 1;
    }
    return 0;
}

// x[i] = x[i] + p. Another element of the array is another thing: x[t] += x[t + 8] wants a barrier.
static int is_sum_of_own(const update *u) {
    const size_t n = strlen(u->element);
    const char *own = u->adds ? NULL : strstr(u->value, u->element);
    if (u->adds) return !lab_has_word(u->value, u->end, u->root);
    if (!own || own >= u->end || *lab_skip_blanks(own + n) != '+') return 0;
    return !lab_has_word(own + n, u->end, u->root) && !lab_has_word(u->value, own, u->root);
}

int lab_hint_of_updates(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    update u[2];
    if (strncmp(report, "data race: ", 11) || strstr(report, "another block") || lab_lines_of(report, line, 2) < 2 ||
        !read_update(text, line[0], &u[0]) || !read_update(text, line[1], &u[1]))
        return 0;
    if (line[0] == line[1] && is_sum_of_own(&u[0])) {
        snprintf(sentence, size,
                 "line %d reads %s, adds to it and stores it, and several threads do so with the same element between "
                 "two barriers: what one adds another overwrites. One thread has to add up all that comes to an "
                 "element: share out the elements, not what is added to them. atomicAdd would do, too",
                 line[0], u[0].element);
        return 1;
    }
    const int second = lab_has_word(u[1].value, u[1].end, u[1].root);
    const update *anew = &u[second];
    if (line[0] == line[1] || strcmp(u[0].root, u[1].root) || !lab_has_word(anew->value, anew->end, anew->root))
        return 0;
    snprintf(
        sentence, size,
        "line %d makes %s anew of what line %d has stored there, in another thread, and no barrier orders the two: "
        "a __syncthreads() is missing between them",
        line[second], anew->element, line[!second]);
    return 1;
}
