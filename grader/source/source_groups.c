// source_groups.c: of a race: groups of threads that each have numbers of their own, and a place for each warp alone.
//
//     const int team = threadIdx.x / 8, me = threadIdx.x % 8;
//     sums[threadIdx.x / 32][me] = sum;         four teams store there: sums[team][me]
#include "source_constants.h"
#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
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
