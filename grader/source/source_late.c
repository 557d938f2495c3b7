// source_late.c: the online softmax in another order. What a round of a loop adds, with its new maximum, is multiplied
// by exp(old - new) behind that, with what earlier rounds gave:
//
//     for (int j0 = 0; j0 < n; j0 += BC) {
//         m = new_max(m, s);
//         add(&l, o, s, m);         // l += exp(s - m)
//         rescale(&l, o, m_old, m); // l *= exp(m_old - m)
//     }
#include "source_hints.h"
#include "source_lasting.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_STEPS = 160 };

// What is set in a round, in order: in the loop itself, or in a function that it calls.
typedef struct {
    lab_setting set;
    const char *function, *call;  // where it stands; call: NULL: in the loop itself
    char word[LONGEST];
} step;

typedef struct {
    step s[MOST_STEPS];
    int n;
} steps;

// NAME(...) { in this text: where its block begins. NULL: it has no such function.
static const char *block_of(const char *text, const char *name, const char **function) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        const char *close = lab_is_word_at(text, at, name) && at[n] == '(' ? lab_matching(at + n) : NULL;
        const char *open = close ? lab_skip_blanks(close + 1) : "";
        if (*open == '{' && (*function = at)) return open;
    }
    return NULL;
}

static void add_settings(steps *all, const char *from, const char *to, const char *function, const char *call) {
    lab_setting set[LAB_MOST_SET];
    const int n = lab_settings_of(from, to, set);
    for (int i = 0; i < n && all->n < MOST_STEPS; i++) {
        step *s = &all->s[all->n];
        *s = (step){.set = set[i], .function = function, .call = call};
        all->n += lab_word_of(&set[i], s->word) > 0;
    }
}

// Statement by statement; of a call, whatever it hands back is set behind it.
static void steps_of(const char *text, const lab_loop *l, steps *all) {
    const char *from = l->body, *function, *block;
    char name[LONGEST];
    all->n = 0;
    for (const char *at = l->body; at < l->end && all->n < MOST_STEPS; at++) {
        const char *open = at;
        if (!lab_is_word(*at) || lab_is_word(at[-1])) continue;
        while (lab_is_word(*open)) open++;
        if (*open == '(' && lab_copy_word(at, open, name) && (block = block_of(text, name, &function)) &&
            lab_block_end(block + 1) > block) {
            add_settings(all, from, at, l->at, NULL);
            add_settings(all, block, lab_block_end(block + 1), function, at);
            from = at;
        }
        at = open - 1;
    }
    add_settings(all, from, l->end, l->at, NULL);
}

// X *= f, X = X * f, and not X = X * f + g.
static const char *factor_of(const lab_setting *s) {
    const char *factor = lab_factor_of(s);
    return factor && s->op == '=' && memchr(factor, '+', (size_t)(s->end - factor)) ? NULL : factor;
}

static const char *exponential(const char *from, const char *to) {
    static const char *const names[] = {"expf(", "exp(", "exp2f(", "__expf("};
    for (const char *at = from; at < to; at++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (!strncmp(at, names[i], strlen(names[i]))) return at;
    return NULL;
}

// The exponential that the factor is, or is set to before it in the round. NULL: none.
static const char *exponential_of(const steps *all, int k, const char *factor) {
    char name[LONGEST];
    const char *own = exponential(factor, all->s[k].set.end);
    if (own || !lab_copy_word(factor, all->s[k].set.end, name)) return own;
    for (int i = k; i-- > 0;)
        if (all->s[i].set.op == '=' && !strcmp(all->s[i].word, name))
            return exponential(all->s[i].set.value, all->s[i].set.end);
    return NULL;
}

// Has step i set what that exponential is made of?
static int makes(const steps *all, int i, const char *exponential) {
    return all->s[i].set.op == '=' &&
           lab_has_word(exponential, lab_behind_bracket(strchr(exponential, '(')), all->s[i].word);
}

// The step before k that adds to what k multiplies, by an exponential of a maximum that is new by then. -1: none.
static int added_before(const steps *all, int k) {
    const char *factor = factor_of(&all->s[k].set), *exp = factor ? exponential_of(all, k, factor) : NULL;
    int adds = -1, raised = 0;
    for (int i = 0; exp && i < all->n; i++) {
        if (i == k) continue;
        const int same = !strcmp(all->s[i].word, all->s[k].word), made = i < k && makes(all, i, exp);
        if (same && all->s[i].set.op == '=') return -1;
        if (same && all->s[i].set.op == '+' && i < k && adds < 0) adds = i;
        if (made && adds >= 0) return -1;
        raised |= made;
    }
    return raised ? adds : -1;
}

static void name_line(const char *text, const step *s, char *words, size_t size) {
    int used = snprintf(words, size, "line %d", lab_line_of(text, s->set.left));
    if (s->call) snprintf(words + used, size - (size_t)used, " (called in line %d)", lab_line_of(text, s->call));
}

static void say(const char *text, const steps *all, int k, int adds, char *sentence, size_t size) {
    char late[60], early[60], both[LONGEST + 8] = "";
    int other = -1;
    for (int i = k + 1; i < all->n && other < 0; i++)
        if (strcmp(all->s[i].word, all->s[k].word) && added_before(all, i) >= 0) other = i;
    if (other >= 0) snprintf(both, sizeof both, " and %s", all->s[other].word);
    name_line(text, &all->s[k], late, sizeof late), name_line(text, &all->s[adds], early, sizeof early);
    snprintf(sentence, size,
             "%s rescales %s%s too late: behind %s, which has added this round's terms. These are exponentials of the "
             "new maximum already, and are multiplied by exp(old - new), too. Rescale what earlier rounds gave once "
             "the new maximum is known, and add this round's terms behind that",
             late, all->s[k].word, both, early);
}

int lab_hint_of_late(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_LOOPS];
    static steps round;
    const int loops = lab_loops_of(text, 1, 1 << 20, all);
    for (int i = 0; i < loops; i++) {
        steps_of(text, &all[i], &round);
        for (int k = 0; k < round.n && round.n < MOST_STEPS; k++) {
            const int line = lab_line_of(text, round.s[k].set.left);
            const int adds = line >= from && line <= to ? added_before(&round, k) : -1;
            if (adds < 0) continue;
            say(text, &round, k, adds, sentence, size);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
