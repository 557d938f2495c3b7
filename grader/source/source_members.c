// source_members.c: a function in a class is read as any other, and what the class declares lasts from call to call:
//
//     struct sums {                                       struct sums {
//         float l, o;                                     float l, o;
//         void add(float p, float v) {            ->      void add(float p, float v) {
//             l += p;                                         l += p;
#include "source_members.h"

#include <string.h>

#include "source_lines.h"

enum { MOST_BODIES = 60 };

// The { of "struct NAME ... {", "class NAME {", "namespace NAME {" at this place, in a line that is not moved in; NULL: none
// begins here.
static const char *body_at(const char *text, const char *at) {
    const char *line = at;
    const int types = lab_is_word_at(text, at, "struct") || lab_is_word_at(text, at, "class");
    if (!types && !lab_is_word_at(text, at, "namespace")) return NULL;
    while (line > text && line[-1] != '\n') line--;
    if (!lab_is_word(*line)) return NULL;
    const char *open = at + strcspn(at, "{;()=<>");
    return *open == '{' ? open : NULL;
}

static int blanks(const char *line) { return (int)strspn(line, " \t"); }

// How far the lines of this body are moved in: as far as the first of them that is no "public:".
static int indentation(const char *open, const char *close) {
    for (const char *line = open; (line = memchr(line, '\n', (size_t)(close - line)));) {
        const size_t length = strcspn(++line, "\n");
        if (line >= close) break;
        if (length > (size_t)blanks(line) && line[length - 1] != ':' && line[blanks(line)] != '#') return blanks(line);
    }
    return 0;
}

// Takes up to n blanks from the beginning of each line between these places. Returns where the last of them is now.
static char *move(char *open, char *close, int n) {
    char *to = open;
    for (char *at = open; at < close;) {
        *to++ = *at++;
        if (to[-1] != '\n') continue;
        for (int i = 0; i < n && at < close && (*at == ' ' || *at == '\t'); i++) at++;
    }
    memmove(to, close, strlen(close) + 1);
    return to;
}

void lab_outdent(char *text) {
    int n = 0;
    for (char *at = text; *at && n < MOST_BODIES; at++) {
        const char *open = body_at(text, at), *close = open ? lab_matching(open) : NULL;
        if (!close) continue;
        const int by = indentation(open, close);
        if (by) move(text + (open - text), text + (close - text), by);
        at = text + (open - text), n++;
    }
}

int lab_is_member(const char *text, const char *at, const char *name) {
    for (const char *body = text; body < at; body++) {
        const char *open = body_at(text, body), *close = open ? lab_matching(open) : NULL;
        if (!close || close < at || open > at || lab_is_word_at(text, body, "namespace")) continue;
        for (const char *c = open + 1; c < close; c++) {
            if (*c == '{' || *c == '(') {
                const char *end = lab_matching(c);
                if (!end) break;
                c = end;
            } else if (lab_is_word_at(text, c, name) && strchr(",;[=", *lab_skip_blanks(c + strlen(name)))) {
                return 1;
            }
        }
    }
    return 0;
}
