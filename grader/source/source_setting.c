// source_setting.c: a condition that sets what it means to compare: if (status = ATTN_OK).
#include "source_setting.h"

#include <stdio.h>
#include <string.h>

#include "source_lines.h"

// The = in `(name = value)` where nothing else is compared. Who writes ((x = f())) or (x = f()) > 0 means it.
static const char *set_in(const char *open) {
    const char *close = lab_matching(open), *set = NULL;
    for (const char *c = open + 1; close && c < close; c++) {
        if (strchr("<>!&|(?", *c) || (*c == '=' && c[1] == '=')) return NULL;
        if (*c == '=' && (set || strchr("+-*/%^", c[-1]))) return NULL;
        if (*c == '=') set = c;
    }
    return set;
}

int lab_hint_of_setting(const char *text, int from, int to, char *sentence, size_t size) {
    static const char *const heads[] = {"if (", "while ("};
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++)
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            const char *open = at + strlen(heads[i]) - 1;
            if (strncmp(at, heads[i], strlen(heads[i])) || (at > text && lab_is_word(at[-1])) || !set_in(open))
                continue;
            snprintf(sentence, size, "line %d: = sets %.*s, and == compares: is == meant?", lab_line_of(text, at),
                     (int)strcspn(open + 1, " ="), open + 1);
            return 1;
        }
    return 0;
}
