// probes_task6_calls.c: task 6, which call it is, and whether the cache has room for it. The claims stand in
// probes_task6.c.
#include "call_rows.h"
#include "call_tables.h"
#include "probes_task6.h"

// ---- which_call: ROWS calls, rows of integers [S, past[B], count[B]] -> 0 neither, 1 prefill, 2 decode

enum { ROWS = LAB_CALL_ROWS };

SIZES(which_call, 1, ROWS, ROWS *(1 + 2 * s.batch))

FILL(which_call) {
    for (int i = 0; i < ROWS; i++, x += 1 + 2 * s.batch) {
        lab_put_int(x, lab_call_rows[i].S);
        for (int b = 0; b < s.batch; b++) {
            const int some = 2 + (int)(lab_bits(key, i * s.batch + b) % 8);
            lab_put_int(x + 1 + b, lab_call_past(i, b, s.batch, some));
            lab_put_int(x + 1 + s.batch + b, lab_call_count(i, b));
        }
    }
}

ORACLE(which_call) {
    for (int i = 0; i < ROWS; i++) {
        const float *x = in[1] + i * (1 + 2 * s.batch);
        const int S = lab_int_at(x, 0);
        int fresh = 0, many = 0;
        for (int b = 0; b < s.batch; b++) fresh += lab_int_at(x, 1 + (mistake == 2 ? 0 : b)) == 0;
        for (int b = 0; b < s.batch; b++) many += lab_int_at(x, 1 + s.batch + b) > 1;
        const int prefill = (fresh == s.batch && (mistake != 4 || S > 1)) || (mistake == 5 && fresh);
        const int decode = (fresh == 0 || mistake == 3) && (S == 1 || mistake == 6);
        out[i] = mistake == 1                      ? 1 + (S == 1)
                 : mistake == 7 && S == 1          ? 2
                 : mistake == 8 && fresh < s.batch ? 2
                 : mistake == 9                    ? (many == s.batch ? 1 : 2 * (many == 0 && S == 1))
                 : prefill                         ? 1
                 : decode                          ? 2
                                                   : 0;
    }
    return 1;
}

// The first call that is taken for another one.
static int say_call(const lab_symptom *s, char *text, size_t size) {
    static const char *const kind[] = {"NEITHER", "PREFILL", "DECODE"};
    int i = 0, used;
    while (i < ROWS && s->got[i] == s->want[i]) i++;
    if (i == ROWS || !(s->got[i] >= 0 && s->got[i] <= 2)) return 0;
    const float *x = s->in[1] + i * (1 + 2 * s->shape.batch);
    used = snprintf(text, size, "S = %d and past =", lab_int_at(x, 0));
    for (int b = 0; b < s->shape.batch; b++)
        used += snprintf(text + used, size - (size_t)used, "%s %d", b ? "," : "", lab_int_at(x, 1 + b));
    return snprintf(text + used, size - (size_t)used, " give %s, and must give %s", kind[(int)s->got[i]],
                    kind[(int)s->want[i]]) > 0;
}
static int which_call_else(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_kinds(s, ROWS, text, size) || say_call(s, text, size);
}
KNOWN_OR(known_calls, which_call_else,
         "matches S alone: a prompt of one token is a prefill, too; past tells them apart",
         "matches past[0] alone: every sequence has a past of its own",
         "matches S = 1 taken for decode where a sequence has no past: that is neither",
         "matches a prompt of one token that is no prefill: S may be 1 there, too",
         "matches one new sequence taken for a prefill: where others have a past, it is neither",
         "matches several new tokens taken for decode: decode has S = 1",
         "matches every call of one token taken for decode: where no sequence has a past, it is a prefill",
         "matches every call with some past taken for decode: it takes a past in all sequences, and S = 1",
         "matches count alone: a prompt may have one token; past tells prefill from decode")
static int which_call_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int known = known_calls_diagnose(s, text, size);
    if (known && strncmp(text, "matches", 7) == 0) lab_explain_kinds(s, ROWS, text, size);
    return known;
}
SHARED_PROBE(which_call, which_call, 2, .fill = which_call_fill, .tensors = {"the kinds of calls", "the calls"});

// ---- fits: the same rows -> 1 the call fits into seq_kv slots, 0 it does not. S is more than there are slots

SIZES(fits, 1, ROWS, ROWS *(1 + 2 * s.batch))

