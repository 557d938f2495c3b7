// source_statuses.c: the status of a call that nobody reads. No number shows it, as long as no call fails.
//
//     status = attn_gemm_nt(..);        attend_tile(t, shape);        for (..) status = attend_tile(t, shape);
//     status = launched();
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 40, MOST_LOOKS = 2000 };

static int looks;  // through a whole text

static const char *word_back(const char *text, const char *end) {
    while (end > text && lab_is_word(end[-1])) end--;
    return end;
}

static const char *blanks_back(const char *text, const char *end) {
    while (end > text && strchr(" \t\n", end[-1])) end--;
    return end;
}

static int is_word(const char *text, const char *at, const char *word) {
    const size_t n = strlen(word);
    return !strncmp(at, word, n) && !lab_is_word(at[n]) && (at == text || !lab_is_word(at[-1]));
}

// The first function of "= f(..);", or "" for a choice of two statuses. 0: it is no call, or one that clears an error.
static int is_status(const char *from, const char *end, char name[LONGEST]) {
    const char *open = memchr(from, '(', (size_t)(end - from)), *start = open ? word_back(from, open) : NULL;
    snprintf(name, LONGEST, "%.*s", start ? (int)(open - start) : 0, start ? start : "");
    if (!strcmp(name, "cudaGetLastError") || !strcmp(name, "cudaPeekAtLastError")) return 0;
    if (memchr(from, '?', (size_t)(end - from))) return *name = 0, lab_has_word(from, end, "ATTN_OK");
    return *name && start == lab_skip_blanks(from);
}

// Is the variable of this function a status?
static int is_declared(const char *function, const char *at, const char *name) {
    static const char *const types[] = {"attn_status", "cudaError_t"};
    for (const char *c = function; c < at; c++)
        for (int i = 0; i < 2; i++)
            if (is_word(function, c, types[i]) && is_word(function, lab_skip_blanks(c + strlen(types[i])), name))
                return 1;
    return 0;
}

// Where the variable is set again, before it is read: all that is between is passed on every way that comes there.
static const char *set_again(const char *text, const char *from, const char *name) {
    static const char *const ends[] = {"return", "break", "continue", "goto", "case", "default", "else"};
    char call[LONGEST];
    int depth = 0;
    for (const char *at = from; *at && *at != '#'; at++) {
        depth += *at == '{', depth -= *at == '}';
        if (depth < 0) return NULL;
        for (size_t i = 0; i < sizeof ends / sizeof *ends && !depth; i++)
            if (is_word(text, at, ends[i])) return NULL;
        if (!is_word(text, at, name)) continue;
        const char *before = blanks_back(text, at), *set = lab_skip_blanks(at + strlen(name));
        const char *end = strchr(set, ';');
        if (depth || !strchr(";})", before[-1]) || *set != '=' || set[1] == '=' || !end) return NULL;
        return lab_has_word(set, end, name) || !is_status(set + 1, end, call) ? NULL : at;
    }
    return NULL;
}

// The ( that belongs to the ) before this place, and the word before it: "for". NULL: there is no ) here.
static const char *opening(const char *text, const char *behind, const char **word) {
    int depth = 0;
    const char *open = behind;
    if (behind == text || behind[-1] != ')') return NULL;
    while (open > text) {
        open--;
        depth += *open == ')', depth -= *open == '(';
        if (!depth) break;
    }
    *word = word_back(text, blanks_back(text, open));
    return open;
}

// Does a statement begin here? Behind a cast it does not.
static int is_first(const char *text, const char *at) {
    static const char *const words[] = {"if", "for", "while"};
    const char *before = blanks_back(text, at), *word;
    if (before == text || strchr(";{}", before[-1])) return 1;
    const char *open = opening(text, before, &word);
    for (size_t i = 0; i < sizeof words / sizeof *words && open; i++)
        if (is_word(text, word, words[i])) return 1;
    return 0;
}

// A loop around the statement, in which nobody else knows the name: the next round sets it again.
static int is_set_each_round(const char *text, const char *at, const char *end, const char *name) {
    static const char *const ends[] = {"return", "break", "goto"};
    const char *before = blanks_back(text, at), *word, *close = end, *open = opening(text, before, &word);
    int depth = 0;
    if (!open) {
        for (before = at; before > text; before--) {
            depth += before[-1] == '}', depth -= before[-1] == '{';
            if (depth < 0) break;
        }
        if (before == text || !(close = lab_matching(before - 1))) return 0;
        open = opening(text, blanks_back(text, before - 1), &word);
    }
    if (!open || !(is_word(text, word, "for") || is_word(text, word, "while"))) return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (lab_has_word(open, close, ends[i])) return 0;
    return !lab_has_word(open, at, name) && !lab_has_word(at + strlen(name), close, name);
}

