// parts_factors.c: keys that count with different factors in one sum of exp(s - m) V, and the number that is one of these; the
// logarithm of a sum that has not all keys of its part, or has them several times.
#include "who.h"

#include <math.h>

// ---- Factors

// How many times exp(s) each key counts, of a sum of one query: two groups of keys at most.
typedef struct {
    lab_set a, b;
    double times;  // a key of a, as a key of b; 0: all count alike, or it is none of both
} groups;

static int query_in(number x) {
    for (int i = 0; i < LAB_OF_MOST; i++)
        if (lab_set_has(&x->of[LAB_OF_QUERIES], i)) return i;
    return 0;
}

static groups grouped(const lab_depends *d, number x) {
    static const double ALIKE = 1e-3, APART = 1.02;
    const int n = d->count[LAB_OF_VALUES], row = query_in(x);
    const float *gain = d->gain + (size_t)(x - d->number) * (size_t)n, *weight = d->weight + row * n;
    double a = 0, b = 0;
    groups g = {.times = 0};
    for (int j = 0; j < n; j++) {
        if (!lab_set_has(&x->of[LAB_OF_VALUES], j)) continue;
        const double times = gain[j] / (double)weight[j];
        if (!(times > 0) || isinf(times)) return (groups){.times = 0};
        if (!a || fabs(times - a) < ALIKE * a)
            a = a ? a : times, g.a.word[j / 64] |= (uint64_t)1 << j % 64;
        else if (!b || fabs(times - b) < ALIKE * b)
            b = b ? b : times, g.b.word[j / 64] |= (uint64_t)1 << j % 64;
        else
            return (groups){.times = 0};
    }
    const double times = b ? a / b : 0;
    if (times > APART || (times > 0 && times < 1 / APART)) g.times = times;
    return g;
}

static int is_sum(number x) {
    return is_known(x) && size_of(x, LAB_OF_VALUES) > 1 && size_of(x, LAB_OF_COLUMNS) == 1 &&
           size_of(x, LAB_OF_QUERIES) <= 1;
}

// What that thread had before and is this number; an exponential that is 1 tells nothing.
static number equal(const lab_depends *d, number of, double value) {
    static const double ALIKE = 1e-3;
    for (number x = of; x-- > d->number;)
        if (x->told.where == of->told.where && !x->linear && !size_of(x, LAB_OF_VALUES) && size_of(x, LAB_OF_KEYS) &&
            fabs(x->told.value - value) < ALIKE * value)
            return x;
    return NULL;
}

// How many different factors its keys have.
static int factors_of(const lab_depends *d, number x) {
    static const double ALIKE = 1e-3;
    const int n = d->count[LAB_OF_VALUES], row = query_in(x);
    double seen[LAB_OF_MOST];
    int found = 0;
    for (int j = 0; j < n; j++) {
        if (!lab_set_has(&x->of[LAB_OF_VALUES], j)) continue;
        const double times = d->gain[(size_t)(x - d->number) * (size_t)n + (size_t)j] / (double)d->weight[row * n + j];
        int k = 0;
        while (k < found && !(fabs(seen[k] - times) < ALIKE * fabs(times))) k++;
        if (k == found) seen[found++] = times;
    }
    return found;
}

// Several outputs are made of such sums: one of them may be so by chance. Where nearly each key has a factor of its own, its
// score is wrong, or another key's.
static int are_uneven(const lab_depends *d) {
    enum { TRIED = 8, LEAST = 2, KEYS_EACH = 3 };
    int n = 0;
    for (size_t i = 0; i < TRIED && i < d->n_output; i++) {
        const number x = stored(d, &d->output[i * d->n_output / TRIED]);
        const int all = x ? size_of(x, LAB_OF_VALUES) : 0, factors = all ? factors_of(d, x) : 0;
        n += factors > 1 && KEYS_EACH * factors <= all + KEYS_EACH;
    }
    return n >= LEAST;
}

int lab_other_factors(const lab_depends *d, char *text, size_t size) {
    char a[80], b[80], by[160];
    if (!d->gain || !d->weight || !d->count[LAB_OF_COLUMNS] || !are_uneven(d)) return 0;
    for (number x = d->number; x < d->number + d->n; x++) {
        groups g = is_sum(x) ? grouped(d, x) : (groups){.times = 0};
        if (!g.times) continue;
        number factor = equal(d, x, g.times), inverse = factor ? NULL : equal(d, x, 1 / g.times);
        const double whole = round(fmax(g.times, 1 / g.times));
        if (!factor && !inverse && fabs(fmax(g.times, 1 / g.times) - whole) < 0.002 * whole) return 0;  // it is counted
        const lab_set first = inverse ? g.b : g.a, second = inverse ? g.a : g.b;
        const number at = taken(d, x);
        if (inverse) factor = inverse;
        if (factor)
            snprintf(by, sizeof by, "%s times (line %d) as much", line_of(d, factor)->name, line_of(d, factor)->line);
        else
            snprintf(by, sizeof by, "%.3g times as much", g.times);
        snprintf(text, size,
                 "line %d, in %s, adds up what belongs to different maxima: in thread %d, %s against %s, exp(s - m) "
                 "counts %s. "
                 "In one sum each key counts exp(s - m) with the same m: what is there already, and what comes, are "
                 "multiplied by exp(their m - the new m), each by its own and once",
                 line_of(d, at)->line, line_of(d, at)->function, thread_of(x), words(d->one, &first, a, sizeof a),
                 words(d->one, &second, b, sizeof b), by);
        return 1;
    }
    return 0;
}

// ---- Logarithms

