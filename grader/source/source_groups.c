// source_groups.c: of a race: groups of threads that each have numbers of their own, and a place for each warp alone; or warps
// that have, and one place for all.
//
//     const int team = threadIdx.x / 8, me = threadIdx.x % 8;
//     sums[threadIdx.x / 32][me] = sum;         four teams store there: sums[team][me]
//     float *p = all;  ...  p[lane] = sum;       all warps store there: all + warp * 32
#include "source_constants.h"
#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Two threads of a block of one dimension that write. Returns 0 if it is not so.
static int threads_of(const char *report, long t[2]) {
    static const char writes[] = "write thread (";
    for (int i = 0; i < 2; i++) {
        long y, z;
        report = strstr(report, writes);
        if (!report || sscanf(report + strlen(writes), "%ld,%ld,%ld", &t[i], &y, &z) != 3 || y || z) return 0;
        report += strlen(writes);
    }
    return t[0] != t[1];
}

// NAME[...][...] = on this line: from its first [ to behind the last ].
static int is_stored(const char *line, const char *name, const char **open, const char **close) {
    const char *end = line + strcspn(line, "\n");
    for (const char *at = line; (at = strstr(at, name)) && at < end; at++) {
        *open = *close = at + strlen(name);
        if (!lab_is_word_at(line, at, name) || **open != '[') continue;
        while (**close == '[') *close = lab_behind_bracket(*close);
        const char *sign = lab_skip_blanks(*close);
        if (*close < end && *sign == '=' && sign[1] != '=') return 1;
    }
    return 0;
}

// What this line sets a name to, as thread t has it. -1: nobody knows.
static long value_in(const char *text, const lab_setting set[], int n, const lab_setting *of, long t) {
    char value[LONGEST], name[LONGEST] = "threadIdx.x";
    for (int i = 0; i < n; i++)
        if (lab_value_set(&set[i], value) && !strcmp(value, "threadIdx.x") && lab_name_set(&set[i], value) &&
            lab_has_word(of->value, of->end, value))
            snprintf(name, sizeof name, "%s", value);
    const lab_number number = {.text = text, .place = of->value, .name = name, .value = t};
    lab_constants_begin();
    return lab_number_of(&number, of->value, of->end);
}

// The number of a group of threads, threadIdx.x / 8, that is another one in each of the two, and does not stand in [...].
static const lab_setting *group_of(const char *text, const lab_setting set[], int n, const long t[2], const char *open,
                                   const char *close, long number[2]) {
    char value[LONGEST], name[LONGEST];
    for (int i = 0; i < n; i++) {
        if (set[i].op != '=' || !lab_value_set(&set[i], value) || !lab_name_set(&set[i], name)) continue;
        if ((!strchr(value, '/') && !strstr(value, ">>")) || lab_has_word(open, close, name)) continue;
        for (int k = 0; k < 2; k++) number[k] = value_in(text, set, n, &set[i], t[k]);
        if (number[0] >= 0 && number[1] >= 0 && number[0] != number[1]) return &set[i];
    }
    return NULL;
}

// Other lines of the function that store at the same [...]; of [warp * D + d] at [warp].
static lab_lines lines_like(const char *text, const char *function, const char *open, int but) {
    const char *close = lab_closing(open), *stop = strstr(function, "\n}"), *word = open + 1;
    char own[LONGEST], same[LONGEST + 3];
    lab_lines all = {.n = 0};
    if (!close || !stop) return all;
    while (lab_is_of_name(*word)) word++;
    if (*lab_skip_blanks(word) != '*') word = close;
    if (word - open >= LONGEST) return all;
    snprintf(own, sizeof own, "%.*s", (int)(word - open - 1), open + 1);
    snprintf(same, sizeof same, "[%s]", own);
    for (const char *at = function; (at = strstr(at, same)) && at < stop; at++) {
        const char *behind = at;
        while (*behind == '[') behind = lab_behind_bracket(behind);
        behind = lab_skip_blanks(behind);
        if (*behind == '=' && behind[1] != '=' && lab_line_of(text, at) != but)
            lab_add_line(&all, lab_line_of(text, at));
    }
    return all;
}

// Where the function reads the array next.
static void say_reader(const char *text, const char *function, const char *behind, const char *array, char where[24]) {
    const char *stop = strstr(function, "\n}");
    *where = 0;
    for (const char *at = behind; (at = strstr(at, array)) && at < stop; at++) {
        if (!lab_is_word_at(text, at, array)) continue;
        snprintf(where, 24, " (line %d)", lab_line_of(text, at));
        return;
    }
}

// ---- One place for all warps

typedef struct {
    const char *number;  // of which a warp is told: threadIdx.y, or threadIdx where blocks have one dimension
    lab_names names;
} of_warp;

static int is_varying(const char *from, const char *to, const of_warp *w) {
    return lab_has_word(from, to, w->number) || lab_has_one_of(from, to, &w->names);
}

// The names that another warp has another number in, and those of which nobody knows that.
static void find_names(const char *text, const lab_setting set[], int n, of_warp *w) {
    const int flat = !strchr(w->number, '.');
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < n; i++) {
            const long first = flat && set[i].op == '=' ? value_in(text, set, n, &set[i], 0) : -1;
            const long second = first < 0 ? -1 : value_in(text, set, n, &set[i], 32);
            if (second < 0
                    ? is_varying(set[i].value, set[i].end, w) || lab_calls_unknown(text, set[i].value, set[i].end)
                    : first != second)
                lab_add_word(lab_last_word(&set[i]), set[i].left_end, &w->names);
        }
}

