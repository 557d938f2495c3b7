// source_zeroed.c: a sum that each round of a loop sets to 0 and adds to, and that no round reads: the last one's is left.
//
//     for (int k0 = 0; k0 < n; k0 += 16) {
//         for (int d = 0; d < D; d++) o[d] = 0;
//         for (int k = k0; k < k0 + 16; k++)
//             for (int d = 0; d < D; d++) o[d] += p[k] * v[k * D + d];
//     }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

static const char *end_of_name(const char *at) {
    while (lab_is_word(*at)) at++;
    return at;
}

// Of what is used here: NAME = 0 or NAME[...] = 0; NAME += ... or NAME[...] += ...; something else.
typedef enum { CLEARED, ADDED, ANOTHER } use;

// index: its subscripts, up to the sign.
static use use_at(const char *at, const char **index_end) {
    const char *behind = lab_skip_blanks(end_of_name(at));
    while (*behind == '[') {
        const char *close = lab_closing(behind);
        if (!close) return ANOTHER;
        behind = lab_skip_blanks(close + 1);
    }
    *index_end = behind;
    if (!strncmp(behind, "+=", 2)) return ADDED;
    const char *value = behind + 1 + strspn(behind + 1, " "), *end = value + strspn(value, "0.fF");
    return *behind == '=' && *value == '0' && *end == ';' ? CLEARED : ANOTHER;
}

// memset(NAME, 0, ...): its last bracket, NULL: it is none.
static const char *end_of_memset(const char *from, const char *at) {
    const char *open = at - 7 >= from && !strncmp(at - 7, "memset(", 7) ? at - 1 : NULL;
    return open ? lab_matching(open) : NULL;
}

// Is it declared within the loop? float NAME, float *NAME: 1. Of a pointer that is fine.
static int is_number_of_round(const lab_loop *l, const char *at) {
    while (at > l->body && at[-1] == ' ') at--;
    return at > l->body && lab_is_word(at[-1]);
}

// What of the loop's body has this name is cleared first and then added to, and nothing else, at places that are the same in
// each round. *cleared: where.
static int is_lost(const lab_loop *l, const char *name, const lab_names *varying, const char **cleared) {
    const size_t n = strlen(name);
    int added = 0;
    *cleared = NULL;
    for (const char *at = l->body; (at = strstr(at, name)) && at < l->end; at += n) {
        const char *end = at + n;
        if (!lab_is_word_at(l->body, at, name)) continue;
        if (at[-1] == '.' || at[-1] == '>') return 0;
        const char *memory = end_of_memset(l->body, at);
        if (at[-1] == '*' && *lab_skip_blanks(end) == '=') continue;  // float *NAME = ...
        if (is_number_of_round(l, at)) return 0;
        const use is = memory ? CLEARED : use_at(at, &end);
        if (is == ANOTHER || lab_has_one_of(at, memory ? memory : end, varying)) return 0;
        if (is == CLEARED && added) return 0;
        if (is == CLEARED) *cleared = at;
        added += is == ADDED;
        if (memory) at = memory - n;
    }
    return added && *cleared;
}

// Is it under a condition? if (k0 == 0) clear.
static int is_asked(const lab_loop *l, const char *at) {
    const char *start = at;
    for (int n = 0; start > l->body && n < 2; start--) n += strchr(";{}", start[-1]) != NULL;
    return lab_has_word(start, at, "if") || memchr(start, '?', (size_t)(at - start));
}

static void varying_of(const lab_loop *l, const lab_setting set[], int n, lab_names *in) {
    in->n = 0;
    lab_add_word(l->name, end_of_name(l->name), in);
    for (int i = 0; i < n; i++) {  // counted on from round to round, as a pointer may be
        const char *name = lab_last_word(&set[i]);
        if (set[i].op != '=' && name == set[i].left) lab_add_word(name, set[i].left_end, in);
    }
    lab_varying(NULL, set, n, in);
}

// Is it a pointer to what belongs to the round: o = O + row * D? Otherwise it varies as it is added to, and that alone.
static int is_of_round(const lab_setting set[], int n, const char *name, lab_names *varying) {
    for (int v = 0; v < varying->n; v++)
        if (!strcmp(varying->name[v], name)) varying->name[v][0] = '$';
    for (int i = 0; i < n; i++) {
        const char *end = end_of_name(set[i].left);
        if (end != set[i].left_end || set[i].op != '=' || strncmp(set[i].left, name, strlen(name)) ||
            (size_t)(end - set[i].left) != strlen(name))
            continue;
        if (lab_has_one_of(set[i].value, set[i].end, varying) || lab_calls_unknown(NULL, set[i].value, set[i].end))
            return 1;
    }
    return 0;
}

int lab_hint_of_zeroing(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    lab_setting set[LAB_MOST_SET];
    const int loops = lab_loops_of(text, from, to, all);
    for (int k = 0; k < loops; k++) {
        const lab_loop *l = &all[k];
        const int n = lab_settings_of(l->body, l->end, set);
        const char *cleared;
        char name[LONGEST];
        if (n == LAB_MOST_SET || lab_has_word(l->body, l->end, "break")) continue;
        for (int i = 0; i < n; i++) {
            lab_names varying;
            if (set[i].op != '+' || !lab_copy_word(set[i].left, end_of_name(set[i].left), name) || !*name) continue;
            varying_of(l, set, n, &varying);
            if (varying.n == LAB_MOST_VARYING) break;
            if (is_of_round(set, n, name, &varying)) continue;
            if (!is_lost(l, name, &varying, &cleared) || is_asked(l, cleared)) continue;
            if (!lab_has_one_of(set[i].value, set[i].end, &varying)) continue;
            snprintf(sentence, size,
                     "line %d sets %s to 0 in each round of the loop of line %d, which adds to it and reads it "
                     "nowhere: what the rounds before the last have added is lost. Set it to 0 once, before that loop",
                     lab_line_of(text, cleared), name, lab_line_of(text, l->at));
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
