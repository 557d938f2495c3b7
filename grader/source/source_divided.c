// source_divided.c: a sum that is kept an average from round to round, and is divided by the weights once more behind, or
// joined without them:
//
//     share = w / l;          o = o * (1 - share) + v * share;        ... out = o / l
//     o = (o * l_old * f + w * v) / l;
#include "source_averaged.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, PASSES = 3, MOST_JOINS = 2 };

static const lab_setting *setting_of(const lab_block *b, const char *name) {
    char left[LONGEST];
    for (int i = 0; i < b->n; i++)
        if (lab_copy_word(b->set[i].left, b->set[i].left_end, left) && !strcmp(left, name)) return &b->set[i];
    return NULL;
}

// The sum that goes on under the divisor: l, or l of "l_new = l * f + p; ... l = l_new". 0: it is none.
static int sum_of(const lab_block *b, const char *by, char sum[LONGEST]) {
    const lab_setting *made = setting_of(b, by);
    char value[LONGEST];
    if (lab_grows_in(b, by)) return snprintf(sum, LONGEST, "%s", by) > 0;
    if (!made || made->op != '=' || !memchr(made->value, '+', (size_t)(made->end - made->value))) return 0;
    for (int i = 0; i < b->n; i++)
        if (b->set[i].op == '=' && lab_copy_word(b->set[i].value, b->set[i].end, value) && !strcmp(value, by) &&
            lab_copy_word(b->set[i].left, b->set[i].left_end, sum) && lab_has_word(made->value, made->end, sum) &&
            lab_is_kept(b->loop, &b->set[i]))
            return 1;
    return 0;
}

// Where between these places something is divided by that name.
static const char *division(const char *from, const char *to, const char *by) {
    for (const char *at = from; (at = memchr(at, '/', (size_t)(to - at))); at++) {
        const char *name = lab_skip_blanks(at + 1);
        const size_t n = strlen(by);
        if (!strncmp(name, by, n) && !lab_is_word(name[n])) return at;
    }
    return NULL;
}

// Asks it of the value, and of those of the names in it.
typedef int asked(const lab_block *b, const char *from, const char *to, const char *by);

static int in_value(const lab_block *b, const lab_setting *s, const char *by, asked *is) {
    char name[LONGEST];
    if (is(b, s->value, s->end, by)) return 1;
    for (int i = 0; i < b->n; i++)
        if (&b->set[i] != s && lab_copy_word(b->set[i].left, b->set[i].left_end, name) && strcmp(name, by) &&
            lab_has_word(s->value, s->end, name) && is(b, b->set[i].value, b->set[i].end, by))
            return 1;
    return 0;
}

static int is_divided(const lab_block *b, const char *from, const char *to, const char *by) {
    return b && division(from, to, by);
}

// The sum of the round before: l where it is divided by l_new, or a name that keeps it.
static int has_old(const lab_block *b, const char *from, const char *to, const char *by) {
    char sum[LONGEST], name[LONGEST], value[LONGEST];
    if (!sum_of(b, by, sum)) return 0;
    if (strcmp(sum, by) && lab_has_word(from, to, sum)) return 1;
    for (int i = 0; i < b->n; i++)
        if (b->set[i].op == '=' && lab_copy_word(b->set[i].value, b->set[i].end, value) && !strcmp(value, sum) &&
            lab_copy_word(b->set[i].left, b->set[i].left_end, name) && lab_has_word(from, to, name))
            return 1;
    return 0;
}

// 1 - share, 1.f - share, and "- o" of (v - o) * share.
static int takes_share(const lab_setting *s, const char *name) {
    for (const char *at = s->value; (at = memchr(at, '-', (size_t)(s->end - at))); at++) {
        const char *before = at, *behind = lab_skip_blanks(at + 1), *number;
        while (before > s->value && before[-1] == ' ') before--;
        number = before;
        while (number > s->value && (lab_is_word(number[-1]) || number[-1] == '.')) number--;
        if (!strncmp(behind, name, strlen(name)) && !lab_is_word(behind[strlen(name)])) return 1;
        if (*number == '1' && (number + 1 == before || strchr(".fF", number[1])) && lab_is_word(*behind)) return 1;
    }
    return 0;
}