static int is_overwritten(const char *text, const char *set, char *sentence, size_t size) {
    char name[LONGEST], call[LONGEST];
    const char *last = blanks_back(text, set), *at = word_back(text, last), *end = strchr(set, ';');
    if (at == last || last - at >= LONGEST || !end || set[1] == '=' || strchr("=!<>+-*/|&", set[-1])) return 0;
    snprintf(name, sizeof name, "%.*s", (int)(last - at), at);
    const char *before = blanks_back(text, at);
    const int is_new = before > text && lab_is_word(before[-1]);  // behind its type, or else
    if (!(is_new || is_first(text, at)) || !is_status(set + 1, end, call) || lab_has_word(set, end, name)) return 0;
    if (looks++ == MOST_LOOKS || !is_declared(lab_function_of(text, at), set, name)) return 0;
    char of[LONGEST + 8] = "", by[60] = "in the next round of its loop";
    if (*call) snprintf(of, sizeof of, " of %s", call);
    const char *again = set_again(text, end + 1, name);
    if (again)
        snprintf(by, sizeof by, "in line %d", lab_line_of(text, again));
    else if (is_new || !is_set_each_round(text, at, end, name))
        return 0;
    snprintf(sentence, size,
             "line %d: the status%s is overwritten %s, and nothing has read it: if it is not ATTN_OK, nobody learns of "
             "that. Ask for it before anything else is done",
             lab_line_of(text, at), of, by);
    return 1;
}

// ---- Thrown away

// A status that is neither ATTN_OK nor what its shape alone decides, which whoever calls may have asked for before.
static int is_open(const char *value) {
    const char *end = value + strcspn(value, ";"), *choice = memchr(value, '?', (size_t)(end - value));
    for (const char *at = choice ? choice : value; at < end; at++)
        if (lab_is_word(*at) && !lab_is_word(at[-1]) && !is_word(value, at, "ATTN_OK") &&
            !is_word(value, at, "ATTN_BAD_SHAPE"))
            return 1;
    return 0;
}

// Is it a function of this file whose status a call does not know before? deep: so many that hand on another one's.
static int may_fail(const char *text, const char *name, int deep) {
    for (const char *at = text; (at = strstr(at, "attn_status")); at++) {
        const char *own = lab_skip_blanks(at + strlen("attn_status"));
        if (!is_word(text, own, name) || own[strlen(name)] != '(') continue;
        const char *close = lab_matching(own + strlen(name)), *body = close ? lab_skip_blanks(close + 1) : NULL;
        const char *end = body && *body == '{' ? lab_matching(body) : NULL;
        for (const char *back = body; end && (back = strstr(back, "return ")) && back < end; back++) {
            const char *value = lab_skip_blanks(back + strlen("return "));
            char of[LONGEST];
            const int hands_on = is_status(value, value + strcspn(value, ";"), of) && *of;
            if (is_open(value) && !(hands_on && deep > 0 && !may_fail(text, of, deep - 1))) return 1;
        }
    }
    return 0;
}

static int is_thrown_away(const char *text, const char *open, char *sentence, size_t size) {
    char name[LONGEST];
    const char *at = word_back(text, open);
    static const char *const words[] = {"if", "for", "while", "switch", "return"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(text, at, words[i])) return 0;
    if (at == open || open - at >= LONGEST || looks++ == MOST_LOOKS || !is_first(text, at)) return 0;
    const char *close = lab_matching(open);
    if (!close || *lab_skip_blanks(close + 1) != ';') return 0;
    snprintf(name, sizeof name, "%.*s", (int)(open - at), at);
    const char *function = lab_function_of(text, at), *body = strchr(function, '{');
    if (!body || body > at || !lab_has_word(function, body, "attn_status") || !may_fail(text, name, 2)) return 0;
    snprintf(
        sentence, size,
        "line %d: the status that %s returns is thrown away: if it is not ATTN_OK, nobody learns of that. Keep it, "
        "and ask for it before anything else is done",
        lab_line_of(text, at), name);
    return 1;
}

int lab_hint_of_statuses(const char *text, char *sentence, size_t size) {
    looks = 0;
    for (const char *at = text; *at && looks < MOST_LOOKS; at++) {
        if (*at == '=' && at > text && is_overwritten(text, at, sentence, size)) return 1;
        if (*at == '(' && is_thrown_away(text, at, sentence, size)) return 1;
    }
    return 0;
}
