// source_set_before.c: what a name, or an element, has been set to by the lines right before:
//
//     if (lane == 0) m[r] = top;
//     for (...) sum += ...;
//     fix = expf(m[r] - top);        m[r] is top
#include "source_set_before.h"

#include <string.h>

#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

enum { LONGEST = LAB_LONGEST_WORD };

// Where the statement begins that ends here: behind ; { or }.
static const char *begin_of(const char *block, const char *at) {
    while (at > block + 1 && !strchr(";{}", at[-1])) at--;
    return lab_skip_blanks(at);
}

// "if (lane == 0)" of a thread's number: it does it for all. *behind: what it is asked before.
static int is_one_thread(const char *text, const char *from, const char **behind) {
    char word[LONGEST], value[LONGEST];
    const char *open = lab_is_word_at(text, from, "if") ? lab_skip_blanks(from + 2) : "", *close = NULL;
    if (*open == '(') close = lab_matching(open);
    const char *sign = close ? memchr(open, '=', (size_t)(close - open)) : NULL;
    if (!sign || sign[1] != '=' || !lab_copy_word(open + 1, sign, word)) return 0;
    *behind = close + 1;
    return !strncmp(word, "threadIdx.", 10) ||
           (lab_is_one_word(word) && lab_origin(text, from, word, value) && !strncmp(value, "threadIdx.", 10));
}

// Is it set whenever the block is, and not under a condition or in a loop of its own?
static int is_always(const char *text, const char *block, const lab_setting *s) {
    const char *first = begin_of(block, s->left), *inner = lab_block_around(block + 1, s->left), *behind;
    if (inner && (!is_one_thread(text, begin_of(block, inner), &behind) || lab_block_around(block + 1, inner)))
        return 0;
    if (is_one_thread(text, first, &behind)) first = behind;
    const size_t n = (size_t)(s->left - first);
    static const char *const heads[] = {"if", "for", "while", "else", "do", "case", NULL};
    for (int i = 0; heads[i]; i++)
        if (lab_is_word_at(text, lab_skip_blanks(first), heads[i])) return 0;
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += first[i] == '(', depth -= first[i] == ')';
        if (depth < 0 || first[i] == '?' || (first[i] == '&' && first[i + 1] == '&')) return 0;
    }
    return depth == 0;
}

// *p = ..., *(a + i) = ...: any element may be behind that pointer.
static int stores_by_pointer(const char *from, const char *to) {
    for (const char *star = from; star < to && (star = memchr(star, '*', (size_t)(to - star))); star++) {
        const char *before = star, *behind = star + 1;
        while (before > from && strchr(" \n\t", before[-1])) before--;
        if (before > from && !strchr(";{})", before[-1])) continue;  // a product
        behind = *behind == '(' ? lab_behind_bracket(behind) : behind;
        while (lab_is_word(*behind)) behind++;
        behind = lab_skip_blanks(behind);
        behind += *behind && strchr("+-*/", *behind) && behind[1] == '=';
        if (behind < to && *behind == '=' && behind[1] != '=') return 1;
    }
    return 0;
}

// May one of the names of this text have changed between these places? Of an array also an element.
static int may_change(const char *of, const char *from, const char *to) {
    lab_setting set[LAB_MOST_SET];
    char name[LONGEST];
    const int n = lab_settings_of(from, to, set);
    if (n == LAB_MOST_SET || (strpbrk(of, "[.>*") && stores_by_pointer(from, to))) return 1;
    while (*of) {
        const char *end = of;
        while (lab_is_word(*end)) end++;
        if (end == of) {
            of++;
            continue;
        }
        if (*end != '(' && lab_copy_word(of, end, name)) {
            if (lab_may_change(from, to, name)) return 1;
            for (int i = 0; i < n; i++) {
                const char *place = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
                if (lab_has_word(set[i].left, place ? place : set[i].left_end, name)) return 1;
            }
        }
        of = end;
    }
    return 0;
}

// The place, or of a loop in whose body it stands, without { }, the loop's end: "k++) sum += exp(...);"
static const char *end_of_looking(const char *begin, const char *at) {
    int depth = 0;
    for (const char *c = begin; c < at && depth >= 0; c++) depth += *c == '(', depth -= *c == ')';
    return depth < 0 ? at + strcspn(at, ";") : begin;
}

const char *lab_set_before(const char *text, const char *at, const char *name, const char *value) {
    lab_setting set[LAB_MOST_SET];
    char left[LONGEST], right[LONGEST];
    const char *block = lab_block_around(lab_function_of(text, at), at);
    const char *end = block ? end_of_looking(begin_of(block, at), at) : at;
    const int n = block ? lab_settings_of(block + 1, end, set) : 0;
    for (int i = n - 1; i >= 0 && n < LAB_MOST_SET; i--) {
        if (set[i].op != '=' || !lab_copy_word(set[i].left, set[i].left_end, left) || strcmp(left, name)) continue;
        if (value && (!lab_copy_word(set[i].value, set[i].end, right) || strcmp(right, value))) return NULL;
        if (!is_always(text, block, &set[i]) || may_change(name, set[i].end, end)) return NULL;
        return value && may_change(value, set[i].end, end) ? NULL : set[i].left;
    }
    return NULL;
}
