// shares.c: TODO 5.8, where each split begins: formulas that come to mind are computed, and otherwise the value is
// named that breaks the contract first.
#include "shares.h"

#include <stdio.h>

static int up(int a, int b) { return (a + b - 1) / b; }
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

typedef enum {
    DOWN_FIRST,
    DOWN_FIRST_CUT,
    REST_TO_LAST,
    REST_EARLY,
    NOT_CUT,
    MORE_NOT_CUT,
    FROM_END,
    CUT_EARLY,
    ONE_FOR_ALL,
    EXTRA_FOR_ALL,
    EXTRA_LOST_LATER,
    MOST_EXTRA,
    LARGER,
    S_DOWN_FIRST,
    ENDS,
    ENDS_CUT,
    BEFORE,
    ONE_LATE,
    ONE_KEY_LESS,
    ONE_SPLIT_MORE,
    ONE_SPLIT_LESS,
    MORE_THAN_UP,
    BY_N,
    BY_N_CUT,
    NOT_DIVIDED,
    UPSIDE_DOWN,
    KEYS_LEFT,
    ALWAYS_0,
    IN_TURN,
    IN_TURN_CUT,
    IN_TURN_TO_LENGTH,
    N_FORMULAS
} formula;

static int begin_of(formula f, int length, int s, int n) {
    const int base = length / n, extra = length % n, share = up(length, n);
    switch (f) {
    case DOWN_FIRST: return base * s;
    case DOWN_FIRST_CUT: return least(most(base, 1) * s, length);
    case REST_TO_LAST: return s == n ? length : base * s;
    case REST_EARLY: return s >= n - 1 ? length : base * s;
    case NOT_CUT: return share * s;
    case MORE_NOT_CUT: return (base + 1) * s;
    case FROM_END: return length - s * length / n;
    case CUT_EARLY: return least(share * s, length - 1);
    case ONE_FOR_ALL: return s * base + (s < extra ? 1 : 0);
    case EXTRA_FOR_ALL: return s * base + extra;
    case EXTRA_LOST_LATER: return s < extra ? s * (base + 1) : s * base;
    case MOST_EXTRA: return s * base + most(s, extra);
    case LARGER: return most(share * s, length);
    case S_DOWN_FIRST: return s / n * length;
    case ENDS: return length * (s + 1) / n;
    case ENDS_CUT: return least(share * (s + 1), length);
    case BEFORE: return length * (s - 1) / n;
    case ONE_LATE: return length * s / n + 1;
    case ONE_KEY_LESS: return (length - 1) * s / n;
    case ONE_SPLIT_MORE: return length * s / (n + 1);
    case ONE_SPLIT_LESS: return n > 1 ? length * s / (n - 1) : 0;
    case MORE_THAN_UP: return least((length / n + 1) * s, length);
    case BY_N: return s * n;
    case BY_N_CUT: return least(s * n, length);
    case NOT_DIVIDED: return s * length;
    case UPSIDE_DOWN: return s * n / length;
    case IN_TURN: return s;
    case IN_TURN_CUT: return least(s, length);
    case IN_TURN_TO_LENGTH: return s == n ? length : least(s, length);
    case KEYS_LEFT: return s < n ? length / (n - s) : length;
    default: return 0;
    }
}

#define KEYS_IN_TURN                                                                                                   \
    "that matches splits which take keys in turn, s, s + n, s + 2 n, ...: here split s has a run, all keys up to "     \
    "where split s + 1 begins. In turn, warp w of split s begins at key s + n * w, not s + w, and goes on to length "  \
    "in steps of WARPS * n"

