// source_owners.c: two rules by which the same threads share the same elements, and no barrier between.
//
//     s[t * N + b] = ...               for all b < N, where N = BOUND / LANES: thread t has N neighbours
//     first = t * N; ... s[first + b]  is the same
//     for (c = t; c < BOUND; c += LANES) ... s[c]      and here every LANES-th
//
// Who has mixed up these two rules has mostly done so in both halves of a kernel: the same of a number that is not shared.
//
//     d = t * (D / LANES) + e; ... o[e] += v[d]        o[e] is that of a neighbour
//     d = t + LANES * e;       ... out[d] = o[e]       and here that of every LANES-th
#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD };

typedef struct {
    const char *at;
    char array[LONGEST], thread[LONGEST], each[LONGEST], counter[LONGEST];  // array[.. thread * each + counter]
    char first[2 * LONGEST + 8];                                            // thread * each, as the line says it
    char bound[LONGEST], lanes[LONGEST];                                    // each = bound / lanes
} blocks;

static int next_word(const char *at, char word[LONGEST]) {
    const char *end = at;
    while (lab_is_word(*end)) end++;
    return lab_copy_word(at, end, word);
}

// "NAME = X / Y" or "#define NAME (X / Y)".
static int is_quotient(const char *text, blocks *b) {
    const size_t n = strlen(b->each);
    for (const char *at = text; (at = strstr(at, b->each)); at += n) {
        if (at == text || lab_is_word(at[-1]) || lab_is_word(at[n])) continue;
        const char *value = at + n + strspn(at + n, " =("), *over;
        if (value == at + n || !next_word(value, b->bound)) continue;
        over = lab_skip_blanks(value + strlen(b->bound));
        if (*over == '/' && next_word(lab_skip_blanks(over + 1), b->lanes)) return 1;
    }
    return 0;
}

// "THREAD * EACH" stands here. Returns what is behind it, or NULL.
static const char *product_at(const char *at, blocks *b) {
    if (!next_word(at, b->thread)) return NULL;
    const char *times = at + strlen(b->thread);
    if (strncmp(times, " * ", 3) || !next_word(times + 3, b->each)) return NULL;
    return times + 3 + strlen(b->each);
}

// "THREAD * EACH", or a name that the function has set to that and to nothing more. Returns what is behind it, or NULL.
static const char *first_of_thread(const char *function, const char *at, blocks *b) {
    const char *behind = product_at(at, b), *set;
    char name[LONGEST], made[LONGEST + 8];
    if (!behind && next_word(at, name)) {
        snprintf(made, sizeof made, " %s = ", name);
        set = strstr(function, made);
        set = set && set < at ? product_at(set + strlen(made), b) : NULL;
        behind = set && strchr(";,", *set) ? at + strlen(name) : NULL;
    }
    if (behind) snprintf(b->first, sizeof b->first, "%.*s", (int)(behind - at), at);
    return behind;
}

// "ARRAY[.. THREAD * EACH + COUNTER]" whose bracket opens here, in a function with "COUNTER < EACH".
static int shares_by_blocks(const char *text, const char *open, blocks *b) {
    const char *close = lab_closing(open), *first = open, *function = lab_function_of(text, open);
    char set[LONGEST + 16], limit[2 * LONGEST + 8];
    while (first > text && lab_is_word(first[-1])) first--;
    if (!close || !function || !lab_copy_word(first, open, b->array)) return 0;
    for (const char *at = open + 1; at < close; at++) {
        const char *plus = lab_is_word(at[-1]) ? NULL : first_of_thread(function, at, b);
        if (!plus || strncmp(plus, " + ", 3) || !next_word(plus + 3, b->counter)) continue;
        snprintf(set, sizeof set, "%s = threadIdx", b->thread);
        snprintf(limit, sizeof limit, "%s < %s;", b->counter, b->each);
        const char *loop = strstr(function, limit);
        b->at = open;
        if (strstr(text, set) && loop && loop < open && is_quotient(text, b)) return 1;
    }
    return 0;
}

static int meets(const char *from, const char *to) {
    const char *sync = strstr(from, "sync");
    return sync && sync < to;
}

// Does this place belong to an else behind the other one? Then a thread comes to one of them alone.
static int is_other_branch(const char *from, const char *to) {
    for (const char *at = from; (at = strstr(at, "else")) && at < to; at++) {
        const char *behind = lab_skip_blanks(at + strlen("else"));
        const char *end = at[-1] == '#'    ? strstr(at, "#endif")
                          : *behind == '{' ? lab_matching(behind)
                                           : strchr(at, ';');
        if (!lab_is_word(at[-1]) && end && end > to) return 1;
    }
    return 0;
}

// A call of that name: not in column 1, where functions begin.
static const char *call_of(const char *text, const char *from, const char *name) {
    for (const char *at = from; (at = strstr(at, name)); at++) {
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        if (*line == ' ' && !lab_is_word(at[-1]) && at[strlen(name)] == '(') return at;
    }
    return NULL;
}

