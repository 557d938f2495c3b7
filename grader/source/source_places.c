// source_places.c: numbers prove a cause, and a file of one's own has no TODO that says where. Its text has few lines that
// make a mask, take a root or send numbers from thread to thread: those of that cause are named.
#include "source_calls.h"
#include "source_hints.h"
#include "source_kinds.h"
#include "source_lines.h"
#include "source_loops.h"
#include "source_settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_tables.h"
#include "wrong_rows.h"

#define LARGEST_ALONE "matches all weight for the largest"
#define LENGTH_OF_ROW "the square root of the sum"
#define A_SOFTMAX_OF_EACH "a whole softmax of each tile"

enum { ALONE = 3 };  // so many causes have lines of their kind, or none

static const struct {
    const char *word;
    lab_is_line *is_it;
    const char *says;
} kinds[] = {{LARGEST_ALONE, lab_keeps_place, "the file keeps the place of what is larger in"},
             {LENGTH_OF_ROW, lab_takes_length, "a root is taken in"},
             {"rescaled nowhere", lab_looks_for_maximum, "the file looks for a maximum in"},
             {"matches L_s = ", lab_takes_logarithm, "the file takes logarithms in"},
             {"shared out by two rules", lab_takes_turns, "blocks take numbers in turn in"},
             {"other places of a tile", lab_copies_element, "elements go from one array to another, as they are, in"},
             {"heads and seq exchanged", lab_calls_sdpa, "the file calls attn_sdpa in"},
             {"project X, then split", lab_moves_heads, "the file splits or merges heads in"},
             {"merge O, then project", lab_moves_heads, "the file splits or merges heads in"},
             {"projected by Wo first", lab_moves_heads, "the file splits or merges heads in"},
             {LAB_KINDS_WERE_ASKED, lab_says_bad_shape, "the file says ATTN_BAD_SHAPE in"},
             {LAB_ROOM_WAS_ASKED, lab_asks_for_room, "the file asks for room in"},
             {LAB_ROOM_WAS_ASKED, lab_says_cache_full, "the file says ATTN_CACHE_FULL in"},
             {"refuse, with ATTN_BAD_SHAPE", lab_says_bad_shape, "the file says ATTN_BAD_SHAPE in"},
             {"refuses, with ATTN_BAD_SHAPE", lab_says_bad_shape, "the file says ATTN_BAD_SHAPE in"},
             {"refuse, with ATTN_CACHE_FULL", lab_asks_for_room, "the file asks for room in"},
             {"refuses, with ATTN_CACHE_FULL", lab_asks_for_room, "the file asks for room in"},
             {"refuse, with ATTN_CACHE_FULL", lab_says_cache_full, "the file says ATTN_CACHE_FULL in"},
             {"refuses, with ATTN_CACHE_FULL", lab_says_cache_full, "the file says ATTN_CACHE_FULL in"},
             {"no block returns before", lab_leaves_without_keys, "a block leaves in"},
             {"taken for a ring", lab_wraps_round, "a slot is taken % max_seq in"},
             {"after the exponentials are summed", lab_takes_exponential, "the file takes exponentials in"},
             {LAB_LANDED_MASK, lab_hides_score, "the file hides scores in"},
             {"mask", lab_asks_for_causal, "the file asks whether it is causal in"},
             {"each warp has its own", lab_sends_numbers, "threads hand numbers on in"},
             {"shuffle", lab_sends_numbers, "threads hand numbers on in"},
             {"hidden keys that are in l", lab_asks_for_causal, "the file asks whether it is causal in"},
             {"causal", lab_asks_for_causal, "the file asks whether it is causal in"},
             {"kept for all later ones", lab_looks_for_maximum, "the file looks for a maximum in"},
             {"one maximum for", lab_looks_for_maximum, "the file looks for a maximum in"},
             {"a division by the number", lab_divides, "the file divides in"},
             {A_SOFTMAX_OF_EACH, lab_divides, "the file divides in"},
             {"exponentials divided by", lab_divides, "the file divides in"},
             {"count from a maximum of their own", lab_joins_maxima, "the file takes the larger of two maxima in"},
             {"rescaled", lab_takes_exponential, "the file takes exponentials in"},
             {"in place of exp(x)", lab_makes_exponential, "the file has a function of one float in"},
             {"2^x", lab_takes_power_of_2, "the file takes powers of 2 in"},
             {"exp overflows", lab_takes_exponential, "the file takes exponentials in"},
             {"exp(", lab_takes_exponential, "the file takes exponentials in"},
             {"exponential", lab_takes_exponential, "the file takes exponentials in"},
             {"divi", lab_divides, "the file divides in"},
             {"maximum", lab_looks_for_maximum, "the file looks for a maximum in"},
             {" max ", lab_looks_for_maximum, "the file looks for a maximum in"},
             {"lengths", lab_asks_for_length, "the file reads or sets a length in"}};

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

