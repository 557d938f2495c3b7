// parts.c: a score has all dims of one key before its exponential is taken, and an output all keys of one column. What has
// fewer, or more, is a part of a thread's own, or parts of different things that were added up.
#include "parts.h"

#include <stdio.h>
#include <string.h>

#include "judged.h"

typedef const lab_number *number;

static const lab_line *line_of(const lab_depends *d, number x) { return &d->lines.line[x->told.id - 1]; }
static int size_of(number x, lab_of kind) { return lab_set_size(&x->of[kind]); }
static int same(number a, number b, lab_of kind) { return lab_set_same(&a->of[kind], &b->of[kind]); }
static int thread_of(number x) { return x->told.where & 1023; }
static int is_of_block(number a, number b) { return a->told.where >> 10 == b->told.where >> 10; }
static int is_known(number x) { return x->told.where >= 0; }

// "key 3", "keys 0 .. 7", "keys 0, 8, 16, ...": of so many there are.
static const char *words(const char *one, const lab_set *s, char *text, size_t size) {
    enum { SHOWN = 3 };
    int list[LAB_OF_MOST], n = 0, even = 1;
    for (int i = 0; i < LAB_OF_MOST; i++)
        if (lab_set_has(s, i)) list[n++] = i;
    for (int i = 2; i < n; i++) even &= list[i] - list[i - 1] == list[1] - list[0];
    if (n < 2)
        snprintf(text, size, n ? "%s %d" : "no %s", one, n ? list[0] : 0);
    else if (n == 2)
        snprintf(text, size, "%ss %d and %d", one, list[0], list[1]);
    else if (even && list[1] == list[0] + 1)
        snprintf(text, size, "%ss %d .. %d", one, list[0], list[n - 1]);
    else
        snprintf(text, size, "%ss %d, %d, %d%s", one, list[0], list[1], list[2], n > SHOWN ? ", ..." : "");
    if (n == 1 && even) snprintf(text, size, "%s %d", one, list[0]);
    return text;
}

// Those of two numbers. A key that both have is the row's largest score, most often, by which everything is divided.
typedef struct {
    char a[80], b[80];
} two_words;

static two_words of_both(const char *one, number a, number b, lab_of kind) {
    two_words w;
    lab_set x = a->of[kind], y = b->of[kind], common;
    for (int i = 0; i < LAB_OF_MOST / 64; i++) common.word[i] = x.word[i] & y.word[i];
    const int leave = lab_set_size(&common) == 1 && lab_set_size(&x) > 1 && lab_set_size(&y) > 1;
    for (int i = 0; i < LAB_OF_MOST / 64 && leave; i++) x.word[i] &= ~common.word[i], y.word[i] &= ~common.word[i];
    words(one, &x, w.a, sizeof w.a), words(one, &y, w.b, sizeof w.b);
    return w;
}

// The last number before `end` in the same thread that fits; NULL: there is none.
typedef int (*fits)(number x, number of);

static number before(const lab_depends *d, number of, fits fit) {
    for (number x = of; x-- > d->number;)
        if (x->told.where == of->told.where && fit(x, of)) return x;
    return NULL;
}

// What a function returns: the line that asked for it, where that takes it as it is, or makes more of it.
static number taken(const lab_depends *d, number x) {
    for (number next = x + 1; next < d->number + d->n && !strcmp(line_of(d, x)->name, "return"); next++)
        if (next->told.where == x->told.where) {
            if (!lab_set_within(&x->of[LAB_OF_KEYS], &next->of[LAB_OF_KEYS])) return x;
            x = next;
        }
    return x;
}

// ---- Scores

static int is_part_of_score(number x, number of) {
    return x->linear && size_of(x, LAB_OF_KEYS) == 1 && size_of(x, LAB_OF_DIMS) && !size_of(x, LAB_OF_VALUES) &&
           lab_set_within(&x->of[LAB_OF_DIMS], &of->of[LAB_OF_DIMS]) &&
           lab_set_within(&x->of[LAB_OF_KEYS], &of->of[LAB_OF_KEYS]);
}

