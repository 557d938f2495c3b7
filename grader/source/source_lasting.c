// source_lasting.c: what goes on from round to round of a loop, or from call to call of a function. For source_*.c.
#include "source_lasting.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "source_lines.h"
#include "source_members.h"

// A block keeps the whole text where a loop keeps its condition.
enum { LONGEST = LAB_LONGEST_WORD, LONGEST_BLOCK = 8000 };

int lab_root_of(const lab_setting *s, char root[LONGEST]) {
    const char *end = s->left;
    while (lab_is_word(*end)) end++;
    return lab_copy_word(s->left, end, root);
}

int lab_word_of(const lab_setting *s, char word[LONGEST]) {
    const char *end = s->left_end, *first;
    int depth = 0;
    while (end > s->left && (end[-1] == ']' || depth)) end--, depth += *end == ']', depth -= *end == '[';
    for (first = end; first > s->left && lab_is_word(first[-1]);) first--;
    return lab_copy_word(first, end, word);
}

int lab_is_same_setting(const lab_setting *a, const lab_setting *b) {
    char root[2][LONGEST], last[2][LONGEST];
    if (!lab_root_of(a, root[0]) || !lab_root_of(b, root[1]) || strcmp(root[0], root[1])) return 0;
    return lab_word_of(a, last[0]) == lab_word_of(b, last[1]) && !strcmp(last[0], last[1]);
}

static int is_number(const char *text, const char *word) {
    return lab_is_word_at(text, word, "float") || lab_is_word_at(text, word, "double") ||
           lab_is_word_at(text, word, "int");
}

int lab_is_declared(const lab_loop *l, const char *root) {
    for (const char *at = l->body; at < l->end; at++) {
        const char *end, *word = at, *list;
        if (!lab_is_word(*at) || isdigit((unsigned char)*at) || lab_is_word(at[-1])) continue;
        while (lab_is_word(*at)) at++;
        if (*at != ' ' || (!lab_is_word(at[1]) && !(at[1] == '*' && is_number(l->body, word))) ||
            lab_is_word_at(l->body, word, "return") || lab_is_word_at(l->body, word, "else"))
            continue;
        list = at + 1;
        for (int i = 0; (word = lab_in_list(list, list + strcspn(list, ";{}"), i, &end)); i++)
            if (lab_is_word_at(l->body, lab_skip_blanks(word), root)) return 1;
    }
    return 0;
}

// c of "for (int c = 0; ...)" within the loop: it takes the same values in each round.
static int is_counter(const lab_loop *l, const char *name) {
    for (const char *at = l->body; (at = strstr(at, "for (")) && at < l->end; at++) {
        const char *first = at + strlen("for ("), *set = first + strcspn(first, "=;)");
        while (set > first && set[-1] == ' ') set--;
        while (first < set && !lab_is_word_at(l->body, first, name)) first++;
        if (*set == ' ' && first + strlen(name) == set) return 1;
    }
    return 0;
}

// Is there a name between these places that has another value in each round?
static int varies(const lab_loop *l, const char *from, const char *to) {
    char name[LONGEST];
    for (const char *at = from; at < to; at++) {
        const char *end = at;
        while (end < to && lab_is_word(*end)) end++;
        if (end == at) continue;
        const int is_member = at[-1] == '.' || at[-1] == '>';
        if (!is_member && lab_copy_word(at, end, name) &&
            (!strcmp(name, l->name) || (lab_is_declared(l, name) && !is_counter(l, name))))
            return 1;
        at = end - 1;
    }
    return 0;
}

// "float *o = all + i * D" in the loop over i: it leads elsewhere in each round.
static int is_led_on(const lab_loop *l, const char *root) {
    char made[2][LONGEST + 4];
    snprintf(made[0], sizeof made[0], "*%s = ", root), snprintf(made[1], sizeof made[1], "&%s = ", root);
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(l->body, made[i]), *end = at ? at + strcspn(at, ",;") : NULL;
        if (at && at < l->end && varies(l, at + strlen(made[i]), end)) return 1;
    }
    return 0;
}

// A function of the file, none of whose parameters is a pointer or a reference: "float factor(float from, float to)".
static int takes_numbers(const char *text, const char *name, size_t n) {
    for (const char *at = text; (at = strchr(at, '(')); at++) {
        if ((size_t)(at - text) < n || strncmp(at - n, name, n) || lab_is_word(at[-(ptrdiff_t)n - 1])) continue;
        const char *close = lab_matching(at);
        if (close && *lab_skip_blanks(close + 1) == '{') return strcspn(at, "*&[") > (size_t)(close - at);
    }
    return 0;
}

// An argument of a function that takes numbers and gives one back.
static int is_of_numbers(const lab_loop *l, const char *at) {
    const char *open = lab_bracket_around(l->body, at), *first = open;
    if (!open) return 0;
    while (first > l->body && lab_is_word(first[-1])) first--;
    return first < open &&
           (!lab_calls_unknown(NULL, first, open + 1) || takes_numbers(l->condition, first, (size_t)(open - first)) ||
            !strncmp(first, "fma", 3) || !strncmp(first, "__shfl", 6));
}

static int is_one_word(const char *a, const char *b) {
    while (lab_is_word(*a) && *a == *b) a++, b++;
    return !lab_is_word(*a) && !lab_is_word(*b);
}

