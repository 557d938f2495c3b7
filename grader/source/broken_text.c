// broken_text.c: which brace or semicolon is missing in a file that does not compile.
//
// A compiler that misses a } reads the next function as a part of the one before it, and complains about all that follow.
// Two things in the text say more: a function begins in column 1, and a } stands under the line of its {.
#include "broken_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "broken_names.h"
#include "source_lines.h"

enum { DEEPEST = 64, SHOWN = 5 };

typedef struct {
    int line[DEEPEST], indent[DEEPEST];  // of the lines that hold the open {
    int depth;
    int odd;  // a { whose } is not in its place: the first
    char function[64];
} nest;

// Does the line hold that?
static int has(const char *line, const char *sign) {
    const char *at = line ? strstr(line, sign) : NULL;
    return at && at < line + strcspn(line, "\n");
}

// The word before the first parenthesis: "row_max"; "" if there is none.
static void name_function(const char *line, char *name, size_t size) {
    const size_t length = strcspn(line, "\n");
    const char *open = memchr(line, '(', length);
    name[0] = 0;
    while (open && strncmp(open - (open - line >= 17 ? 17 : 0), "__launch_bounds__", 17) == 0)
        open = memchr(open + 1, '(', length - (size_t)(open + 1 - line));
    const char *end = open;
    while (end && end > line && end[-1] == ' ') end--;
    const char *start = end;
    while (start && start > line && lab_is_word(start[-1])) start--;
    if (start) snprintf(name, size, "%.*s", (int)(end - start), start);
}

// extern "C" { and namespace { hold functions: their brace counts for nothing.
static int holds_functions(const char *line) {
    const size_t length = strcspn(line, "\n");
    return (strncmp(line, "extern", 6) == 0 || strncmp(line, "namespace", 9) == 0) && !memchr(line, '(', length) &&
           memchr(line, '{', length);
}

// The braces of one line. Returns 1, and says so, if one of them closes more than is open.
static int read_braces(nest *n, const char *line, int number, char *sentence, size_t size) {
    const int indent = (int)strspn(line, " \t");
    for (const char *c = line; *c && *c != '\n'; c++) {
        if (*c == '{' && n->depth < DEEPEST) n->line[n->depth] = number, n->indent[n->depth++] = indent;
        if (*c != '}') continue;
        if (!n->depth || (n->depth == 1 && c == line + indent && indent > n->indent[0])) {
            snprintf(sentence, size, "the } of line %d %s%s: there is one } too many, or a { is missing above it",
                     number, n->depth ? "ends the function " : "closes nothing", n->depth ? n->function : "");
            return 1;
        }
        n->depth--;
        if (c == line + indent && indent < n->indent[n->depth] && !n->odd) n->odd = n->line[n->depth];
    }
    return 0;
}

static int say_open(const nest *n, int number, const char *inner, char *sentence, size_t size) {
    const int opened = n->odd ? n->odd : n->depth > 1 ? n->line[n->depth - 1] : 0;
    char where[64] = "", inside[128] = "";
    if (opened && opened != n->line[0]) snprintf(where, sizeof where, ", perhaps of the { in line %d", opened);
    if (number) snprintf(inside, sizeof inside, ": line %d begins %.60s inside of it", number, inner);
    snprintf(sentence, size, "a } is missing in %s%s begins in line %d%s%s",
             *n->function ? n->function : "the function", *n->function ? ", which" : " that", n->line[0], where,
             inside);
    return 1;
}