// Where it was whole, as far as it ever is: its first line, or the one that asked the function of that.
static number first_of(const lab_depends *d, number part, number of) {
    number first = part;
    for (number x = part; x-- > d->number;)
        if (x->told.where == of->told.where && is_part_of_score(x, of) && same(x, part, LAB_OF_KEYS) &&
            same(x, part, LAB_OF_DIMS))
            first = x;
    for (number x = first; x <= part; x++)
        if (x->told.where == of->told.where && !strcmp(line_of(d, x)->name, "return") && is_part_of_score(x, of) &&
            same(x, part, LAB_OF_DIMS))
            return taken(d, x);
    return first;
}

// Of the same line, in another thread of the block, that has other dims; first one of the same key.
static number other_dims(const lab_depends *d, number of, int of_key) {
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && is_of_block(x, of) && x->told.where != of->told.where &&
            !lab_set_within(&x->of[LAB_OF_DIMS], &of->of[LAB_OF_DIMS]) &&
            !lab_set_within(&of->of[LAB_OF_DIMS], &x->of[LAB_OF_DIMS]) && (!of_key || same(x, of, LAB_OF_KEYS)))
            return x;
    return NULL;
}

// The number with most dims that others have other dims beside; first one of the same key. A maximum comes later.
static number part_of(const lab_depends *d, number exp, number *other, int *of_key) {
    enum { LOOKED_AT = 64 };
    number best = NULL;
    int looked = 0;
    for (number x = exp; x-- > d->number && looked < LOOKED_AT;) {
        if (x->told.where != exp->told.where || !is_part_of_score(x, exp)) continue;
        looked++;
        if (best && size_of(x, LAB_OF_DIMS) < size_of(best, LAB_OF_DIMS)) continue;
        const number same_key = other_dims(d, x, 1), one = same_key ? same_key : other_dims(d, x, 0);
        if (one) best = x, *other = one, *of_key = same_key != NULL;
    }
    return best ? first_of(d, best, exp) : NULL;
}

static int is_exp_of_part(const lab_depends *d, number x) {
    const int dims = size_of(x, LAB_OF_DIMS);
    return is_known(x) && !x->linear && size_of(x, LAB_OF_KEYS) && dims && 4 * dims <= 3 * d->count[LAB_OF_DIMS];
}

// A line that has whole scores in another thread: what this one has there is maybe not taken. NULL: there is none.
static number whole(const lab_depends *d, number of) {
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && is_of_block(x, of) && size_of(x, LAB_OF_DIMS) == d->count[LAB_OF_DIMS])
            return x;
    return NULL;
}

// A value of this thread's own column is multiplied by it, and by nothing else.
static int is_taken(const lab_depends *d, number exp) {
    number with = NULL;
    for (number x = exp; x < d->number + d->n && !with; x++)
        if (x->told.where == exp->told.where && size_of(x, LAB_OF_VALUES) && size_of(x, LAB_OF_COLUMNS) == 1 &&
            size_of(x, LAB_OF_DIMS))
            with = x;
    if (!with || 4 * size_of(with, LAB_OF_DIMS) > 3 * d->count[LAB_OF_DIMS]) return 0;
    for (number x = d->number; x < d->number + d->n; x++)
        if (same(x, with, LAB_OF_VALUES) && same(x, with, LAB_OF_COLUMNS) && same(x, with, LAB_OF_QUERIES) &&
            size_of(x, LAB_OF_DIMS) == d->count[LAB_OF_DIMS])
            return 0;
    return 1;
}

static int say_parts_of_scores(const lab_depends *d, char *text, size_t size) {
    for (number x = d->number; x < d->number + d->n; x++) {
        if (!is_exp_of_part(d, x)) continue;
        const number full = whole(d, x);
        if (full && !is_taken(d, x)) continue;
        number other;
        int of_key;
        const number part = part_of(d, x, &other, &of_key), at = taken(d, x);
        if (!part) return 0;
        const two_words dims = of_both("dim", part, other, LAB_OF_DIMS);
        char only[80] = "";
        if (full) snprintf(only, sizeof only, ", and thread %d alone has all", thread_of(full));
        snprintf(text, size,
                 "line %d, in %s, takes an exponential of scores that are not whole: in line %d thread %d has %s of a "
                 "key, thread %d has %s%s. %s",
                 line_of(d, at)->line, line_of(d, at)->function, line_of(d, part)->line, thread_of(part), dims.a,
                 thread_of(other), dims.b, only,
                 full ? "Let all these threads have the sum, before anything else is made of it"
                 : of_key
                     ? "Add the parts of a key up over these threads first, in each round, before anything else is "
                       "made of them"
                     : "These are different keys: let each thread add up all dims of its own keys");
        return 1;
    }
    return 0;
}

