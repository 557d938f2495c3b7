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
    return x->linear && size_of(x, LAB_OF_KEYS) == 1 && same(x, of, LAB_OF_DIMS) && !size_of(x, LAB_OF_VALUES);
}

// Where it was whole, as far as it ever is: its first line, or the one that asked the function of that.
static number first_of(const lab_depends *d, number part, number of) {
    number first = part;
    for (number x = part; x-- > d->number;)
        if (x->told.where == of->told.where && is_part_of_score(x, of) && same(x, part, LAB_OF_KEYS)) first = x;
    for (number x = first; x <= part; x++)
        if (x->told.where == of->told.where && !strcmp(line_of(d, x)->name, "return") && is_part_of_score(x, of))
            return taken(d, x);
    return first;
}

// Of the same line, in another thread of the block, that has other dims; first one of the same key.
static number other_dims(const lab_depends *d, number of, int of_key) {
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && is_of_block(x, of) && x->told.where != of->told.where &&
            size_of(x, LAB_OF_DIMS) == size_of(of, LAB_OF_DIMS) && !same(x, of, LAB_OF_DIMS) &&
            (!of_key || same(x, of, LAB_OF_KEYS)))
            return x;
    return NULL;
}

static int is_exp_of_part(const lab_depends *d, number x) {
    const int dims = size_of(x, LAB_OF_DIMS);
    return is_known(x) && !x->linear && size_of(x, LAB_OF_KEYS) && dims && 4 * dims <= 3 * d->count[LAB_OF_DIMS];
}

// A line that has whole scores somewhere: what other threads have there is maybe not taken.
static int has_whole(const lab_depends *d, number of) {
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && size_of(x, LAB_OF_DIMS) == d->count[LAB_OF_DIMS]) return 1;
    return 0;
}

static int say_parts_of_scores(const lab_depends *d, char *text, size_t size) {
    char one[80], two[80];
    for (number x = d->number; x < d->number + d->n; x++) {
        if (!is_exp_of_part(d, x) || has_whole(d, x)) continue;
        const number last = before(d, x, is_part_of_score), part = last ? first_of(d, last, x) : NULL, at = taken(d, x);
        if (!part) continue;
        const number of_key = other_dims(d, part, 1), other = of_key ? of_key : other_dims(d, part, 0);
        if (!other) return 0;
        snprintf(text, size,
                 "line %d, in %s, takes an exponential of scores that are not whole: in line %d thread %d has %s of a "
                 "key, and thread %d has %s. %s",
                 line_of(d, at)->line, line_of(d, at)->function, line_of(d, part)->line, thread_of(part),
                 words("dim", &part->of[LAB_OF_DIMS], one, sizeof one), thread_of(other),
                 words("dim", &other->of[LAB_OF_DIMS], two, sizeof two),
                 of_key ? "Add the parts of a key up over these threads first, in each round, before anything else is "
                          "made of them"
                        : "These are different keys: let each thread add up all dims of its own keys");
        return 1;
    }
    return 0;
}

// ---- Sums of what does not belong together

