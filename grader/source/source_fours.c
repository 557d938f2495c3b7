// source_fours.c: a float4 is asked for by a number that counts floats, or the other way round:
//
//     for (int d = 0; d < D; d += 4) x = ((const float4 *)key)[d];
//     for (int v = 0; v < D / 4; v++) x = *(const float4 *)(key + v);
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

// [INDEX] of float4s that begins here: behind a pointer that is cast on the spot, or is declared as one of float4s.
static int is_of_fours(const char *text, const char *open) {
    const char *at = open;
    char declared[2][LAB_LONGEST_WORD + 12], name[LAB_LONGEST_WORD];
    if (at > text && at[-1] == ')') {
        int depth = 0;
        do {
            at--;
            depth += *at == ')', depth -= *at == '(';
        } while (depth && at > text);
        while (at > text && (lab_is_word(at[-1]) || strchr("<>* ", at[-1]))) at--;
        const char *four = strstr(at, "float4");
        return four && four < open;
    }
    while (at > text && lab_is_word(at[-1])) at--;
    if (!lab_copy_word(at, open, name) || !*name) return 0;
    snprintf(declared[0], sizeof declared[0], "float4 *%s", name);
    snprintf(declared[1], sizeof declared[1], "float4 *__restrict__ %.30s", name);
    return lab_has_word(text, text + strlen(text), declared[0]) || lab_has_word(text, text + strlen(text), declared[1]);
}

// *(float4 *)(... + NAME) that begins at this place: the float4 whose first float is NAME, and not number NAME.
static int begins_at(const char *at, const char *end, const char *name) {
    const char *star = strchr(at, '*'), *open = star ? strstr(star, ")(") : NULL;
    const char *close = open && open < end ? lab_matching(open + 1) : NULL, *last = close;
    if (!close || open - star > 12) return 0;
    const size_t n = strlen(name);
    while (last > open && last[-1] == ' ') last--;
    const char *word = last - n;
    if (word <= open + 1 || strncmp(word, name, n) || lab_is_word(word[-1])) return 0;
    while (word > open && word[-1] == ' ') word--;
    return word[-1] == '+' || word[-1] == '(';
}

// j of k[j * D4 + lane], k[(j + 1) * D4 + lane]: it counts rows, however long these are.
static int is_of_rows(const char *index, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = index; (at = strstr(at, name)); at += n) {
        if (!lab_is_word_at(index, at, name)) continue;
        const char *end = at + n, *open = at > index && at[-1] == '(' ? at - 1 : NULL;
        if (open) end = lab_behind_bracket(open), at = open;
        if (*end == '*' || (at > index && at[-1] == '*')) return 1;
        at = end - n;
    }
    return 0;
}

int lab_hint_of_fours(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    char index[LAB_LONGEST_WORD];
    lab_loop l;
    lab_loops_begin();
    if (!strstr(text, "float4")) return LAB_HINT_NONE;
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!behind || l.at < behind);) {
        const int ones = !strcmp(l.step, "1");
        for (const char *four = l.body; ones && (four = strstr(four, "float4 *")) && four < l.end; four++) {
            if (!begins_at(four, l.end, l.name)) continue;
            snprintf(sentence, size,
                     "line %d takes the float4 that begins at float %s, and %s goes up by 1 a round (line %d): "
                     "neighbours overlap by three floats. Float4 number n begins at float 4 * n",
                     lab_line_of(text, four), l.name, l.name, lab_line_of(text, l.at));
            return LAB_HINT_CAUSE;
        }
        for (const char *open = l.body;
             !strcmp(l.step, "4") && open < l.end && (open = memchr(open, '[', (size_t)(l.end - open))); open++) {
            const char *close = lab_closing(open);
            if (!close || !lab_has_word(open, close, l.name) || !lab_copy_word(open + 1, close, index)) continue;
            if (strpbrk(index, "/>") || is_of_rows(index, l.name) || !is_of_fours(text, open)) continue;
            snprintf(sentence, size,
                     "line %d takes float4 number %s, and %s goes up by 4 a round: it counts floats, and float4 number "
                     "n begins at float 4 * n. Take [%s / 4]",
                     lab_line_of(text, open), index, l.name, l.name);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