// ---- Sums of what does not belong together

static int is_score(number x) { return x->linear && !size_of(x, LAB_OF_VALUES) && size_of(x, LAB_OF_DIMS); }

// A maximum of scores that are nearly the same depends on several, too: but it is one of them.
static int is_one_of_them(const lab_depends *d, number of) {
    for (number x = of; x-- > d->number;)
        if (!memcmp(&x->told.value, &of->told.value, sizeof(float)) && size_of(x, LAB_OF_KEYS) == 1) return 1;
    return 0;
}
static int is_mixed_score(const lab_depends *d, number x) {
    return d->count[LAB_OF_DIMS] && is_score(x) && size_of(x, LAB_OF_KEYS) >= 3 && !is_one_of_them(d, x);
}
static int is_mixed_row(const lab_depends *d, number x) {
    return d->count[LAB_OF_DIMS] && is_score(x) && size_of(x, LAB_OF_KEYS) == 1 && size_of(x, LAB_OF_QUERIES) >= 2;
}
static int is_mixed_output(number x) { return size_of(x, LAB_OF_COLUMNS) >= 2 && size_of(x, LAB_OF_VALUES); }
static int is_of_a_key(number x, number of) {
    return size_of(x, LAB_OF_KEYS) == 1 && x->linear && lab_set_within(&x->of[LAB_OF_KEYS], &of->of[LAB_OF_KEYS]);
}
static int is_of_a_row(number x, number of) {
    return size_of(x, LAB_OF_QUERIES) == 1 && x->linear && same(x, of, LAB_OF_KEYS) &&
           lab_set_within(&x->of[LAB_OF_QUERIES], &of->of[LAB_OF_QUERIES]);
}
static int is_of_a_column(number x, number of) {
    return size_of(x, LAB_OF_COLUMNS) == 1 && size_of(x, LAB_OF_VALUES) &&
           lab_set_within(&x->of[LAB_OF_COLUMNS], &of->of[LAB_OF_COLUMNS]);
}

// What another thread of the block had in that line before it was mixed; of another key, or column.
static number other_part(const lab_depends *d, number part, number mixed, lab_of kind) {
    number found = NULL;
    for (number x = d->number; x < mixed; x++)
        if (x->told.id == part->told.id && is_of_block(x, part) && x->told.where != part->told.where &&
            size_of(x, kind) == 1 && !same(x, part, kind) && lab_set_within(&x->of[kind], &mixed->of[kind]) &&
            (!found || found->told.where == x->told.where))
            found = x;
    return found;
}

// The line that calls what adds up: the next one of the function that had the parts.
static number caller(const lab_depends *d, number mixed, number part, lab_of kind) {
    const char *in = line_of(d, part)->function;
    if (!strcmp(in, line_of(d, mixed)->function)) return mixed;
    for (number x = mixed; x < d->number + d->n; x++)
        if (x->told.where == mixed->told.where && !strcmp(in, line_of(d, x)->function))
            return size_of(x, kind) >= size_of(mixed, kind) ? x : mixed;
    return mixed;
}

