// source_kinds.c: lines that make a mask, take a root or an exponential, send numbers on, ask for a length: by their words.
#include "source_kinds.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "source_lines.h"
#include "source_loops.h"

int lab_has_text(const char *at, const char *end, const char *text) {
    const size_t n = strlen(text);
    for (; at + n <= end; at++)
        if (!memcmp(at, text, n)) return 1;
    return 0;
}

void lab_add_line(lab_lines *all, int line) {
    if (all->n < 2 * LAB_MOST_LINES && (!all->n || all->line[all->n - 1] != line)) all->line[all->n++] = line;
}

lab_lines lab_lines_that(const char *text, lab_is_line *is_it) {
    lab_lines all = {.n = 0};
    int line = 1;
    for (const char *at = text; *at; line++) {
        const char *end = at + strcspn(at, "\n");
        if (is_it(at, end)) lab_add_line(&all, line);
        at = end + (*end == '\n');
    }
    return all;
}

void lab_say_lines(const lab_lines *all, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "line%s %d", all->n > 1 ? "s" : "", all->line[0]);
    for (int i = 1; i < all->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i + 1 < all->n ? ", " : " and ", all->line[i]);
}

// The flag is asked, not declared, and nothing is refused.
int lab_asks_for_causal(const char *at, const char *end) {
    const int asks = lab_has_text(at, end, "if") || lab_has_text(at, end, "?") || lab_has_text(at, end, "&&");
    return asks && lab_has_word(at, end, "causal") && !lab_has_text(at, end, "ATTN_") &&
           !(lab_has_text(at, end, "seq_q > ") && !lab_has_text(at, end, "INFINITY"));
}

int lab_sends_numbers(const char *at, const char *end) {
    return lab_has_text(at, end, "shfl_") && !lab_has_text(at, end, "#define");
}

// sqrtf(x), pow(x, -0.5)
const char *lab_root_in(const char *at, const char *end) {
    for (const char *c = at; c < end; c++)
        if (!strncmp(c, "sqrt(", 5) || !strncmp(c, "sqrtf(", 6) ||
            (!strncmp(c, "pow", 3) && lab_has_text(c, c + strcspn(c, ";\n"), "0.5")))
            return c;
    return NULL;
}

int lab_takes_root(const char *at, const char *end) { return lab_root_in(at, end) != NULL; }

// One exponential is the weight, the other one rescales.
int lab_takes_exponential(const char *at, const char *end) {
    return lab_has_text(at, end, "exp(") || lab_has_text(at, end, "expf(") || lab_has_text(at, end, "exp2f(");
}

int lab_takes_logarithm(const char *at, const char *end) {
    static const char *const calls[] = {"log(", "logf(", "log2(", "log2f(", "log10f(", "log1pf(", NULL};
    for (int i = 0; calls[i]; i++)
        if (lab_has_text(at, end, calls[i])) return 1;
    return 0;
}

// static float pow2(float x) {: a function of the file's own, of one float.
int lab_makes_exponential(const char *at, const char *end) {
    static const char *const others[] = {"abs", "sqrt", "log", "gelu", "half", NULL};
    const char *open = memchr(at, '(', (size_t)(end - at)), *close = memchr(at, ')', (size_t)(end - at));
    for (int i = 0; others[i]; i++)
        if (lab_has_text(at, end, others[i])) return 0;
    return open && close && open < close && lab_has_text(at, open, "float ") && lab_has_text(open, close, "float ") &&
           !memchr(open, ',', (size_t)(close - open)) && !memchr(open, '*', (size_t)(close - open)) &&
           end - close > 2 && close[2] == '{';
}

int lab_takes_power_of_2(const char *at, const char *end) { return lab_has_text(at, end, "exp2"); }

// "if (x > top) top = x", "top = x > top ? x : top": what is compared is set, too.
static int keeps_larger(const char *at, const char *end) {
    for (const char *than = at; (than = memchr(than, '>', (size_t)(end - than))); than++) {
        const char *name = than + 1 + strspn(than + 1, " "), *behind = name;
        while (lab_is_of_name(*behind)) behind++;
        const size_t n = (size_t)(behind - name);
        for (const char *set = at; n && set + n + 3 < end; set++)
            if (!memcmp(set, name, n) && !memcmp(set + n, " = ", 3) && (set == at || !lab_is_of_name(set[-1])))
                return 1;
    }
    return 0;
}

// "float top = -INFINITY;" begins one. "row[j] = -INFINITY", "if (j > i) s = -INFINITY" and "? -INFINITY :" hide a score.
static int begins_maximum(const char *at, const char *end) {
    static const char *const least[] = {" = -INFINITY", " = -FLT_MAX"};
    for (int i = 0; i < 2; i++) {
        const char *set = strstr(at, least[i]);
        if (set && set > at && set < end && lab_is_word(set[-1]) && !lab_has_text(at, end, "if ")) return 1;
    }
    return 0;
}

