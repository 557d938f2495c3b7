// rescaled.c: the factor by which l and o are rescaled, where the maxima are large and their difference is not.
#include <math.h>

#include "pointwise.h"

int lab_explain_two_exponentials(const lab_symptom *s, char *text, size_t size) {
    enum { OVERFLOWS = 89 };
    if (!(fabs(s->in[3][0]) > OVERFLOWS && fabs(s->in[4][0]) > OVERFLOWS) || !s->cmp.not_finite) return 0;
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++)  // Inf / Inf, 0 / 0, Inf * 0, or one of them alone
        if (lab_element_bad(s, i, 0) && lab_is_finite(s->got[i]) && s->got[i] != 0) return 0;
    return lab_guess(
        s->guesses,
        "matches exp(m_old) / exp(m_new), or another two exponentials: where scores are large each of them "
        "is Inf or 0. The factor is one exponential, exp(m_old - m_new)",
        text, size);
}
