// students_attention.c: keys in tiles, online softmax, and a knob for each step that is often wrong.
#include "students_attention.h"

#include <math.h>

enum { MOST = 512 };

static double factor(double f) { return f != 0 ? f : 1; }

void student_row(const knobs *k, attn_shape s, const float *q, const float *K, const float *V, int seen, float *o) {
    const int D = s.head_dim, tile = k->tile ? k->tile : s.seq_kv;
    float m = -INFINITY, l = 0, p[MOST];
    for (int c = 0; c < D; c++) o[c] = 0;
    for (int from = 0; from < s.seq_kv; from += tile) {
        float m_new = m, sum = 0;
        for (int j = from; j < from + tile; j++) {
            float dot = 0;
            for (int c = 0; c < D && j < s.seq_kv; c++) dot += q[c] * K[j * D + c];
            p[j - from] = j < seen                      ? dot * (float)(factor(k->scale) / sqrt(D))
                          : k->phantom && j >= s.seq_kv ? 0
                                                        : -INFINITY;
            m_new = fmaxf(m_new, p[j - from]);
        }
        if (m_new == -INFINITY) continue;
        const float a = expf(m - m_new);
        for (int j = 0; j < tile; j++) sum += p[j] = expf(p[j] - m_new);
        l = k->l_anew ? sum : k->late_l ? a * (l + sum) : k->no_l ? l + sum : a * l + sum;
        for (int c = 0; c < D; c++) {
            float add = 0;
            for (int j = from; j < from + tile && j < s.seq_kv; j++) add += p[j - from] * V[j * D + c];
            o[c] = k->o_anew ? add : k->late_o ? a * (o[c] + add) : k->no_o ? o[c] + add : a * o[c] + add;
        }
        m = m_new;
    }
    for (int c = 0; c < D; c++) o[c] *= (float)factor(k->output) / l;
}