// by: what it is divided by in each round.
static int is_average(const lab_block *b, const lab_setting *s, char by[LONGEST]) {
    char name[LONGEST], sum[LONGEST];
    if (!strchr("=+", s->op) || !lab_copy_word(s->left, s->left_end, name) || !lab_goes_on_in(b, s)) return 0;
    for (int i = 0; i < b->n; i++) {
        if (!lab_copy_word(b->set[i].left, b->set[i].left_end, by) || !sum_of(b, by, sum)) continue;
        const int is_own = takes_share(s, name) || (s->op == '=' && in_value(b, s, by, has_old));
        if (is_own && strcmp(by, name) && in_value(b, s, by, is_divided)) return 1;
    }
    return 0;
}

// The names that hold the sum, or the average, in a part of the text. is_member: the first is that of a struct.
typedef struct {
    lab_names names;
    int is_member;
} held;

typedef struct {
    held sums, averages;
    const char *again;             // where it is divided
    const char *join[MOST_JOINS];  // where it is joined without the sums
    int joins, is_weighed;
} part;

static int has_one(const char *from, const char *to, const held *h) {
    for (const char *at = from; at < to; at++)
        for (int i = 0; i < h->names.n && lab_is_word(*at) && !lab_is_word(at[-1]); i++)
            if (lab_is_word_at(from, at, h->names.name[i]) && (i || !h->is_member || strchr(".>", at[-1]))) return 1;
    return 0;
}

static void add(held *h, const lab_setting *s, const char *word) {
    if (h->is_member && !strcmp(word, h->names.name[0]) && lab_is_word_at(s->left, s->left, word)) h->is_member = 0;
    lab_add_word(word, word + strlen(word), &h->names);
}

// Is what stands between these places multiplied by a sum?
static int is_weighed(const part *p, const char *from, const char *to) {
    for (const char *at = from; at < to; at++) {
        if (!lab_is_word(*at) || lab_is_word(at[-1])) continue;
        const char *end = at, *before = at;
        while (lab_is_word(*end)) end++;
        if (!has_one(at, end, &p->sums)) continue;
        if (*end == '[') end = lab_behind_bracket(end);
        while (before > from && (lab_is_word(before[-1]) || strchr(".>- ", before[-1]))) before--;
        if (*lab_skip_blanks(end) == '*' || before[-1] == '*') return 1;
    }
    return 0;
}

// l of "/ l", "/ (l)", "/ s.l".
static const char *is_over_sum(const part *p, const char *from, const char *to) {
    for (const char *at = from; (at = memchr(at, '/', (size_t)(to - at))); at++) {
        const char *name = at + 1 + strspn(at + 1, " ("), *end = name;
        while (end < to && (lab_is_word(*end) || strchr(".>", *end) || !strncmp(end, "->", 2))) end++;
        if (has_one(name, end, &p->sums)) return at;
    }
    return NULL;
}

// What is set, as a name: a of a[i], o of s.o, other of other.x.
static int name_of(const lab_setting *s, char word[LONGEST]) {
    if (!lab_word_of(s, word)) return 0;
    return word[1] || !strchr("xyzw", *word) ? 1 : lab_root_of(s, word);
}

static void read_part(part *p, const char *from, const char *to, const lab_loop *but) {
    static lab_setting set[LAB_MOST_SET];
    lab_names inverse = {.n = 0};
    char word[LONGEST];
    const int n = lab_settings_of(from, to, set);
    if (n == LAB_MOST_SET) p->is_weighed = 1;  // there may be more
    for (int k = 0; k < PASSES * n; k++) {
        const lab_setting *s = &set[k % n];
        if ((s->left > but->body && s->left < but->end) || !name_of(s, word)) continue;
        const int of_sum = has_one(s->value, s->end, &p->sums);
        const int of_average = has_one(s->value, s->end, &p->averages);
        const int log = lab_has_word(s->value, s->end, "logf") || lab_has_word(s->value, s->end, "log");
        if (of_average)
            add(&p->averages, s, word);
        else if (of_sum && is_over_sum(p, s->value, s->end))
            lab_add_word(word, word + strlen(word), &inverse);
        else if (of_sum && !log)
            add(&p->sums, s, word);
    }
    for (int i = 0; i < n; i++) {
        const lab_setting *s = &set[i];
        const char *over = is_over_sum(p, s->value, s->end);
        if (s->left > but->body && s->left < but->end) continue;
        const int own = has_one(s->left, s->left_end, &p->averages);
        const int of_average = has_one(s->value, s->end, &p->averages);
        if ((!own && !of_average) || (lab_copy_word(s->left, s->left_end, word) && own && takes_share(s, word)))
            continue;
        if (is_weighed(p, s->value, s->end)) p->is_weighed = 1;
        const int inverted = inverse.n && lab_has_one_of(s->value, s->end, &inverse);
        if (inverted || (own && s->op == '/' && has_one(s->value, s->end, &p->sums))) over = s->value;
        if (over && !p->again && (of_average || strchr("*/", s->op))) p->again = over;
        const int plus = s->op == '+' || memchr(s->value, '+', (size_t)(s->end - s->value)) != NULL;
        if (own && plus && of_average && !over && p->joins < MOST_JOINS) p->join[p->joins++] = s->left;
    }
}

