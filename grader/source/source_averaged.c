// source_averaged.c: a sum that is divided in each round by the sum of the weights so far, and not only behind the loop:
//
//     l = l * f + p;                                      o += p * v[j] / l;
//     o = (o * f + p * v[j]) / l;                         ... and O = o / l in another function
#include "source_averaged.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

typedef lab_block block;

const char *lab_divisor_of(const lab_setting *s, char name[LONGEST]) {
    const char *at = s->end, *end = s->end;
    if (s->op == '/') return lab_copy_word(lab_skip_blanks(s->value), s->end, name) ? s->value : NULL;
    while (at > s->value && *at != '/') at--;
    if (at == s->value || !lab_copy_word(at + 1, end, name) || strpbrk(name, "+*()")) return NULL;
    for (const char *minus = name; (minus = strchr(minus, '-')); minus++)
        if (minus[1] != '>') return NULL;
    return lab_is_word(*name) && (*name < '0' || *name > '9') ? at : NULL;
}

const lab_setting *lab_grows_in(const block *b, const char *name) {
    const lab_setting *found = NULL;
    char left[LONGEST];
    for (int i = 0; i < b->n; i++) {
        const lab_setting *s = &b->set[i];
        if (!lab_copy_word(s->left, s->left_end, left) || strcmp(left, name)) continue;
        const int own = s->op == '=' && lab_has_word(s->value, s->end, name);
        if (s->op == '+' || (own && memchr(s->value, '+', (size_t)(s->end - s->value))))
            found = s;
        else if (s->op != '*' && !own)
            return NULL;
    }
    return found && lab_is_kept(b->loop, found) ? found : NULL;
}

// A name between these places that is the divisor, or is made of it, other than what is set here.
static int has_of(const block *b, const lab_setting *s, const char *from, const char *to, const char *name) {
    char left[LONGEST], root[LONGEST], own[LONGEST];
    if (lab_has_word(from, to, name)) return 1;
    for (int i = 0; i < b->n; i++)
        if (lab_root_of(&b->set[i], root) && lab_root_of(s, own) && strcmp(root, own) &&
            lab_word_of(&b->set[i], left) && lab_has_word(from, to, left) &&
            lab_has_word(b->set[i].value, b->set[i].end, name))
            return 1;
    return 0;
}

// Is an inner loop over, in which this grows, before that place? Then it is complete there.
static int is_complete(const lab_loop all[], int n, const block *b, const lab_setting *s, const char *at) {
    if (!lab_is_of_calls(b->loop)) return 0;
    for (int i = 0; i < n; i++)
        if (all[i].body < s->left && s->left < all[i].end && all[i].end <= at && lab_is_within(&all[i], b->loop))
            return 1;
    return lab_block_end(s->left) < at;
}

int lab_goes_on_in(const block *b, const lab_setting *s) {
    for (int i = 0; i < b->n; i++) {
        const lab_setting *k = &b->set[i];
        if (lab_is_same_setting(k, s) && k->op == '=') {
            char name[LONGEST];
            if (!lab_copy_word(k->left, k->left_end, name) || !lab_has_word(k->value, k->end, name)) return 0;
        }
    }
    return lab_is_kept(b->loop, s);
}

// Where another function divides by what has the name of this member: o / l, 1.0f / row->l. NULL: none does.
static const char *divides_again(const char *text, const lab_loop *l, const char *name) {
    const char *member = name + strlen(name);
    while (member > name && lab_is_word(member[-1])) member--;
    if (member == name || !*member) return NULL;
    for (const char *at = text; (at = strchr(at, '/')); at++) {
        const char *end = lab_skip_blanks(at + 1), *last = end;
        if (at > l->body && at < l->end) continue;
        while (lab_is_word(*end) || strchr(".>", *end) || !strncmp(end, "->", 2)) {
            if (!*end) break;
            if (!lab_is_word(*end++)) last = end;
        }
        if (lab_is_word_at(text, last, member)) return at;
    }
    return NULL;
}

static int say(const char *text, const lab_setting *s, const char *by, int old, char *sentence, size_t size) {
    char name[LONGEST];
    if (!lab_copy_word(s->left, s->left_end, name)) return 0;
    snprintf(
        sentence, size,
        old ? "line %d divides %s by %s in each round, and what it held already is not multiplied by the %s of the "
              "round "
              "before: what came earlier loses weight. Multiply it by that first, or add up undivided and divide once, "
              "behind the last round"
            : "line %d adds to %s what is divided by %s, which is not complete yet: it differs from round to round. "
              "Add "
              "up undivided, and divide by the whole %s once, behind the last round",
        lab_line_of(text, s->left), name, by, by);
    return 1;
}

static int is_seen(const char *text, const lab_loop all[], int n, const block *b, char *sentence, size_t size) {
    char name[LONGEST], by[LONGEST];
    for (int i = 0; i < b->n; i++) {
        const lab_setting *s = &b->set[i];
        const char *at = lab_divisor_of(s, by);
        if (!at || !lab_copy_word(s->left, s->left_end, name) || !strcmp(name, by)) continue;
        const int own = s->op == '=' && lab_has_word(s->value, at, name), added = s->op == '+';
        const lab_setting *sum = (s->op == '/' || own || added) && lab_goes_on_in(b, s) ? lab_grows_in(b, by) : NULL;
        const char *again;
        if (sum && !is_complete(all, n, b, sum, s->left)) {
            if (added && !lab_has_word(s->value, at, name)) return say(text, s, by, 0, sentence, size);
            if (!added && !has_of(b, s, s->value, at, by)) return say(text, s, by, 1, sentence, size);
        } else if (added && !sum && !lab_has_word(s->value, at, name) && strpbrk(name, ".>") &&
                   (again = divides_again(text, b->loop, by))) {
            snprintf(
                sentence, size,
                "line %d divides by %s what it adds to %s, and line %d divides by it once more: add up undivided, and "
                "divide once, at the end",
                lab_line_of(text, s->left), by, name, lab_line_of(text, again));
            return 1;
        }
    }
    return 0;
}

int lab_hint_of_averaging(const char *text, int from, int to, char *sentence, size_t size) {
    static lab_loop all[LAB_MOST_BLOCKS];
    const int n = lab_blocks_of(text, from, to, all);
    for (int k = 0; k < n; k++) {
        lab_setting set[LAB_MOST_SET];
        const block b = {&all[k], set, lab_settings_of(all[k].body, all[k].end, set)};
        if (b.n < LAB_MOST_SET && is_seen(text, all, n, &b, sentence, size)) return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
