// parts_queries.c: outputs in which queries meet, or keys that a causal mask hides: the line in which they come together.
#include "who.h"

static int has(number x, lab_of kind, int i) { return lab_set_has(&x->of[kind], i); }

static int first_but(number x, int query) {
    for (int i = 0; i < LAB_OF_MOST; i++)
        if (i != query && has(x, LAB_OF_QUERIES, i)) return i;
    return -1;
}

static int is_of_query(number x, int query) { return size_of(x, LAB_OF_QUERIES) == 1 && has(x, LAB_OF_QUERIES, query); }

// The last number of another line that this thread has of that query alone, of the same column.
static number last_of(const lab_depends *d, number end, int query) {
    for (number x = end; x-- > d->number;)
        if (x->told.where == end->told.where && x->told.id != end->told.id && is_of_query(x, query) &&
            (!size_of(x, LAB_OF_COLUMNS) || same(x, end, LAB_OF_COLUMNS)))
            return x;
    return NULL;
}

// The first number of the block that has both.
static number met(const lab_depends *d, number store, int a, int b) {
    for (number x = d->number; x <= store; x++)
        if (is_known(x) && x->told.where == store->told.where && has(x, LAB_OF_QUERIES, a) &&
            has(x, LAB_OF_QUERIES, b) && size_of(x, LAB_OF_COLUMNS) <= 1)
            return x;
    return store;
}

// What the other query brings is more than rounding: one maximum of several rows is no mistake.
static int is_much(const lab_depends *d, size_t element) { return d->moved && d->moved[element]; }

int lab_queries_that_meet(const lab_depends *d, char *text, size_t size) {
    if (d->count[LAB_OF_QUERIES] < 2 || !d->count[LAB_OF_VALUES] || !d->count[LAB_OF_DIMS]) return 0;
    char lines[200] = "";
    for (size_t i = 0; i < d->n_output; i++) {
        const number element = &d->output[i];
        const int query = query_of(d, i), other = first_but(element, query);
        const number store = other >= 0 && is_much(d, i) ? stored(d, element) : NULL;
        if (!store || !has(element, LAB_OF_QUERIES, query)) continue;
        const number at = met(d, store, query, other), mine = last_of(d, at, query), theirs = last_of(d, at, other);
        if (mine && theirs && size_of(theirs, LAB_OF_VALUES))  // that is what flows into it
            snprintf(lines, sizeof lines, ": line %d (%s) has query %d there, and line %d (%s) query %d",
                     line_of(d, theirs)->line, line_of(d, theirs)->name, other, line_of(d, mine)->line,
                     line_of(d, mine)->name, query);
        snprintf(
            text, size,
            "line %d, in %s: thread %d makes the output of query %d with numbers of query %d%s. Scores, m, l and O "
            "of a query are made of that query alone",
            line_of(d, at)->line, line_of(d, at)->function, thread_of(at), query, other, lines);
        return 1;
    }
    return 0;
}

// The first number of this query that has the value of a hidden key; or, given keys, the first that has these alone.
static number line_of_values(const lab_depends *d, int query, const lab_set *keys) {
    lab_set hidden;
    for (number x = d->number; x < d->number + d->n; x++) {
        if (!is_known(x) || !is_of_query(x, query) || !size_of(x, LAB_OF_VALUES) || size_of(x, LAB_OF_COLUMNS) != 1)
            continue;
        const lab_set *values = &x->of[LAB_OF_VALUES];
        if (keys ? lab_set_same(values, keys) : lab_depends_hidden(d, query, values, &hidden)) return x;
    }
    return NULL;
}

// The last line that has the score of this query and the first of these keys, before the value of one is added.
static number score_of(const lab_depends *d, int query, const lab_set *keys, number end, int *key) {
    *key = 0;
    while (*key < LAB_OF_MOST - 1 && !lab_set_has(keys, *key)) ++*key;
    for (number x = end; x-- > d->number;)
        if (is_known(x) && x->linear && is_of_query(x, query) && size_of(x, LAB_OF_KEYS) == 1 &&
            has(x, LAB_OF_KEYS, *key) && size_of(x, LAB_OF_DIMS) == d->count[LAB_OF_DIMS] && !size_of(x, LAB_OF_VALUES))
            return x;
    return NULL;
}

// Without a mask the function is right: each query that is wrong sees too many keys under one, or too few.
int lab_hidden_keys(const lab_depends *d, char *text, size_t size) {
    static const char rule[] = "a query i sees the keys j <= i + seq_kv - seq_q";
    char those[80];
    lab_set others;
    if (!d->causal || !d->count[LAB_OF_VALUES]) return 0;
    for (size_t i = 0; i < d->n_output; i++) {
        const int query = query_of(d, i), due = lab_depends_due(d, query);
        const lab_set *keys = &d->output[i].of[LAB_OF_VALUES];
        const int more = lab_depends_hidden(d, query, keys, &others);
        const int fewer = more || !lab_set_size(keys) ? 0 : lab_depends_left(d, query, keys, &others);
        const number at = more || fewer ? line_of_values(d, query, more ? NULL : keys) : NULL;
        if (!at) continue;
        words(d->one, &others, those, sizeof those);
        int key = 0;
        const number score = more ? score_of(d, query, &others, at, &key) : NULL;
        char hide[120] = "";
        if (score)
            snprintf(hide, sizeof hide, ". The score that line %d has for key %d is to be -INFINITY",
                     line_of(d, score)->line, key);
        if (more)
            snprintf(text, size,
                     "line %d, in %s, adds %s to the output of query %d, which sees keys 0 .. %d alone: %s%s",
                     line_of(d, at)->line, line_of(d, at)->function, those, query, due - 1, rule, hide);
        else
            snprintf(text, size, "line %d, in %s, never adds %s to the output of query %d, which sees keys 0 .. %d: %s",
                     line_of(d, at)->line, line_of(d, at)->function, those, query, due - 1, rule);
        return 1;
    }
    return 0;
}

// How many keys this row has, from the first one on; -1: it is no beginning of them.
static int beginning(const lab_depends *d, size_t row) {
    const lab_set *keys = &d->output[row * (d->n_output / (size_t)d->count[LAB_OF_QUERIES])].of[LAB_OF_VALUES];
    int n = 0;
    while (n < d->count[LAB_OF_VALUES] && lab_set_has(keys, n)) n++;
    return n == lab_set_size(keys) ? n : -1;
}

// Each query sees one key more than the one before it, in a call without a mask.
int lab_masked_without(const lab_depends *d, char *text, size_t size) {
    const int rows = d->count[LAB_OF_QUERIES];
    if (d->causal || rows < 3 || !d->count[LAB_OF_VALUES] || !d->count[LAB_OF_DIMS]) return 0;
    const int first = beginning(d, 0), last = first + rows - 1;
    for (int i = 0; i < rows; i++)
        if (first < 1 || last > d->count[LAB_OF_VALUES] || beginning(d, (size_t)i) != first + i) return 0;
    snprintf(
        text, size,
        "which is not causal, query 0 sees %s %d alone, and query %d keys 0 .. %d (of %d): keys are hidden as under "
        "a causal mask. Without one every query sees all keys",
        first == 1 ? "key" : "keys 0 ..", first - 1, rows - 1, last - 1, d->count[LAB_OF_VALUES]);
    return 1;
}
