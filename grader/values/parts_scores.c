// parts_scores.c: an exponential of a score that has not all dims, and sums of different keys, rows, columns.
#include "who.h"

// ---- Scores

// A number of 16 bits does not alter with every dim that it is made of.
static int is_rounded(number x) {
    uint32_t bits;
    memcpy(&bits, &x->told.value, sizeof bits);
    return !(bits & 0xfff);
}

static int is_part_of_score(number x, number of) {
    return x->linear && !is_rounded(x) && size_of(x, LAB_OF_KEYS) == 1 && size_of(x, LAB_OF_DIMS) &&
           !size_of(x, LAB_OF_VALUES) && lab_set_within(&x->of[LAB_OF_DIMS], &of->of[LAB_OF_DIMS]) &&
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

// Of the same line, in another thread of the block, the first one that has other dims; of the same key if it is to be.
static number other_dims(const lab_depends *d, number of, int of_key) {
    number found = NULL;
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && is_of_block(x, of) && x->told.where != of->told.where &&
            !lab_set_within(&x->of[LAB_OF_DIMS], &of->of[LAB_OF_DIMS]) &&
            !lab_set_within(&of->of[LAB_OF_DIMS], &x->of[LAB_OF_DIMS]) && (!of_key || same(x, of, LAB_OF_KEYS)) &&
            (!found || x->told.where < found->told.where))
            found = x;
    return found;
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
    return is_known(x) && !is_rounded(x) && !x->linear && size_of(x, LAB_OF_KEYS) && dims &&
           4 * dims <= 3 * d->count[LAB_OF_DIMS];
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

static int is_wrong(const lab_depends *d, number x) { return is_exp_of_part(d, x) && (!whole(d, x) || is_taken(d, x)); }

// The same in the first thread of the block.
static number in_first_thread(const lab_depends *d, number of) {
    for (int where = of->told.where & ~1023; where < of->told.where; where++)
        for (number x = d->number; x < d->number + d->n; x++)
            if (x->told.where == where && x->told.id == of->told.id && is_wrong(d, x)) return x;
    return of;
}

// A score of this thread that has other dims, and that is never added to the first one: keys share the dims, and not threads.
static number apart_from(const lab_depends *d, number part) {
    for (number x = d->number; x < d->number + d->n; x++) {
        const lab_set *own = &part->of[LAB_OF_DIMS], *dims = &x->of[LAB_OF_DIMS];
        if (x->told.where != part->told.where || !x->linear || is_rounded(x) || size_of(x, LAB_OF_KEYS) != 1 ||
            size_of(x, LAB_OF_VALUES) || size_of(x, LAB_OF_DIMS) != size_of(part, LAB_OF_DIMS) ||
            lab_set_within(dims, own) || !same(x, part, LAB_OF_KEYS))
            continue;
        int joined = 0;
        for (number y = d->number; y < d->number + d->n && !joined; y++)
            joined = y->told.where == x->told.where && y->linear && same(y, x, LAB_OF_KEYS) &&
                     lab_set_within(own, &y->of[LAB_OF_DIMS]) && lab_set_within(dims, &y->of[LAB_OF_DIMS]);
        if (!joined) return x;
    }
    return NULL;
}

int lab_parts_of_scores(const lab_depends *d, char *text, size_t size) {
    for (number x = d->number; x < d->number + d->n; x++) {
        if (!is_wrong(d, x)) continue;
        x = in_first_thread(d, x);
        const number full = whole(d, x);
        number other = NULL;
        int of_key = 0;
        const number part = part_of(d, x, &other, &of_key), at = taken(d, x);
        if (!part) return 0;
        const two_words dims = of_both("dim", part, other, LAB_OF_DIMS);
        const number mate = apart_from(d, part);
        if (mate) {
            const two_words of = of_both("dim", part, mate, LAB_OF_DIMS);
            snprintf(
                text, size,
                "line %d, in %s, takes an exponential of scores that are not whole: in line %d a score has %s of a "
                "key, and in line %d another score has %s of it. Each score is the sum over all dims of its own key",
                line_of(d, at)->line, line_of(d, at)->function, line_of(d, part)->line, of.a, line_of(d, mate)->line,
                of.b);
            return 1;
        }
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
            (!found || found->told.where >= x->told.where))
            found = x;
    return found;
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

int lab_sums_of_others(const lab_depends *d, char *text, size_t size) {
    for (number x = d->number; x < d->number + d->n; x++) {
        if (is_mixed_score(d, x)) return say_mixed(d, x, LAB_OF_KEYS, text, size);
        if (is_mixed_row(d, x)) return say_mixed(d, x, LAB_OF_QUERIES, text, size);
        if (is_mixed_output(x)) return say_mixed(d, x, LAB_OF_COLUMNS, text, size);
    }
    return 0;
}
