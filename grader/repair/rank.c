// rank.c: the likelier change.
#define _GNU_SOURCE
#include "rank.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ELSEWHERE = 100, LARGER = 15, SHARED = 60, SEVERAL = 30, EACH_ROUND = 3, CLEARED = 8, COLUMNS = 15 };
enum { NEVER = 16 };  // an if that never holds: a slip in what it does is likelier
enum { ALWAYS = 8, WIDER = 6, COPIED = 12 };
enum { BOUND = 10, CONSTANTS = 60, NESTED = 16, MIXED = 10, TURNED = 8, GUARD = 20 };

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static int is_word(char c) { return c == '_' || isalnum((unsigned char)c); }

// 4 * c + 4 < D, d + VEC < D: what ends with its last element is whole up to <= D. Of one, i + 1, it may be the next one that
// is asked for.
static int ends_piece(const lab_edit *e) {
    int end = e->column - 1 - e->indent;
    if (!is(e->was, "<") || end <= 0 || end >= (int)strlen(e->whole)) return 0;
    while (end > 0 && e->whole[end - 1] == ' ') end--;
    int first = end, before;
    while (first > 0 && is_word(e->whole[first - 1])) first--;
    for (before = first; before > 0 && e->whole[before - 1] == ' ';) before--;
    const int capital = e->whole[first] >= 'A' && e->whole[first] <= 'Z', size = atoi(e->whole + first) > 1 || capital;
    return first < end && size && before > 0 && e->whole[before - 1] == '+';
}

// What lets a loop or a bound run one further often satisfies the claims and is not meant: rounding up is.
static int grows(const lab_edit *e) {
    const int comparison = (is(e->was, "<") && is(e->now, "<=")) || (is(e->was, ">") && is(e->now, ">="));
    const size_t n = strlen(e->now);
    const int one_off = is(e->kind, "one off") && n > 3;
    const size_t at = e->column > e->indent ? (size_t)(e->column - 1 - e->indent) : 0;
    const int next = is(e->kind, "constant") && atoi(e->was) && atoi(e->now) == atoi(e->was) + 1;  // < 129 is <= 128
    if (next && at > 1 && at < strlen(e->whole) && (e->whole[at - 1] == '<' || e->whole[at - 2] == '<')) return 1;
    if (lab_is_jump(e->whole))  // if (slot > most) return; is meant as >=, rather than as > most - 1
        return one_off && is(e->now + n - 3, "- 1") && strpbrk(e->whole, "<>");
    return (comparison && !ends_piece(e)) || (one_off && is(e->now + n - 3, "+ 1"));
}

// `x - 0` and `x * 1` are x, which says it better. What `?:` chooses is a number of its own.
static int is_nothing(const lab_edit *e) {
    int at = e->column - 1 - e->indent;
    if (!is(e->kind, "constant") || (!is(e->now, "1") && !is(e->now, "0"))) return 0;
    if (at <= 0 || at > (int)strlen(e->whole)) return is(e->now, "0");
    while (at > 0 && e->whole[at - 1] == ' ') at--;
    if (at > 0 && strchr("?:", e->whole[at - 1])) return 0;
    if (is(e->now, "0")) return at < 2 || e->whole[at - 1] != '=' || e->whole[at - 2] != ' ';  // failed = 1 is no sum
    return at > 0 && strchr("*/", e->whole[at - 1]) != NULL;
}

// A loop that ends where two conditions hold goes on with || as if there were one: another operator in it is meant.
static int loses_end(const lab_edit *e) {
    return is(e->was, "&&") && is(e->now, "||") && (starts(e->whole, "for") || starts(e->whole, "while"));
}

// failed ? ATTN_NO_MEMORY : ATTN_OK that asks the other way round: most often it is the flag that is wrong.
static int turns_status(const lab_edit *e) {
    const int turns = is(e->kind, "negation") || (is(e->kind, "exchanged") && starts(e->was, "ATTN_"));
    return turns && starts(e->whole, "return ") && strstr(e->whole, "? ATTN_");
}

