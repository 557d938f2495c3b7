// source_dealt.c: a row for each thread, of which it takes only some columns, as if other threads had the same row:
//
//     for (int d = w; d < D; d += half) o[w][d] += o[w + half][d];
//
//     for (int j = threadIdx.x; j < n; j += THREADS) s = multiply(q, K + j * D, lane, D);
//                                                    which adds up q[t] * k[d], where d = lane + t * WARP
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD, MOST_LOOKS = 2000, MOST_CALLS = 16 };

static lab_loop loops[LAB_MOST_LOOPS];
static int n_loops, looks;

// What is set here, in a block or in the head of a loop, is gone where that has ended.
static int lasts(const char *set, const char *at) {
    for (int i = 0; i < n_loops; i++)
        if (loops[i].at < set && set < loops[i].body && loops[i].end < at) return 0;
    return lab_block_end(set) > at;
}

// What the line nearest before this place sets a name to, without blanks.
static int value_before(const char *text, const char *at, const char *name, char value[LONGEST]) {
    const char *function = lab_function_of(text, at), *set = NULL;
    const size_t n = strlen(name);
    for (const char *to = function; n && to && (to = strstr(to, name)) && to < at && looks++ < MOST_LOOKS; to += n)
        if (lab_is_word_at(text, to, name) && !strncmp(to + n, " = ", 3) && lasts(to, at)) set = to + n + 3;
    if (!set) return 0;
    return lab_copy_word(set, set + strcspn(set, ",;\n"), value) ? 1 : -1;
}

// As lab_origin, of a name by that line.
static int origin_of(const char *text, const char *at, const char *of, char value[LONGEST]) {
    char next[LONGEST];
    const int set = value_before(text, at, of, next);
    if (set < 0) return 0;
    const size_t word = set ? strcspn(next, "%&/>") : 0;
    if (!set || !next[word] || !strncmp(next, "threadIdx", 9)) return lab_origin(text, at, set ? next : of, value);
    char rest[LONGEST], thread[LONGEST];  // of t % 32, where t is a thread's number
    snprintf(rest, sizeof rest, "%s", next + word);
    next[word] = 0;
    return lab_origin(text, at, next, thread) && snprintf(value, LONGEST, "%s%s", thread, rest) < LONGEST;
}

// The thread's number in FIRST + threadIdx.x, from which a loop goes on by more than 1.
static int begins_at_thread(const char *text, const lab_loop *l, char value[LONGEST]) {
    const char *plus = strrchr(l->from, '+');
    return strcmp(l->step, "1") && origin_of(text, l->at, plus ? plus + 1 : l->from, value) &&
           !strncmp(value, "threadIdx", 9);
}

// Does each thread that has a share of the columns, by the number `column`, have a row of its own? What goes from row to
// row is that number itself, a loop around this one, or FIRST + threadIdx.x.
static int is_own_row(const char *text, const lab_loop *l, const char *at, const char *row, const char *column) {
    char of_row[LONGEST], value[LONGEST];
    int own = 0;
    if (!strcmp(row, l->from)) return 1;
    for (int i = 0; i < n_loops; i++)
        if (lab_is_within(l, &loops[i]) && !strcmp(loops[i].name, row)) {
            if (!begins_at_thread(text, &loops[i], of_row)) return 0;
            own = 1;
        }
    const int set = own ? 0 : value_before(text, at, row, value);
    const char *plus = set > 0 ? strrchr(value, '+') : NULL;
    if (set > 0 || !strncmp(row, "threadIdx", 9)) own = origin_of(text, at, plus ? plus + 1 : row, of_row);
    return own &&
           (!strcmp(of_row, column) || (!strcmp(of_row, "threadIdx.x") && !strncmp(column, of_row, strlen(of_row))));
}

