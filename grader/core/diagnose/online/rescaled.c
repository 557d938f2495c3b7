// rescaled.c: the factor by which l and o are rescaled, where the maxima are large and their difference is not.
#include <math.h>
#include <stdio.h>

#include "pointwise.h"

enum { OVERFLOWS = 89 };

// One exponential alone is Inf or 0, by the sign of its maximum, and never NaN.
static int explain_one_exponential(const lab_symptom *s, const char *o, char *text, size_t size) {
    const size_t rows = s->op->elements(s->shape, 3), width = s->op->elements(s->shape, 0) / rows;
    int known = 0;
    for (int way = 0; way < 4; way++) {
        const int tensor = 3 + way / 2, divided = way % 2;
        int fits = 1;
        for (size_t i = 0; i < rows * width && fits; i++) {
            const int large = (s->in[tensor][i / width] > 0) != divided;
            fits = !lab_element_bad(s, i, 0) || (large ? isinf(s->got[i]) != 0 : s->got[i] == 0);
        }
        char sentence[160];
        snprintf(sentence, sizeof sentence, "matches %s = o %c exp(%s): it is o * exp(m_old - m_new)", o,
                 divided ? '/' : '*', tensor == 3 ? "m_old" : "m_new");
        if (fits) known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

int lab_explain_two_exponentials(const lab_symptom *s, const char *o, char *text, size_t size) {
    if (!(fabs(s->in[3][0]) > OVERFLOWS && fabs(s->in[4][0]) > OVERFLOWS) || !s->cmp.not_finite) return 0;
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++)  // Inf / Inf, 0 / 0, Inf * 0, or one of them alone
        if (lab_element_bad(s, i, 0) && lab_is_finite(s->got[i]) && s->got[i] != 0) return 0;
    if (explain_one_exponential(s, o, text, size)) return 1;
    return lab_guess(
        s->guesses,
        "matches exp(m_old) / exp(m_new), or another two exponentials: where scores are large each of them "
        "is Inf or 0. The factor is one exponential, exp(m_old - m_new)",
        text, size);
}