int lab_looks_for_maximum(const char *at, const char *end) {
    return lab_has_text(at, end, "max(") || lab_has_text(at, end, "fmaxf(") || keeps_larger(at, end) ||
           begins_maximum(at, end);
}

// max(a.m, b.m), fmaxf(m[t], m[t + w]): of two parts, where they are joined. p: its (.
static int is_of_two_parts(const char *p, const char *end) {
    const char *comma = p + 1 + strcspn(p + 1, ",()\n"), *first = lab_skip_blanks(p + 1);
    const char *second = *comma == ',' ? lab_skip_blanks(comma + 1) : end;
    const char *close = second + strcspn(second, ",()\n"), *dot = comma, *other = close;
    if (comma >= end || close >= end || *close != ')') return 0;
    const size_t base = strcspn(first, "[,"), same = strncmp(first, second, base + 1) == 0;
    if (first[base] == '[') return same;
    while (dot > first && lab_is_word(dot[-1])) dot--;
    while (other > second && lab_is_word(other[-1])) other--;
    const int fields = dot > first && other > second && strchr(".>", dot[-1]) && strchr(".>", other[-1]);
    return fields && comma - dot == close - other && !strncmp(dot, other, (size_t)(comma - dot));
}

int lab_joins_maxima(const char *at, const char *end) {
    for (const char *p = at; (p = strstr(p, "max")) && p < end; p++) {
        const char *open = p + 3 + (p[3] == 'f');
        if (*open == '(' && is_of_two_parts(open, end)) return !lab_has_text(at, end, "exp");
    }
    return 0;
}

// A sum of products over a name: "(o * f + p * v) / l".
static int is_sum_over(const char *set, const char *slash) {
    while (slash > set && slash[-1] == ' ') slash--;
    const char *open = set + 1 + strspn(set + 1, " ");
    return slash[-1] == ')' && *open == '(' && lab_matching(open) == slash - 1 && lab_has_text(open, slash, " * ") &&
           lab_has_text(open, slash, " + ");
}

// "p = s[j] / l", of an element of floats: "int n = count[b] / 2" has the word for what it is.
static int is_of_element(const char *set, const char *slash) {
    while (slash > set && slash[-1] == ' ') slash--;
    return slash[-1] == ']';
}

// scale(o, 1.0f / l, n), add(o, v, p[j] / l, n): an argument of a call that stands alone is such a quotient.
static int hands_on_quotient(const char *at, const char *end) {
    static const char *const others[] = {"sqrt", "int ", "size_t ", "+ ", "- 1", "<<<", "if ", "return", NULL};
    for (const char *c = at + 1; c + 2 < end; c++) {
        const char *left = c, *open = c, *right = c + 2;
        if (*c != '/' || c[-1] != ' ' || c[1] != ' ' || !lab_is_word(*right) || isdigit((unsigned char)*right))
            continue;
        while (left > at && *left != ',' && *left != '(') left--;
        while (right < end && (lab_is_of_name(*right) || *right == '['))
            right += *right == '[' ? strcspn(right, "]") + 1 : 1;
        if (*left != ',' || (*right != ',' && *right != ')')) continue;
        for (int deep = 0; open > at && (deep || *open != '('); open--)
            deep += *open == ')' ? 1 : *open == '(' ? -1 : 0;
        const int is_call = open > at && lab_is_of_name(open[-1]),
                  is_real = c[-2] == ']' || lab_has_text(left, c, "1.0f ") || lab_has_text(left, c, "1.f ") ||
                            lab_has_text(left, c, " 1 ");
        int other = 0;
        for (int i = 0; others[i]; i++) other |= lab_has_text(left, right, others[i]);
        if (is_call && is_real && !other) return 1;
    }
    return 0;
}

// By a number that is no constant, in what is stored: "o / l", "1.0f / l", "p /= l". (a + b - 1) / b counts tiles, and s /
// root scales.
int lab_divides(const char *at, const char *end) {
    at += strspn(at, " ");
    for (const char *close; !strncmp(at, "for (", 5) && (close = lab_matching(at + 4)) && close < end;)
        at = close + 1 + strspn(close + 1, " ");  // what the loop does, in the same line
    if (at == end) return 0;
    const char *set = at;
    while (set < end && !(*set == '=' && set[1] != '=' && !strchr("=<>!", set[-1]))) set++;
    if (hands_on_quotient(at, end)) return 1;
    if (set == end || lab_has_text(at, end, "sqrt") || lab_has_text(at, end, "- 1") || lab_has_text(at, end, "-1)"))
        return 0;
    const int element = lab_has_text(at, set, "]") || lab_has_text(at, set, "*"),
              whole = lab_has_text(at, set, "int ") || lab_has_text(at, set, "size_t ");
    for (const char *c = set - 1; c < end; c++) {
        const char *by = c + 1 + (c[1] == '=');
        while (*by == ' ' || *by == '(') by++;
        if (*c == '/' && lab_is_word(*by) && !isdigit((unsigned char)*by) && !whole && strncmp(by, "root", 4))
            if (element || is_of_element(set, c) || is_sum_over(set, c) || lab_has_text(set, c, "1.0f") ||
                lab_has_text(set, c, "1.f") || lab_has_text(set, c, " 1 "))
                return 1;
    }
    return 0;
}

