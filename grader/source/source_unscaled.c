// source_unscaled.c: sums of exp(s - m) that go on when m grows, and that nothing brings to the new m:
//
//     for (int j = 0; j < n; j++) {
//         m = fmaxf(m, s[j]);
//         l += expf(s[j] - m);
//     }
//
// or of an m that each round makes anew.
#include "source_hints.h"
#include "source_lasting.h"
#include "source_lines.h"
#include "source_maximum.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_SUMS = 3, DEEPEST = 2 };

typedef struct {
    const lab_loop *loop;
    const lab_setting *set;
    int n;
    char m[2][LONGEST];  // the maximum, and what holds the new one
    const char *at;      // where it is raised, by
    const lab_setting *by;
    int anew;  // it belongs to the round
} raised;

// o of "o += (v - o) * p / l", which is an average.
static int is_taken_off(const char *name, const char *from, const char *to) {
    for (const char *at = from; (at = memchr(at, '-', (size_t)(to - at))); at++) {
        const char *behind = lab_skip_blanks(at + 1);
        if (!strncmp(behind, name, strlen(name)) && !lab_is_word(behind[strlen(name)])) return 1;
    }
    return 0;
}

// X += e, X = X + e, X = fmaf(p, v, X): where e begins, or NULL.
static const char *added(const lab_setting *s, const char *name) {
    char first[LONGEST];
    const char *value = lab_skip_blanks(s->value), *plus = memchr(value, '+', (size_t)(s->end - value)), *end;
    if (s->op == '+') return is_taken_off(name, value, s->end) ? NULL : value;
    if (s->op != '=') return NULL;
    if (plus && lab_copy_word(value, plus, first) && !strcmp(first, name)) return plus + 1;
    if (strncmp(value, "fmaf(", 5) && strncmp(value, "fma(", 4)) return NULL;
    const char *open = strchr(value, '('), *last = lab_in_list(open + 1, lab_behind_bracket(open) - 1, 2, &end);
    return last && lab_copy_word(last, end, first) && !strcmp(first, name) ? value : NULL;
}

static int is_weight(const raised *r, const char *from, const char *to) {
    for (int i = 0; i < 2; i++)
        if (*r->m[i] && lab_is_exponential(from, to, r->m[i])) return 1;
    return 0;
}

// Exponentials of the maximum, or a name that is made of them in the block.
static int is_of_maximum(const raised *r, const char *from, const char *to, int depth) {
    char word[LONGEST];
    if (is_weight(r, from, to)) return 1;
    for (int i = 0; i < r->n && depth; i++) {
        const lab_setting *s = &r->set[i];
        if (s->value <= to && s->end >= from) continue;
        if (strchr("=+", s->op) && lab_word_of(s, word) && lab_has_word(from, to, word) &&
            is_of_maximum(r, s->value, s->end, depth - 1))
            return 1;
    }
    return 0;
}

// What other lanes have of the sum itself, as a value, or in a name that is set to it.
static int is_of_lanes(const raised *r, const char *from, const char *to, const char *sum) {
    const char *sent = strstr(from, "__shfl");
    char word[LONGEST];
    if (sent && sent < to && lab_has_word(sent, to, sum)) return 1;
    for (int i = 0; i < r->n; i++) {
        const lab_setting *s = &r->set[i];
        sent = strstr(s->value, "__shfl");
        if (sent && sent < s->end && lab_has_word(sent, s->end, sum) && lab_word_of(s, word) &&
            lab_has_word(from, to, word))
            return 1;
    }
    return 0;
}

// Where lanes are joined, the maximum is raised to that of others.
static int joins_lanes(const raised *r, const char *value, const lab_setting *sum, const char *name) {
    return is_of_lanes(r, value, sum->end, name) && is_of_lanes(r, r->by->value, r->by->end, r->m[0]);
}

// expf(m), which undoes exp(s - m): what is added belongs to no maximum.
static int is_undone(const raised *r, const char *from, const char *to) {
    char argument[LONGEST];
    for (const char *call = from; (call = strstr(call, "exp")) && call < to; call++) {
        const char *open = call + strcspn(call, "(;"), *close = *open == '(' ? lab_behind_bracket(open) : NULL;
        if (!close || close > to || !lab_copy_word(open + 1, close - 1, argument)) continue;
        if (!strcmp(argument, r->m[0]) || !strcmp(argument, r->m[1])) return 1;
    }
    return 0;
}

// o of "o = acc[e]; ... o += w * v; ... acc[e] = o": what is added to it in between. NULL: it is no such sum.
static const lab_setting *added_between(const raised *r, const lab_setting *sum, const char *name) {
    char between[LONGEST], left[LONGEST], value[LONGEST];
    int begun = 0;
    if (sum->op != '=' || !lab_copy_word(sum->value, sum->end, between)) return NULL;
    for (const lab_setting *s = r->set; s < sum; s++) {
        if (!lab_copy_word(s->left, s->left_end, left) || strcmp(left, between)) continue;
        if (begun && added(s, between)) return s;
        begun = s->op == '=' && lab_copy_word(s->value, s->end, value) && !strcmp(value, name);
    }
    return NULL;
}