// Does a thread come from one place to the other without a barrier: in one function, or in two that a third one calls?
static int reaches(const char *text, const char *one, const char *other) {
    const char *of[2] = {lab_function_of(text, one), lab_function_of(text, other)};
    char name[2][LONGEST];
    if (of[0] == of[1]) return !(one < other ? meets(one, other) : meets(other, one));
    if (!lab_name_of_function(of[0], name[0]) || !lab_name_of_function(of[1], name[1])) return 0;
    for (int i = 0; i < 2; i++) {
        const char *first = call_of(text, text, name[i]), *second = first ? call_of(text, first, name[!i]) : NULL;
        if (second && lab_function_of(text, first) == lab_function_of(text, second) && !meets(first, second) &&
            !is_other_branch(first, second))
            return 1;
    }
    return 0;
}

// for (c = thread; c < bound; c += lanes), and array[c] in its body.
static int is_strided(const lab_loop *l, const blocks *b) {
    char condition[LONGEST], limit[2 * LONGEST + 8], element[2 * LONGEST + 8];
    snprintf(limit, sizeof limit, "%s<%s", l->name, b->bound);
    snprintf(element, sizeof element, "%s[%s]", b->array, l->name);
    const char *end = strchr(l->condition, ';'), *at = strstr(l->body, element);
    return !strcmp(l->from, b->thread) && !strcmp(l->step, b->lanes) && at && at < l->end && end &&
           lab_copy_word(l->condition, end, condition) && !strcmp(condition, limit);
}

// Is an element [index] of the same array in both functions, behind these places?
static int share_an_array(const char *text, const char *one, const char *other, const char *index) {
    char element[LONGEST + 8], array[2 * LONGEST];
    snprintf(element, sizeof element, "[%s]", index);
    const char *const end = strstr(one, "\n}"), *const behind = strstr(other, "\n}");
    for (const char *at = one; end && behind && (at = strstr(at, element)) && at < end; at++) {
        const char *first = at;
        while (first > text && lab_is_word(first[-1])) first--;
        snprintf(array, sizeof array, "%.*s%s", (int)(at - first), first, element);
        for (const char *its = other; at - first < LONGEST && (its = strstr(its, array)) && its < behind; its++)
            if (first < at && !lab_is_word(its[-1])) return 1;
    }
    return 0;
}

// "NAME = T * (X / LANES) + E;", and elsewhere "NAME = T + LANES * E;", both of A[E]: what is to be said of that line, too.
static void say_other_half(const char *text, const blocks *b, char *also, size_t size) {
    char times[LONGEST + 16], over[LONGEST + 8], name[LONGEST], index[LONGEST], strided[5 * LONGEST];
    snprintf(times, sizeof times, " = %s * (", b->thread);
    snprintf(over, sizeof over, " / %s) + ", b->lanes);
    *also = 0;
    for (const char *at = text; (at = strstr(at, times)); at++) {
        const char *first = at, *end = strchr(at, ';'), *plus = strstr(at, over);
        while (first > text && lab_is_word(first[-1])) first--;
        if (!end || !plus || plus > end || at - first >= LONGEST || !next_word(plus + strlen(over), index) ||
            plus + strlen(over) + strlen(index) != end)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(at - first), first);
        for (int turned = 0; turned < 2; turned++) {
            snprintf(strided, sizeof strided, "%s = %s + %s * %s;", name, b->thread, turned ? index : b->lanes,
                     turned ? b->lanes : index);
            const char *other = strstr(text, strided);
            if (!other || !share_an_array(text, at, other, index)) continue;
            snprintf(also, size, ". So in line %d: %.*s, as in line %d, and not %.*s", lab_line_of(text, at),
                     (int)strlen(strided) - 1, strided, lab_line_of(text, other), (int)(end - at - 3), at + 3);
            return;
        }
    }
}

int lab_hint_of_owners(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    char also[8 * LONGEST];
    blocks b;
    lab_loop l;
    if (!strstr(text, "threadIdx")) return LAB_HINT_NONE;
    for (const char *open = start; open && (open = strchr(open, '[')) && (!behind || open < behind); open++) {
        if (!shares_by_blocks(text, open, &b)) continue;
        lab_loops_begin();
        for (const char *at = text; (at = lab_next_loop(text, at, &l));) {
            if (!is_strided(&l, &b) || !reaches(text, b.at, l.at)) continue;
            say_other_half(text, &b, also, sizeof also);
            snprintf(sentence, size,
                     "line %d: thread %s has the elements %s + %s of %s, and in line %d it has %s = %s, %s + %s, "
                     "...: what one thread writes there another one reads, with no barrier between. One rule for all "
                     "lines: %s + %s * %s, wherever %s + %s stands%s",
                     lab_line_of(text, b.at), b.thread, b.first, b.counter, b.array, lab_line_of(text, l.at), l.name,
                     b.thread, b.thread, b.lanes, b.thread, b.lanes, b.counter, b.first, b.counter, also);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