// log(sum of exp(s)) of its own keys, each of them counted so many times; 0: it is something else.
static int times_in_log(const lab_depends *d, number x) {
    enum { MOST = 64 };
    const int n = d->count[LAB_OF_KEYS], row = query_in(x);
    double sum = 0;
    for (int j = 0; j < n; j++)
        if (lab_set_has(&x->of[LAB_OF_KEYS], j)) sum += d->weight[row * n + j];
    const double times = exp(x->told.value - d->mass[row]) / sum, whole = round(times);
    return fabs(times - whole) < 1e-4 * whole && whole >= 1 && whole <= MOST ? (int)whole : 0;
}

// What the block stores of the same row in the end: it has most keys. Blocks of another kernel have the same numbers.
static number part_of_block(const lab_depends *d, number of) {
    const char *kernel = line_of(d, taken(d, of))->function;
    number most = NULL;
    for (number x = d->number; x < d->number + d->n; x++)
        if (is_known(x) && is_of_block(x, of) && !strcmp(line_of(d, x)->function, kernel) &&
            size_of(x, LAB_OF_COLUMNS) == 1 && size_of(x, LAB_OF_VALUES) >= (most ? size_of(most, LAB_OF_VALUES) : 1))
            most = x;
    return most;
}

// The last number of its block in that function that has no values, and the only one of its line there.
static int is_last_of_block(const lab_depends *d, number of) {
    const char *function = line_of(d, of)->function;
    int has_values = 0;
    for (number x = d->number; x < d->number + d->n; x++) {
        if (x == of || !is_known(x) || !is_of_block(x, of) || strcmp(line_of(d, x)->function, function)) continue;
        has_values |= size_of(x, LAB_OF_VALUES) > 0;
        if (x->told.id == of->told.id || (x > of && !size_of(x, LAB_OF_VALUES))) return 0;
    }
    return has_values;
}

// Of one key it is the score: of such only what comes last is taken for an L_s.
static int is_log(const lab_depends *d, number x) {
    if (!is_known(x) || size_of(x, LAB_OF_VALUES) || !size_of(x, LAB_OF_KEYS) || !times_in_log(d, x)) return 0;
    return size_of(x, LAB_OF_KEYS) > 1 ? !x->linear : is_last_of_block(d, x);
}

// The first line in which a thread has all of these keys in one sum.
static const char *walks(const lab_depends *d, number of, char text[80]) {
    *text = 0;
    for (number x = d->number; x < of; x++)
        if (is_known(x) && is_of_block(x, of) && same(x, of, LAB_OF_KEYS) && !x->linear && !size_of(x, LAB_OF_VALUES)) {
            snprintf(text, 80, " (line %d)", line_of(d, x)->line);
            break;
        }
    return text;
}

static number in_first_thread(const lab_depends *d, number of) {
    number first = of;
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && is_known(x) && x->told.where < first->told.where && is_log(d, x)) first = x;
    return first;
}

// A file may join logarithms of parts, too.
static int has_right_log(const lab_depends *d, number part) {
    for (number x = d->number; x < d->number + d->n; x++)
        if (is_known(x) && is_of_block(x, part) && !size_of(x, LAB_OF_VALUES) &&
            lab_set_same(&x->of[LAB_OF_KEYS], &part->of[LAB_OF_VALUES]) && times_in_log(d, x) == 1)
            return 1;
    return 0;
}

// Another function has made it: what joins the splits reads the L_s of one, and stores an output of all.
static int is_handed_over(const lab_depends *d, number of) {
    for (number x = d->number; x < of; x++)
        if (x->told.value == of->told.value && is_log(d, x) && same(x, of, LAB_OF_KEYS) &&
            strcmp(line_of(d, x)->function, line_of(d, of)->function))
            return 1;
    return 0;
}

int lab_logs_of_parts(const lab_depends *d, char *text, size_t size) {
    char keys[80], all[80], where[80];
    if (!d->splits || !d->weight || !d->mass) return 0;
    for (number any = d->number; any < d->number + d->n; any++) {
        if (!is_log(d, any) || is_handed_over(d, any)) continue;
        const number x = in_first_thread(d, any), part = part_of_block(d, x);
        if (!part || !lab_set_within(&x->of[LAB_OF_KEYS], &part->of[LAB_OF_VALUES]) || has_right_log(d, part)) continue;
        const int times = times_in_log(d, x), lacks = !lab_set_same(&x->of[LAB_OF_KEYS], &part->of[LAB_OF_VALUES]);
        words(d->one, &x->of[LAB_OF_KEYS], keys, sizeof keys);
        words(d->one, &part->of[LAB_OF_VALUES], all, sizeof all);
        if (lacks && size_of(x, LAB_OF_KEYS) == 1)
            snprintf(text, size,
                     "line %d, in %s, has one key's score in place of L_s: thread %d has %s there, as m has without "
                     "log(l), or log(l) of that key alone, and the output of its block has %s (line %d). L_s is m + "
                     "log(l) of all keys of the split",
                     line_of(d, x)->line, line_of(d, x)->function, thread_of(x), keys, all, line_of(d, part)->line);
        else if (lacks)
            snprintf(text, size,
                     "line %d, in %s, takes the logarithm of a part of the sum: thread %d has %s there, and the output "
                     "of its block has %s (line %d). L_s is m + log(l) of all keys of the split: make it behind what "
                     "joins m and l",
                     line_of(d, x)->line, line_of(d, x)->function, thread_of(x), keys, all, line_of(d, part)->line);
        else if (times > 1)
            snprintf(text, size,
                     "line %d, in %s, takes the logarithm of a sum in which each key counts %d times: %d threads, or "
                     "groups of them, have all of %s%s. Share these out among them, so that each key is added up once",
                     line_of(d, x)->line, line_of(d, x)->function, times, times, keys, walks(d, x, where));
        else
            continue;
        return 1;
    }
    return 0;
}
