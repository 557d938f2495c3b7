// probes_task5_shares.c: task 5, how keys are shared out. The claims stand in probes_task5.c.
#include <string.h>

#include "probes_task5.h"
#include "shares.h"

// ---- first_key: extra[0] splits of seq_kv keys, no input. For each key, how many splits have it; then for each split, how
// many keys it has beyond its share, seq_kv / extra[0] rounded up; minus its end where it ends behind the last key; then,
// where that is wrong, first_key(0 .. extra[0]) plus 1

SIZES(first_key, 1, s.seq_kv + 2 * MOST_SPLITS + 1, 0)

ORACLE(first_key) {
    for (size_t i = 0; i < first_key_elements(s, 0); i++) out[i] = i < (size_t)s.seq_kv;
    return 1;
}

static int first_key_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int n = s->shape.seq_kv, splits = s->extra[0];
    int i = 0, used;
    while (i < n + MOST_SPLITS - 1 && s->got[i] == s->want[i]) i++;
    if (i < n)
        used = snprintf(text, size, "of %d keys in %d splits, key %d is in %g of them, not in one", n, splits, i,
                        s->got[i]);
    else if (s->got[i] < 0)
        used = snprintf(text, size, "first_key(%d, %d, %d) is %g: of %d keys no split goes beyond the last key", n,
                        i - n + 1, splits, -s->got[i], n);
    else
        used = snprintf(text, size, "split %d of %d has %g more than its share, which is %d keys", i - n, splits,
                        s->got[i], (n + splits - 1) / splits);
    lab_explain_shares(n, splits, s->got + n + MOST_SPLITS, text + used, size - (size_t)used);
    const char *matches = strstr(text + used, "matches");  // is short enough to be kept
    if (matches) lab_guess(s->guesses, matches, text, size);
    return 1;
}
SHARED_PROBE(first_key, first_key, 1, .tensors = {"uses of each key"});