static int braces(const char *text, char *sentence, size_t size) {
    nest n = {.depth = 0};
    int number = 1, holders = 0, other = 0;  // other: in a second branch, of which the first one counts
    for (const char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL, number++) {
        const size_t length = strcspn(line, "\n");
        if (!other && strncmp(line, "#el", 3) == 0)
            other = 1;
        else if (other && *line == '#')
            other += (strncmp(line, "#if", 3) == 0) - (strncmp(line, "#endif", 6) == 0);
        if (other) continue;
        if (*line == '#' || (holds_functions(line) && ++holders)) continue;
        const int begins = lab_is_word(*line) && length && line[length - 1] != ':' && memchr(line, '(', length);
        if (n.depth && begins && !memchr(line, ';', length)) {
            char inner[64];
            name_function(line, inner, sizeof inner);
            return *inner && say_open(&n, number, inner, sentence, size);
        }
        if (begins && !n.depth) name_function(line, n.function, sizeof n.function), n.odd = 0;
        if (!n.depth && *line == '}' && holders > 0 && holders--) continue;
        if (read_braces(&n, line, number, sentence, size)) return !strstr(text, "#el");
    }
    return n.depth && say_open(&n, 0, "", sentence, size);
}

static const char *end_of_line(const char *line) {
    const char *end = line + strcspn(line, "\n");
    while (end > line && isspace((unsigned char)end[-1])) end--;
    return end;
}

// A line that ends in a value, and a next one that goes on with what may be an operator: "x = f(y)" "*l += x;". nvcc says
// of any next line that it expected a semicolon there; gcc does so behind a declaration.
static int semicolon(const char *text, const char *error, int line, char *sentence, size_t size) {
    static const char *const heads[] = {"if", "for", "while", "switch", "else", "do"};
    const char *here = lab_line_at(text, line), *above = NULL;
    int number = line;
    const int expected = has(error, "expected a \";\"") || has(error, "expected ',' or ';' before");
    if (!here || (!expected && !strchr("*&-+([", here[strspn(here, " \t")]))) return 0;
    do above = lab_line_at(text, --number);
    while (above && number > 1 && end_of_line(above) == above);
    if (!above || number < 1) return 0;
    const char *start = above + strspn(above, " \t"), *end = end_of_line(above);
    if (end == start || *start == '#' || (!lab_is_word(end[-1]) && end[-1] != ')' && end[-1] != ']')) return 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (lab_has_word(start, end, heads[i])) return 0;
    int open = 0;
    for (const char *c = start; c < end; c++) open += (*c == '(') - (*c == ')');
    if (open) return 0;
    snprintf(sentence, size, "perhaps a ; is missing at the end of line %d", number);
    return 1;
}

// "for (...)" and below it "float sum = 0;": a declaration alone is nothing to repeat.
static int declared_alone(const char *text, const char *error, int line, char *sentence, size_t size) {
    static const char *const heads[] = {"for", "while", "if", "else"};
    const char *above = has(error, "expected expression before '") ? lab_line_at(text, line - 1) : NULL;
    if (!above || memchr(above, '{', strcspn(above, "\n")) || !strchr(above, '\n')) return 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (lab_has_word(above, end_of_line(above), heads[i]))
            return snprintf(sentence, size, "line %d: are braces { } missing behind the %s?", line - 1, heads[i]) > 0;
    return 0;
}

// "if (threadIdx.x = 0)": what cannot be set is meant to be compared.
static int set_in_condition(const char *text, const char *error, int line, char *sentence, size_t size) {
    const char *here = has(error, "lvalue") ? lab_line_at(text, line) : NULL, *end = here ? end_of_line(here) : NULL;
    if (!here || !(lab_has_word(here, end, "if") || lab_has_word(here, end, "while"))) return 0;
    const char *open = memchr(here, '(', (size_t)(end - here)), *close = open ? lab_matching(open) : NULL;
    for (const char *c = open; close && c < close && c < end; c++)
        if (*c == '=' && c[1] != '=' && !strchr("=!<>+-*/%&|^", c[-1]))
            return snprintf(sentence, size, "line %d: = sets a variable, and == compares: is == meant?", line) > 0;
    return 0;
}

