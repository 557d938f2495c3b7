// source_settings.c: what the lines of a block set, and which names have another value in another round of it.
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD, PASSES = 3 };

static const char *const known[] = {"fmaxf", "fmax",  "max",  "expf", "exp",   "__expf", "exp2f",
                                    "logf",  "sqrtf", "fabs", "log",  "fabsf", "weight", NULL};

int lab_has_one_of(const char *from, const char *to, const lab_names *in) {
    for (int i = 0; i < in->n; i++)
        if (lab_has_word(from, to, in->name[i])) return 1;
    return 0;
}

// float part_of(float x, float y) { return expf(x - y); }: a function of the file, of numbers alone.
static int is_formula(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; text && (at = strstr(at, name)); at += n) {
        const char *close = at[n] == '(' && lab_is_word_at(text, at, name) ? lab_matching(at + n) : NULL;
        const char *body = close ? lab_skip_blanks(close + 1) : "",
                   *first = *body == '{' ? lab_skip_blanks(body + 1) : "";
        const char *end = *body == '{' ? lab_matching(body) : NULL, *semicolon = strchr(first, ';');
        if (!end || strncmp(first, "return ", 7) || !semicolon || lab_skip_blanks(semicolon + 1) != end) continue;
        return strcspn(at + n, "*&[") > (size_t)(close - at) - n && !lab_has_word(first, end, "threadIdx") &&
               !memchr(first, '[', (size_t)(end - first)) && !lab_calls_unknown(NULL, first + 6, end);
    }
    return 0;
}

static int is_known(const char *name) {
    int i = 0;
    while (known[i] && strcmp(known[i], name)) i++;
    return known[i] != NULL;
}

int lab_calls_unknown(const char *text, const char *from, const char *to) {
    for (const char *open = from; open < to && (open = memchr(open, '(', (size_t)(to - open))); open++) {
        const char *first = open;
        char name[LONGEST];
        while (first > from && lab_is_word(first[-1])) first--;
        if (first == open || !lab_copy_word(first, open, name)) continue;
        if (!is_known(name) && !is_formula(text, name)) return 1;
    }
    return 0;
}

static const char *end_of_value(const char *at) {
    for (int depth = 0; *at && *at != ';' && (depth > 0 || (*at != ',' && *at != ')')); at++)
        depth += *at == '(' || *at == '[', depth -= *at == ')' || *at == ']';
    return at;
}

int lab_settings_of(const char *from, const char *to, lab_setting set[LAB_MOST_SET]) {
    int n = 0;
    for (const char *at = from; n < LAB_MOST_SET && at < to && (at = memchr(at, '=', (size_t)(to - at))); at++) {
        if (at == from || at[1] == '=' || strchr("<>!=", at[-1])) continue;
        const int compound = strchr("+-*/", at[-1]) != NULL;
        const char *end = at - compound, *left;
        while (end > from && end[-1] == ' ') end--;
        int depth = 0;
        for (left = end; left > from; left--) {
            const char c = left[-1];
            depth += c == ']', depth -= c == '[';
            if (!depth && !lab_is_word(c) && !strchr("[.>", c) && !(c == '-' && *left == '>')) break;
        }
        set[n++] = (lab_setting){left, end, at + 1, end_of_value(at + 1), compound ? at[-1] : '='};
    }
    return n;
}

const char *lab_last_word(const lab_setting *s) {
    const char *first = s->left_end;
    while (first > s->left && lab_is_word(first[-1])) first--;
    return first;
}

void lab_add_word(const char *from, const char *to, lab_names *in) {
    if (in->n < LAB_MOST_VARYING && from < to && !lab_has_one_of(from, to, in))
        in->n += lab_copy_word(from, to, in->name[in->n]) > 0;
}

void lab_varying(const char *text, const lab_setting set[], int n, lab_names *in) {
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < n; i++) {
            const char *name = lab_last_word(&set[i]), *base = set[i].left;
            if (name == set[i].left_end) continue;
            if (!lab_has_one_of(set[i].value, set[i].end, in) && !lab_calls_unknown(text, set[i].value, set[i].end))
                continue;
            while (lab_is_word(*base)) base++;
            lab_add_word(name, set[i].left_end, in);
            lab_add_word(set[i].left, base, in);  // of a struct, one of whose members varies
        }
}

