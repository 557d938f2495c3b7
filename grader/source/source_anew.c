// source_anew.c: what is made once and should be made in each round of a loop:
//
//     float dot = 0;                                    const float keep = expf(max[0] - m[0]);
//     for (int c = 0; c < n; c++) {                     for (int r = 0; r < n; r++) sum[r] = keep * sum[r] + max[r];
//         for (int d = 0; d < D; d++) dot += ...
//         s[c] = dot;
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Before the loop: NAME[...] = 0, or memset(NAME, ...).
static int is_cleared(const char *function, const lab_loop *l, const char *name) {
    lab_setting set[LAB_MOST_SET];
    char memory[LONGEST + 10];
    const size_t n = strlen(name);
    const int found = lab_settings_of(function, l->at, set);
    for (int i = 0; i < found; i++)
        if (lab_is_word_at(function, set[i].left, name) && set[i].left[n] == '[' && set[i].op == '=' &&
            *lab_skip_blanks(set[i].value) == '0')
            return 1;
    snprintf(memory, sizeof memory, "memset(%s,", name);
    const char *at = strstr(function, memory);
    return at && at < l->at;
}

// "float NAME = ", "float NAME[", or "float *NAME = " whose numbers are set to 0, in the function before the loop.
static int is_begun(const char *text, const lab_loop *l, const char *name) {
    static const char *const types[] = {"float ", "double ", "float *", "double *"};
    static const char *const behind[] = {" =", "["};
    const char *function = lab_function_of(text, l->at);
    for (int i = 0; i < 8; i++) {
        char begun[LONGEST + 12];
        snprintf(begun, sizeof begun, "%s%s%s", types[i / 2], name, behind[i % 2]);
        const char *at = strstr(function, begun);
        if (at && at < l->at && (i < 4 || is_cleared(function, l, name))) return 1;
    }
    return 0;
}

// Behind the inner loop, is the sum stored for this round: X[... COUNTER ...] = ... NAME ...? row: made of the counter.
static const char *stored(const lab_loop *outer, const lab_loop *inner, const char *name) {
    lab_setting set[LAB_MOST_SET];
    lab_names row = {.n = 0};
    lab_add_word(outer->name, outer->name + strlen(outer->name), &row);
    lab_varying(NULL, set, lab_settings_of(outer->body, inner->at, set), &row);
    const int n = lab_settings_of(inner->end, outer->end, set);
    for (int i = 0; i < n; i++) {
        const char *open = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
        if (open && lab_has_one_of(open, set[i].left_end, &row) && lab_has_word(set[i].value, set[i].end, name))
            return set[i].left;
    }
    return NULL;
}

// What is set: a number, or the array of an element. 0: a member of a struct.
static int name_of(const lab_setting *s, char name[LONGEST]) {
    const char *end = s->left;
    while (lab_is_word(*end)) end++;
    return (end == s->left_end || *end == '[') && lab_copy_word(s->left, end, name);
}

// Within the loop the name is only added to, and an array is handed to nobody who may clear it.
static int only_grows(const lab_loop *l, const char *name) {
    lab_setting set[LAB_MOST_SET];
    char left[LONGEST];
    const int n = lab_settings_of(l->body, l->end, set);
    int is_array = 0;
    for (int i = 0; i < n; i++) {
        if (!name_of(&set[i], left) || strcmp(left, name)) continue;
        if (set[i].op != '+') return 0;
        is_array |= set[i].left[strlen(name)] == '[';
    }
    for (const char *at = l->body; is_array && (at = strstr(at, name)) && at < l->end; at++)
        if (lab_is_word_at(l->body, at, name) && at[strlen(name)] != '[') return 0;
    return n < LAB_MOST_SET;
}

// for (int j = seen; ...) within the loop, and seen = ... behind it: a round leaves out what the ones before have added.
static int leaves_out(const lab_loop *outer, const lab_loop *inner) {
    lab_setting set[LAB_MOST_SET];
    char name[LONGEST];
    const int n = lab_settings_of(inner->end, outer->end, set);
    for (int i = 0; i < n; i++)
        if (name_of(&set[i], name) && !strcmp(name, inner->from)) return 1;
    return 0;
}

static int goes_on(const char *text, const lab_loop *outer, const lab_loop *inner, char *sentence, size_t size) {
    lab_setting set[LAB_MOST_SET];
    char name[LONGEST];
    const int n = lab_settings_of(inner->body, inner->end, set);
    for (int i = 0; i < n; i++) {
        if (set[i].op != '+' || !name_of(&set[i], name)) continue;
        const char *store = is_begun(text, outer, name) && only_grows(outer, name) ? stored(outer, inner, name) : NULL;
        if (!store) continue;
        snprintf(
            sentence, size,
            "line %d stores %s for each %s, and %s goes on from round to round of the loop of line %d: set it to 0 "
            "in each round, before the loop of line %d%s",
            lab_line_of(text, store), name, outer->name, name, lab_line_of(text, outer->at),
            lab_line_of(text, inner->at),
            leaves_out(outer, inner) ? ", and begin there with the first one, not where the round before ended" : "");
        return 1;
    }
    return 0;
}

// "float NAME = ... ARRAY[0] ...;" whose statement ends before the loop, and that no later line changes.
static int is_of_first(const char *text, const lab_loop *l, char *sentence, size_t size) {
    lab_setting set[LAB_MOST_SET];
    char name[LONGEST], array[LONGEST], row[2 * LONGEST + 4];
    const char *from = l->at, *function = lab_function_of(text, l->at), *end = strstr(l->at, "\n}");
    for (int back = 0; from > function && back < 6; from--) back += from[-1] == '\n';
    const int n = lab_settings_of(from, l->at, set);
    for (int i = 0; end && i < n; i++) {
        const char *zero = strstr(set[i].value, "[0]"), *first = zero;
        if (!zero || zero >= set[i].end || !lab_copy_word(set[i].left, set[i].left_end, name) || strpbrk(name, "[.>"))
            continue;
        while (first > set[i].value && lab_is_word(first[-1])) first--;
        const char *other = strstr(set[i].value, "[1]");
        if (!lab_copy_word(first, zero, array) || !*array || !is_begun(text, l, name)) continue;
        if (other && other < set[i].end) continue;
        snprintf(row, sizeof row, "%s[%s]", array, l->name);
        const char *used = strstr(l->body, row);
        if (lab_may_change(set[i].end, end, name) || !used || used >= l->end || !lab_has_word(l->body, l->end, name))
            continue;
        snprintf(sentence, size,
                 "line %d: %s is made of %s[0], the first one's, and the loop of line %d uses it for every %s. Make it "
                 "of %s, in each round",
                 lab_line_of(text, set[i].left), name, array, lab_line_of(text, l->at), l->name, row);
        return 1;
    }
    return 0;
}

int lab_hint_of_anew(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    const int n = lab_loops_of(text, from, to, all);
    for (int i = 0; i < n; i++) {
        if (is_of_first(text, &all[i], sentence, size)) return LAB_HINT_CAUSE;
        for (int k = i + 1; k < n && lab_is_within(&all[k], &all[i]); k++)
            if (goes_on(text, &all[i], &all[k], sentence, size)) return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
