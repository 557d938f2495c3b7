// parts_outputs.c: an output that has not all keys, or is divided by a sum that has not.
#include "who.h"

// ---- Outputs

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

// No later number of that line in that thread is of the same row and column.
static int is_last(const lab_depends *d, number of) {
    for (number x = of + 1; x < d->number + d->n; x++)
        if (x->told.id == of->told.id && x->told.where == of->told.where && same(x, of, LAB_OF_QUERIES) &&
            same(x, of, LAB_OF_COLUMNS))
            return 0;
    return 1;
}

// What the threads of its block have of the same row in that line, in the end: all together, and one with others; with
// `alike` one of the same column, as the numbers of a vector stand in one line.
static number others(const lab_depends *d, number of, lab_of kind, lab_set *all, int alike) {
    number other = NULL;
    memset(all, 0, sizeof *all);
    for (number x = d->number; x < d->number + d->n; x++) {
        if (x->told.id != of->told.id || !is_of_block(x, of) || !same(x, of, LAB_OF_QUERIES)) continue;
        lab_set_join(all, &x->of[kind]);
        // One that has all of these, too, has no share of its own: something else is wrong.
        const int is_new = x->told.where != of->told.where && !lab_set_within(&x->of[kind], &of->of[kind]) &&
                           !lab_set_within(&of->of[kind], &x->of[kind]) && (!alike || same(x, of, LAB_OF_COLUMNS));
        if (is_new && (!other || other->told.where >= x->told.where) && is_last(d, x)) other = x;
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
        if ((found.b && size_of(b, kind) <= size_of(found.b, kind)) || !is_last(d, b)) continue;
        for (number a = end; a-- > d->number;)
            if (a->told.id == b->told.id && a->told.where != b->told.where && size_of(a, kind) &&
                same(a, sum, LAB_OF_QUERIES) && (kind != LAB_OF_VALUES || is_of_same(d, a, sum)) && is_of_block(a, b) &&
                lab_set_within(&a->of[kind], &sum->of[kind]) && !lab_set_within(&a->of[kind], &b->of[kind]) &&
                (found.b != b || size_of(a, kind) > size_of(found.a, kind)))
                found = (two){a, b};
    }
    return found;
}

// Has this thread got there what another one had before: in the line of a number that it had itself?
static int is_joined(const lab_depends *d, number a, lab_of kind) {
    for (number p = d->number; p < a; p++) {
        if (p->told.where != a->told.where || !is_of_same(d, p, a) || !size_of(p, kind) || same(p, a, kind) ||
            p->linear != a->linear ||  // the maxima may be joined, and the sums not
            !lab_set_within(&p->of[kind], &a->of[kind]))
            continue;
        for (number q = d->number; q < a; q++) {
            lab_set others = q->of[kind];
            for (int i = 0; i < LAB_OF_MOST / 64; i++) others.word[i] &= ~p->of[kind].word[i];
            if (q->told.id == p->told.id && q->told.where != p->told.where && is_of_same(d, q, a) &&
                lab_set_meet(&others, &a->of[kind]))
                return 1;
        }
    }
    return 0;
}

// The line that joined the part `a` with others to `sum`, and left `b` out: of the function that stores it the first one
// that has as much. NULL: none does, or it stands where that is stored. What another warp has no line was to join yet.
static number joined(const lab_depends *d, number a, number b, number sum, number store, lab_of kind) {
    if (same(a, sum, kind)) return a->told.where >> 5 == b->told.where >> 5 && is_joined(d, a, kind) ? a : NULL;
    if (!lab_set_within(&a->of[kind], &sum->of[kind])) return NULL;
    for (number x = d->number; x <= sum; x++)
        if (is_of_same(d, x, sum) && same(x, sum, kind) &&
            !strcmp(line_of(d, x)->function, line_of(d, store)->function))
            return line_of(d, x)->line < line_of(d, store)->line ? x : NULL;
    return NULL;
}

static void say_joined(const lab_depends *d, number by, const lab_line *at, number a, number b, lab_of kind, char *text,
                       size_t size) {
    const two_words has = of_both(d->one, a, b, kind);
    const lab_line *where = line_of(d, by);
    char in[32] = "";
    if (at->line != where->line) snprintf(in, sizeof in, "in line %d ", at->line);
    snprintf(
        text, size,
        "line %d, in %s, joins what the threads have, and leaves some of it out: %sthread %d has %s, and thread %d "
        "has %s, which is not in it. Whose numbers does it take, and where does its loop begin and end?",
        where->line, where->function, in, thread_of(a), has.a, thread_of(b), has.b);
}