static void say(const char *text, const lab_setting *s, const char *by, const part *p, char *sentence, size_t size) {
    const int line = lab_line_of(text, s->left);
    char name[LONGEST], joins[100] = "";
    lab_copy_word(s->left, s->left_end, name);
    if (p->joins == 1)
        snprintf(joins, sizeof joins, ", and line %d joins parts of it like sums", lab_line_of(text, p->join[0]));
    if (p->joins > 1)
        snprintf(joins, sizeof joins, ", and lines %d and %d join parts of it like sums", lab_line_of(text, p->join[0]),
                 lab_line_of(text, p->join[1]));
    const int again = lab_line_of(text, p->again);
    if (p->joins)
        snprintf(
            sentence, size,
            "line %d keeps %s an average: it is divided by %s in each round. Line %d divides it once more%s. Weigh "
            "each part by its l, too, where they are joined; or add up undivided in line %d, and rescale what was "
            "added wherever the maximum grows",
            line, name, by, again, joins, line);
    else
        snprintf(sentence, size,
                 "line %d keeps %s an average: it is divided by %s in each round. Line %d divides it once more. Add up "
                 "undivided in line %d, or do not divide at the end",
                 line, name, by, again, line);
}

// o of s.o[i] and x->o.
static int is_member(const lab_setting *s, const char *name) {
    for (const char *at = s->left + 1; at < s->left_end; at++)
        if (lab_is_word_at(s->left, at, name)) return strchr(".>", at[-1]) != NULL;
    return 0;
}

static int is_seen(const char *text, const lab_loop all[], int n, const lab_block *b, char *sentence, size_t size) {
    char by[LONGEST], sum[LONGEST], average[LONGEST];
    for (int i = 0; i < b->n; i++) {
        const lab_setting *s = &b->set[i];
        if (!is_average(b, s, by) || !sum_of(b, by, sum) || !lab_word_of(s, average)) continue;
        const char *last = sum + strlen(sum);
        while (last > sum && *last != '.' && *last != '>') last--;
        last += last > sum;
        part p = {.again = NULL};
        for (int k = 0; k < n; k++) {
            const lab_loop *f = &all[k];
            if (!lab_is_of_calls(f) || f->at == b->loop->at) continue;
            const int is_own = f->body < b->loop->at && b->loop->at < f->end;
            if (!is_own && (last == sum || !is_member(s, average))) continue;
            p.sums = p.averages = (held){.is_member = !is_own};
            lab_add_word(last, last + strlen(last), &p.sums.names);
            lab_add_word(average, average + strlen(average), &p.averages.names);
            read_part(&p, is_own ? b->loop->end : f->body, f->end, b->loop);
        }
        if (!p.again || p.is_weighed) continue;
        say(text, s, by, &p, sentence, size);
        return 1;
    }
    return 0;
}

int lab_hint_of_dividing(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_BLOCKS], whole[LAB_MOST_BLOCKS];
    const int n = lab_blocks_of(text, from, to, all), m = n ? lab_blocks_of(text, 1, 1 << 20, whole) : 0;
    for (int k = 0; k < n; k++) {
        lab_setting set[LAB_MOST_SET];
        const lab_block b = {&all[k], set, lab_settings_of(all[k].body, all[k].end, set)};
        if (b.n < LAB_MOST_SET && is_seen(text, whole, m, &b, sentence, size)) return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
