// source_uneven.c: neighbouring elements for each thread, warp or part, as many as all of them divided by the threads, rounded
// down: nobody has the rest.
//
//     const int share = cols / LANES, first = me * share;
//     for (int c = first; c < first + share; c++) sum += s[c];
//     for (int c = 0; c < share; c++) sum += s[first + c];
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// (int)(N/T), int(N/T), static_cast<int>(N/T): without the cast.
static void leave_cast_out(char *value) {
    static const char *const casts[] = {"(int)(", "int(", "static_cast<int>("};
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++) {
        const size_t cast = strlen(casts[i]), n = strlen(value);
        if (strncmp(value, casts[i], cast) || strchr(value + cast, ')') != value + n - 1) continue;
        memmove(value, value + cast, n - cast - 1);
        value[n - cast - 1] = 0;
        return;
    }
}

// Of N/T: both.
static int rounded_down(const char *text, char *value, char all[LONGEST], char by[LONGEST]) {
    leave_cast_out(value);
    const char *slash = strchr(value, '/');
    if (!slash || strpbrk(value, "()+-*%?") || strchr(slash + 1, '/')) return 0;
    snprintf(all, LONGEST, "%.*s", (int)(slash - value), value), snprintf(by, LONGEST, "%s", slash + 1);
    const char *dot = strrchr(all, '.');
    return lab_is_one_word(dot ? dot + 1 : all) && (atoi(by) > 1 || !isdigit((unsigned char)*by)) &&
           !lab_is_even(text, all);
}

// Does this product of the share at this place have T as its other factor? There the rest begins.
static int is_of_all(const char *function, const char *at, const char *share, const char *by) {
    const char *word = lab_skip_blanks(at + strlen(share));
    if (*word == '*') {
        word = lab_skip_blanks(word + 1);
    } else {
        for (word = at; word > function && strchr(" *", word[-1]);) word--;
        while (word > function && lab_is_of_name(word[-1])) word--;
    }
    return !strncmp(word, by, strlen(by)) && !lab_is_of_name(word[strlen(by)]);
}

// A product or a quotient; what stands in [] says only which element it is.
static int is_product(const char *value) {
    int depth = 0;
    for (; *value; value++) {
        depth += *value == '[', depth -= *value == ']';
        if (!depth && strchr("*/", *value)) return 1;
    }
    return 0;
}

// Is N divided, or its rest asked for, anywhere else than here, or the share used for more than beginnings and ends?
static int asks_for_rest(const char *function, const char *stop, const lab_setting set[], int n, const lab_setting *of,
                         const char *share, const char *all, const char *by) {
    for (const char *at = function; at < stop; at++) {
        if (lab_is_word_at(function, at, all) && strchr("/%-&", *lab_skip_blanks(at + strlen(all))) &&
            (at < of->value || at > of->end))
            return 1;
        if (!lab_is_word_at(function, at, share) || (at >= of->left && at < of->left_end)) continue;
        const char *before = at, *next = lab_skip_blanks(at + strlen(share));
        while (before > function + 1 && strchr(" \t\n", before[-1])) before--;
        const int times = *next == '*' || before[-1] == '*', other = !strchr("+<", before[-1]) && *next != '+';
        if (times ? is_of_all(function, at, share, by) : other) return 1;
    }
    for (int i = 0; i < n; i++) {  // whole groups alone?
        char name[LONGEST], value[LONGEST];
        if (lab_name_set(&set[i], name) && !strcmp(name, all) && lab_value_set(&set[i], value) && is_product(value))
            return 1;
    }
    return 0;
}

// for (c = first; c < first + share; c++), where first is t * share, and for (c = 0; c < share; c++) x[first + c].
static int walks_share(const lab_loop *l, const lab_setting set[], int n, const char *share) {
    char condition[LONGEST], from[LONGEST], end[LONGEST], value[LONGEST], form[LONGEST + 2], due[4][3 * LONGEST + 8];
    const char *semicolon = strchr(l->condition, ';');
    snprintf(form, sizeof form, "%s<", l->name);
    if (strcmp(l->step, "1") || !semicolon || !lab_copy_word(l->condition, semicolon, condition) ||
        strncmp(condition, form, strlen(form)))
        return 0;
    snprintf(end, sizeof end, "%s", condition + strlen(form));
    if (!strcmp(l->from, "0") && !strcmp(end, share)) {
        for (int i = 0; i < n; i++) {
            char name[LONGEST], sums[2][2 * LONGEST + 4];
            if (!lab_value_set(&set[i], value) || !lab_is_times(value, share) || !lab_name_set(&set[i], name)) continue;
            snprintf(sums[0], sizeof sums[0], "%s + %s", name, l->name);
            snprintf(sums[1], sizeof sums[1], "* %s + %s", share, l->name);
            for (int k = 0; k < 2; k++) {
                const char *at = strstr(l->body, sums[k]);
                if (at && at < l->end) return 1;
            }
        }
        snprintf(form, sizeof form, "* %s", share);
        const char *at = strstr(l->body, form), *plus = at ? lab_skip_blanks(at + strlen(form)) : NULL;
        return at && at < l->end && *plus == '+' && lab_is_word_at(l->body, lab_skip_blanks(plus + 1), l->name);
    }
    snprintf(from, sizeof from, "%s", l->from);
    const lab_setting *first = lab_set_once(set, n, from), *last = lab_set_once(set, n, end);
    if (first && lab_value_set(first, value)) snprintf(from, sizeof from, "%s", value);
    if (last && lab_value_set(last, value)) snprintf(end, sizeof end, "%s", value);
    if (!lab_is_times(from, share)) return 0;
    const char *star = strchr(from, '*'), *thread = strcmp(star + 1, share) ? star + 1 : from;
    const int length = thread == from ? (int)(star - from) : (int)strlen(thread);
    snprintf(due[0], sizeof due[0], "%s+%s", l->from, share), snprintf(due[1], sizeof due[1], "%s+%s", from, share);
    snprintf(due[2], sizeof due[2], "(%.*s+1)*%s", length, thread, share);
    snprintf(due[3], sizeof due[3], "%s*(%.*s+1)", share, length, thread);
    for (int i = 0; i < 4; i++)
        if (!strcmp(end, due[i])) return 1;
    return 0;
}

