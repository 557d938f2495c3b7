// joined.c: rows of m, l and o that are joined to one: which of the three is wrong, and what each row weighs in o.
#include "joined.h"

#include <math.h>
#include <stdio.h>

#include "reductions.h"

enum { MOST = 12 };

// What each row weighs in o, the least squares of all its dims. Returns 0 if no weights give it.
static int weights_of(const lab_symptom *s, const int *row, int n, double *weight) {
    const int D = s->shape.head_dim, width = 2 + D;
    double g[MOST * (MOST + 1)];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) {
            double sum = 0;
            for (int d = 2; d < width; d++)
                sum += (double)s->in[1][row[i] * width + d] * (j < n ? s->in[1][row[j] * width + d] : s->got[d]);
            g[i * (n + 1) + j] = sum;
        }
    if (!lab_solve(n, g, weight)) return 0;
    for (int d = 2; d < width; d++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += weight[i] * s->in[1][row[i] * width + d];
        if (!(fabs(sum - s->got[d]) < 1e-3 * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

static int say_weight(const lab_symptom *s, const char *what, char *text, size_t size) {
    const int width = 2 + s->shape.head_dim;
    int row[MOST], n = 0;
    double weight[MOST], top = -INFINITY;
    for (int j = 0; j < s->shape.seq_kv; j++) {
        const double m = s->in[1][j * width];
        if (m == -INFINITY) continue;
        if (n == MOST) return 0;
        row[n++] = j, top = fmax(top, m);
    }
    if (!n || 2 * n > s->shape.head_dim || !weights_of(s, row, n, weight)) return 0;
    // Those that do not raise the maximum are left out; or some count without their factor.
    int lost = 0, once = 0, bad = 0;
    double before = -INFINITY;
    for (int i = 0; i < n; i++) {
        const double m = s->in[1][row[i] * width], due = exp(m - top);
        const int wrong = fabs(weight[i] - due) >= 1e-3 * (1 + due);
        bad += wrong, lost += wrong && m <= before && fabs(weight[i]) < 1e-6;
        once += wrong && fabs(weight[i] - 1) < 1e-3, before = fmax(before, m);
    }
    if (bad && lost == bad)
        return snprintf(text, size,
                        "in o, a %s that does not raise the maximum counts 0 times: it counts, too, with its own "
                        "weight, and the maximum stays",
                        what) > 0;
    for (int i = 0; i < n && bad && once == bad; i++)
        if (fabs(weight[i] - exp(s->in[1][row[i] * width] - top)) >= 1e-3)
            return snprintf(text, size,
                            "in o, %s %d of %d is added as it is: each of them takes its factor exp(m - max), which is "
                            "%.4g here",
                            what, row[i] + 1, s->shape.seq_kv, exp(s->in[1][row[i] * width] - top)) > 0;
    for (int i = 0; i < n; i++) {
        const double due = exp(s->in[1][row[i] * width] - top);
        if (fabs(weight[i] - due) < 1e-3 * (1 + due)) continue;
        return snprintf(text, size, "in o, %s %d of %d counts %.4g times: it must count %.4g times, as m - max is %.4g",
                        what, row[i] + 1, s->shape.seq_kv, fabs(weight[i]) < 1e-6 ? 0 : weight[i], due,
                        s->in[1][row[i] * width] - top);
    }
    return 0;
}

// ---- Keys, one after the other: l and o by another step

enum { STEPS = 16 };
static const char *const step_name[STEPS][3] = {
    {"rescale * (l + e)", "rescale * (o + e * v)"},
    {"l + rescale * e", "o + rescale * e * v"},
    {"rescale * l", "rescale * o"},
    {"rescale * e", "rescale * e * v"},
    {"e * l + rescale", "e * o + rescale * v"},
    {"l / rescale + e", "o / rescale + e * v"},
    {"rescale * l + 1", "rescale * o + v"},
    {"rescale * l + rescale", "rescale * o + rescale * v"},
    {"e * (l + 1)", "e * (o + v)"},
    {"exp(m_old - s) * l + e", "exp(m_old - s) * o + e * v",
     "what was summed is rescaled by exp(m_old - m_new): s is the new maximum only where it is larger than m_old"},
    {"exp(m_old - s) * l + 1", "exp(m_old - s) * o + v",
     "both factors go to the new maximum, exp(m_old - m_new) and exp(s - m_new): s is that only where it is larger"},
    {"exp(m_old - s) * l + exp(m_new - s)", "exp(m_old - s) * o + exp(m_new - s) * v",
     "both factors go to the new maximum, exp(m_old - m_new) and exp(s - m_new), and not from it"},
    {"rescale * l + exp(m_new - s)", "rescale * o + exp(m_new - s) * v",
     "the arguments of the new key's factor are exchanged, it is exp(s - m_new)"},
    {"l + 1", "o + v", "a key counts e = exp(s - m_new), and what was summed is rescaled: rescale * l + e"},
    {"e wherever the maximum grows", "e * v wherever the maximum grows",
     "it begins anew there, and is to be rescaled by exp(m_old - m_new) before the new key is added"},
    {"rescale * l + s", "rescale * o + s * v",
     "the scores themselves are added up: add the exponential e = exp(s - m_new), not the score"},
};

// rescale and e are the right factors, exp(m - top) and exp(s - top); m is the maximum before this key.
static double step_of(int way, double x, double m, double s, double v) {
    const double top = fmax(m, s), rescale = m == -INFINITY ? 0 : exp(m - top), e = exp(s - top);
    const double to_s = m == -INFINITY ? 0 : exp(m - s), swapped = exp(top - s);
    switch (way) {
    case 0: return rescale * (x + e * v);
    case 1: return x + rescale * e * v;
    case 2: return rescale * x;
    case 3: return rescale * e * v;
    case 4: return e * x + rescale * v;
    case 5: return x / rescale + e * v;
    case 6: return rescale * x + v;
    case 7: return rescale * (x + v);
    case 8: return e * (x + v);
    case 9: return to_s * x + e * v;
    case 10: return to_s * x + v;
    case 11: return to_s * x + swapped * v;
    case 13: return x + v;
    case 14: return (s > m ? 0 : x) + e * v;
    case 15: return rescale * x + s * v;
    default: return rescale * x + swapped * v;
    }
}

static int gives(const lab_symptom *s, int way, int column) {
    const int width = 2 + s->shape.head_dim;
    double m = -INFINITY, x = 0;
    for (int j = 0; j < s->shape.seq_kv; j++) {
        const float *row = s->in[1] + j * width;
        x = step_of(way, x, m, row[0], column == 1 ? 1 : row[column]);
        m = fmax(m, row[0]);
    }
    return fabs(x - s->got[column]) < LAB_TOLERANCE * (1 + fabs(x));
}

// o is divided by l at each key, and multiplied by it at the next, or not even that.
static int gives_divided(const lab_symptom *s, int again, int column) {
    const int width = 2 + s->shape.head_dim;
    double m = -INFINITY, l = 0, o = 0;
    for (int j = 0; j < s->shape.seq_kv; j++) {
        const float *row = s->in[1] + j * width;
        const double top = fmax(m, row[0]), rescale = m == -INFINITY ? 0 : exp(m - top), e = exp(row[0] - top);
        const double more = rescale * l + e;
        o = (rescale * o * (again ? l : 1) + e * row[column]) / more;
        l = more, m = top;
    }
    return fabs(o - s->got[column]) < LAB_TOLERANCE * (1 + fabs(o));
}

int lab_explain_steps(const lab_symptom *s, char *text, size_t size) {
    const int width = 2 + s->shape.head_dim;
    int found = 0, wrong_o = 0;
    for (int d = 2; d < width; d++) wrong_o |= lab_element_bad(s, (size_t)d, 0);
    for (int way = 0; way < STEPS && !s->cmp.not_finite; way++) {
        int l = lab_element_bad(s, 1, 0) && gives(s, way, 1), o = wrong_o;
        for (int d = 2; d < width && o; d++) o = gives(s, way, d);
        const char *due = step_name[way][2];
        char said[300];
        if (l)
            snprintf(said, sizeof said, "matches l = %s: %s%s", step_name[way][0], due ? due : "it is rescale * l + e",
                     o ? ", and o has the same mistake" : "");
        else if (o)
            snprintf(said, sizeof said, "matches o = %s: %s", step_name[way][1],
                     due ? due : "it is rescale * o + e * v");
        if (l || o) found |= lab_guess(s->guesses, said, text, size);
    }
    for (int again = 0; again < 2 && !s->cmp.not_finite && s->shape.seq_kv > 1; again++) {
        int o = wrong_o;
        for (int d = 2; d < width && o; d++) o = gives_divided(s, again, d);
        if (o)
            found |=
                lab_guess(s->guesses,
                          again ? "matches o / l in place of o: nothing is divided here, the kernel divides once, "
                                  "behind the last key"
                                : "matches o that is divided by l at each key: nothing is divided here, the kernel "
                                  "divides once, behind the last key",
                          text, size);
    }
    return found;
}

// ---- What is right, and what is not

static const char *as_text(double x, char text[24]) {
    if (x == LAB_NO_KEYS) return "-INFINITY";
    snprintf(text, 24, "%.5g", x);
    return text;
}

// l and o that go with another m than the largest one.
static int goes_with_m(const lab_symptom *s) {
    const double factor = exp(s->want[0] - s->got[0]);
    if (!lab_element_bad(s, 0, 0) || s->want[0] == LAB_NO_KEYS || s->got[0] == (float)LAB_NO_KEYS) return 0;
    for (size_t i = 1; i < 2 + (size_t)s->shape.head_dim; i++)
        if (!(fabs(s->got[i] - factor * s->want[i]) < 1e-3 * (factor + fabs(factor * s->want[i])))) return 0;
    return 1;
}

int lab_explain_joined(const lab_symptom *s, const char *what, char *text, size_t size) {
    static const char *const name[] = {"m", "l", "o"};
    const size_t n = 2 + (size_t)s->shape.head_dim;
    int wrong[3] = {0}, used = 0, right = 0;
    char is[24], must[24];
    if (s->cmp.not_finite) return 0;
    if (goes_with_m(s))
        return snprintf(
                   text, size,
                   "m is %s: it must be the largest, %s, and l and o go with that m, so that exp() may overflow: each "
                   "%s counts exp(its own - m)",
                   as_text(s->got[0], is), as_text(s->want[0], must), what) > 0;
    for (size_t i = 0; i < n; i++) wrong[i < 2 ? i : 2] += lab_element_bad(s, i, 0);
    for (int k = 0; k < 3; k++) right += !wrong[k];
    for (int k = 0, said = 0; k < 3; k++)
        if (!wrong[k]) used += snprintf(text + used, size - (size_t)used, "%s%s", said++ ? " and " : "", name[k]);
    if (right) used += snprintf(text + used, size - (size_t)used, " %s right, and ", right > 1 ? "are" : "is");
    for (int k = 0, said = 0; k < 2; k++)
        if (wrong[k])
            used += snprintf(text + used, size - (size_t)used, "%s%s is %s: it must be %s", said++ ? ", " : "", name[k],
                             as_text(s->got[k], is), as_text(s->want[k], must));
    if (!wrong[2]) return 1;
    char weight[200];
    if (!say_weight(s, what, weight, sizeof weight)) snprintf(weight, sizeof weight, "o is wrong");
    return snprintf(text + used, size - (size_t)used, "%s%s", wrong[0] || wrong[1] ? ", " : "", weight) > 0;
}