// The keys of that row that are not in it. Returns how many.
static int lacking(const lab_depends *d, int row, const lab_set *has, char *text, size_t size) {
    lab_set left;
    const int n = lab_depends_left(d, row, has, &left);
    words(d->one, &left, text, size);
    return n;
}

// Scores so far apart that many keys weigh nothing: that an output lacks them is no sign of work that is shared out.
static int is_far_apart(const lab_depends *d) {
    static const float FAR = 40;
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->linear && !size_of(x, LAB_OF_VALUES) && (x->told.value > FAR || x->told.value < -FAR)) return 1;
    return 0;
}

// What this thread had in that line before, of the same sum, and no longer; NULL: it only gained. more: it kept some.
static number lost(const lab_depends *d, number last, lab_of kind, int more) {
    for (number x = last; x-- > d->number;)
        if (x->told.id == last->told.id && x->told.where == last->told.where && is_of_same(d, x, last) &&
            x->linear == last->linear && size_of(x, kind) > 1 && !lab_set_within(&x->of[kind], &last->of[kind]))
            return !more || lab_set_meet(&x->of[kind], &last->of[kind]) ? x : NULL;
    return NULL;
}

static void say_lost(const lab_depends *d, number had, number last, lab_of kind, char *text, size_t size) {
    char before[80], gone[80];
    lab_set s = had->of[kind];
    words(d->one, &s, before, sizeof before);
    for (int i = 0; i < LAB_OF_MOST / 64; i++) s.word[i] &= ~last->of[kind].word[i];
    words(d->one, &s, gone, sizeof gone);
    snprintf(text, size, "line %d, in %s, loses what it had: thread %d has %s there, and in the end no longer %s",
             line_of(d, last)->line, line_of(d, last)->function, thread_of(last), before, gone);
}

static int is_softmax(const lab_depends *d) { return !strcmp(d->one, "column"); }

// The row's largest score is in all that it has been subtracted from. A thread that subtracts the maximum of its own has
// exp(0) of an only column, which depends on none: that nobody has it does not follow.
static int have_no_maximum(const lab_depends *d, number a, number b) {
    return is_softmax(d) && !lab_set_meet(&a->of[LAB_OF_KEYS], &b->of[LAB_OF_KEYS]);
}

// An output that no query alters is a value as it was loaded, of the one key that its row sees: no part of a sum.
static int is_weighed(const lab_depends *d, number element) {
    return size_of(element, summed(d)) && (!d->count[LAB_OF_QUERIES] || size_of(element, LAB_OF_QUERIES));
}

// Wrong outputs that are few tell of no rule. Under a mask the rows of one tile may be all that go wrong.
static int are_too_few(const lab_depends *d, size_t wrong) {
    return d->causal ? wrong < (size_t)d->count[LAB_OF_COLUMNS] : 4 * wrong < d->n_output;
}