static int is_mixed_score(const lab_depends *d, number x) {
    return x->linear && size_of(x, LAB_OF_KEYS) >= 3 && !size_of(x, LAB_OF_VALUES) &&
           (!d->count[LAB_OF_DIMS] || size_of(x, LAB_OF_DIMS));
}
static int is_mixed_output(number x) { return size_of(x, LAB_OF_COLUMNS) >= 2 && size_of(x, LAB_OF_VALUES); }
static int is_of_a_key(number x, number of) {
    return size_of(x, LAB_OF_KEYS) == 1 && x->linear && lab_set_within(&x->of[LAB_OF_KEYS], &of->of[LAB_OF_KEYS]);
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

static int say_mixed(const lab_depends *d, number mixed, int of_output, char *text, size_t size) {
    const lab_of kind = of_output ? LAB_OF_COLUMNS : LAB_OF_KEYS, parts = of_output ? LAB_OF_VALUES : LAB_OF_DIMS;
    const char *one = of_output ? "column" : "key", *of = of_output ? d->one : "dim";
    char list[4][80], with[80] = "";
    const number part = before(d, mixed, of_output ? is_of_a_column : is_of_a_key);
    const number other = part ? other_part(d, part, mixed, kind) : NULL;
    if (!other || !is_known(mixed)) return 0;
    const number at = caller(d, mixed, part, kind);
    if (at != mixed) snprintf(with, sizeof with, " with %s", line_of(d, mixed)->function);
    const int shared = size_of(part, parts) < d->count[parts];
    snprintf(
        text, size,
        "line %d, in %s, adds up%s what threads have of different %ss: in line %d thread %d has %s%sof %s, and thread "
        "%d has %s%sof %s. %s",
        line_of(d, at)->line, line_of(d, at)->function, with, one, line_of(d, part)->line, thread_of(part),
        d->count[parts] ? words(of, &part->of[parts], list[0], sizeof list[0]) : "", d->count[parts] ? " " : "",
        words(one, &part->of[kind], list[1], sizeof list[1]), thread_of(other),
        d->count[parts] ? words(of, &other->of[parts], list[2], sizeof list[2]) : "", d->count[parts] ? " " : "",
        words(one, &other->of[kind], list[3], sizeof list[3]),
        shared ? of_output ? "Each thread has columns of its own: let it go over all of them itself, and add up "
                             "nothing over the threads"
                           : "Each thread has keys of its own: let it go over all dims itself, and add up nothing over "
                             "the threads"
               : "Each of them is whole: add up nothing over the threads");
    return 1;
}

static int say_sums_of_others(const lab_depends *d, char *text, size_t size) {
    for (number x = d->number; x < d->number + d->n; x++) {
        if (is_mixed_score(d, x)) return say_mixed(d, x, 0, text, size);
        if (is_mixed_output(x)) return say_mixed(d, x, 1, text, size);
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

static number added(const lab_depends *d, number store, int anywhere) {
    const lab_of kind = summed(d);
    for (number x = store; x-- > d->number;)
        if ((anywhere ? is_of_block(x, store) : x->told.where == store->told.where) && x->told.id != store->told.id &&
            size_of(x, kind) && lab_set_within(&x->of[kind], &store->of[kind]) && same(x, store, LAB_OF_QUERIES) &&
            (kind == LAB_OF_VALUES ? same(x, store, kind) && same(x, store, LAB_OF_COLUMNS) : !x->linear))
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

static void leave_out(lab_set *s, const lab_set *of, int n) {
    for (int i = 0; i < n; i++)
        if (lab_set_has(of, i))
            s->word[i / 64] &= ~((uint64_t)1 << i % 64);
        else
            s->word[i / 64] |= (uint64_t)1 << i % 64;
}

static int say_parts_of_outputs(const lab_depends *d, char *text, size_t size) {
    const lab_of kind = summed(d);
    const int n = d->count[kind];
    char one[80], two[80], rest[80];
    size_t few = 0;
    number element = NULL;
    for (size_t i = 0; i < d->n_output; i++)
        if (size_of(&d->output[i], kind) < n) few++, element = element ? element : &d->output[i];
    if (4 * few < d->n_output) return 0;
    const number store = stored(d, element), own = store ? added(d, store, 0) : NULL;
    const number sum = own ? own : store ? added(d, store, 1) : NULL;
    lab_set all, nobody = {{0}};
    const number other = sum ? others(d, sum, kind, &all) : NULL;
    if (!other) return 0;
    words(d->one, &sum->of[kind], one, sizeof one), words(d->one, &other->of[kind], two, sizeof two);
    const int left = lab_set_size(&all) < n;
    if (left) leave_out(&nobody, &all, n), words(d->one, &nobody, rest, sizeof rest);
    const int own_columns = d->count[LAB_OF_COLUMNS] && !same(sum, other, LAB_OF_COLUMNS);
    const lab_line *at = line_of(d, sum), *out = line_of(d, store);
    if (left)
        snprintf(text, size, "line %d, in %s: thread %d has %s, thread %d has %s, and no thread has %s (of %d)",
                 at->line, at->function, thread_of(sum), one, thread_of(other), two, rest, n);
    else
        snprintf(
            text, size,
            "line %d, in %s, stores the part of one thread as if it were all: in line %d thread %d has %s, and thread "
            "%d has %s. %s",
            out->line, out->function, at->line, thread_of(sum), one, thread_of(other), two,
            own_columns ? "Each thread has columns of its own: let it go over all of them itself"
                        : "Add the parts of these threads up before");
    return 1;
}

// ---- The sum of weights

static int is_weight(const lab_depends *d, number x) {
    return is_known(x) && size_of(x, LAB_OF_KEYS) && !size_of(x, LAB_OF_VALUES) &&
           !(d->count[LAB_OF_DIMS] && x->linear);
}

static int say_parts_of_sum(const lab_depends *d, char *text, size_t size) {
    size_t wrong = 0;
    number most = NULL;
    char one[80], two[80];
    lab_set all;
    if (!d->total) return 0;
    for (size_t i = 0; i < d->n_output; i++) wrong += !(d->total[i] > 0.999f && d->total[i] < 1.001f);
    if (2 * wrong < d->n_output) return 0;
    for (number x = d->number; x < d->number + d->n; x++)
        if (is_weight(d, x) && (!most || size_of(x, LAB_OF_KEYS) >= size_of(most, LAB_OF_KEYS))) most = x;
    if (!most || size_of(most, LAB_OF_KEYS) < 2 || 4 * size_of(most, LAB_OF_KEYS) > 3 * d->count[LAB_OF_KEYS]) return 0;
    const number other = others(d, most, LAB_OF_KEYS, &all);
    if (!other || lab_set_size(&all) < d->count[LAB_OF_KEYS]) return 0;
    snprintf(
        text, size,
        "line %d, in %s: of the sum of exp(s - m) thread %d has %s, and thread %d has %s, and no line has the sum of "
        "all: add it up over these threads before anything is divided by it",
        line_of(d, most)->line, line_of(d, most)->function, thread_of(most),
        words(d->one, &most->of[LAB_OF_KEYS], one, sizeof one), thread_of(other),
        words(d->one, &other->of[LAB_OF_KEYS], two, sizeof two));
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
    const int said = lab_depends_find(ask, c, seconds, &d) && lab_parts_say(&d, note, size);
    lab_depends_free(&d);
    return said;
}