// The first member of x.y or x->y begins here; NULL: there is none.
static const char *member_at(const char *at) { return *at == '.' ? at + 1 : !strncmp(at, "->", 2) ? at + 2 : NULL; }

// It is handed to a function, whole or as an element: nobody knows what that does to it. Another member is another thing.
static int is_handed_on(const lab_loop *l, const char *root, const char *member) {
    for (const char *at = l->body; (at = strstr(at, root)) && at < l->end; at++) {
        const char *end = at + strlen(root), *before = at;
        const char *other = member_at(end);
        if (!lab_is_word_at(l->body, at, root) || (member && other && !is_one_word(member, other))) continue;
        while (*end == '[' || *end == '.' || !strncmp(end, "->", 2)) {
            end = *end == '[' ? lab_behind_bracket(end) : end + 1 + (*end == '-');
            while (lab_is_word(*end)) end++;
        }
        while (before > l->body && before[-1] == ' ') before--;
        if (before[-1] == '&' && before[-2] != '&') return 1;
        if (strchr("(,", before[-1]) && strchr(",)", *lab_skip_blanks(end)) && !is_of_numbers(l, at)) return 1;
    }
    return 0;
}

// The innermost loop around this place.
static int loop_around(const char *text, const char *place, lab_loop *found) {
    lab_loop l;
    int n = 0;
    lab_loops_begin();
    for (const char *at = lab_function_of(text, place); (at = lab_next_loop(text, at, &l)) && l.at < place;)
        if (l.body < place && place < l.end) *found = l, n++;
    return n > 0;
}

// Of a function in a class: does a loop call it on the same object in each round? x of "x.add(p, v)", its own of "add(p, v)".
static int is_called_on(const lab_loop *l) {
    char value[LONGEST];
    lab_loop around;
    const char *call = lab_argument_of(l->condition, l->at, 0, value), *object = call;
    while (object && object > l->condition && (lab_is_word(object[-1]) || strchr(".->[]", object[-1]))) object--;
    return call && loop_around(l->condition, call, &around) && !varies(&around, object, call);
}

// Of a function: what it is given, where the loop that calls it hands on the same in each round.
static int is_given(const lab_loop *l, const lab_setting *s) {
    char root[LONGEST], value[LONGEST];
    lab_loop around;
    if (!lab_is_of_calls(l) || !lab_root_of(s, root)) return !lab_is_of_calls(l);
    const int number = lab_parameter_of(l->at, root);
    if (number < 0) return lab_is_member(l->condition, l->at, root) && is_called_on(l);
    const char *call = number < 0 ? NULL : lab_argument_of(l->condition, l->at, number, value);
    return call && !strpbrk(value, "+[") && loop_around(l->condition, call, &around) &&
           !varies(&around, value, value + strlen(value)) && !is_led_on(&around, value + (*value == '&'));
}

int lab_is_kept(const lab_loop *l, const lab_setting *s) {
    char root[LONGEST];
    return lab_root_of(s, root) && (lab_is_of_calls(l) || !varies(l, s->left + strlen(root), s->left_end)) &&
           is_given(l, s) && !lab_is_declared(l, root) && !is_led_on(l, root) &&
           !is_handed_on(l, root, member_at(s->left + strlen(root)));
}

// The function in this line, as a loop in whose rounds it is called.
static int calls_of(const char *text, const char *line, lab_loop *l) {
    char name[LONGEST];
    const size_t length = strcspn(line, "\n");
    const int is_head = lab_is_word(*line) && memchr(line, '(', length) && !memchr(line, ';', length);
    const char *open = is_head ? strchr(line, '{') : NULL;
    if (!open || !lab_name_of_function(line, name)) return 0;
    *l = (lab_loop){.at = line, .body = open, .end = lab_behind_bracket(open), .condition = text, .name = "?"};
    return 1;
}

// for (NAME = ...; ...; ...) with any step, or while: "!" is no name.
static int loop_at(const char *text, const char *at, lab_loop *l) {
    const int is_for = lab_is_word_at(text, at, "for");
    if (!is_for && !lab_is_word_at(text, at, "while")) return 0;
    const char *open = at + strcspn(at, "(;{}"), *close = *open == '(' ? lab_matching(open) : NULL;
    if (!close) return 0;
    *l =
        (lab_loop){.at = at, .condition = text, .body = close + 1, .end = lab_end_of_statement(close + 1), .name = "!"};
    const char *set = open + strcspn(open, "=;)"), *end = set, *name;
    while (end > open && end[-1] == ' ') end--;
    for (name = end; lab_is_word(name[-1]);) name--;
    if (is_for && *set == '=') lab_copy_word(name, end, l->name);
    return 1;
}

int lab_blocks_of(const char *text, int from, int to, lab_loop all[LAB_MOST_BLOCKS]) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    int n = 0;
    for (const char *at = start; at && *at && (!behind || at < behind) && n < LAB_MOST_LOOPS; at++)
        n += at > text && loop_at(text, at, &all[n]);
    for (const char *at = lab_line_at(text, from); at && *at && from <= to && n < LAB_MOST_BLOCKS; from++) {
        n += calls_of(text, at, &all[n]);
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    }
    for (int i = 0; i < n; i++)
        if (all[i].end - all[i].body > LONGEST_BLOCK) all[i--] = all[--n];
    return n;
}
