// online_factors.c: the factor by which l and O are multiplied when the row maximum grows, as it is, exp(m_old - m_new), and
// as it is with a mistake.
#include "online_steps.h"

#include <math.h>

double lab_online_factor(missed_step missed, double m, double to, int D) {
    if (m == -INFINITY) return 0;  // before the first tile there is nothing
    switch (missed) {
    case FACTOR_RATIO: return m / to;
    case FACTOR_INVERSE: return exp(to - m);
    case FACTOR_BASE_2: return exp2(m - to);
    case FACTOR_BASE_E: return exp((m - to) / log(2));
    case FACTOR_SCALED: return exp((m - to) / sqrt(D));
    case FACTOR_UNSCALED: return exp((m - to) * sqrt(D));
    case FACTOR_SCALED_2: return exp((m - to) / sqrt(D) / log(2));
    case FACTOR_UNSCALED_2: return exp2((m - to) * sqrt(D));
    default: return exp(m - to);
    }
}
