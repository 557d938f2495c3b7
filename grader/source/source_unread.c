// source_unread.c: what a function is given and does not read, and a loop of it that ends at something else:
//
//     static void scale(float *p, float l, int cols) {
//         for (int c = 0; c < l; c++) ...
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 500 };

// The word behind < or <= in the condition of a loop that begins here.
static int bound_of(const char *loop, char bound[LONGEST]) {
    const char *close = lab_behind_bracket(loop + strcspn(loop, "(")), *first = strchr(loop, ';');
    const char *second = first ? strchr(first + 1, ';') : NULL, *less = first ? strchr(first, '<') : NULL;
    if (!second || second > close || !less || less > second) return 0;
    const char *from = less + 1 + (less[1] == '=');
    if (!lab_copy_word(from, second, bound)) return 0;
    for (const char *c = bound; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return *bound < '0' || *bound > '9';
}

// The first loop of the body that ends at a float of the function.
static const char *ends_at_float(const char *function, const char *body, const char *end, char bound[LONGEST]) {
    char declared[2][LONGEST + 8];
    for (const char *loop = body; (loop = strstr(loop, "for (")) && loop < end; loop += 5) {
        if (!bound_of(loop, bound)) continue;
        snprintf(declared[0], sizeof declared[0], "float %s", bound);
        snprintf(declared[1], sizeof declared[1], "double %s", bound);
        if (lab_has_word(function, loop, declared[0]) || lab_has_word(function, loop, declared[1])) return loop;
    }
    return NULL;
}

// A macro of the file, which this body uses, reads it.
static int is_in_macro(const char *text, const char *body, const char *end, const char *name) {
    static const char define[] = "#define ";
    for (const char *at = text; (at = strstr(at, define)); at++) {
        const char *word = at + strlen(define), *behind = word, *stop = strchr(word, '\n');
        char macro[LONGEST];
        while (lab_is_word(*behind)) behind++;
        while (stop && stop > behind && stop[-1] == '\\') stop = strchr(stop + 1, '\n');
        if (stop && lab_copy_word(word, behind, macro) && lab_has_word(body, end, macro) &&
            lab_has_word(behind, stop, name))
            return 1;
    }
    return 0;
}

// The first parameter whose name the body does not have. One without a name is meant not to be read.
static const char *unread_of(const char *text, const char *open, const char *body, const char *end,
                             char name[LONGEST]) {
    const char *close = lab_behind_bracket(open) - 1, *to, *at;
    for (int i = 0; (at = lab_in_list(open + 1, close, i, &to)); i++) {
        at = lab_skip_blanks(at);
        const char *bracket = at < to ? memchr(at, '[', to - at) : NULL, *behind = bracket ? bracket : to;
        const char *word = behind;
        while (word > at && lab_is_word(word[-1])) word--;
        if (word <= at || memchr(at, '(', to - at) || !lab_copy_word(word, behind, name)) continue;
        if (!lab_has_word(body, end, name) && !is_in_macro(text, body, end, name)) return at;
    }
    return NULL;
}

// The parameter that begins here is "float *p": the function may write there.
static int may_be_written(const char *parameter) {
    const char *end = parameter + strcspn(parameter, ",)");
    return memchr(parameter, '*', (size_t)(end - parameter)) && !lab_has_word(parameter, end, "const");
}

static int is_unread(const char *text, const char *function, const char *body, char *sentence, size_t size) {
    char bound[LONGEST], name[LONGEST], called[LONGEST];
    const char *end = lab_matching(body), *open = body;
    for (int depth = 0; open > function; open--) {
        depth += (*open == ')') - (*open == '(');
        if (*open == '(' && !depth) break;
    }
    const char *first = strchr(function, '('), *close = first < body ? lab_matching(first) : NULL;
    if (close && *lab_skip_blanks(close + 1) == ':')
        open = first;  // of a constructor: what begins with which parameter
    const char *at = end && *open == '(' ? unread_of(text, open, lab_behind_bracket(open), end, name) : NULL,
               *start = open;
    while (at && start > function && lab_is_word(start[-1])) start--;
    if (!at || !lab_copy_word(start, open, called) || !strncmp(called, "attn_", 5)) return 0;
    if (lab_has_word(body, end, "ATTN_TODO")) return 0;  // what is not written yet reads nothing
    const char *loop = ends_at_float(function, body, end, bound);
    if (loop)
        snprintf(sentence, size,
                 "line %d declares %s, and no line reads it, while the loop of line %d ends at %s, which is no count",
                 lab_line_of(text, at), name, lab_line_of(text, loop), bound);
    else if (may_be_written(at))
        snprintf(sentence, size,
                 "%s is given %s (line %d), which it may write to, and does neither that nor read it: what is to be "
                 "stored there?",
                 called, name, lab_line_of(text, at));
    else
        snprintf(sentence, size,
                 "%s is given %s (line %d) and does not read it: does an index, a condition, a call or the end of a "
                 "loop lack "
                 "it?",
                 called, name, lab_line_of(text, at));
    return 1;
}

int lab_hint_of_unread(const char *text, int from, int to, char *sentence, size_t size) {
    const char *line = lab_line_at(text, from), *last = lab_line_at(text, to + 1);
    line = line ? lab_function_of(text, line) : NULL;
    for (int n = 0; line && (!last || line < last) && n < MOST; n++) {
        const size_t length = strcspn(line, "\n");
        const char *body = lab_is_word(*line) && memchr(line, '(', length) ? line + strcspn(line, ";{}=") : NULL;
        if (body && *body == '{' && is_unread(text, line, body, sentence, size)) return 1;
        for (line += length; *line && !lab_is_word(line[*line == '\n']);) line += 1 + strcspn(line + 1, "\n");
        line = *line ? line + 1 : NULL;
    }
    return 0;
}
