// probes_task4_keys.c: task 4, how many keys a tile of queries visits. The claims stand in probes_task4.c.
#include "probes_task4.h"

#include <math.h>
#include <stdio.h>

// ---- keys_to_visit: out[last] for each query that a tile may end with, real ones and BR beyond

SIZES(keys_to_visit, s.seq_q + BR, 1, 0)

ORACLE(keys_to_visit) {
    for (int last = 0; last < s.seq_q + BR; last++) {
        const int seen = last + 1 + (mistake == 3 ? 0 : s.seq_kv - s.seq_q) - (mistake == 2 || mistake == 6);
        const int of_tiles[] = {seen / BC * BC,
                                (seen - 1) / BC * BC,
                                seen - BR + 1,
                                last,
                                last + 1 - (s.seq_kv - s.seq_q),
                                (seen + BC - 1) / BC,
                                s.seq_kv - last,
                                (last / BR + 1) * BC + s.seq_kv - s.seq_q,
                                (last / BR + 1) * BC,
                                (last + 1) * s.seq_kv / s.seq_q,
                                (last / BR + 1) * BR};
        enum { OTHERS = sizeof of_tiles / sizeof *of_tiles };
        const int other = s.causal && mistake > 6 ? of_tiles[(mistake - 7) % OTHERS] : seen;
        const int end = mistake == 5 || (!s.causal && mistake != 1) ? s.seq_kv : other;
        out[last] = end > s.seq_kv && mistake != 4 && mistake != 6 && mistake < 7 + OTHERS ? s.seq_kv : end;
    }
    return 1;
}

// What fits nothing known is said of the first query that a tile ends with.
static int one_of_them(const lab_symptom *s, char *text, size_t size) {
    for (int last = 0; last < s->shape.seq_q; last++) {
        const float got = s->got[last], want = s->want[last];
        if (got == want || isnan(got)) continue;
        return snprintf(
                   text, size,
                   "keys_to_visit(last = %d) gives %.0f, where seq_q = %d and seq_kv = %d: query `last` sees keys 0 "
                   ".. %.0f, so it is %.0f",
                   last, got, s->shape.seq_q, s->shape.seq_kv, want - 1, want) > 0;
    }
    return 0;
}

// First as they are, and then no more than seq_kv of them.
#define OTHER_ENDS                                                                                                     \
    "matches keys that are rounded down to whole tiles: those of the last, narrow tile are left out",                  \
        "matches the begin of the last tile that is visited: its keys count, too, so it is where the last one ends",   \
        "matches what the tile's first query sees: the last one sees most, and `last` is that one",                    \
        "matches `last` itself: query `last` sees key last + seq_kv - seq_q, so that many keys and one more",          \
        "matches seq_q - seq_kv in place of seq_kv - seq_q: query `last` sees key last + seq_kv - seq_q",              \
        "matches a number of tiles: it is a number of keys, which the loop goes through in steps of BC",               \
        "matches seq_kv - last: query `last` sees key last + seq_kv - seq_q, so that many keys and one more",          \
        "matches as many tiles of keys as there are tiles of queries up to `last`: a tile of queries has BR rows, "    \
        "one of keys BC, so count in keys",                                                                            \
        "matches as many tiles of keys as there are tiles of queries up to `last`, and not the seq_kv - seq_q keys "   \
        "before them: count in keys, as a tile of queries has BR rows, and one of keys BC",                            \
        "matches a share of the keys, as large as that of the queries up to `last`: the seq_kv - seq_q keys before "   \
        "them are seen by all, so query `last` sees keys 0 .. last + seq_kv - seq_q",                                  \
        "matches the end of the tile of queries that `last` is counted to be in: `last` is the tile's last query, "    \
        "and "                                                                                                         \
        "sees keys 0 .. last + seq_kv - seq_q, so nothing is rounded"
KNOWN_OR(
    keys_to_visit, one_of_them, "the walk ends early without a mask, too: look at shape.causal",
    "the walk is one key short: query `last` sees key last + seq_kv - seq_q, so that many keys and one more",
    "the walk ends as if the mask were aligned top-left: query `last` must see keys 0 .. last + seq_kv - seq_q",
    "the walk goes beyond the last key: no more than seq_kv (min)",
    "right, but every tile is visited: where causal, those behind the tile's last query are hidden from all of it",
    "the walk is one key short, and goes beyond the last key: last + seq_kv - seq_q is the last key, so take as many "
    "and one more, but no more than seq_kv (min)",
    OTHER_ENDS, OTHER_ENDS);
SHARED_PROBE(keys_to_visit, keys_to_visit, 1, .tensors = {"keys"});