static const char *lines_of(const char *text, const char *cause, lab_lines *found) {
    if ((!is_of_numbers(cause) && !strstr(cause, " refuse")) || strstr(cause, "(line ")) return NULL;
    if (strstr(cause, "by one sum over all rows")) {           // of a row's exponentials none is wrong
        if (!strstr(cause, "over all rows of ")) return NULL;  // the softmax itself has it, not who calls it
        *found = lab_lines_that(text, lab_calls_softmax);
        return found->n && found->n <= LAB_MOST_LINES ? "the file calls a softmax in" : NULL;
    }
    if (strstr(cause, "a multiplication by the sum") || strstr(cause, "begin anew where")) return NULL;  // nor here
    const char *of = strstr(cause, "masked scores of -");
    if (of && sscanf(of, "masked scores of %15[-0-9.]:", hidden) == 1) {
        *found = lab_lines_that(text, has_hidden);
        if (found->n && found->n <= LAB_MOST_LINES) return "this number stands in";
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *found = strstr(cause, kinds[i].word) ? lab_lines_that(text, kinds[i].is_it) : (lab_lines){.n = 0};
        if (found->n && found->n <= LAB_MOST_LINES) return kinds[i].says;
        if (i < ALONE && strstr(cause, kinds[i].word)) return NULL;  // the exponentials are right
    }
    return NULL;
}

