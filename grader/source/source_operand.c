// source_operand.c: of a product that takes A or B otherwise than it is stored, the lines that read it: from the function of
// the task's header on, under the names that it has in what that calls and launches.
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"
#include "source_settings.h"

enum { OF_A = 1, OF_B = 2, NT = 1, NN = 2, BOTH = 3, DEEPEST = 4 };

static const struct {
    const char *cause;
    int operands, products;
} causes[] = {{"A taken as [k, m]", OF_A, BOTH},
              {"A and B read by columns", OF_A | OF_B, BOTH},
              {"rows of A that begin every m numbers, and rows of B every", OF_A | OF_B, BOTH},
              {"A B in place of A B^T", OF_B, NT},
              {"A B^T in place of A B", OF_B, NN},
              {"the A and B of batch 0", OF_A | OF_B, BOTH},
              {"the A of batch 0", OF_A, BOTH},
              {"the B of batch 0", OF_B, BOTH},
              {"tiles of A (", OF_A, BOTH},
              {"tiles of B (", OF_B, BOTH},
              {"the first tile of A in every", OF_A, BOTH},
              {"the first tile of B in every", OF_B, BOTH},
              {"a tile of A that begins where", OF_A, BOTH},
              {"a tile of B that begins where", OF_B, BOTH}};

typedef struct {
    const char *text;
    lab_lines lines;
} taken;

// In the order of the text, each once.
static void add(taken *t, const char *at) {
    const int line = lab_line_of(t->text, at);
    lab_lines *l = &t->lines;
    int i = l->n;
    for (int k = 0; k < l->n; k++)
        if (l->line[k] == line) return;
    if (l->n == 2 * LAB_MOST_LINES) return;
    for (; i > 0 && l->line[i - 1] > line; i--) l->line[i] = l->line[i - 1];
    l->line[i] = line, l->n++;
}

// Where the function of this name is written. NULL: it is not the file's.
static const char *written(const char *text, const char *name) {
    char other[LAB_LONGEST_WORD];
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *function = lab_is_word_at(text, at, name) ? lab_function_of(text, at) : NULL;
        const char *body = function ? strpbrk(function, "{;") : NULL;
        if (body && *body == '{' && at < body && lab_name_of_function(function, other) && !strcmp(other, name))
            return function;
    }
    return NULL;
}

// f of "f(x, " and "f<true><<<grid, block>>>(x, ".
static int called(const char *text, const char *open, char name[LAB_LONGEST_WORD]) {
    const char *end = open;
    if (end > text + 3 && !strncmp(end - 3, ">>>", 3))
        for (end -= 3; end > text && strncmp(end, "<<<", 3);) end--;
    if (end > text && end[-1] == '>')
        for (end--; end > text && *end != '<';) end--;
    const char *start = end;
    while (start > text && lab_is_word(start[-1])) start--;
    return start < end && lab_copy_word(start, end, name);
}

// The last word before the = of this statement: the name that gets what stands at this place, in "v = {A, n}" too. 0: it is
// no setting.
static int name_of(const char *from, const char *at, char name[LAB_LONGEST_WORD]) {
    const char *set = at;
    while (set > from && !strchr(";{}=", *set)) set--;
    if (*set == '{' && set > from + 2 && !strncmp(set - 2, "= {", 3)) set -= 2;
    if (*set != '=' || strchr("=<>!+-*/", set[-1])) return 0;
    const char *end = set, *start;
    while (end > from && end[-1] == ' ') end--;
    for (start = end; start > from && lab_is_word(start[-1]);) start--;
    return start < end && lab_copy_word(start, end, name);
}

// x[...], *x, and v(i, j) of a view
static int is_read(const char *at, const char *behind) {
    if (*behind == '[') return at[-1] != '&';
    if (*behind == '(') return 1;
    return at[-1] == '*' && strchr(" (-", at[-2]) && *behind != ' ';
}

static void follow(taken *t, const char *function, int number, int depth);

static void follow_call(taken *t, const char *from, const char *at, int depth) {
    char name[LAB_LONGEST_WORD];
    const char *open = lab_bracket_around(t->text, at), *end, *argument;
    if (!open || open < from || *open != '(' || !called(t->text, open, name)) return;
    const char *function = written(t->text, name), *close = lab_matching(open);
    for (int i = 0; function && close && (argument = lab_in_list(open + 1, close, i, &end)); i++)
        if (at >= argument && at < end) follow(t, function, i, depth + 1);
}

// What a function does with its parameter of that number.
static void follow(taken *t, const char *function, int number, int depth) {
    const char *body = strchr(function, '{'), *stop = body ? strstr(body, "\n}") : NULL, *end;
    const char *open = body ? memchr(function, '(', (size_t)(body - function)) : NULL;
    while (open && !strncmp(open - 2, "__", 2)) open = strchr(lab_behind_bracket(open), '(');  // __launch_bounds__(32)
    const char *given = open ? lab_in_list(open + 1, lab_matching(open), number, &end) : NULL, *name = end;
    lab_names names = {.n = 0};
    if (!given || !stop || depth > DEEPEST) return;
    while (name > given && lab_is_word(name[-1])) name--;
    lab_add_word(name, end, &names);
    for (const char *at = body; at < stop; at++) {
        if (!lab_is_word(*at) || lab_is_word(at[-1])) continue;
        const char *behind = at;
        char other[LAB_LONGEST_WORD];
        while (lab_is_word(*behind)) behind++;
        if (!lab_has_one_of(at, behind, &names)) continue;
        if (is_read(at, behind))
            add(t, at);
        else if (*lab_skip_blanks(behind) != '=' && name_of(body, at, other))
            lab_add_word(other, other + strlen(other), &names), add(t, at);
        else
            follow_call(t, body, at, depth);
    }
}

lab_lines lab_lines_of_operand(const char *text, const char *cause, const char **operands) {
    static const char *const product[] = {"attn_gemm_nt", "attn_gemm_nn"}, *const said[] = {"A", "B", "A and B"};
    taken t = {.text = text, .lines = {.n = 0}};
    for (size_t i = 0; i < sizeof causes / sizeof *causes && strstr(cause, "matches "); i++) {
        if (!strstr(cause, causes[i].cause)) continue;
        for (int p = 0; p < 2; p++) {
            const char *function = causes[i].products >> p & 1 ? written(text, product[p]) : NULL;
            for (int o = 0; function && o < 2; o++)
                if (causes[i].operands >> o & 1) follow(&t, function, 1 + o, 0);
        }
        *operands = said[causes[i].operands - 1];
        break;
    }
    if (t.lines.n > LAB_MOST_LINES + 1) t.lines.n = 0;
    return t.lines;
}