// l > 0 ? p / seen : 0 that becomes seen > 0 ? p / l : 0: it asks for nothing else, and what is divided by is wrong alone.
static int exchanges_guard(const lab_edit *e) {
    const char *asks = is(e->kind, "exchanged") ? strchr(e->was, '?') : NULL;
    return asks && strncmp(e->was, e->now, (size_t)(asks - e->was)) != 0;
}

// a && b && c that becomes a || b && c, without parentheses: a condition too many is likelier.
static int mixes(const lab_edit *e) {
    const int to_or = is(e->was, "&&") && is(e->now, "||"), to_and = is(e->was, "||") && is(e->now, "&&");
    const char *first = to_or || to_and ? strstr(e->whole, e->was) : NULL;
    return first && strstr(first + 2, e->was);
}

// a = b; that is missing before what reads a: where b in its place mends, too, that is meant.
static int copies(const lab_edit *e) {
    char a[64], b[64], rest[4];
    return !*e->was && sscanf(e->now, "%63[A-Za-z0-9_] = %63[A-Za-z0-9_]%3s", a, b, rest) == 3 && !strcmp(rest, ";") &&
           is_word(*b) && !strpbrk(b, ".") && (*b < '0' || *b > '9');
}

static int is_usual(const lab_edit *e) {
    return is(e->kind, "rounded up") || is(e->kind, "cut off") || is(e->kind, "remembered");
}

// A barrier in every round of a loop, where one behind it is enough.
static int is_in_each_round(const lab_edit *e) {
    return !strncmp(e->now, "__syncthreads", 13) && !strncmp(e->end_of, "the loop", 8);
}

// for (...) m = fmaxf(m, s[c]); : lanes put together what they have found behind the loop, rather than in each round.
static int reduces_in_each_round(const lab_edit *e) { return is(e->kind, "reducer") && starts(e->whole, "for"); }

// Where a sum is set to 0, another index or value only hides that it is set there once too often, or nowhere.
static int alters_clearing(const lab_edit *e) {
    static const char *const zeros[] = {"= 0", "= 0.0f", "= 0.f", "= 0.0f;", "= 0;"};
    const size_t n = strlen(e->whole);
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        const size_t length = strlen(zeros[i]);
        if (n > length && is(e->whole + n - length, zeros[i])) return *e->was && *e->now && strcmp(e->was, e->now) != 0;
    }
    return 0;
}

// The last subscript, tx, counts along a row of memory; with [tx][ty] neighbours read a column. Of a tile that is loaded
// transposed that hides the load.
int lab_reads_columns(const lab_edit *e) {
    static const char *const rows[] = {"ty][tx", "threadIdx.y][threadIdx.x"};
    static const char *const columns[] = {"tx][ty", "threadIdx.x][threadIdx.y"};
    const char *left = strchr(e->whole, '=');
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(e->whole, rows[i]);
        if (at && left && at < left && is(e->was, rows[i]) && is(e->now, columns[i])) return 1;
    }
    return 0;
}

// BM, TILE, 32: a size that is written down.
static int is_size(const char *text) {
    const size_t n = strlen(text);
    return n && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == n;
}

// Where a loop over the numbers of a tile ends with the size of another: with more rounds than numbers some are loaded
// twice, which passes, and hides an index that is divided by the wrong one.
static int is_other_size_of_bound(const lab_edit *e) {
    const char *first = starts(e->whole, "for") ? strchr(e->whole, ';') : NULL;
    const char *second = first ? strchr(first + 1, ';') : NULL;
    const int at = e->column - 1 - e->indent;
    return second && at > first - e->whole && at < second - e->whole && is_size(e->was) && is_size(e->now);
}

// The same constant in several lines may be two things: a warp's lanes, and a step over them.
static int is_constant_in_several(const lab_edit *e) {
    const size_t n = strlen(e->was);
    return *e->also && n && strspn(e->was, "0123456789 .()[]") == n;
}

// Memory is given back, and shared memory is asked for: simt needs neither.
static int drops_call(const lab_edit *e) {
    return !*e->now && (starts(e->was, "free(") || strstr(e->was, "cudaFree") || strstr(e->was, "cudaFuncSet"));
}

// A status is no longer asked for.
static int forgets_status(const lab_edit *e) { return !*e->now && lab_is_check(e->was); }