// The row of "ARRAY + ROW * N" or "ARRAY + (FIRST + ROW) * N", to which a pointer is set.
static int row_of_pointer(const char *value, char row[LONGEST]) {
    const char *end = strstr(value, ")*"), *first;
    if (!end) end = strchr(value, '*');
    for (first = end; first && first > value && lab_is_of_name(first[-1]);) first--;
    return first && lab_copy_word(first, end, row);
}

// "ARRAY[ROW][d]", "ARRAY[ROW * N + d]", or "ARRAY[d]" of a pointer to a row, in the body of a loop over d.
static int takes_of_row(const char *text, const lab_loop *l, const char *open, char row[LONGEST], char array[LONGEST]) {
    const char *close = lab_closing(open), *first = open, *end;
    char index[LONGEST], column[LONGEST], form[LONGEST + 2];
    if (!close || !lab_copy_word(open + 1, close, index)) return 0;
    while (first > text && lab_is_word(first[-1])) first--;
    if (!strcmp(index, l->name) && close[1] != '[')
        return lab_copy_word(first, open, array) && value_before(text, l->at, array, index) > 0 &&
               row_of_pointer(index, row);
    if (close[1] == '[') {
        const char *behind = lab_closing(close + 1);
        if (!behind || !lab_copy_word(close + 2, behind, column) || strcmp(column, l->name)) return 0;
        return snprintf(row, LONGEST, "%s", index) > 0 && lab_copy_word(first, open, array);
    }
    snprintf(form, sizeof form, "+%s", l->name);
    const size_t n = strlen(index), m = strlen(form);
    const char *times = strchr(index, '*'), *start = !strncmp(index, "(size_t)", 8) ? index + 8 : index;
    if (n <= m || strcmp(index + n - m, form) || !times) return 0;
    for (end = start; lab_is_word(*end);) end++;
    return end == times && lab_copy_word(start, end, row) && lab_copy_word(first, open, array);
}

static int says_columns(const char *text, const lab_loop *l, char *sentence, size_t size) {
    char column[LONGEST], row[LONGEST], array[LONGEST];
    if (!begins_at_thread(text, l, column) || strchr(l->from, '+')) return 0;
    for (const char *open = l->body; open < l->end && (open = memchr(open, '[', (size_t)(l->end - open))); open++) {
        if (*lab_behind_bracket(open) == 0) return 0;
        if (!takes_of_row(text, l, open, row, array) || !is_own_row(text, l, open, row, column)) continue;
        snprintf(sentence, size,
                 "line %d: each thread has a row of %s of its own, by %s, and takes only columns %s, %s + %s, ... "
                 "of it: nobody takes the others. Threads that share the columns have the same row, or each takes all "
                 "columns of its own",
                 lab_line_of(text, open), array, row, l->from, l->from, l->step);
        return 1;
    }
    return 0;
}

// ---- The same, with the columns in a function

// The name of a parameter, by its number.
static int parameter(const char *function, int number, char name[LONGEST]) {
    const char *open = strchr(function, '('), *end;
    const char *at = open ? lab_in_list(open + 1, lab_behind_bracket(open) - 1, number, &end) : NULL, *first = end;
    while (at && first > at && lab_is_word(first[-1])) first--;
    return at && lab_copy_word(first, end, name);
}

// The line in which this function reads ROW[LANE + ...], or ROW[d] with d = LANE + .... 0: none.
static int reads_share(const char *text, const char *function, const char *row, const char *lane) {
    const char *body = strchr(function, '{'), *end = body ? lab_matching(body) : NULL;
    const size_t n = strlen(row);
    char index[LONGEST], form[2][2 * LONGEST + 8];
    for (const char *at = body; end && (at = strstr(at, row)) && at < end && looks++ < MOST_LOOKS; at += n) {
        const char *close = lab_is_word_at(text, at, row) && at[n] == '[' ? lab_closing(at + n) : NULL;
        if (!close || !lab_copy_word(at + n + 1, close, index)) continue;
        snprintf(form[0], sizeof form[0], "%s+", lane), snprintf(form[1], sizeof form[1], " %s = %s", index, lane);
        const char *set = strstr(body, form[1]);
        if (!strncmp(index, form[0], strlen(form[0]))) return lab_line_of(text, at);
        if (set && set < at && strchr(" ;", set[strlen(form[1])])) return lab_line_of(text, set);
    }
    return 0;
}

