// source_alone.c: one thread sets a variable that each thread has for itself, and then all read theirs:
//
//     float m = -INFINITY;
//     if (threadIdx.x == 0)
//         for (int c = 0; c < n; c++) m = fmaxf(m, s[c]);
//     p[c] = expf(s[c] - m);
//
//     if (threadIdx.x == 0 && threadIdx.y == 0) offset = (size_t)blockIdx.z * n;
//     return offset;
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 200 };

// NAME == 0, between these places, where NAME is a thread's number.
static int is_one_thread(const char *text, const char *at, const char *from, const char *to) {
    const char *equals = strstr(from, "==");
    char thread[LONGEST], value[LONGEST], number[LONGEST];
    if (!equals || equals > to || !lab_copy_word(from, equals, thread)) return 0;
    if (!lab_copy_word(equals + 2, to, number) || strcmp(number, "0")) return 0;
    return lab_origin(text, at, thread, value) && !strpbrk(value, "+*");
}

// "if (NAME == 0)" of a thread's number at this place, or of its x and its y. Returns where its statement begins.
static const char *for_one_thread(const char *text, const char *at) {
    const char *open = lab_skip_blanks(at + 2), *close = *open == '(' ? lab_matching(open) : NULL;
    for (const char *part = open + 1, *end; close; part = end + 2) {
        end = strstr(part, "&&");
        if (!end || end > close) return is_one_thread(text, at, part, close) ? close + 1 : NULL;
        if (!is_one_thread(text, at, part, end)) return NULL;
    }
    return NULL;
}

static const char *end_of_guarded(const char *at) {
    at = lab_skip_blanks(at);
    while (!strncmp(at, "for", 3) && !lab_is_word(at[3])) {
        const char *close = lab_matching(at + strcspn(at, "("));
        if (!close) return at;
        at = lab_skip_blanks(close + 1);
    }
    const char *close = *at == '{' ? lab_matching(at) : at + strcspn(at, ";");
    return close && *close ? close + 1 : at;
}

// Declared between these places, as a number and not as shared memory: "float a = 0, NAME".
static int is_local(const char *from, const char *to, const char *name) {
    static const char *const types[] = {"float ", "int ", "double ", "size_t ", "long ", "unsigned ", NULL};
    for (int i = 0; types[i]; i++)
        for (const char *at = from; (at = strstr(at, types[i])) && at < to; at++) {
            const char *line = at, *end = at + strcspn(at, ";){");
            while (line > from && !strchr(";{}(", line[-1])) line--;
            if (!lab_has_word(at, end, name) || lab_has_word(line, at, "__shared__")) continue;
            const char *word = strstr(at, name);
            const char behind = word ? *lab_skip_blanks(word + strlen(name)) : 0;
            if (word && word < end && word[-1] == ' ' && (behind == '=' || behind == ',' || behind == ';')) return 1;
        }
    return 0;
}

// Does a question behind `from` decide whether this place is reached? What the first one asks itself, all threads ask,
// up to its first && or ||: "if (NAME >= n) return;".
static int is_behind_question(const char *text, const char *from, const char *at) {
    const char *open = lab_bracket_around(text, at), *question = open;
    if (!lab_has_word(from, at, "if")) return 0;
    while (question && question > from && question[-1] == ' ') question--;
    return !question || question - 2 < from || !lab_is_word_at(text, question - 2, "if") ||
           lab_has_word(from, question - 2, "if") || memchr(open, '&', (size_t)(at - open)) ||
           memchr(open, '|', (size_t)(at - open)) || memchr(open, '?', (size_t)(at - open));
}

// The first place behind this one that reads the name. NULL: it is set again before, joined by threads, never read, or
// read behind a question, which may be for one thread alone.
static const char *read_behind(const char *text, const char *from, const char *end, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; (at = strstr(at, name)) && at < end; at += n) {
        const char *behind = lab_skip_blanks(at + n), *open = lab_bracket_around(text, at);
        if (!lab_is_word_at(text, at, name) || at[-1] == '.' || at[-1] == '>') continue;
        if (*behind == '=' && behind[1] != '=') return NULL;
        return (open && lab_joins(text, open)) || is_behind_question(text, from, at) ? NULL : at;
    }
    return NULL;
}

int lab_hint_of_one_thread(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *last = lab_line_at(text, to + 1), *read;
    char name[LONGEST];
    int looks = 0;
    for (const char *at = start; at && *at && (!last || at < last) && looks < MOST; at++) {
        const char *body = lab_is_word_at(text, at, "if") ? for_one_thread(text, at) : NULL;
        if (!body) continue;
        const char *end = end_of_guarded(body), *function = lab_function_of(text, at), *out = strstr(function, "\n}");
        looks++;
        if (!strncmp(lab_skip_blanks(end), "else", 4)) continue;
        for (const char *set = body; out && set < end && (set = memchr(set, '=', (size_t)(end - set))); set++) {
            const char *stop = set, *first;
            while (stop > body && strchr(" +*", stop[-1])) stop--;
            for (first = stop; first > body && lab_is_word(first[-1]);) first--;
            const char before = *(first - 1 - (first[-1] == ' '));
            if (set[1] == '=' || strchr("<>!=", set[-1]) || !lab_copy_word(first, stop, name) || !*name) continue;
            if (!strchr(";{})\n ", before) || !is_local(function, at, name)) continue;
            if (!(read = read_behind(text, end, out, name))) continue;
            snprintf(sentence, size,
                     "line %d: one thread alone sets %s, of which each thread has its own: in line %d the others read "
                     "what theirs was before. Hand it on by shared memory or a shuffle, or let all of them compute it",
                     lab_line_of(text, set), name, lab_line_of(text, read));
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