static int only_grows(const raised *r, const lab_setting *sum) {
    char name[LONGEST], between[LONGEST];
    const char *value = lab_copy_word(sum->left, sum->left_end, name) ? added(sum, name) : NULL;
    const lab_setting *s = *name && !value ? added_between(r, sum, name) : NULL;
    if (s && lab_copy_word(s->left, s->left_end, between) && lab_is_kept(r->loop, sum)) {
        const char *from = added(s, between);
        return !is_undone(r, from, s->end) && is_of_maximum(r, from, s->end, DEEPEST);
    }
    if (!value || !lab_is_kept(r->loop, sum) || is_undone(r, value, sum->end)) return 0;
    if (!is_of_maximum(r, value, sum->end, DEEPEST) && !joins_lanes(r, value, sum, name)) return 0;
    for (int i = 0; i < r->n; i++)
        if (lab_is_same_setting(&r->set[i], sum) &&
            (!lab_copy_word(r->set[i].left, r->set[i].left_end, name) || !added(&r->set[i], name)))
            return 0;
    return 1;
}

// n of m = n, of which n = fmaxf(m, ...), or n = m and n = fmaxf(n, ...). NULL: it is none.
static const lab_setting *raises(const raised *r, const lab_setting *over, const char *m, char new[LONGEST]) {
    const lab_setting *at = NULL;
    char left[LONGEST], name[LONGEST];
    int is_made_of_m = 0;
    if (!lab_copy_word(over->value, over->end, new)) return NULL;
    for (const lab_setting *s = r->set; s < over; s++) {
        if (s->op != '=' || !lab_copy_word(s->left, s->left_end, left) || strcmp(left, new)) continue;
        if (lab_takes_maximum(s->value, s->end) || lab_is_raised(r->loop->body, s, name)) at = s;
        is_made_of_m |= lab_has_word(s->value, s->end, m);
    }
    return is_made_of_m ? at : NULL;
}

// Of m = fmaxf(old, ...): has old been set to m?
static int is_of_old(const raised *r, const lab_setting *over, const char *m) {
    char old[LONGEST], value[LONGEST];
    for (const lab_setting *s = r->set; s < over; s++)
        if (s->op == '=' && lab_copy_word(s->value, s->end, value) && !strcmp(value, m) && lab_word_of(s, old) &&
            lab_has_word(over->value, over->end, old))
            return 1;
    return 0;
}

// Is a maximum raised here that goes on from round to round, and is nothing else set to it?
static int goes_on(raised *r, const lab_setting *s) {
    const lab_setting *by = s;
    if (!lab_copy_word(s->value, s->end, r->m[1])) r->m[1][0] = 0;
    if (s->op != '=' || (!lab_is_raised(r->loop->body, s, r->m[0]) && !lab_copy_word(s->left, s->left_end, r->m[0])))
        return 0;
    if (!lab_is_raised(r->loop->body, s, r->m[0]) &&
        !(lab_takes_maximum(s->value, s->end) && (lab_has_word(s->value, s->end, r->m[0]) || is_of_old(r, s, r->m[0]))))
        by = raises(r, s, r->m[0], r->m[1]);
    if (!by || !lab_is_kept(r->loop, s)) return 0;
    r->at = by->left, r->by = by, r->anew = 0;
    for (int i = 0; i < r->n; i++)
        if (&r->set[i] != s && lab_is_same_setting(&r->set[i], s) && !lab_takes_maximum(r->set[i].value, r->set[i].end))
            return 0;
    return 1;
}

// big of "big = m[r]; ... m[r] = big": it goes on in the round after.
static int is_put_back(const raised *r, const char *big) {
    char left[LONGEST], value[LONGEST], from[LONGEST] = "";
    for (int i = 0; i < r->n; i++) {
        const lab_setting *s = &r->set[i];
        if (s->op != '=' || !lab_copy_word(s->left, s->left_end, left) || !lab_copy_word(s->value, s->end, value))
            continue;
        if (!strcmp(left, big) && !strchr(value, '(')) memcpy(from, value, sizeof from);
        if (!strcmp(value, big) && *from && !strcmp(left, from)) return 1;
    }
    return 0;
}

// Is it the largest of this round's scores alone, which is declared in it?
static int is_of_round(raised *r, const lab_setting *s) {
    if (lab_is_of_calls(r->loop) || s->op != '=' || !lab_takes_maximum(s->value, s->end)) return 0;
    if (!lab_copy_word(s->left, s->left_end, r->m[0]) || !lab_is_declared(r->loop, r->m[0])) return 0;
    if (is_put_back(r, r->m[0])) return 0;
    r->m[1][0] = 0, r->at = s->left, r->by = s, r->anew = 1;
    return 1;
}

// Where one is done in the other case alone.
static int is_other_case(const char *a, const char *b) {
    const char *from = a < b ? a : b, *to = a < b ? b : a;
    return lab_has_word(from, to, "else");
}

