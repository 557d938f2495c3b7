// cause_places.c: numbers prove a cause, and a file of one's own has no TODO that says where. Its text has few lines that
// make a mask, take a root or send numbers from thread to thread: those of that cause are named.
#include "call_tables.h"
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 3 };

typedef struct {
    int line[2 * MOST], n;
} lines;

typedef int is_of_cause(const char *at, const char *end);

static int has_text(const char *at, const char *end, const char *text) {
    const size_t n = strlen(text);
    for (; at + n <= end; at++)
        if (!memcmp(at, text, n)) return 1;
    return 0;
}

static void add(lines *all, int line) {
    if (all->n < 2 * MOST && (!all->n || all->line[all->n - 1] != line)) all->line[all->n++] = line;
}

static lines collect(const char *text, is_of_cause *is_it) {
    lines all = {.n = 0};
    int line = 1;
    for (const char *at = text; *at; line++) {
        const char *end = at + strcspn(at, "\n");
        if (is_it(at, end)) add(&all, line);
        at = end + (*end == '\n');
    }
    return all;
}

// The flag is asked, not declared, and nothing is refused.
static int asks_for_causal(const char *at, const char *end) {
    const int asks = has_text(at, end, "if") || has_text(at, end, "?") || has_text(at, end, "&&");
    return asks && lab_has_word(at, end, "causal") && !has_text(at, end, "ATTN_") &&
           !(has_text(at, end, "seq_q > ") && !has_text(at, end, "INFINITY"));
}

static int sends_numbers(const char *at, const char *end) {
    return has_text(at, end, "shfl_") && !has_text(at, end, "#define");
}

static int takes_root(const char *at, const char *end) {
    return has_text(at, end, "sqrt(") || has_text(at, end, "sqrtf(");
}

static void say_lines(const lines *all, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "line%s %d", all->n > 1 ? "s" : "", all->line[0]);
    for (int i = 1; i < all->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i + 1 < all->n ? ", " : " and ", all->line[i]);
}