long lab_constant(const char *text, const char *name, size_t n) {
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        if (strncmp(at, name, n) || lab_is_word(at[n]) || (at > text && lab_is_word(at[-1]))) continue;
        const char *value = lab_skip_blanks(at + n);
        const int is_macro = at - text >= 8 && !strncmp(at - 8, "#define ", 8);
        if (!is_macro && (*value != '=' || value[1] == '=')) continue;
        int number, length = 0;
        if (sscanf(value + !is_macro, "%d%n", &number, &length) != 1) continue;
        value = lab_skip_blanks(value + !is_macro + length);
        if (is_macro || strchr(",;}", *value)) return number;
    }
    return -1;
}

// An argument of a shuffle or of mathematics: a number, and no reference.
static int is_by_value(const char *from, const char *at) {
    const char *open = lab_bracket_around(from, at), *first = open;
    char name[LONGEST];
    while (first && first > from && lab_is_word(first[-1])) first--;
    return open && lab_copy_word(first, open, name) && (!strncmp(name, "__shfl", 6) || is_known(name));
}

int lab_may_change(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; (at = strstr(at, name)) && at < to; at += n) {
        const char *behind = lab_skip_blanks(at + n), *before = at;
        if (lab_is_word(at[-1]) || lab_is_word(at[n])) continue;
        while (before > from && before[-1] == ' ') before--;
        if (!strncmp(behind, "++", 2) || !strncmp(behind, "--", 2) || (*behind == '=' && behind[1] != '=')) return 1;
        if (*behind && strchr("+-*/%&|<>", *behind) && (behind[1] == '=' || behind[2] == '=') &&
            !(strchr("<>", *behind) && behind[1] == '='))
            return 1;
        if (before - from >= 2 && (!strncmp(before - 2, "++", 2) || !strncmp(before - 2, "--", 2))) return 1;
        if (before > from && before[-1] == '&' && (before - from < 2 || before[-2] != '&')) return 1;
        if (before > from && strchr("(,", before[-1]) && *behind && strchr("),", *behind) && !is_by_value(from, at))
            return 1;
    }
    return 0;
}

int lab_value_set(const lab_setting *s, char value[LONGEST]) { return lab_copy_word(s->value, s->end, value); }

int lab_name_set(const lab_setting *s, char name[LONGEST]) {
    return lab_copy_word(lab_last_word(s), s->left_end, name);
}

int lab_is_one_word(const char *value) {
    for (const char *c = value; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return *value && !(*value >= '0' && *value <= '9');
}

const char *lab_factor_of(const lab_setting *s) {
    const size_t n = (size_t)(s->left_end - s->left);
    const char *value = lab_skip_blanks(s->value);
    if (s->op == '*') return value;
    if (s->op != '=' || value + n >= s->end || strncmp(value, s->left, n)) return NULL;
    const char *sign = lab_skip_blanks(value + n);
    return *sign == '*' && sign[1] != '=' ? lab_skip_blanks(sign + 1) : NULL;
}

int lab_is_times(const char *value, const char *share) {
    const char *star = strchr(value, '*');
    const size_t n = strlen(share), before = star ? (size_t)(star - value) : 0;
    if (!star || strpbrk(value, "+-/%?(")) return 0;
    return !strcmp(star + 1, share) || (before == n && !strncmp(value, share, n));
}

const lab_setting *lab_set_once(const lab_setting set[], int n, const char *name) {
    const lab_setting *found = NULL;
    char word[LONGEST];
    for (int i = 0; i < n; i++) {
        if (!lab_name_set(&set[i], word) || strcmp(word, name)) continue;
        if (found || set[i].op != '=') return NULL;
        found = &set[i];
    }
    return found;
}

int lab_ask_settings(const char *text, int from, int to, lab_setting_sign *tell, char *sentence, size_t size) {
    lab_setting set[LAB_MOST_SET];
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1), *at = start;
    while (at && *at && (!behind || at < behind)) {  // each function ends where a line begins with }
        const char *stop = strstr(at, "\n}");
        if (!stop || (behind && stop >= behind)) stop = behind ? behind - 1 : at + strlen(at);
        const int n = lab_settings_of(at, stop, set);
        for (int i = 0; i < n && n < LAB_MOST_SET; i++)
            if (set[i].op == '=' && tell(text, at, set, n, &set[i], sentence, size)) return LAB_HINT_CAUSE;
        at = *stop ? stop + 2 : stop;
    }
    return LAB_HINT_NONE;
}
