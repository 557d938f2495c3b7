// each_dim.c: task 5, a key that is added in a loop over the lane's dims, with what belongs in front of that loop: m, l or
// the factors are then computed once for each dim, and no longer what they were from the second dim on.
#include "joined.h"

#include <math.h>

enum { LANES = 32, MOST_DIMS = 4 };

typedef enum { M_ALONE, ALL, L_ALONE, E_ALONE, N_WAYS } in_the_loop;

static const char *const text_of[N_WAYS] = {
    "matches m and the factors computed in the loop over the lane's dims: from the second dim on rescale is 1, as m "
    "has "
    "grown already, and o is not rescaled. They belong in front of the loop",
    "matches m, l and the factors computed in the loop over the lane's dims: e is added to l once for each dim, and "
    "from "
    "the second dim on rescale is 1, as m has grown already. They belong in front of the loop",
    "matches l = rescale * l + e in the loop over the lane's dims: it is done once for each dim, and belongs in "
    "front "
    "of the loop",
    "matches l to which e is added in the loop over the lane's dims, once for each dim: it belongs in front of the "
    "loop",
};

// Element `column` of m, l and o, where the loop has `rounds` rounds; dim d of o is of round d / LANES.
static double after_all_keys(const lab_symptom *s, in_the_loop way, int rounds, int column) {
    const int width = 2 + s->shape.head_dim, round = (column - 2) / LANES;
    double m = -INFINITY, x = 0;
    for (int j = 0; j < s->shape.seq_kv; j++) {
        const float *key = s->in[1] + j * width;
        const double top = fmax(m, key[0]), e = exp(key[0] - top);
        double rescale = m == -INFINITY ? 0 : exp(m - top);
        if (column > 1) {
            x = ((way == ALL || way == M_ALONE) && round ? 1 : rescale) * x + e * key[column];
        } else {
            for (int t = 0; t < (way == M_ALONE ? 1 : rounds); t++) {
                x = rescale * x + e;
                if (way != L_ALONE) rescale = 1;
            }
        }
        m = top;
    }
    return x;
}

int lab_explain_each_dim(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim, rounds[] = {MOST_DIMS, D / LANES};
    int found = 0;
    if (s->cmp.not_finite || lab_element_bad(s, 0, 0)) return 0;
    for (in_the_loop way = 0; way < N_WAYS; way++)
        for (int k = 0; k < 2; k++) {
            int fits = rounds[k] > 1 || way == M_ALONE || (way == ALL && rounds[k] == 1);
            for (int i = 1; i < 2 + D && fits; i++) {
                const double x = after_all_keys(s, way, rounds[k], i);
                fits = fabs(x - s->got[i]) < LAB_TOLERANCE * (1 + fabs(x));
            }
            if (!fits) continue;
            found |= lab_guess(s->guesses, text_of[way], text, size);
            break;
        }
    return found;
}