// if (end > other) end = other; or min(end, other): these are no parts of all, unless that is the other.
static int is_cut_at_other(const char *at, const char *stop, const char *end, const char *all) {
    for (; at < stop; at++) {
        const char *next = lab_is_word_at(at - 1, at, end) ? lab_skip_blanks(at + strlen(end)) : "";
        if (*next != '>' && (*next != ',' || strncmp(at - 4, "min(", 4))) continue;
        next = lab_skip_blanks(next + 1 + (next[1] == '='));
        if (!lab_is_word_at(next - 1, next, all)) return 1;
    }
    return 0;
}

// begin = s * share; end = begin + share, or (s + 1) * share: a function that hands out parts, and has no loop.
static const lab_setting *hands_out(const lab_setting set[], int n, const char *share, const char *all,
                                    const char *stop) {
    char value[LONGEST], left[LONGEST], end[LONGEST], due[2][2 * LONGEST + 4];
    for (int i = 0; i < n; i++) {
        if (!lab_value_set(&set[i], value) || !lab_is_times(value, share)) continue;
        if (!lab_copy_word(set[i].left, set[i].left_end, left)) continue;
        const char *star = strchr(value, '*'), *thread = strcmp(star + 1, share) ? star + 1 : value;
        snprintf(due[0], sizeof due[0], "%s+%s", left, share);
        snprintf(due[1], sizeof due[1], "(%.*s+1)*%s", (int)strcspn(thread, "*"), thread, share);
        for (int k = i + 1; k < n; k++)
            if (lab_value_set(&set[k], end) && (!strcmp(end, due[0]) || !strcmp(end, due[1])))
                return lab_name_set(&set[k], left) && is_cut_at_other(set[k].end, stop, left, all) ? NULL : &set[i];
    }
    return NULL;
}

static int tell(const char *text, const char *function, const lab_setting set[], int n, const lab_setting *of,
                char *sentence, size_t size) {
    static lab_loop loops[LAB_MOST_LOOPS];
    char value[LONGEST], all[LONGEST], by[LONGEST], share[LONGEST];
    const char *stop = strstr(function, "\n}");
    if (!stop || !lab_value_set(of, value) || !lab_name_set(of, share) || !rounded_down(text, value, all, by)) return 0;
    if (asks_for_rest(function, stop, set, n, of, share, all, by)) return 0;
    const int many = lab_loops_of(text, lab_line_of(text, function), lab_line_of(text, stop), loops);
    for (int k = 0; k < many; k++)
        if (loops[k].at > of->left && walks_share(&loops[k], set, n, share)) {
            snprintf(sentence, size,
                     "line %d: %s is rounded down, so the parts that the loop of line %d goes through, %s each, leave "
                     "the last %s %% %s to nobody. Round it up, (%s + %s - 1) / %s, and end each part at %s at the "
                     "latest",
                     lab_line_of(text, of->left), share, lab_line_of(text, loops[k].at), share, all, by, all, by, by,
                     all);
            return 1;
        }
    const lab_setting *begin = many ? NULL : hands_out(set, n, share, all, stop);
    if (begin)
        snprintf(sentence, size,
                 "line %d: %s is rounded down, so the parts that begin by line %d, %s each, leave the last %s %% %s to "
                 "nobody. Round it up, (%s + %s - 1) / %s, and end each part at %s at the latest",
                 lab_line_of(text, of->left), share, lab_line_of(text, begin->left), share, all, by, all, by, by, all);
    return begin != NULL;
}

int lab_hint_of_uneven(const char *text, int from, int to, char *sentence, size_t size) {
    return lab_ask_settings(text, from, to, tell, sentence, size);
}