// i + 1 < n: where neither is meant, it is i rather than i - 1.
static int turns_one_round(const lab_edit *e) {
    const int at = e->column - e->indent;
    const int turned = (is(e->was, "+") && is(e->now, "-")) || (is(e->was, "-") && is(e->now, "+"));
    if (!turned || at < 1 || at >= (int)strlen(e->whole)) return 0;
    const char *behind = e->whole + at + strspn(e->whole + at, " ");
    return *behind == '1' && !is_word(behind[1]) && behind[1] != '.';
}

// f(x) that becomes f(g(x)) or g(f(x)): the sum of a maximum is none, and g in place of f is meant where that mends, too.
static int nests_calls(const lab_edit *e) {
    const size_t name = strcspn(e->now, "("), was = strlen(e->was), now = strlen(e->now);
    const int at = e->column - 1 - e->indent, wraps = is(e->kind, "call") && now == name + was + 2 && was;
    if (!wraps || strncmp(e->now + name + 1, e->was, was)) return 0;
    const size_t own = strcspn(e->was, "(");
    const int around = at > 1 && at < (int)strlen(e->whole) && e->whole[at - 1] == '(' && is_word(e->whole[at - 2]);
    return around || (own && own < was && is_word(e->was[own - 1]) && e->was[was - 1] == ')');
}

// if (tid < half) becomes if (tid < half + n): more threads go on than there is room for, before a limit that is too
// narrow for another reason.
static int widens(const lab_edit *e) {
    const size_t n = strlen(e->was);
    const int condition = starts(e->whole, "if") || starts(e->whole, "for") || starts(e->whole, "while");
    return condition && is(e->kind, "habit") && n && !strncmp(e->was, e->now, n) && starts(e->now + n, " + ");
}

// With another size of a shape no tile becomes as large as the sequence.
// How many tiles there are is no size of one: rounded up, it is what was meant.
static int shared(const lab_edit *e) {
    const int likely = is(e->kind, "size") || is(e->kind, "rounded up");
    return !e->shared ? 0 : likely ? SHARED / 2 : SHARED;
}

// Of two that stand at the same place and mend the same, the one that writes less is meant. Where one line is enough,
// that is the wrong one; another size of a tile hides what is wrong elsewhere.
int lab_edit_rank(const lab_edit *e, const char *todo) {
    const int more = *e->was && !is_usual(e) ? (int)strlen(e->now) - (int)strlen(e->was) : 0;
    return e->rank + (more > 0 ? more / 2 : 0) + (is(e->kind, "always") ? ALWAYS : 0) +
           (is(e->kind, "never") ? NEVER : 0) + (widens(e) ? WIDER : 0) +
           (grows(e) || is_nothing(e) || loses_end(e) ? LARGER : 0) + shared(e) +
           (is_in_each_round(e) ? EACH_ROUND : 0) + (reduces_in_each_round(e) ? COPIED : 0) + (copies(e) ? COPIED : 0) +
           (alters_clearing(e) ? CLEARED : 0) + (*e->also ? SEVERAL : 0) + (is_other_size_of_bound(e) ? BOUND : 0) +
           (is_constant_in_several(e) || e->each == 2 ? CONSTANTS : 0) + (lab_reads_columns(e) ? COLUMNS : 0) +
           (nests_calls(e) ? NESTED : 0) + (mixes(e) ? MIXED : 0) + (forgets_status(e) ? LARGER : 0) +
           (drops_call(e) ? LAB_LAST_SAID : 0) + (turns_one_round(e) || turns_status(e) ? TURNED : 0) +
           (exchanges_guard(e) ? GUARD : 0) + (todo && *e->todo && strcmp(todo, e->todo) ? ELSEWHERE : 0);
}

int lab_only_goes_on(const lab_edit *e) {
    const int larger = !strcasecmp(e->was, "min") && !strcasecmp(e->now, "max");
    const int unlimited = *e->now && is(e->kind, "left out") && (starts(e->was, "min(") || starts(e->was, "MIN("));
    return larger || unlimited ||
           (!*e->now && starts(e->was, "if") && (strstr(e->was, "break;") || strstr(e->was, "min(")));
}