// The name that gets the root: "" where none does.
static void name_of_root(const char *at, char name[32]) {
    const char *end = at + strcspn(at, "\n"), *set = NULL, *root = strstr(at, "sqrt");
    *name = 0;
    for (const char *c = at + 1; c < end - 1 && root && c < root; c++)  // the last one: "for (int j = 0; ...) x = "
        if (*c == '=' && !strchr("=<>!+-*/", c[-1]) && c[1] != '=') set = c;
    if (!set) return;
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
static lines readers(const char *text, const char *set, const char *name) {
    lines all = {.n = 0};
    const char *function = lab_function_of(text, set), *at = set + strcspn(set, "\n");
    for (int line = lab_line_of(text, set) + 1; *at; line++) {
        at++;
        const char *end = at + strcspn(at, "\n");
        if (lab_function_of(text, at) != function) break;
        if (lab_has_word(at, end, name)) add(&all, line);
        at = end;
    }
    return all;
}

// The root, or what reads the number that was made of it.
static int say_scale(const char *text, char *sentence, size_t size) {
    const lines roots = collect(text, takes_root);
    char name[32] = "", where[120], read[120];
    if (roots.n > MOST) return 0;
    if (!roots.n) return snprintf(sentence, size, "no line of the file takes a square root") > 0;
    say_lines(&roots, where, sizeof where);
    const char *set = lab_line_at(text, roots.line[0]);
    if (roots.n == 1) name_of_root(set, name);
    if (*name && is_reference(text, set, name)) *name = 0;
    const lines uses = *name ? readers(text, set, name) : roots;
    if (!*name || uses.n > MOST) return snprintf(sentence, size, "the root is taken in %s", where) > 0;
    if (!uses.n)
        return snprintf(sentence, size, "line %d makes %s of the root, and no line behind it reads it", roots.line[0],
                        name) > 0;
    say_lines(&uses, read, sizeof read);
    return snprintf(sentence, size, "line %d makes %s of the root, and it is used in %s", roots.line[0], name, read) >
           0;
}

// The roots, and what reads the number that was made of the only one.
static lines scale_of(const char *text) {
    char name[32] = "";
    lines all = collect(text, takes_root);
    if (all.n == 1) name_of_root(lab_line_at(text, all.line[0]), name);
    const lines uses = *name ? readers(text, lab_line_at(text, all.line[0]), name) : (lines){.n = 0};
    for (int i = 0; i < uses.n; i++) add(&all, uses.line[i]);
    return all;
}

// One exponential is the weight, the other one rescales.
static int takes_exponential(const char *at, const char *end) {
    return has_text(at, end, "exp(") || has_text(at, end, "expf(") || has_text(at, end, "exp2f(");
}

static int takes_power_of_2(const char *at, const char *end) { return has_text(at, end, "exp2"); }

static int looks_for_maximum(const char *at, const char *end) {
    return has_text(at, end, "max(") || has_text(at, end, "fmaxf(") || has_text(at, end, "-INFINITY") ||
           has_text(at, end, "FLT_MAX");
}

// By a number that is no constant, in what is stored: "o / l", "1.0f / l", "p /= l". (a + b - 1) / b counts tiles.
static int divides(const char *at, const char *end) {
    const char *set = at;
    while (set < end && !(*set == '=' && set[1] != '=' && !strchr("=<>!", set[-1]))) set++;
    if (set == end || has_text(at, end, "sqrt") || has_text(at, end, "- 1") || has_text(at, end, "-1)")) return 0;
    const int element = has_text(at, set, "]") || has_text(at, set, "*"), whole = has_text(at, set, "int ");
    for (const char *c = set - 1; c < end; c++) {
        const char *by = c + 1 + (c[1] == '=');
        while (*by == ' ' || *by == '(') by++;
        if (*c == '/' && lab_is_word(*by) && !isdigit((unsigned char)*by) && !whole)
            if (element || has_text(set, c, "1.0f") || has_text(set, c, "1.f") || has_text(set, c, " 1 ")) return 1;
    }
    return 0;
}

// "row[j] = acc[u][v];": an element becomes an element, as it is.
static int copies_element(const char *at, const char *end) {
    const char *set = at + 1;
    while (set < end && !(*set == '=' && set[-1] == ' ' && set[1] == ' ')) set++;
    if (set >= end || set - at < 2 || set[-2] != ']') return 0;
    const char *of = set + 2;
    while (of < end && lab_is_of_name(*of)) of++;
    if (of == set + 2 || *of != '[') return 0;
    while (of < end && *of == '[') {
        const char *close = lab_closing(of);
        if (!close || close > end) return 0;
        of = close + 1;
    }
    return *of == ';';
}

static int asks_for_length(const char *at, const char *end) { return has_text(at, end, "lengths["); }

// A place % max_seq, of a member or a parameter of that name.
static int wraps_round(const char *at, const char *end) {
    for (; (at = memchr(at, '%', (size_t)(end - at))); at++)
        if (lab_has_word(at, at + strcspn(at, "];,\n"), "max_seq")) return 1;
    return 0;
}

static int says_bad_shape(const char *at, const char *end) { return has_text(at, end, "ATTN_BAD_SHAPE"); }

static int says_cache_full(const char *at, const char *end) { return has_text(at, end, "ATTN_CACHE_FULL"); }

// A call, and not the function itself.
static int calls(const char *at, const char *end, const char *name) {
    return has_text(at, end, name) && !has_text(at, end, "attn_status attn_") && !has_text(at, end, "//");
}

static int calls_sdpa(const char *at, const char *end) { return calls(at, end, "attn_sdpa("); }

static int moves_heads(const char *at, const char *end) {
    return calls(at, end, "attn_split_heads(") || calls(at, end, "attn_merge_heads(");
}

// What is compared with the room of a sequence.
static int asks_for_room(const char *at, const char *end) {
    return lab_has_word(at, end, "max_seq") && (has_text(at, end, " < ") || has_text(at, end, " > ") ||
                                                has_text(at, end, " <= ") || has_text(at, end, " >= "));
}

static const struct {
    const char *word;
    is_of_cause *is_it;
    const char *says;
} kinds[] = {{"other places of a tile", copies_element, "elements go from one array to another, as they are, in"},
             {"heads and seq exchanged", calls_sdpa, "the file calls attn_sdpa in"},
             {"project X, then split", moves_heads, "the file splits or merges heads in"},
             {"merge O, then project", moves_heads, "the file splits or merges heads in"},
             {"projected by Wo first", moves_heads, "the file splits or merges heads in"},
             {LAB_KINDS_WERE_ASKED, says_bad_shape, "the file says ATTN_BAD_SHAPE in"},
             {"refuse, with ATTN_BAD_SHAPE", says_bad_shape, "the file says ATTN_BAD_SHAPE in"},
             {"refuses, with ATTN_BAD_SHAPE", says_bad_shape, "the file says ATTN_BAD_SHAPE in"},
             {"refuse, with ATTN_CACHE_FULL", asks_for_room, "the file asks for room in"},
             {"refuses, with ATTN_CACHE_FULL", asks_for_room, "the file asks for room in"},
             {"refuse, with ATTN_CACHE_FULL", says_cache_full, "the file says ATTN_CACHE_FULL in"},
             {"refuses, with ATTN_CACHE_FULL", says_cache_full, "the file says ATTN_CACHE_FULL in"},
             {"taken for a ring", wraps_round, "a slot is taken % max_seq in"},
             {"mask", asks_for_causal, "the file asks whether it is causal in"},
             {"each warp has its own", sends_numbers, "threads hand numbers on in"},
             {"shuffle", sends_numbers, "threads hand numbers on in"},
             {"causal", asks_for_causal, "the file asks whether it is causal in"},
             {"rescaled", takes_exponential, "the file takes exponentials in"},
             {"2^x", takes_power_of_2, "the file takes powers of 2 in"},
             {"exp overflows", takes_exponential, "the file takes exponentials in"},
             {"exp(", takes_exponential, "the file takes exponentials in"},
             {"exponential", takes_exponential, "the file takes exponentials in"},
             {"divi", divides, "the file divides in"},
             {"maximum", looks_for_maximum, "the file looks for a maximum in"},
             {" max ", looks_for_maximum, "the file looks for a maximum in"},
             {"lengths", asks_for_length, "the file reads or sets a length in"}};

static int is_scale(const char *cause) { return strstr(cause, "sqrt(") || strstr(cause, "a scale "); }

// A cause that numbers have; or a call that is refused, or is not.
static int is_of_numbers(const char *cause) {
    return strstr(cause, "matches") || strstr(cause, "exp overflows") || !strncmp(cause, "a guess, which ", 15);
}

static char hidden[16];  // the number that hides, as a cause says it

static int has_hidden(const char *at, const char *end) {
    for (const char *c = at; (c = strstr(c, hidden)) && c < end; c++)
        if (!isdigit((unsigned char)c[strlen(hidden)])) return 1;
    return 0;
}

static const char *lines_of(const char *text, const char *cause, lines *found) {
    if ((!is_of_numbers(cause) && !strstr(cause, " refuse")) || strstr(cause, "(line ")) return NULL;
    const char *of = strstr(cause, "masked scores of -");
    if (of && sscanf(of, "masked scores of %15[-0-9.]:", hidden) == 1) {
        *found = collect(text, has_hidden);
        if (found->n && found->n <= MOST) return "this number stands in";
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *found = strstr(cause, kinds[i].word) ? collect(text, kinds[i].is_it) : (lines){.n = 0};
        if (found->n && found->n <= MOST) return kinds[i].says;
    }
    return NULL;
}

// "lengths[b] = n;" where n is a parameter: the line that hands it on.
static int say_call(const char *text, const lines *found, char *sentence, size_t size) {
    for (int i = 0; i < found->n; i++) {
        const char *at = strstr(lab_line_at(text, found->line[i]), "lengths["), *set = at ? strchr(at, ']') : NULL;
        char name[LAB_LONGEST_WORD], value[LAB_LONGEST_WORD];
        if (!set || strncmp(set, "] = ", 4) || !lab_copy_word(set + 4, set + strcspn(set, ";\n"), name)) continue;
        const char *line = lab_line_at(text, found->line[i]), *function = lab_function_of(text, at);
        if (lab_is_word(*line)) function = line;  // all of it in one line
        const int number = lab_parameter_of(function, name);
        const char *call = number < 0 ? NULL : lab_argument_of(text, function, number, value);
        if (call)
            return snprintf(sentence, size, "line %d sets a length to its %s, for which line %d hands on %s",
                            found->line[i], name, lab_line_of(text, call), value) > 0;
    }
    return 0;
}

int lab_place_of_cause(const char *text, const char *cause, char *sentence, size_t size) {
    char where[120];
    lines found;
    if (text && is_scale(cause) && is_of_numbers(cause)) return say_scale(text, sentence, size);
    const char *says = text ? lines_of(text, cause, &found) : NULL;
    if (!says) return 0;
    if (strstr(says, "a length") && say_call(text, &found, sentence, size)) return 1;
    say_lines(&found, where, sizeof where);
    return snprintf(sentence, size, "%s %s", says, where) > 0;
}

void lab_lines_of_cause(const char *text, const char *cause, char *list, size_t size) {
    lines found = {.n = 0};
    size_t used = 0;
    list[0] = 0;
    if (is_scale(cause))
        found = scale_of(text);
    else if (!lines_of(text, cause, &found))
        return;
    for (int i = 0; i < found.n && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%d", i ? "," : "", found.line[i]);
}