// l = l * f + e, where f is an exponential of the maximum: what is brought to it. NULL: nothing is.
static const lab_setting *brought(const raised *r, char sum[LONGEST], char factor[LONGEST]) {
    char product[2 * LONGEST + 4];
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < 2 * r->n && lab_copy_word(r->set[i].left, r->set[i].left_end, sum); k++) {
            const lab_setting *s = &r->set[i], *f = &r->set[k / 2];
            if (f->op != '=' || !lab_word_of(f, factor) || !is_weight(r, f->value, f->end)) continue;
            snprintf(product, sizeof product, "%s * %s", k % 2 ? factor : sum, k % 2 ? sum : factor);
            const char *at = s->op == '=' ? strstr(s->value, product) : NULL;
            if ((at && at < s->end && !lab_is_word(at[strlen(product)])) ||
                (s->op == '*' && lab_copy_word(s->value, s->end, product) && !strcmp(product, factor)))
                return s;
        }
    return NULL;
}

// The loop behind that place in each of whose rounds the sum is added to: key of x[c] += w * v[key][c]. NULL: there is none.
static const char *loop_of(const char *text, const char *behind, const lab_setting *sum) {
    lab_loop l;
    lab_loops_begin();
    for (const char *at = behind; (at = lab_next_loop(text, at, &l)) && l.at < sum->left;)
        if (sum->left < l.end && !lab_has_word(sum->left, sum->left_end, l.name)) return l.at;
    return NULL;
}

// What is to be done: where the file does it to another sum, as there.
static void add_cure(const char *text, const raised *r, const lab_setting *first, int n, char *sentence, size_t size) {
    const size_t used = strlen(sentence);
    char sum[LONGEST], factor[LONGEST], before[48] = "";
    const lab_setting *s = brought(r, sum, factor);
    const char *held = n > 1 ? "they hold" : "it holds", *loop = n > 1 ? NULL : loop_of(text, r->at, first);
    if (loop) snprintf(before, sizeof before, ", before the loop of line %d", lab_line_of(text, loop));
    if (s)
        snprintf(sentence + used, size - used, ". Multiply what %s so far by %s%s, as line %d does with %s", held,
                 factor, *before ? before : " first", lab_line_of(text, s->left), sum);
    else
        snprintf(sentence + used, size - used,
                 ". Where it grows, multiply what %s so far by exp(old %s - new %s) first", held, r->m[0], r->m[0]);
}

static int say(const char *text, const raised *r, char *sentence, size_t size) {
    char sums[160] = "", name[LONGEST];
    const lab_setting *first = NULL;
    int n = 0;
    for (int i = 0, used = 0; i < r->n && n < MOST_SUMS; i++) {
        const lab_setting *sum = &r->set[i];
        if (is_other_case(r->at, sum->left) || !only_grows(r, sum)) continue;
        lab_copy_word(sum->left, sum->left_end, name);
        if (n++)
            used +=
                snprintf(sums + used, sizeof sums - (size_t)used, ", and line %d to ", lab_line_of(text, sum->left));
        used += snprintf(sums + used, sizeof sums - (size_t)used, "%s", name);
        if (!first) first = sum;
    }
    if (!n) return 0;
    if (r->anew)
        snprintf(
            sentence, size,
            "line %d adds exponentials to %s, and line %d makes %s anew in each round: the sums of two rounds belong "
            "to two maxima. Keep one maximum over all rounds, and where it grows, multiply what %s so far by exp(old "
            "- new) first",
            lab_line_of(text, first->left), sums, lab_line_of(text, r->at), r->m[0], n > 1 ? "they hold" : "it holds");
    else
        snprintf(sentence, size,
                 "line %d adds exponentials, or sums of them, to %s, and line %d raises %s in the same %s: what was "
                 "added before belongs to the smaller maximum",
                 lab_line_of(text, first->left), sums, lab_line_of(text, r->at), r->m[0],
                 lab_is_of_calls(r->loop) ? "function" : "loop");
    if (!r->anew) add_cure(text, r, first, n, sentence, size);
    return 1;
}

static int is_seen(const char *text, const lab_loop *l, char *sentence, size_t size) {
    lab_setting set[LAB_MOST_SET];
    raised r = {.loop = l, .set = set, .n = lab_settings_of(l->body, l->end, set)};
    for (int i = 0; i < 2 * r.n && r.n < LAB_MOST_SET; i++)
        if ((i < r.n ? goes_on(&r, &set[i]) : is_of_round(&r, &set[i - r.n])) && say(text, &r, sentence, size))
            return 1;
    return 0;
}

int lab_hint_of_unscaled(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_BLOCKS];
    const int n = lab_blocks_of(text, from, to, all);
    for (int k = 0; k < n; k++)
        if (is_seen(text, &all[k], sentence, size))
            return lab_is_of_calls(&all[k]) ? LAB_HINT_BESIDE : LAB_HINT_CAUSE;  // each call may begin another sum
    return LAB_HINT_NONE;
}