FILL(fits) {
    enum { MAX = 1000, FIRST, SECOND, LAST, TIGHT, FULL, FEW };  // MAX: seq_kv
    static const struct {
        int past, count,
            where;  // of one sequence; the others have room, where TIGHT just enough, where FULL none; FEW: in all together
    } row[ROWS] = {{0, MAX, FIRST},  {0, MAX + 1, LAST},  {MAX - 1, 1, LAST},  {MAX, 1, SECOND},
                   {MAX, 1, FIRST},  {3, 2, FIRST},       {MAX, 5, TIGHT},     {MAX - 2, 1, FIRST},
                   {0, MAX, SECOND}, {MAX - 1, 2, LAST},  {0, MAX + 1, FIRST}, {MAX - 1, 1, FIRST},
                   {1, MAX, SECOND}, {0, MAX - 1, FIRST}, {0, 1, FEW},         {0, 300, SECOND},
                   {MAX, 1, FULL}};
    for (int i = 0; i < ROWS; i++, x += 1 + 2 * s.batch) {
        lab_put_int(x, s.seq_kv + 3);
        for (int b = 0; b < s.batch; b++) {
            const int where = row[i].where, shift = s.seq_kv - MAX;
            const int here = b == (where == LAST || where == TIGHT ? s.batch - 1 : where == SECOND);
            const int held = where == FULL    ? MAX
                             : where == TIGHT ? MAX - 1
                             : where == FEW   ? 0
                                              : (int)(lab_bits(key, b) % 3);
            const int past = here ? row[i].past : held, count = here ? row[i].count : 1;
            lab_put_int(x + 1 + b, past > MAX / 2 ? past + shift : past);
            lab_put_int(x + 1 + s.batch + b, count > MAX / 2 ? count + shift : count);
        }
    }
}

ORACLE(fits) {
    for (int i = 0; i < ROWS; i++) {
        const float *x = in[1] + i * (1 + 2 * s.batch);
        int full = 0, all = 0, last = 0;
        for (int b = 0; b < (mistake == 10 ? s.heads : s.batch); b++) {
            const int at = mistake == 2 ? 0 : b, past = lab_int_at(x, 1 + at), count = lab_int_at(x, 1 + s.batch + at);
            const int more = mistake == 3 ? 0 : mistake == 4 ? lab_int_at(x, 0) : count;
            full += (mistake == 9 ? 0 : past) + more > s.seq_kv - (mistake == 1), all += past + count,
                last = past + count <= s.seq_kv;
        }
        out[i] = mistake == 5   ? full < s.batch
                 : mistake == 6 ? all <= s.seq_kv
                 : mistake == 7 ? all <= s.seq_kv * s.batch
                 : mistake == 8 ? last
                                : full == 0;
    }
    return 1;
}

// The first call that is judged wrongly, by the sequence with the most tokens.
static int say_fit(const lab_symptom *s, char *text, size_t size) {
    const int B = s->shape.batch;
    int i = 0, most = 0;
    while (i < ROWS && s->got[i] == s->want[i]) i++;
    if (i == ROWS) return 0;
    const float *x = s->in[1] + i * (1 + 2 * B);
    for (int b = 1; b < B; b++)
        if (lab_int_at(x, 1 + b) + lab_int_at(x, 1 + B + b) > lab_int_at(x, 1 + most) + lab_int_at(x, 1 + B + most))
            most = b;
    return snprintf(text, size,
                    "a cache of %d slots, sequence %d with past = %d and count = %d: it %s, and fits() says %s",
                    s->shape.seq_kv, most, lab_int_at(x, 1 + most), lab_int_at(x, 1 + B + most),
                    s->want[i] ? "fits" : "does not fit", s->got[i] ? "true" : "false") > 0;
}
static int fits_else(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_room(s, ROWS, text, size) || say_fit(s, text, size);
}
KNOWN_OR(
    fits, fits_else, "matches >= in place of >: max_seq tokens fit",
    "matches sequence 0 alone: one sequence without room is enough, whichever it is",
    "matches past alone, or no check at all: the tokens of this call need room, too",
    "matches S in place of count[b]: padding takes no slot",
    "matches a call that is refused only where no sequence has room: one without is enough",
    "matches the tokens of all sequences added up and held against max_seq: each sequence has max_seq slots of its own",
    "matches the tokens of all sequences added up and held against batch * max_seq: each sequence has max_seq slots "
    "of its own, and one without room is enough",
    "matches the last sequence alone: one sequence without room is enough, whichever it is",
    "matches count alone: the tokens that the cache holds already, past, take slots, too",
    "matches the first H sequences alone: the loop ends at the heads, and there are B sequences")
SHARED_PROBE(fits, fits, 2, .fill = fits_fill, .tensors = {"which calls fit", "the calls"});