// kind: of which they are different ones. parts: of which each has some.
static int say_mixed(const lab_depends *d, number mixed, lab_of kind, char *text, size_t size) {
    const lab_of parts = kind == LAB_OF_COLUMNS ? LAB_OF_VALUES : LAB_OF_DIMS;
    const char *one = kind == LAB_OF_COLUMNS ? "column"
                      : kind == LAB_OF_KEYS  ? d->count[parts] ? "key" : "column"
                                             : "row",
               *of = kind == LAB_OF_COLUMNS ? d->one : "dim";
    const fits is_part = kind == LAB_OF_COLUMNS ? is_of_a_column : kind == LAB_OF_KEYS ? is_of_a_key : is_of_a_row;
    char with[80] = "", mine[100] = "", theirs[100] = "";
    const number part = before(d, mixed, is_part), other = part ? other_part(d, part, mixed, kind) : NULL;
    if (!other || !is_known(mixed)) return 0;
    const number at = caller(d, mixed, part, kind);
    const two_words some = of_both(of, part, other, parts), which = of_both(one, part, other, kind);
    if (at != mixed) snprintf(with, sizeof with, " with %s", line_of(d, mixed)->function);
    if (d->count[parts])
        snprintf(mine, sizeof mine, "%s of ", some.a), snprintf(theirs, sizeof theirs, "%s of ", some.b);
    // Others have parts of the same key: it is to be added up, over these alone.
    const int joint = kind == LAB_OF_QUERIES || (kind == LAB_OF_KEYS && d->count[parts] && other_dims(d, part, 1));
    const int shared = size_of(part, parts) < d->count[parts];
    snprintf(text, size,
             "line %d, in %s, adds up%s what threads have of different %ss: in line %d thread %d has %s%s, and thread "
             "%d has "
             "%s%s. %s",
             line_of(d, at)->line, line_of(d, at)->function, with, one, line_of(d, part)->line, thread_of(part), mine,
             which.a, thread_of(other), theirs, which.b,
             !shared ? "Each of them is whole: add up nothing over the threads"
             : joint ? "Add up over those threads alone that have parts of the same key and row"
             : kind == LAB_OF_COLUMNS
                 ? "Each thread has columns of its own: let it go over all of them itself, and add up "
                   "nothing over the threads"
                 : "Each thread has keys of its own: let it go over all dims itself, and add up "
                   "nothing over the threads");
    return 1;
}

static int say_sums_of_others(const lab_depends *d, char *text, size_t size) {
    for (number x = d->number; x < d->number + d->n; x++) {
        if (is_mixed_score(d, x)) return say_mixed(d, x, LAB_OF_KEYS, text, size);
        if (is_mixed_row(d, x)) return say_mixed(d, x, LAB_OF_QUERIES, text, size);
        if (is_mixed_output(x)) return say_mixed(d, x, LAB_OF_COLUMNS, text, size);
    }
    return 0;
}

// ---- Outputs

static lab_of summed(const lab_depends *d) { return d->count[LAB_OF_VALUES] ? LAB_OF_VALUES : LAB_OF_KEYS; }

// The number that was stored as this element: the last one that is the same, bit by bit.
static number stored(const lab_depends *d, number element) {
    for (number x = d->number + d->n; x-- > d->number;)
        if (!memcmp(&x->told.value, &element->told.value, sizeof(float)) && is_known(x) &&
            same(x, element, summed(d)) && same(x, element, LAB_OF_COLUMNS))
            return x;
    return NULL;
}

static int is_of_same(const lab_depends *d, number x, number of) {
    return is_of_block(x, of) && same(x, of, LAB_OF_QUERIES) &&
           (summed(d) != LAB_OF_VALUES || same(x, of, LAB_OF_COLUMNS));
}

// What the thread, or one of its block, has of it before: of a softmax, the last sum.
static number added(const lab_depends *d, number store, int anywhere) {
    const lab_of kind = summed(d);
    for (number x = store; x-- > d->number;)
        if ((anywhere || x->told.where == store->told.where) && x->told.id != store->told.id &&
            is_of_same(d, x, store) && size_of(x, kind) && (kind == LAB_OF_VALUES ? same(x, store, kind) : !x->linear))
            return x;
    return NULL;
}

// What the threads of its block have of the same row in that line, in the end: all together, and one that has something else.
static number others(const lab_depends *d, number of, lab_of kind, lab_set *all) {
    number other = NULL;
    memset(all, 0, sizeof *all);
    for (number x = d->number; x < d->number + d->n; x++) {
        if (x->told.id != of->told.id || !is_of_block(x, of) || !same(x, of, LAB_OF_QUERIES)) continue;
        lab_set_join(all, &x->of[kind]);
        const int is_new = x->told.where != of->told.where && !lab_set_within(&x->of[kind], &of->of[kind]);
        if (is_new && (!other || other->told.where == x->told.where)) other = x;
    }
    return other;
}

