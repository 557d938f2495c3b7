// source_largest.c: exponentials that are divided by the largest of them, and not by their sum:
//
//     top = fmaxf(top, expf(s[c]) / l);  ...  p[c] = expf(s[c]) / l / top;
#include "source_kinds.h"
#include "source_lines.h"
#include "source_maximum.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

// Is an exponential in this value, or an element of an array that was set to one?
static int has_exponential(const lab_setting set[], int n, const char *from, const char *to) {
    char name[LAB_LONGEST_WORD];
    if (lab_has_text(from, to, "exp")) return 1;
    for (int i = 0; i < n; i++) {
        const char *open = memchr(set[i].left, '[', (size_t)(set[i].left_end - set[i].left));
        if (lab_copy_word(set[i].left, open ? open : set[i].left_end, name) && lab_has_word(from, to, name) &&
            set[i].op == '=' && lab_has_text(set[i].value, set[i].end, "exp"))
            return 1;
    }
    return 0;
}

// "x / top", "x /= top".
static int divides_by(const lab_setting *s, const char *name) {
    char value[LAB_LONGEST_WORD];
    if (s->op == '/') return lab_value_set(s, value) && !strcmp(value, name);
    for (const char *c = s->value; (c = memchr(c, '/', (size_t)(s->end - c))); c++) {
        const char *by = lab_skip_blanks(c + 1), *behind = by;
        while (lab_is_word(*behind)) behind++;
        if (behind <= s->end && lab_copy_word(by, behind, value) && !strcmp(value, name)) return 1;
    }
    return 0;
}

int lab_say_largest(const char *text, char *sentence, size_t size) {
    static lab_setting set[LAB_MOST_SET];
    char name[LAB_LONGEST_WORD];
    for (const char *function = text; (function = strstr(function, "\n}")); function++) {
        const char *begin = lab_function_of(text, function);
        const int n = lab_settings_of(begin, function, set);
        for (int i = 0; i < n && n < LAB_MOST_SET; i++) {
            if (!lab_is_raised(begin, &set[i], name) || !has_exponential(set, i, set[i].value, set[i].end)) continue;
            for (int k = i + 1; k < n; k++)
                if (divides_by(&set[k], name))
                    return snprintf(sentence, size,
                                    "line %d looks for the largest of the exponentials, and line %d divides by it: a "
                                    "row is divided by the sum of its exponentials, and the largest of its scores is "
                                    "subtracted before they are taken",
                                    lab_line_of(text, set[i].left), lab_line_of(text, set[k].left)) > 0;
        }
    }
    return 0;
}
