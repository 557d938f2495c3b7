// bpe.c: merges the tokens of one piece: of all neighbours that have a merge, the one with the lowest rank (of equal
// ranks the leftmost) first.
//
// Tokens are a linked list, candidates a heap, so n tokens take n log n steps, where looking for the best candidate
// anew after every merge takes n^2. A candidate whose tokens have changed since is skipped when it comes up.
#include "vocab.h"

typedef struct {
    int id, previous, next;  // -1: none
} symbol;

typedef struct {
    int rank, at, left, right;  // the symbol `at` and its next, as they were
} candidate;

typedef struct {
    candidate *items;
    size_t n;
} heap;

static bool before(const candidate *a, const candidate *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void push(heap *h, candidate c) {
    size_t i = h->n++;
    for (; i && before(&c, &h->items[(i - 1) / 2]); i = (i - 1) / 2) h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = c;
}

static candidate pop(heap *h) {
    const candidate top = h->items[0], last = h->items[--h->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && before(&h->items[child + 1], &h->items[child])) child++;
        if (!before(&h->items[child], &last)) break;
        h->items[i] = h->items[child];
    }
    h->items[i] = last;
    return top;
}

static void consider(const gpt2_vocab *v, heap *h, const symbol *s, int at) {
    if (at < 0 || s[at].next < 0) return;
    const int left = s[at].id, right = s[s[at].next].id;
    const gpt2_merge *m = gpt2_merge_of(v, left, right);
    if (m->rank >= 0) push(h, (candidate){m->rank, at, left, right});
}

// n - 1 candidates at first, and two more for each of at most n - 1 merges.
size_t gpt2_bpe_work(size_t n) { return n * sizeof(symbol) + 3 * n * sizeof(candidate); }

size_t gpt2_bpe(const gpt2_vocab *v, int *ids, size_t n, void *work) {
    symbol *s = work;
    heap h = {(candidate *)(s + n), 0};
    for (size_t i = 0; i < n; i++) s[i] = (symbol){ids[i], (int)i - 1, i + 1 < n ? (int)i + 1 : -1};
    for (size_t i = 0; i < n; i++) consider(v, &h, s, (int)i);

    while (h.n) {
        const candidate c = pop(&h);
        symbol *left = &s[c.at];
        if (left->id != c.left || left->next < 0 || s[left->next].id != c.right) continue;
        symbol *right = &s[left->next];
        left->id = gpt2_merge_of(v, c.left, c.right)->id;
        left->next = right->next;
        if (right->next >= 0) s[right->next].previous = c.at;
        right->id = -1;
        consider(v, &h, s, left->previous);
        consider(v, &h, s, c.at);
    }
    size_t left = 0;
    for (int i = n ? 0 : -1; i >= 0; i = s[i].next) ids[left++] = s[i].id;
    return left;
}
