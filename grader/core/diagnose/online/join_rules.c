// join_rules.c: rules by which parts are joined wrongly: in words, and in numbers.
#include "join_rules.h"

#include <math.h>

#include "online_steps.h"
#include "rules_out.h"
#include "wrong_rows.h"

const char *lab_join_text(join x) {
    switch (x) {
    case UNSCALED:
    case UNSCALED_L_OF_FIRST: return lab_missed_step[OWN_MAX];
    case MEAN: return lab_missed_step[MEAN_OF_TILES];
    case SUM_OF_OUTPUTS: return lab_missed_step[SOFTMAX_ADDED];
    case O_UNSCALED: return "matches parts whose O is added without its factor exp(m - M), while l has it";
    case L_UNSCALED: return LAB_L_KEPT;
    case MAX_AS_WEIGHT:
        return "matches parts that are weighted by exp(m - M) alone: a part that is divided by its l counts l exp(m - "
               "M)";
    case NEWCOMER:
        return "matches parts that are added as they are to what is joined so far, which alone is rescaled: the part "
               "that is added takes its factor exp(m - M), too";
    case JOINED_SO_FAR:
        return "matches parts that are added with their factor exp(m - M) to what is joined so far, which is not "
               "rescaled: it takes exp(M_old - M) when the maximum grows";
    case THE_WRONG_WAY: return "matches parts that are joined with exp(M - m): a part's factor is exp(m - M)";
    case FIRST_ALONE: return lab_missed_step[ONE_PART];
    case O_OF_FIRST: return LAB_FIRST_PARTS_O ": add the O of the other parts, too";
    case L_OF_FIRST: return "matches O of all parts over the l of the first: add the l of the other parts, too";
    case NOT_DIVIDED: return LAB_NO_DIVISION_TEXT;
    case LAST_LEFT_OUT: return "matches parts of which the last is left out: does the loop that joins them reach it?";
    default: return "matches parts of which the first is left out: does the loop that joins them begin with it?";
    }
}

double lab_join_max(const double *m, int n) {
    double max = -INFINITY;
    for (int i = 0; i < n; i++)
        if (m[i] > max) max = m[i];
    return max;
}

void lab_join_factors(join x, int n, const double *m, const double *l, double *of_o, double *of_l, double *divisor) {
    const double all = lab_join_max(m, n);
    *divisor = x == MEAN ? n : x == SUM_OF_OUTPUTS || x == NOT_DIVIDED ? 1 : 0;
    double so_far = -INFINITY;
    for (int i = 0; i < n; i++) {
        const double right = exp(m[i] - all);
        if (m[i] > so_far) so_far = m[i];
        of_o[i] = of_l[i] = right;
        switch (x) {
        case UNSCALED:
        case UNSCALED_L_OF_FIRST: of_o[i] = of_l[i] = 1; break;
        case MEAN:
        case SUM_OF_OUTPUTS: of_o[i] = 1 / l[i]; break;
        case O_UNSCALED: of_o[i] = 1; break;
        case L_UNSCALED: of_l[i] = 1; break;
        case NOT_DIVIDED: break;
        case MAX_AS_WEIGHT: of_o[i] = of_l[i] = right / l[i]; break;
        case NEWCOMER: of_o[i] = of_l[i] = exp(so_far - all); break;
        case JOINED_SO_FAR: of_o[i] = of_l[i] = exp(m[i] - so_far); break;
        case THE_WRONG_WAY: of_o[i] = of_l[i] = 1 / right; break;
        case FIRST_ALONE: of_o[i] = of_l[i] = i ? 0 : right; break;
        case O_OF_FIRST: of_o[i] = i ? 0 : right; break;
        case L_OF_FIRST: of_l[i] = i ? 0 : right; break;
        case LAST_LEFT_OUT: of_o[i] = of_l[i] = i == n - 1 ? 0 : right; break;
        default: of_o[i] = of_l[i] = i == 0 ? 0 : right;
        }
    }
}