// "lengths[b] = n;" where n is a parameter: the line that hands it on.
static int say_call(const char *text, const lab_lines *found, char *sentence, size_t size) {
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

// A function of the file's own looks for it: who calls it says of which numbers.
static int say_caller(const char *text, const lab_lines *found, char *sentence, size_t size) {
    char name[LAB_LONGEST_WORD], first[LAB_LONGEST_WORD], where[120], from[120];
    const char *function = lab_function_of(text, lab_line_at(text, found->line[0]));
    lab_lines calls = {.n = 0};
    for (int i = 1; i < found->n; i++)
        if (lab_function_of(text, lab_line_at(text, found->line[i])) != function) return 0;
    if (!lab_argument_of(text, function, 0, first) || !lab_name_of_function(function, name) ||
        !strncmp(name, "attn_", 5))
        return 0;
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if (lab_is_word_at(text, at, name) && at[n] == '(' && lab_function_of(text, at) != function)
            lab_add_line(&calls, lab_line_of(text, at));
    if (!calls.n || calls.n > LAB_MOST_LINES) return 0;
    lab_say_lines(&calls, where, sizeof where), lab_say_lines(found, from, sizeof from);
    return snprintf(sentence, size, "%s call%s %s, which looks for a maximum in %s", where, calls.n > 1 ? "" : "s",
                    name, from) > 0;
}

// "o += p / l[r]" in a tile whose l[r] begins with 0: the line that divides, and the one above it that sets l.
static int say_begun(const char *text, int line, char *sentence, size_t size) {
    const char *at = lab_line_at(text, line), *end = at + strcspn(at, "\n"), *slash = end;
    while (slash > at && !(*slash == '/' && slash[1] != '/' && slash[-1] != '/')) slash--;
    const char *name = slash + 1 + (slash[1] == '=') + strspn(slash + 1 + (slash[1] == '='), " "), *behind = name;
    while (lab_is_of_name(*behind) || !strncmp(behind, "->", 2)) behind += *behind == '-' ? 2 : 1;
    const size_t n = (size_t)(behind - name);
    const char *function = lab_function_of(text, at), *set = NULL;
    for (const char *c = function + 1; n && slash > at && c < at; c++) {
        if (memcmp(c, name, n) || lab_is_of_name(c[-1]) || lab_is_of_name(c[n])) continue;
        const char *close = c[n] == '[' ? lab_closing(c + n) : NULL, *is = close ? close + 1 : c + n;
        if (!strncmp(is, " = 0", 4) && strchr(".;,", is[4])) set = c;
    }
    if (!set) return 0;
    return snprintf(sentence, size, "line %d divides by %.*s, which line %d sets to 0", line, (int)n, name,
                    lab_line_of(text, set)) > 0;
}

// "j > i + shift", of a mask: the line that set a name of it last.
static int set_in(const char *text, const char *mask, const char *name, const char *behind) {
    lab_setting set[LAB_MOST_SET];
    int line = 0;
    const int n = lab_settings_of(lab_function_of(text, mask), mask, set);
    for (int i = 0; i < n && n < LAB_MOST_SET; i++)
        if (set[i].left_end - set[i].left == behind - name && !memcmp(set[i].left, name, (size_t)(behind - name)))
            line = lab_line_of(text, set[i].left);
    return line;
}

// Query and key are exchanged in some lines, or others than those of the scores: which thread has which, the mask says.
static int say_masked(const char *text, char *sentence, size_t size) {
    const lab_lines masks = lab_lines_that(text, lab_asks_for_causal);
    for (int i = 0; i < masks.n; i++) {
        const char *at = lab_line_at(text, masks.line[i]), *end = at + strcspn(at, "\n");
        for (const char *sign = at; (sign = memchr(sign, '>', (size_t)(end - sign))); sign++) {
            if (sign < at + 2 || sign[-1] != ' ' || sign[1] != ' ') continue;
            const char *query = sign + 2, *behind = query, *key_end = sign - 1, *key = key_end;
            while (lab_is_word(*behind)) behind++;
            while (key > at && lab_is_word(key[-1])) key--;
            const int of_query = set_in(text, at, query, behind), of_key = set_in(text, at, key, key_end);
            if (!of_query || !of_key) continue;
            return snprintf(
                       sentence, size,
                       "for the mask in line %d, line %d makes query %.*s and line %d key %.*s: do the lines of the "
                       "scores, of the maximum, of the sum and of what is stored take them of the same threads?",
                       masks.line[i], of_query, (int)(behind - query), query, of_key, (int)(key_end - key), key) > 0;
        }
    }
    return 0;
}

int lab_place_of_cause(const char *text, const char *cause, char *sentence, size_t size) {
    char where[120], guess[400];
    lab_lines found;
    const char *as_in = strncmp(cause, "a guess, which ", 15) ? NULL : strstr(cause, ", as in "),
               *behind = as_in ? strchr(as_in, ':') : NULL;
    if (behind) snprintf(guess, sizeof guess, "%.15s%s", cause, behind), cause = guess;  // a claim's name is no cause
    const char *from = strstr(cause, "which are those from ");
    if (text && from && lab_say_few_threads(text, atol(from + strlen("which are those from ")), sentence, size))
        return 1;
    if (text && strstr(cause, "not the row's: each thread has its own") &&
        lab_say_unjoined(text, strstr(cause, "an m ") == NULL, sentence, size))
        return 1;
    if (text && strstr(cause, "a mask applied after the softmax") && lab_say_behind_softmax(text, sentence, size))
        return 1;
    if (text && strstr(cause, "is split once more") && lab_say_split_again(text, sentence, size)) return 1;
    if (text && strstr(cause, "exp overflows") && lab_say_unshifted(text, sentence, size)) return 1;
    if (text && strstr(cause, LAB_NO_DIVISION_TEXT) && lab_say_largest(text, sentence, size)) return 1;
    if (text && strstr(cause, "matches attn_sdpa of ") && lab_say_given_twice(text, sentence, size)) return 1;
    if (text && strstr(cause, "does each head add 1, or") && lab_say_counted(text, sentence, size)) return 1;
    if (text && (strstr(cause, "threads exchange query and key") || strstr(cause, "other places of their tile")))
        return say_masked(text, sentence, size);
    if (text && (found = lab_lines_of_operand(text, cause, &from)).n) {
        lab_say_lines(&found, where, sizeof where);
        return snprintf(sentence, size, "%s %s read in %s", from, from[1] ? "are" : "is", where) > 0;
    }
    if (text && is_scale(cause) && is_of_numbers(cause)) return lab_say_scale(text, sentence, size);
    if (text && strstr(cause, "rescaled") && is_of_numbers(cause) && lab_say_factor(text, sentence, size)) return 1;
    if (text && strstr(cause, "weighted by L")) return lab_say_splits(text, sentence, size);
    const char *says = text ? lines_of(text, cause, &found) : NULL;
    if (!says) return 0;
    if (strstr(says, "a length") && say_call(text, &found, sentence, size)) return 1;
    if (strstr(cause, "one maximum for") && say_caller(text, &found, sentence, size)) return 1;
    if (strstr(cause, A_SOFTMAX_OF_EACH) && found.n == 1 && say_begun(text, found.line[0], sentence, size)) return 1;
    lab_say_lines(&found, where, sizeof where);
    const int used = snprintf(sentence, size, "%s %s", says, where);
    if (strstr(cause, "matches L_s = log(l)") && used + 2 < (int)size &&
        lab_say_plain_exp(text, sentence + used + 2, size - (size_t)used - 2))
        memcpy(sentence + used, "; ", 2);
    return 1;
}

void lab_lines_of_cause(const char *text, const char *cause, char *list, size_t size) {
    lab_lines found = {.n = 0};
    size_t used = 0;
    list[0] = 0;
    const char *operands;
    if (is_scale(cause))
        found = lab_lines_of_scale(text);
    else if (!(found = lab_lines_of_operand(text, cause, &operands)).n && !lines_of(text, cause, &found))
        return;
    for (int i = 0; i < found.n && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%d", i ? "," : "", found.line[i]);
}
