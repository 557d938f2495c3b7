// source_counted.c: an append that counts a token before it has asked whether its sequence is full:
//
//     lengths[b] += 1;                                no line before it asks lengths[b] < max_seq
//     count_token(lengths, b);  if (lengths[b] - 1 >= max_seq) return;
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD, MOST_CALLS = 2 };

// Does it add 1 to an element of lengths here: lengths[b] += 1, lengths[b]++, lengths[b] = n + 1, atomicAdd(&lengths[b], 1)?
static int counts(const char *text, const char *at) {
    const char *open = at + strlen("lengths"), *behind = *open == '[' ? lab_behind_bracket(open) : NULL;
    char value[LONGEST];
    if (!behind || !lab_is_word_at(text, at, "lengths")) return 0;
    behind = lab_skip_blanks(behind);
    if (!strncmp(behind, "++", 2) || (at > text + 1 && !strncmp(at - 2, "++", 2))) return 1;
    if (at[-1] == '&' && at > text + 12 && !strncmp(at - 11, "atomicAdd(", 10)) return 1;
    const int adds = !strncmp(behind, "+=", 2);
    if (!adds && (*behind != '=' || behind[1] == '=')) return 0;
    behind = lab_skip_blanks(behind + 1 + adds);
    if (!lab_copy_word(behind, behind + strcspn(behind, ";"), value)) return 0;
    const size_t n = strlen(value);
    return adds ? !strcmp(value, "1") : n > 2 && !strcmp(value + n - 2, "+1");
}

// In the head of a loop?
static int is_in_head(const char *from, const char *at) {
    int depth = 0;
    while (at > from && depth < 1) at--, depth += *at == '(', depth -= *at == ')';
    while (at > from && at[-1] == ' ') at--;
    return depth == 1 && at - from > 3 && !strncmp(at - 3, "for", 3);
}

// Is anything compared between these places, other than a loop's counter, or the number of a sequence with how many
// there are?
static int asks(const char *from, const char *to) {
    for (const char *at = from; at < to && (at = strpbrk(at, "<>?")) && at < to; at++) {
        if (*at == '>' && at[-1] == '-') continue;
        if (is_in_head(from, at)) continue;
        const char *word = at + 1 + strspn(at + 1, "= "), *end = word;
        while (lab_is_of_name(*end)) end++;
        const int batch = (end - word >= 5 && !strncmp(end - 5, "batch", 5)) || (end - word == 1 && *word == 'B');
        if (!batch) return 1;
    }
    return 0;
}

// Before this place in its function something is asked, or before each call of it. *line: where it is counted first.
static int is_asked(const char *text, const char *at, int depth, const char **first) {
    const char *function = lab_function_of(text, at), *body = strchr(function, '{');
    char name[LONGEST];
    *first = at;
    if (!body || body > at || asks(body, at) || depth == MOST_CALLS || !lab_name_of_function(function, name)) return 1;
    if (lab_has_word(function, body, "__global__")) return 0;
    for (const char *call = text; (call = strstr(call, name)); call++) {
        if (!lab_is_word_at(text, call, name) || call[strlen(name)] != '(' || lab_function_of(text, call) == function)
            continue;
        return is_asked(text, call, depth + 1, first);
    }
    return 1;
}

int lab_hint_of_counting(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1), *first;
    if (!strstr(text, "attn_cache_append")) return LAB_HINT_NONE;
    for (const char *at = start; at && (at = strstr(at, "lengths")) && (!behind || at < behind); at++) {
        if (!counts(text, at) || is_asked(text, at, 0, &first)) continue;
        snprintf(
            sentence, size,
            "line %d counts the new token, and no line before it asks whether its sequence is full: read the length "
            "first, leave where it is max_seq, store in that slot, and count last",
            lab_line_of(text, first));
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
