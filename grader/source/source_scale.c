// source_scale.c: where a file takes its square root, and what reads the number that is made of it.
#include "source_kinds.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// The name that gets the root: "" where none does.
static void name_of_root(const char *at, char name[32]) {
    const char *end = at + strcspn(at, "\n"), *set = NULL, *root = lab_root_in(at, end);
    *name = 0;
    for (const char *c = at + 1; c < end - 1 && root && c < root; c++)  // the last one: "for (int j = 0; ...) x = "
        if (*c == '=' && !strchr("=<>!+-*/", c[-1]) && c[1] != '=') set = c;
    if (!set || memchr(set, ';', root - set)) return;  // x /= sqrtf(n) behind "int i = 0;" makes a name of its own
    while (set > at && set[-1] == ' ') set--;
    const char *start = set;
    while (start > at && lab_is_word(start[-1])) start--;
    if (start > at && start[-1] == '&') return;
    snprintf(name, 32, "%.*s", set - start < 32 ? (int)(set - start) : 0, start);
}

// "float &s = S[i];": who sets it sets an element, which others read.
static int is_reference(const char *text, const char *at, const char *name) {
    char made[40];
    snprintf(made, sizeof made, "&%s = ", name);
    const char *found = strstr(lab_function_of(text, at), made);
    return found && found < at;
}

// Where a name is read behind the line that sets it, in the same function.
static lab_lines readers(const char *text, const char *set, const char *name) {
    lab_lines all = {.n = 0};
    const char *function = lab_function_of(text, set), *at = set + strcspn(set, "\n");
    for (int line = lab_line_of(text, set) + 1; *at; line++) {
        at++;
        const char *end = at + strcspn(at, "\n");
        if (lab_function_of(text, at) != function) break;
        if (lab_has_word(at, end, name)) lab_add_line(&all, line);
        at = end;
    }
    return all;
}

// The root, or what reads the number that was made of it.
int lab_say_scale(const char *text, char *sentence, size_t size) {
    const lab_lines roots = lab_lines_that(text, lab_takes_root);
    char name[32] = "", where[120], read[120];
    if (roots.n > LAB_MOST_LINES) return 0;
    if (!roots.n) return snprintf(sentence, size, "no line of the file takes a square root") > 0;
    lab_say_lines(&roots, where, sizeof where);
    const char *set = lab_line_at(text, roots.line[0]);
    if (roots.n == 1) name_of_root(set, name);
    if (*name && is_reference(text, set, name)) *name = 0;
    const lab_lines uses = *name ? readers(text, set, name) : roots;
    if (!*name || uses.n > LAB_MOST_LINES) return snprintf(sentence, size, "the root is taken in %s", where) > 0;
    if (!uses.n)
        return snprintf(sentence, size, "line %d makes %s of the root, and no line behind it reads it", roots.line[0],
                        name) > 0;
    lab_say_lines(&uses, read, sizeof read);
    return snprintf(sentence, size, "line %d makes %s of the root, and it is used in %s", roots.line[0], name, read) >
           0;
}

// The roots, and what reads the number that was made of the only one.
lab_lines lab_lines_of_scale(const char *text) {
    char name[32] = "";
    lab_lines all = lab_lines_that(text, lab_takes_root);
    if (all.n == 1) name_of_root(lab_line_at(text, all.line[0]), name);
    const lab_lines uses = *name ? readers(text, lab_line_at(text, all.line[0]), name) : (lab_lines){.n = 0};
    for (int i = 0; i < uses.n; i++) lab_add_line(&all, uses.line[i]);
    return all;
}