// "row[j] = acc[u][v];": an element becomes an element, as it is.
int lab_copies_element(const char *at, const char *end) {
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

int lab_asks_for_length(const char *at, const char *end) { return lab_has_text(at, end, "lengths["); }

// A place % max_seq, of a member or a parameter of that name.
int lab_wraps_round(const char *at, const char *end) {
    for (; (at = memchr(at, '%', (size_t)(end - at))); at++)
        if (lab_has_word(at, at + strcspn(at, "];,\n"), "max_seq")) return 1;
    return 0;
}

// "i = blockIdx.x + t * gridDim.x": blocks take numbers in turn. With two of its coordinates a block is counted.
int lab_takes_turns(const char *at, const char *end) {
    static const char *const block[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"}, *const grid[] = {"gridDim.x",
                                                                                                    "gridDim.y",
                                                                                                    "gridDim.z"};
    int blocks = 0, of_blocks = 0;
    for (int axis = 0; axis < 3; axis++) {
        blocks += lab_has_text(at, end, block[axis]);
        of_blocks += lab_has_text(at, end, block[axis]) && lab_has_text(at, end, grid[axis]);
    }
    return blocks == 1 && of_blocks == 1;
}

// "if (begin >= end) return;", in a kernel: and not where the cache is full, or the thread has no dim.
int lab_leaves_without_keys(const char *at, const char *end) {
    static const char *const others[] = {"max_seq", "slot", "threadIdx", "D", "d", "head_dim", "t", "tid", NULL};
    const int leaves = lab_has_text(at, end, "return;") && lab_has_word(at, end, "if");
    for (int i = 0; leaves && others[i]; i++)
        if (lab_has_word(at, end, others[i])) return 0;
    return leaves;
}

int lab_says_bad_shape(const char *at, const char *end) { return lab_has_text(at, end, "ATTN_BAD_SHAPE"); }

int lab_says_cache_full(const char *at, const char *end) { return lab_has_text(at, end, "ATTN_CACHE_FULL"); }

// A call, and not the function itself.
static int calls(const char *at, const char *end, const char *name) {
    return lab_has_text(at, end, name) && !lab_has_text(at, end, "attn_status attn_") && !lab_has_text(at, end, "//");
}

int lab_calls_sdpa(const char *at, const char *end) { return calls(at, end, "attn_sdpa("); }

int lab_calls_softmax(const char *at, const char *end) {
    return calls(at, end, "attn_softmax_rows(") || calls(at, end, "attn_softmax_batched(");
}

int lab_moves_heads(const char *at, const char *end) {
    return calls(at, end, "attn_split_heads(") || calls(at, end, "attn_merge_heads(");
}

// What is compared with the room of a sequence.
int lab_asks_for_room(const char *at, const char *end) {
    return lab_has_word(at, end, "max_seq") && (lab_has_text(at, end, " < ") || lab_has_text(at, end, " > ") ||
                                                lab_has_text(at, end, " <= ") || lab_has_text(at, end, " >= "));
}

// "m[r] = -INFINITY, l[r] = 0;": a maximum begins so, and beside it its sum, with the same subscript. set: behind the ].
static int begins_with_sum(const char *at, const char *set, const char *end) {
    const char *next = *end ? end + 1 + strcspn(end + 1, "\n") : end, *open = set;
    while (open > at && *open != '[') open--;
    const size_t n = (size_t)(set - open);
    for (const char *zero = set; n && (zero = strstr(zero, " = 0")) && zero < next; zero++)
        if ((size_t)(zero - set) > n && !strncmp(zero - n, open, n)) return 1;
    return 0;
}

// "S[at] = -INFINITY;", "row[j] = j > last ? -INFINITY : s;", "*p = -INFINITY;": an element gets it.
int lab_hides_score(const char *at, const char *end) {
    const char *set = strstr(at, " = "), *from = set;
    if (!set || set >= end || !lab_has_text(set, end, "-INFINITY") || begins_with_sum(at, set, end)) return 0;
    while (from > at && lab_is_of_name(from[-1])) from--;
    return set > at &&
           (set[-1] == ']' || (from > at && from[-1] == '*' && (from == at + 1 || strchr(" (;{", from[-2]))));
}
