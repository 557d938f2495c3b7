// source_splits.c: where a file joins its splits: the lines that read an L_s in the kernel to which attn_combine hands L, and
// those of them that take exp(L_s) as it is.
#include "source_kinds.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, OF_L = 2, MOST_ALIASES = 4 };

// Where a function is defined: NAME(...) {. NULL: nowhere.
static const char *definition_of(const char *text, const char *name, const char **open) {
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *list = at + strlen(name), *close = *list == '(' ? lab_matching(list) : NULL;
        if (!lab_is_word_at(text, at, name) || !close || *lab_skip_blanks(close + 1) != '{') continue;
        *open = list;
        return lab_skip_blanks(close + 1);
    }
    return NULL;
}

// The last word of a parameter: L of "const float *L".
static int name_of_parameter(const char *open, int number, char name[LONGEST]) {
    const char *end, *from = lab_in_list(open + 1, lab_matching(open), number, &end);
    if (!from) return 0;
    while (end > from && !lab_is_word(end[-1])) end--;
    const char *first = end;
    while (first > from && lab_is_word(first[-1])) first--;
    return lab_copy_word(first, end, name);
}

// The kernel that this block launches first, and its parameter that gets `of`.
static const char *kernel_of(const char *text, const char *block, const char *of, char parameter[LONGEST]) {
    const char *launch = strstr(block, "<<<"), *args = launch ? strstr(launch, ">>>") : NULL, *first = launch, *end;
    char name[LONGEST];
    if (!args || launch > lab_block_end(block + 1) || *(args = lab_skip_blanks(args + 3)) != '(') return NULL;
    if (launch > text && launch[-1] == '>') return NULL;  // of a template
    while (first > text && lab_is_word(first[-1])) first--;
    const char *from = lab_copy_word(first, launch, name) ? args + 1 : NULL, *close = lab_matching(args), *open;
    for (int i = 0; from && close && (from = lab_in_list(args + 1, close, i, &end)); i++) {
        const char *kernel = lab_has_word(from, end, of) ? definition_of(text, name, &open) : NULL;
        if (kernel) return name_of_parameter(open, i, parameter) ? kernel : NULL;
    }
    return NULL;
}

// The names of L in the kernel: "const float *lse = L + bh * splits;" is one, too.
static int aliases_of(const char *kernel, const char *end, char name[MOST_ALIASES][LONGEST]) {
    lab_setting set[LAB_MOST_SET];
    const int settings = lab_settings_of(kernel, end, set);
    int n = 1;
    for (int i = 0; i < settings && n < MOST_ALIASES; i++) {
        const char *left = set[i].left;
        while (left > kernel && left[-1] == ' ') left--;
        if (left[-1] != '*' || strchr("[", *lab_skip_blanks(set[i].left_end))) continue;
        for (int k = 0; k < n; k++)
            if (lab_has_word(set[i].value, set[i].end, name[k])) {
                n += lab_copy_word(set[i].left, set[i].left_end, name[n]) > 0;
                break;
            }
    }
    return n;
}

// Does exp() take this element, and nothing else?
static int is_all_of_exp(const char *kernel, const char *element) {
    const char *close = lab_closing(strchr(element, '[')), *open = element - 1, *first = open;
    while (first > kernel && lab_is_word(first[-1])) first--;
    return close && close[1] == ')' && *open == '(' && lab_has_text(first, open, "exp");
}

// The lines of that kernel that read an L_s, and those that take exp(L_s).
static int lines_of(const char *text, lab_lines *read, lab_lines *taken) {
    static const char *const host = "attn_combine";
    char of[LONGEST], name[MOST_ALIASES][LONGEST];
    const char *open, *block = definition_of(text, host, &open), *kernel;
    if (!block || !name_of_parameter(open, OF_L, of) || !(kernel = kernel_of(text, block, of, name[0]))) return 0;
    const char *end = lab_block_end(kernel + 1);
    const int n = aliases_of(kernel, end, name);
    for (const char *at = kernel; at < end; at++)
        for (int i = 0; i < n; i++) {
            if (!lab_is_word_at(text, at, name[i]) || at[strlen(name[i])] != '[') continue;
            lab_add_line(read, lab_line_of(text, at));
            if (is_all_of_exp(kernel, at)) lab_add_line(taken, lab_line_of(text, at));
        }
    return read->n;
}

int lab_say_splits(const char *text, char *sentence, size_t size) {
    lab_lines read = {.n = 0}, taken = {.n = 0};
    char where[120];
    if (!lines_of(text, &read, &taken) || read.n > LAB_MOST_LINES) return 0;
    lab_say_lines(&read, where, sizeof where);
    return snprintf(sentence, size, "what joins the splits reads L_s in %s", where) > 0;
}

int lab_say_plain_exp(const char *text, char *sentence, size_t size) {
    lab_lines read = {.n = 0}, taken = {.n = 0};
    char where[120];
    if (!lines_of(text, &read, &taken) || !taken.n || taken.n > LAB_MOST_LINES) return 0;
    lab_say_lines(&taken, where, sizeof where);
    return snprintf(
               sentence, size,
               "exp(L_s) is taken as it is in %s, and overflows where L_s is m + log(l) of large scores: take off the "
               "largest L_s first",
               where) > 0;
}