// Is this a "float *M" of the text, or "*M" in a list of such? "tile_row *M" may point to rows.
static int points_to_numbers(const char *text, const char *name, size_t length) {
    for (const char *at = text; (at = strchr(at, '*')); at++) {
        if (strncmp(at + 1, name, length) || lab_is_word(at[1 + length])) continue;
        const char *end = at;
        while (end > text && strchr(" *,", end[-1])) end--;
        const char *start = end;
        while (start > text && lab_is_word(start[-1])) start--;
        if (at[-1] == ' ' && end[0] == ',' && start > text && start[-1] == '*') return 1;
        if (lab_has_word(start, end, "float") || lab_has_word(start, end, "double")) return 1;
    }
    return 0;
}

// M[r][c] of a float *M: a number, M[r], has no index.
static int two_indices(const char *text, const char *error, int line, char *sentence, size_t size) {
    const int has_one = has(error, "for array subscript") || has(error, "subscripted value is n") ||
                        has(error, "expression must have pointer-to-object type");
    const char *here = has_one ? lab_line_at(text, line) : NULL, *end = here ? end_of_line(here) : NULL;
    for (const char *at = here; at && at < end; at++) {
        const char *open = at, *name;
        if (strncmp(at, "][", 2)) continue;
        while (open > here && *open != '[') open--;
        for (name = open; name > here && lab_is_word(name[-1]);) name--;
        if (name < open && points_to_numbers(text, name, (size_t)(open - name)))
            return snprintf(sentence, size,
                            "line %d: %.*s points to numbers that lie row after row, and takes one index: the row "
                            "times the length of a row, and the column",
                            line, (int)(open - name), name) > 0;
    }
    return 0;
}

int lab_broken_text(const char *text, const char *error, int line, char *sentence, size_t size) {
    sentence[0] = 0;
    if (has(error, "undefined reference")) return lab_broken_name(text, error, line, sentence, size);
    return braces(text, sentence, size) || (line > 1 && semicolon(text, error, line, sentence, size)) ||
           (line > 1 && declared_alone(text, error, line, sentence, size)) ||
           (line && set_in_condition(text, error, line, sentence, size)) ||
           (line && two_indices(text, error, line, sentence, size)) ||
           lab_broken_name(text, error, line, sentence, size);
}

int lab_error_line(const char *log, const char *file, const char **error) {
    if (error) *error = NULL;
    for (const char *at = log; (at = strstr(at, file)); at++) {
        const char *rest = at + strlen(file), *end = rest + strcspn(rest, "\n"), *says = strstr(rest, "error"),
                   *unknown = strstr(rest, "undefined reference");
        if (!says || says >= end) says = unknown;
        if ((*rest != ':' && *rest != '(') || !isdigit((unsigned char)rest[1]) || !says || says >= end) continue;
        if (error) *error = says;
        return atoi(rest + 1);
    }
    return 0;
}

static int is_error(const char *line) {
    if (strncmp(line, "collect2: ", 10) == 0) return 0;  // the linker has said what before
    return has(line, ": error: ") || has(line, ": fatal error: ") || has(line, ": Error: ") || has(line, "): error") ||
           has(line, ": undefined reference to ");
}

// Does the compiler, or the linker, begin to speak of something else?
static int begins(const char *line) {
    return is_error(line) || has(line, ": warning: ") || has(line, ": note: ") || !strncmp(line, "collect2: ", 10) ||
           has(line, "): warning") || has(line, ": In ") || has(line, ": At ") || has(line, "In file included") ||
           has(line, "error detected") || has(line, "errors detected");
}

void lab_show_first_error(const char *log, FILE *out) {
    int shown = 0, errors = 0, inside = 0;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (begins(line)) inside = is_error(line) && !errors;
        errors += is_error(line);
        if (inside && shown++ < SHOWN) fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
    if (!errors) fputs(log, out);
    if (errors > 1) fprintf(out, "  Errors after this one, which may follow from it: %d\n", errors - 1);
}
