// unwritten_parts.c: task 5's splits: parts that nobody has written, where a split has no keys, and that are joined with
// the others all the same.
#include "heuristics.h"

#include <stdio.h>
#include <string.h>

#include "splits.h"

static int is_written(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits != LAB_POISON;
}

// In equal shares, rounded up, or length * s / n.
static int may_be_empty(size_t length, size_t split, size_t n) {
    return split * ((length + n - 1) / n) >= length || length * split / n == length * (split + 1) / n;
}

static int is_wrong(const lab_symptom *s, size_t head, size_t D) {
    int wrong = 0;
    for (size_t d = 0; d < D; d++) wrong |= lab_element_bad(s, head * D + d, 0);
    return wrong;
}

int lab_explain_unwritten_parts(const lab_symptom *s, char *text, size_t size) {
    const size_t n = s->op == &lab_decode_split && s->extra[0] > 1 ? (size_t)s->extra[0] : 0, D = s->shape.head_dim;
    const size_t heads = (size_t)s->shape.batch * s->shape.heads;
    const float *const L = n && s->work ? s->work + heads * n * D : NULL;
    size_t written = 0, missing = 0, first = 0;
    char sentence[300];  // a guess keeps 239
    for (size_t head = 0; L && head < heads; head++) {
        const size_t length = lab_int_at(s->in[4], head / s->shape.heads), before = missing;
        for (size_t i = 0; i < n; i++) {
            const int is = is_written(L[head * n + i]);
            if (!is && !may_be_empty(length, i, n)) return 0;
            if (!is && !missing++) first = head * n + i;
            written += is && length > 0;
        }
        if (is_wrong(s, head, D) && missing == before) return 0;  // another mistake
    }
    if (!missing || !written) return 0;
    snprintf(sentence, sizeof sentence,
             LAB_NO_KEYS_UNWRITTEN " (parts that nobody wrote: %zu, as split %zu of %zu of batch %zu, head %zu)",
             missing, first % n, n, first / n / s->shape.heads, first / n % s->shape.heads);
    return lab_guess(s->guesses, sentence, text, size);
}
