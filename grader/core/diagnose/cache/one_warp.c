// one_warp.c: what the warps of a block have found is not joined (TODO 5.7): each dim of o is one warp's. Or it is, and the
// indices of o are exchanged.
#include "joined.h"

#include <math.h>
#include <stdio.h>

enum { WARP = 32, MAX_D = 128, WARPS = 8, RULES = 5 };  // of task 5's handout

static const char *const rule[RULES] = {"warp 0", "warp d / WARP", "warp d % WARPS", "warp d * WARPS / D",
                                        "warp d * WARPS / MAX_D"};

static int warp_of(int way, int d, int D) {
    return way == 0 ? 0 : way == 1 ? d / WARP : way == 2 ? d % WARPS : way == 3 ? d * WARPS / D : d * WARPS / MAX_D;
}

// What the probe has left of this warp: n parts, from the first warp to the last. NULL: nothing.
static const float *part_of(const lab_symptom *s, int warp) {
    const int n = s->shape.seq_kv;
    for (int i = 0; i < n && n > 1; i++)
        if (i * (WARPS - 1) / (n - 1) == warp) return s->in[1] + i * (2 + s->shape.head_dim);
    return NULL;
}

static int is_near(double due, double got) { return fabs(due - got) < 1e-3 * (1 + fabs(due)); }

// m and l may be joined. weighed: o has its factor.
static int gives(const lab_symptom *s, int way, int weighed) {
    const int D = s->shape.head_dim;
    for (int i = 0; i < 2 && s->in[1][0] != -INFINITY; i++)
        if (!is_near(s->in[1][i], s->got[i]) && (!way || !is_near(s->want[i], s->got[i])) &&
            !(i && way && is_near(s->in[1][1] * exp(s->in[1][0] - s->want[0]), s->got[1])))
            return 0;
    for (int d = 0; d < D; d++) {
        const float *part = part_of(s, warp_of(way, d, D));
        const double o = part ? part[2 + d] * (weighed ? exp(part[0] - s->want[0]) : 1) : 0;
        if (!is_near(part && part[0] != -INFINITY ? o : 0, s->got[2 + d])) return 0;
    }
    return 1;
}

int lab_explain_one_warp(const lab_symptom *s, char *text, size_t size) {
    int found = 0;
    for (int way = 0; way < RULES && !s->cmp.not_finite; way++) {
        char said[240];
        if (!gives(s, way, 0) && !(way && gives(s, way, 1))) continue;
        snprintf(said, sizeof said,
                 "matches dim d of %s alone: each warp has all dims, of its own keys, and nothing joins them. all.m is "
                 "the largest of all m[w], all.l and all.o are sums over all warps, each times its factor",
                 rule[way]);
        found |= lab_guess(s->guesses, said, text, size);
    }
    return found;
}

// As many dims as there are warps stand within o[WARPS][MAX_D]; what lies behind it nobody knows.
int lab_explain_turned_parts(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim;
    int wrong = 0;
    for (int i = 0; i < 2; i++)
        if (lab_element_bad(s, (size_t)i, 0)) return 0;
    for (int d = 0; d < D; d++) wrong |= lab_element_bad(s, 2 + (size_t)d, 0);
    for (int d = 0; d < WARPS; d++) {
        const float *turned = part_of(s, d);
        double o = 0;
        for (int w = 0; w < WARPS; w++) {
            const float *part = part_of(s, w);
            if (part && turned && part[0] != -INFINITY) o += exp(part[0] - s->want[0]) * turned[2 + w];
        }
        if (!is_near(o, s->got[2 + d])) return 0;
    }
    return wrong && lab_guess(s->guesses,
                              "matches o[d][w] in place of o[w][d]: the first index of o is the warp, and o[d] is none "
                              "from d = WARPS on, what lies behind the array is read",
                              text, size);
}
