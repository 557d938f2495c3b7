// source_components.c: a sum of three of a float4's components, and no line takes the fourth:
//
//     const float4 a = q4[i], b = k4[i];
//     sum += a.x * b.x + a.y * b.y + a.z * b.z;
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "xyzw";

// NAME.x or NAME[i].x: where NAME ends, from this dot back.
static const char *end_of_name(const char *text, const char *dot) {
    const char *at = dot;
    int depth = 0;
    while (at > text && (at[-1] == ']' || depth)) at--, depth += *at == ']', depth -= *at == '[';
    return at;
}

// "float4 a = ..., name = ...;", of this function.
static int is_float4(const char *function, const char *end, const char *name) {
    for (const char *at = function; (at = strstr(at, "float4 ")) && at < end; at++) {
        const char *stop = at + strcspn(at, ";{}");
        int depth = 0;
        for (const char *c = at + strlen("float4 "); c < stop; c++) {
            depth += strchr("([", *c) != NULL, depth -= strchr(")]", *c) != NULL;
            if (depth < 0) break;  // of a cast, or the last parameter
            if (!depth && lab_is_word_at(function, c, name) && strchr(" &*", c[-1])) return 1;
        }
    }
    return 0;
}

// Which components of it these lines take, as bits.
static unsigned taken(const char *text, const char *from, const char *to, const char *name) {
    unsigned bits = 0;
    for (const char *dot = from; dot < to && (dot = memchr(dot, '.', (size_t)(to - dot))); dot++) {
        const char *letter = strchr(letters, dot[1]), *end = end_of_name(text, dot), *first = end - strlen(name);
        if (!letter || !*letter || lab_is_word(dot[2]) || first < from || !lab_is_word_at(text, first, name)) continue;
        if (first + strlen(name) == end) bits |= 1u << (letter - letters);
    }
    return bits;
}

// Where another one's stands in the same sum it may be mistaken for that.
static int has_component(const char *from, const char *to, int letter) {
    for (const char *dot = from; dot < to && (dot = memchr(dot, '.', (size_t)(to - dot))); dot++)
        if (dot[1] == letter && !lab_is_word(dot[2])) return 1;
    return 0;
}

static int missing(unsigned bits) {
    for (int i = 0; i < 4; i++)
        if (bits == (0xfu ^ 1u << i)) return letters[i];
    return 0;
}

int lab_hint_of_components(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1), *word;
    char name[LAB_LONGEST_WORD];
    for (const char *at = start; at && (at = strstr(at, " += ")) && (!behind || at < behind); at++) {
        const char *end = at + strcspn(at, ";"), *function = lab_function_of(text, at), *last = strstr(at, "\n}");
        for (const char *dot = at; dot < end && (dot = memchr(dot, '.', (size_t)(end - dot))); dot++) {
            for (word = end_of_name(text, dot); word > at && lab_is_word(word[-1]);) word--;
            if (!lab_copy_word(word, end_of_name(text, dot), name) || !*name || !last) continue;
            const int one = missing(taken(text, at, end, name));
            if (!one || has_component(at, end, one) || missing(taken(text, function, last, name)) != one ||
                !is_float4(function, last, name))
                continue;
            snprintf(sentence, size,
                     "line %d adds up three of the four components of %s, a float4, and no line takes %s.%c: each "
                     "fourth number is left out",
                     lab_line_of(text, at), name, name, one);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