static const char *const cause[N_FORMULAS] = {
    LAB_SHARES_DOWN,
    "length / n is rounded down: what is left over gets no split. Multiply first, or round up",
    "length / n is rounded down, and the last split gets all that is left over: that is more than its share",
    "first_key(length, n - 1, n) is length already, so that the last split has no keys: only for s = n it is length",
    "shares that are rounded up go beyond the last key: begin at the length at most",
    "length / n + 1 is too much where n divides length: rounded up it is (length + n - 1) / n, and a split begins at "
    "the "
    "length at most",
    "that counts from the end: split 0 begins at key 0, and s / n of the keys come before split s",
    "the last share ends at length - 1: first_key(length, n, n) is length",
    "of the first length % n splits each has one key more, so split s begins min(s, length % n) keys later, not 1",
    "of the first length % n splits each has one key more, so split s begins min(s, length % n) keys later, not "
    "length % n",
    "behind the first length % n splits, which have one key more each, the others begin length % n keys later",
    "of the two numbers the smaller one is due, not the larger",
    "of the two numbers the smaller one is due, not the larger",
    "s / n is rounded down to 0 for each s below n: multiply by length first",
    "that is where split s ends: it begins where split s - 1 ends, and split 0 at key 0",
    "that is where split s ends: it begins where split s - 1 ends, and split 0 at key 0",
    "that is where split s - 1 begins: split 0 begins at key 0",
    "keys count from 0: first_key(length, 0, n) is 0, not 1",
    "length counts all keys: length - 1 loses the last one",
    "there are n splits, and not n + 1: first_key(length, n, n) is length",
    "there are n splits, and not n - 1: first_key(length, n, n) is length",
    "length / n + 1 is too much where n divides length: rounded up it is (length + n - 1) / n",
    "n is the number of splits: a split has length / n keys",
    "n is the number of splits: a split has length / n keys",
    "the product is not divided by n",
    "length and n are exchanged: a split has length / n keys, and s of them come before split s",
    "n - s is how many splits come, and s / n of the keys come before split s",
    "it is always 0",
    KEYS_IN_TURN,
    KEYS_IN_TURN,
    KEYS_IN_TURN};

// Each split takes a part of what the splits before it have left: left / d, down or up.
typedef struct {
    int n, s1, constant;  // d = n * n + s1 * s + constant
    const char *words;
} part_of_rest;

static const part_of_rest parts_of_rest[] = {
    {1, 0, 0,
     "that matches splits which take the n-th part of what the splits before them have left: it is the n-th part of "
     "all, or of what is left the (n - s)-th"},
    {1, -1, 1,
     "that matches splits which take of what is left one part in n - s + 1: n - s splits share it, split s among them"},
    {1, -1, -1,
     "that matches splits which take of what is left one part in n - s - 1: n - s splits share it, split s among them"},
    {0, 0, 2,
     "that matches splits which take half of what the splits before them have left: n - s splits share it, so that is "
     "one part in n - s"},
    {0, 1, 1,
     "that matches splits which take of what is left one part in s + 1: n - s splits share it, so that is one part in "
     "n - s"},
    {0, 1, 2,
     "that matches splits which take of what is left one part in s + 2: n - s splits share it, so that is one part in "
     "n - s"}};

// Do the splits begin so? The last one may end where it does, or where the keys do.
static int takes_of_rest(const part_of_rest *p, int rounds_up, int length, int n, const float *first) {
    int begin = 0;
    for (int s = 0; s <= n; s++) {
        const int is = (int)first[s] - 1, d = most(p->n * n + p->s1 * s + p->constant, 1), left = length - begin;
        if (is != begin && !(s == n && is == length)) return 0;
        begin += least(rounds_up ? up(left, d) : left / d, left);
    }
    return 1;
}

static const char *words_of_rest(int length, int n, const float *first) {
    for (size_t i = 0; n > 2 && i < sizeof parts_of_rest / sizeof *parts_of_rest; i++)
        for (int rounds_up = 0; rounds_up < 2; rounds_up++)
            if (takes_of_rest(&parts_of_rest[i], rounds_up, length, n, first)) return parts_of_rest[i].words;
    return NULL;
}

void lab_explain_shares(int length, int n, const float *first, char *text, size_t size) {
    text[0] = 0;
    for (formula f = 0; f < N_FORMULAS; f++) {
        int equal = 0, begins_later = 0;
        for (int s = 0; s < n; s++) begins_later |= begin_of(f, length, s, n) > 0;
        if (!begins_later && length < n) continue;  // rounded down, many are the same
        for (int s = 0; s <= n; s++) equal += (int)first[s] - 1 == begin_of(f, length, s, n);
        if (equal <= n) continue;
        snprintf(text, size, "; %s", cause[f]);
        return;
    }
    const char *rest = words_of_rest(length, n, first);
    if (rest) {
        snprintf(text, size, "; %s", rest);
        return;
    }
    const int begin = (int)first[0] - 1, end = (int)first[n] - 1;
    if (begin)
        snprintf(text, size, ". first_key(%d, 0, %d) is %d: it must be 0", length, n, begin);
    else if (end != length)
        snprintf(text, size, ". first_key(%d, %d, %d) is %d: it must be %d", length, n, n, end, length);
    else
        for (int s = 0; s < n && !text[0]; s++)
            if (first[s + 1] < first[s])
                snprintf(text, size, ". first_key(%d, %d, %d) is %g, and first_key(%d, %d, %d) is %g: it never falls",
                         length, s, n, first[s] - 1, length, s + 1, n, first[s + 1] - 1);
}