static const char *definition_of(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; n && (at = strstr(at, name)) && looks++ < MOST_LOOKS; at += n) {
        const char *close = lab_is_word_at(text, at, name) && at[n] == '(' ? lab_matching(at + n) : NULL;
        if (close && *lab_skip_blanks(close + 1) == '{') return at;
    }
    return NULL;
}

// A call, whose bracket opens here, that is given row j and the number of the thread in its warp.
static int gives_share(const char *text, const lab_loop *l, const char *open, char *sentence, size_t size) {
    const char *close = lab_matching(open), *first = open, *end;
    char name[LONGEST], product[LONGEST + 4], lane[LONGEST], value[LONGEST], of_row[LONGEST], of_lane[LONGEST];
    int with_row = -1, with_lane = -1;
    while (first > text && lab_is_word(first[-1])) first--;
    if (!close || !lab_copy_word(first, open, name)) return 0;
    snprintf(product, sizeof product, "%s * ", l->name);
    for (int i = 0; (first = lab_in_list(open + 1, close, i, &end)); i++) {
        first = lab_skip_blanks(first);
        const char *of = strstr(first, product);
        if (of && of < end && !lab_is_word(of[-1]) && !memchr(first, '[', (size_t)(end - first))) with_row = i;
        if (lab_copy_word(first, end, lane) && origin_of(text, first, lane, value) &&
            !strncmp(value, "threadIdx.x", 11) && strchr("%&", value[11]) && value[11])
            with_lane = i;
    }
    const char *function = with_row < 0 || with_lane < 0 ? NULL : definition_of(text, name);
    if (!function || lab_joins(text, open) || !parameter(function, with_row, of_row) ||
        !parameter(function, with_lane, of_lane))
        return 0;
    const int line = reads_share(text, function, of_row, of_lane);
    first = lab_in_list(open + 1, close, with_lane, &end);
    if (!line || !lab_copy_word(first, end, lane)) return 0;
    snprintf(sentence, size,
             "line %d gives each thread a %s of its own, and %s takes only some columns of row %s, from %s on "
             "(line %d): no other thread has the rest. Either all threads of a warp have the same %s and add up what "
             "they find, or each takes all of its own",
             lab_line_of(text, l->at), l->name, name, l->name, lane, line, l->name);
    return 1;
}

static int says_calls(const char *text, const lab_loop *l, char *sentence, size_t size) {
    char value[LONGEST];
    const char *calls[MOST_CALLS];
    int n = 0;
    if (!begins_at_thread(text, l, value) || strcmp(value, "threadIdx.x")) return 0;
    for (const char *open = l->body; open < l->end && (open = memchr(open, '(', (size_t)(l->end - open))); open++) {
        if (!lab_is_word(open[-1])) continue;
        if (n == MOST_CALLS || *lab_behind_bracket(open) == 0 || lab_joins(text, open)) return 0;
        calls[n++] = open;
    }
    for (int i = 0; i < n; i++)
        if (gives_share(text, l, calls[i], sentence, size)) return 1;
    return 0;
}

int lab_hint_of_dealing(const char *text, int from, int to, char *sentence, size_t size) {
    looks = 0;
    n_loops = strstr(text, "threadIdx") ? lab_loops_of(text, 1, 1 << 20, loops) : 0;
    for (int i = 0; i < n_loops; i++) {
        const int line = lab_line_of(text, loops[i].at);
        if (line < from || line > to) continue;
        if (says_columns(text, &loops[i], sentence, size) || says_calls(text, &loops[i], sentence, size))
            return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