// A known mistake of a sum is no reason for a product, nor the other way round; and a sum that is added before it has
// its terms is switched off.
int lab_spoils_sum(const lab_edit *e) {
    const int sum = is(e->was, "+=") || is(e->was, "-="), product = is(e->was, "*=") || is(e->was, "/=");
    const int early = is(e->was, e->now) && strstr(e->was, " += ") && starts(e->kind, "before line ") &&
                      atoi(e->kind + strlen("before line ")) < e->line;
    return early || (sum && (is(e->now, "*=") || is(e->now, "/="))) ||
           (product && (is(e->now, "+=") || is(e->now, "-=")));
}

// `a < b ? a : b` in a function called imin is right, and so is the larger one in imax.
static int is_right_helper(const lab_edit *e) {
    char a[24], sign[3], b[24], c[24], d[24];
    const char *at = strstr(e->whole, "return ");
    const int least = strcasestr(e->function, "min") != NULL, most = strcasestr(e->function, "max") != NULL;
    if (least == most || !at ||
        sscanf(at, "return %23[A-Za-z0-9_] %2[<>=] %23[A-Za-z0-9_] ? %23[A-Za-z0-9_] : %23[A-Za-z0-9_];", a, sign, b, c,
               d) != 5)
        return 0;
    const int smaller = (*sign == '<') == is(a, c);
    return ((is(a, c) && is(b, d)) || (is(a, d) && is(b, c))) && smaller == least;
}

// Is the name here, with the struct that has it, no part of a comparison or a number? In `j > Bc ? ...` it is one.
static int stands_alone(const char *whole, const char *at) {
    for (int n = 1; n; at -= n)
        n = at - whole > 1 && starts(at - 2, "->") ? 2 : at > whole && (is_word(at[-1]) || at[-1] == '.');
    while (at > whole && at[-1] == ' ') at--;
    if (at == whole) return 1;
    return !strchr("<>+-*/%", at[-1]) && !(at[-1] == '=' && at - whole > 1 && strchr("=!<>", at[-2]));
}

// The tile that the caller asks for, or the default.
static int chooses_tile(const lab_edit *e) {
    static const char *const asked[] = {"?", "== 0 ?", "> 0 ?", "!= 0 ?", "<= 0 ?", "< 1 ?", ">= 1 ?"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        for (const char *at = e->whole; (at = strchr(at, 'B')); at++)
            if ((at[1] == 'r' || at[1] == 'c') && at[2] == ' ' && starts(at + 3, asked[i]) &&
                stands_alone(e->whole, at))
                return 1;
    return 0;
}

// In for (d = 0; d < D; d++) O[d] = 0, another number in place of d where the loop ends: it then runs in some rounds of a
// loop around it alone, which hides that it stands in there.
static int skips_clearing(const lab_edit *e) {
    const char *first = starts(e->whole, "for (") ? strchr(e->whole, ';') : NULL,
               *end = first ? strchr(first + 1, ';') : NULL;
    const char *value = end ? strrchr(end, '=') : NULL;
    const int at = e->column - 1 - e->indent;
    if (!value || strspn(value + 1, " 0.f;") != strlen(value + 1) || !strchr(value, '0')) return 0;
    return at > first - e->whole && at < end - e->whole && strpbrk(e->now, "*+/%");
}

int lab_hides(const lab_edit *e) { return chooses_tile(e) || (e->shared && is_right_helper(e)) || skips_clearing(e); }

// Does it stand where a launch says how many threads a block has: f<<<blocks, threads, bytes, stream>>>(arguments)?
static int counts_threads(const lab_edit *e) {
    const char *at = strstr(e->whole, "<<<"), *place = e->whole + (e->column - 1 - e->indent);
    int argument = 0, depth = 0;
    for (at = at ? at + 3 : NULL; at && *at && at < place && !starts(at, ">>>"); at++) {
        depth += (*at == '(') - (*at == ')');
        argument += *at == ',' && depth == 0;
    }
    return at && at == place && argument == 1;
}

int lab_starts_fewer(const lab_edit *e) {
    const int fewer = is(e->kind, "left out") && strstr(e->was, e->now) && strchr(e->was, '*');
    const int one = is(e->kind, "constant") && is(e->now, "1");
    return counts_threads(e) && (fewer || one);
}