// if (warp == 0), if (!warp), if (tid < 32): not all warps store. A question about rows or keys is none of these.
static int chooses_warps(const char *text, const char *from, const char *to) {
    if (lab_has_text(from, to, "==") || memchr(from, '!', (size_t)(to - from))) return 1;
    const char *less = memchr(from, '<', (size_t)(to - from));
    const lab_number number = {.text = text, .place = from};
    lab_constants_begin();
    return less && lab_number_of(&number, less + 1 + (less[1] == '='), to) >= 0;
}

static int is_asked(const char *text, const char *from, const char *at, const of_warp *w) {
    for (const char *word = from; (word = strstr(word, "if (")) && word < at; word++) {
        const char *close = lab_matching(word + 3);
        if (!close || (is_varying(word, close, w) && chooses_warps(text, word + 4, close))) return 1;
    }
    return 0;
}

// The line that makes the array: float *NAME = ..., or __shared__ float NAME[...]. NULL: another function.
static const char *made_at(const char *function, const char *at, const lab_setting set[], int n, const char *array) {
    char name[LONGEST];
    for (const char *shared = function; (shared = strstr(shared, "__shared__")) && shared < at; shared++)
        if (lab_has_word(shared, shared + strcspn(shared, ";"), array)) return shared;
    for (int i = 0; i < n; i++)
        if (lab_name_set(&set[i], name) && !strcmp(name, array) && set[i].left[-1] == '*') return set[i].left;
    return NULL;
}

// The first NAME[...] = on this line. NULL: there is none.
static const char *first_store(const char *line, char array[LONGEST], const char **close) {
    const char *end = line + strcspn(line, "\n"), *open;
    for (const char *at = line, *behind; at < end; at = behind + (behind == at)) {
        for (behind = at; lab_is_word(*behind);) behind++;
        if (behind > at && *behind == '[' && lab_copy_word(at, behind, array) && is_stored(at, array, &open, close) &&
            open == behind)
            return at;
    }
    return NULL;
}

int lab_warps_share_a_place(const char *text, const char *report, char *sentence, size_t size) {
    const char *write = strstr(report, "write thread ("), *place = write ? strstr(write, ".cu:") : NULL, *close;
    const char *line = place ? lab_line_at(text, atoi(place + strlen(".cu:"))) : NULL;
    const char *function = line ? lab_function_of(text, line) : NULL;
    const char *read = strstr(report, "read thread (");
    long y[2];
    char array[LONGEST];
    lab_setting set[LAB_MOST_SET];
    if (!function || !read || sscanf(write, "write thread (%*d,%ld", &y[0]) != 1 ||
        sscanf(read, "read thread (%*d,%ld", &y[1]) != 1)
        return 0;
    of_warp w = {.number = y[0] == y[1] ? "threadIdx" : "threadIdx.y"};
    const char *at = first_store(line, array, &close);
    const int n = at ? lab_settings_of(function, line, set) : LAB_MOST_SET;
    if (n == LAB_MOST_SET) return 0;
    find_names(text, set, n, &w);
    if (w.names.n == LAB_MOST_VARYING || is_asked(text, function, at, &w) || is_varying(at, close, &w)) return 0;
    const char *made = made_at(function, at, set, n, array);
    return made && snprintf(sentence, size,
                            "line %d: %s (line %d) is the same for all warps, and each of them stores its own numbers "
                            "at %.*s: one warp overwrites what another one still reads, and no barrier helps. Give "
                            "each warp a part of its own: its number times the length of a part further",
                            lab_line_of(text, at), array, lab_line_of(text, made), (int)(close - at), at) > 0;
}

// ---- One place for the groups of a warp

int lab_hint_of_groups(const char *text, const char *report, char *sentence, size_t size) {
    static const char start[] = "data race: shared ";
    int line[2];
    long t[2], number[2];
    char array[LONGEST], name[LONGEST], too[160] = "", where[24];
    const char *behind = report + strlen(start), *open, *close;
    if (strncmp(report, start, strlen(start)) || strstr(report, "another block") || !threads_of(report, t)) return 0;
    if (lab_lines_of(report, line, 2) < 2 || line[0] != line[1]) return 0;
    if (!lab_copy_word(behind, behind + strcspn(behind, "[;"), array)) return 0;
    const char *at = lab_line_at(text, line[0]), *function = at ? lab_function_of(text, at) : NULL;
    if (!function || !is_stored(at, array, &open, &close)) return 0;
    lab_setting set[LAB_MOST_SET];
    const int n = lab_settings_of(function, at, set);
    const lab_setting *group = group_of(text, set, n, t, open, close, number);
    if (!group || !lab_name_set(group, name)) return 0;
    const lab_lines like = lines_like(text, function, open, line[0]);
    if (like.n && like.n <= LAB_MOST_LINES) {
        snprintf(too, sizeof too, ", in ");
        lab_say_lines(&like, too + strlen(too), sizeof too - strlen(too));
        strcat(too, ", too");
    }
    say_reader(text, function, close, array, where);
    snprintf(sentence, size,
             "line %d: threads %ld and %ld store in one element of %s: %s (line %d) is %ld in the one and %ld in the "
             "other, and does not stand in [...]. Each %s has numbers of its own: give it a place of its own, [%s]%s, "
             "and let what joins them%s go over all of these. Or join them first, and let one %s store",
             line[0], t[0], t[1], array, name, lab_line_of(text, group->left), number[0], number[1], name, name, too,
             where, name);
    return 1;
}