typedef struct {
    number a, b;
} two;

// Before `end`: what a thread has most of that `sum` lacks, and what another one has in that line of what it has.
static two parted(const lab_depends *d, number sum, number end, lab_of kind) {
    two found = {NULL, NULL};
    for (number b = end; b-- > d->number;) {
        const int fits = kind == LAB_OF_VALUES ? is_of_same(d, b, sum)
                                               : is_of_block(b, sum) && same(b, sum, LAB_OF_QUERIES) &&
                                                     !size_of(b, LAB_OF_VALUES) && !b->linear && size_of(b, kind) > 1;
        if (!fits || lab_set_within(&b->of[kind], &sum->of[kind])) continue;
        if (found.b && size_of(b, kind) <= size_of(found.b, kind)) continue;
        for (number a = end; a-- > d->number;)
            if (a->told.id == b->told.id && a->told.where != b->told.where && size_of(a, kind) &&
                same(a, sum, LAB_OF_QUERIES) && (kind != LAB_OF_VALUES || is_of_same(d, a, sum)) && is_of_block(a, b) &&
                lab_set_within(&a->of[kind], &sum->of[kind]) &&
                (found.b != b || size_of(a, kind) > size_of(found.a, kind)))
                found = (two){a, b};
    }
    return found;
}

static void lacking(const lab_depends *d, lab_of kind, const lab_set *has, char *text, size_t size) {
    lab_set s = {{0}};
    for (int i = 0; i < d->count[kind]; i++)
        if (!lab_set_has(has, i)) s.word[i / 64] |= (uint64_t)1 << i % 64;
    words(d->one, &s, text, size);
}

static int say_parts_of_outputs(const lab_depends *d, char *text, size_t size) {
    const lab_of kind = summed(d);
    const int n = d->count[kind];
    char rest[80];
    size_t few = 0;
    number store = NULL;
    for (size_t i = 0; i < d->n_output; i++) {
        const number element = &d->output[i];
        if (size_of(element, kind) >= n) continue;
        if (few++ < 8 && !store && size_of(element, kind)) store = stored(d, element);
    }
    if (4 * few < d->n_output || !store) return 0;
    const number own = added(d, store, 0), sum = own ? own : added(d, store, 1);
    lab_set all;
    number a = sum, b = sum ? others(d, sum, kind, &all) : NULL;
    const int own_columns = b && d->count[LAB_OF_COLUMNS] && !same(sum, b, LAB_OF_COLUMNS);
    if (!sum) return 0;
    if (!b) {
        const two t = parted(d, sum, store, kind);
        a = t.a, b = t.b;
        memset(&all, 255, sizeof all);
    }
    if (!b) return 0;
    const two_words has = of_both(d->one, a, b, kind);
    const number asked = caller(d, taken(d, a), store, kind);
    const lab_line *at = line_of(d, asked->told.id == store->told.id ? a : asked), *out = line_of(d, store);
    if (lab_set_size(&all) < n && !own_columns) {
        lacking(d, kind, &all, rest, sizeof rest);
        snprintf(text, size, "line %d, in %s: thread %d has %s, thread %d has %s, and no thread has %s (of %d)",
                 at->line, at->function, thread_of(a), has.a, thread_of(b), has.b, rest, n);
    } else
        snprintf(
            text, size,
            "line %d, in %s, stores a part as if it were all: in line %d thread %d has %s, and thread %d has %s. %s",
            out->line, out->function, at->line, thread_of(a), has.a, thread_of(b), has.b,
            own_columns ? "Each thread has columns of its own: let it go over all of these itself"
                        : "Add up what all these threads have, before it is stored");
    return 1;
}

// ---- The sum of weights

static int is_weight(const lab_depends *d, number x) {
    return is_known(x) && size_of(x, LAB_OF_KEYS) > 1 && size_of(x, LAB_OF_KEYS) < d->count[LAB_OF_KEYS] &&
           !size_of(x, LAB_OF_VALUES) && !(d->count[LAB_OF_DIMS] && x->linear);
}