int lab_parts_of_outputs(const lab_depends *d, char *text, size_t size) {
    enum { LOOKED_AT = 64 };
    const lab_of kind = summed(d);
    char rest[80];
    lab_set all;
    size_t few = 0;
    int row = 0;
    number store = NULL;
    for (size_t i = 0; i < d->n_output; i++) {
        const number element = &d->output[i];
        if (!lab_depends_left(d, query_of(d, i), &element->of[kind], &all)) continue;
        if (few++ >= LOOKED_AT || store || !is_weighed(d, element)) continue;
        if ((store = stored(d, element))) row = query_of(d, i);
    }
    if (are_too_few(d, few) || !store || is_far_apart(d)) return 0;
    const number own = added(d, store, 0), sum = own ? own : added(d, store, 1);
    number a = sum, b = sum ? others(d, sum, kind, &all, 0) : NULL;
    const int differ = b && d->count[LAB_OF_COLUMNS] && !same(sum, b, LAB_OF_COLUMNS);
    const number shares = differ ? others(d, sum, kind, &all, 1) : NULL;
    const int own_columns = differ && !shares;
    if (shares) b = shares;
    if (!sum) return 0;
    if (!b) {
        const two t = parted(d, sum, store, kind);
        a = t.a, b = t.b;
        memset(&all, 255, sizeof all);
    }
    const number had = lost(d, b ? a : sum, kind, b != NULL);
    if (had) return say_lost(d, had, b ? a : sum, kind, text, size), 1;
    if (!b) return 0;
    const number by = own_columns ? NULL : joined(d, a, b, sum, store, kind);
    const two_words has = of_both(d->one, a, b, kind);
    const number asked = caller(d, taken(d, a), store, kind);
    const lab_line *at = line_of(d, asked->told.id == store->told.id ? a : asked), *out = line_of(d, store);
    if (by) {
        say_joined(d, by, at, a, b, kind, text, size);
    } else if (!have_no_maximum(d, a, b) && lacking(d, row, &all, rest, sizeof rest) && !own_columns) {
        snprintf(text, size, "line %d, in %s: thread %d has %s, thread %d has %s, and no thread has %s (of %d)",
                 at->line, at->function, thread_of(a), has.a, thread_of(b), has.b, rest, lab_depends_due(d, row));
    } else
        snprintf(
            text, size,
            "line %d, in %s, stores a part as if it were all: in line %d thread %d has %s, and thread %d has %s. %s%s",
            out->line, out->function, at->line, thread_of(a), has.a, thread_of(b), has.b,
            own_columns ? "Each thread has columns of its own: let it go over all of these itself"
                        : "Add up what all these threads have, before it is stored",
            have_no_maximum(d, a, b) && a->told.where == store->told.where &&
                    lab_set_within(&store->of[kind], &a->of[kind])
                ? ". The row's maximum, which is to be found before that, is in none of it, either: no column is in "
                  "what both threads have"
                : "");
    return 1;
}

// ---- The sum of weights

static int is_weight(const lab_depends *d, number x, int row) {
    lab_set left;
    const int is_whole =
        size_of(x, LAB_OF_KEYS) == lab_depends_due(d, row) && !lab_depends_left(d, row, &x->of[LAB_OF_KEYS], &left);
    return is_known(x) && size_of(x, LAB_OF_KEYS) > 1 && !is_whole && !size_of(x, LAB_OF_VALUES) &&
           !(d->count[LAB_OF_DIMS] && x->linear);
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
        if (is_of_block(x, *store) && is_weight(d, x, row) && same(x, *store, LAB_OF_QUERIES) &&
            (!best || size_of(x, LAB_OF_KEYS) > size_of(best, LAB_OF_KEYS) ||
             (size_of(x, LAB_OF_KEYS) == size_of(best, LAB_OF_KEYS) && x->told.where < best->told.where)) &&
            has_share(d, x, row, 1 / d->total[element]))
            best = x;
    return best;
}

int lab_parts_of_sum(const lab_depends *d, char *text, size_t size) {
    size_t wrong = 0, tried = 0;
    int row = 0;
    number sum = NULL, store = NULL;
    char rest[80];
    lab_set all;
    if (!d->total || !d->count[LAB_OF_COLUMNS]) return 0;
    for (size_t i = 0; i < d->n_output; i++) {
        if (!(d->total[i] < 0.998f || d->total[i] > 1.002f)) continue;
        wrong++;
        if (!sum && tried++ < 8) sum = divisor(d, i, &store), row = query_of(d, i);
    }
    if (are_too_few(d, wrong) || !sum) return 0;
    if (lab_depends_hidden(d, row, &sum->of[LAB_OF_KEYS], &all)) {
        snprintf(text, size,
                 "line %d, in %s, divides by a sum of exp(s - m) in which hidden keys are: in line %d thread %d has %s "
                 "there, and query %d sees keys 0 .. %d alone",
                 line_of(d, store)->line, line_of(d, store)->function, line_of(d, taken(d, sum))->line, thread_of(sum),
                 words(d->one, &all, rest, sizeof rest), row, lab_depends_due(d, row) - 1);
        return 1;
    }
    number a = sum, b = others(d, sum, LAB_OF_KEYS, &all, 0);
    if (!b) {
        const two t = parted(d, sum, store, LAB_OF_KEYS);
        a = t.a, b = t.b;
    }
    lacking(d, row, &sum->of[LAB_OF_KEYS], rest, sizeof rest);
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