// The weights of its keys add up to this share; the row's largest may be one that is not added, but subtracted.
static int has_share(const lab_depends *d, number x, int row, double share) {
    static const double LESS = 0.9999, MORE = 1.0001;
    const int n = d->count[LAB_OF_KEYS];
    const float *w = d->weight + row * n;
    double sum = 0;
    int largest = 0;
    for (int j = 0; j < n; j++) {
        if (lab_set_has(&x->of[LAB_OF_KEYS], j)) sum += w[j];
        if (w[j] > w[largest]) largest = j;
    }
    const double less = sum - w[largest];
    return (sum > LESS * share && sum < MORE * share) || (less > LESS * share && less < MORE * share);
}

// The sum that this element was divided by: all weights, divided by it, are what the weights add up to. The one of most
// keys: that of few may be like it by chance.
static number divisor(const lab_depends *d, size_t element, number *store) {
    const int row = (int)(element / (size_t)d->count[LAB_OF_COLUMNS]);
    number best = NULL;
    *store = stored(d, &d->output[element]);
    for (number x = *store; x && x-- > d->number;)
        if (is_of_block(x, *store) && is_weight(d, x) && same(x, *store, LAB_OF_QUERIES) &&
            (!best || size_of(x, LAB_OF_KEYS) > size_of(best, LAB_OF_KEYS)) &&
            has_share(d, x, row, 1 / d->total[element]))
            best = x;
    return best;
}

static int say_parts_of_sum(const lab_depends *d, char *text, size_t size) {
    size_t wrong = 0, tried = 0;
    number sum = NULL, store = NULL;
    char rest[80];
    lab_set all;
    if (!d->total || !d->count[LAB_OF_COLUMNS]) return 0;
    for (size_t i = 0; i < d->n_output; i++) {
        if (!(d->total[i] < 0.998f || d->total[i] > 1.002f)) continue;
        wrong++;
        if (!sum && tried++ < 8) sum = divisor(d, i, &store);
    }
    if (4 * wrong < d->n_output || !sum) return 0;
    number a = sum, b = others(d, sum, LAB_OF_KEYS, &all);
    if (!b) {
        const two t = parted(d, sum, store, LAB_OF_KEYS);
        a = t.a, b = t.b;
    }
    lacking(d, LAB_OF_KEYS, &sum->of[LAB_OF_KEYS], rest, sizeof rest);
    const lab_line *out = line_of(d, store), *at = line_of(d, taken(d, a ? a : sum));
    const two_words has = a && b ? of_both(d->one, a, b, LAB_OF_KEYS) : (two_words){"", ""};
    if (a && b)
        snprintf(text, size,
                 "line %d, in %s, divides by a part of the sum of exp(s - m): in line %d thread %d has %s, and thread "
                 "%d has "
                 "%s. Add up what all these threads have, before anything is divided by it",
                 out->line, out->function, at->line, thread_of(a), has.a, thread_of(b), has.b);
    else
        snprintf(text, size,
                 "line %d, in %s, divides by a part of the sum of exp(s - m): that of line %d lacks %s (of %d)",
                 out->line, out->function, at->line, rest, d->count[LAB_OF_KEYS]);
    return 1;
}

int lab_parts_say(const lab_depends *d, char *text, size_t size) {
    *text = 0;
    return (d->count[LAB_OF_DIMS] && say_parts_of_scores(d, text, size)) || say_sums_of_others(d, text, size) ||
           say_parts_of_outputs(d, text, size) || say_parts_of_sum(d, text, size);
}

int lab_parts_note(const lab_repair_ask *ask, double seconds, char *note, size_t size) {
    const lab_case *telling = lab_judged_telling(), *joined = telling ? lab_judged_of(&lab_combine) : NULL;
    const lab_case *c = joined ? joined : telling;  // what joins the parts of splits is called by what makes them, too
    lab_depends d;
    *note = 0;
    if (!c || ask->task->language != LAB_CUDA || !ask->edits || !ask->source) return 0;
    int said = lab_depends_find(ask, c, seconds, &d);
    if (said) snprintf(note, size, "in a call with %s, ", d.call);
    said = said && lab_parts_say(&d, note + strlen(note), size - strlen(note));
    if (!said) *note = 0;
    lab_depends_free(&d);
    return said;
}
