// addresses.c: wrong rows of attention that are right for Q, K or V of another place: heads that begin where a wrong
// formula says. And scores of hidden keys that are a number in place of -INFINITY.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Where head h of batch b begins, in rows. S: rows of a head, other: those of a head of the other kind.
typedef enum {
    FIRST_HEAD,
    OTHER_LENGTH,
    SWAPPED,
    BATCH_ALONE,
    HEAD_ALONE,
    FIRST_OF_BATCH,
    HEADS_FOR_BATCH,
    LENGTHS_APART,
    N_FORMULAS
} formula;

static const char *const formulas[N_FORMULAS] = {
    [OTHER_LENGTH] = "(b * heads + h) * %s * D",
    [SWAPPED] = "(h * batch + b) * %s * D",
    [BATCH_ALONE] = "b * %s * D",
    [HEAD_ALONE] = "h * %s * D",
    [FIRST_OF_BATCH] = "b * heads * %s * D",
    [HEADS_FOR_BATCH] = "(b + h) * %s * D",
    [LENGTHS_APART] = "(b * heads + h) * lengths[b] * D",
};

static size_t begins(formula f, attn_shape s, int head, int S, int other) {
    const size_t b = head / s.heads, h = head % s.heads, length = f == OTHER_LENGTH ? other : S;
    switch (f) {
    case FIRST_HEAD: return 0;
    case OTHER_LENGTH: return (b * s.heads + h) * length;
    case SWAPPED: return (h * s.batch + b) * length;
    case BATCH_ALONE: return b * length;
    case HEAD_ALONE: return h * length;
    case FIRST_OF_BATCH: return b * s.heads * length;
    default: return (b + h) * length;
    }
}

enum { OF_Q = 1, OF_K = 2, OF_V = 4 };

static int row_matches(const lab_wrong_rows *w, lab_wrong_row r) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, sum = 0;
    const double max = lab_row_scores(&r, D, p);
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r.seen; j++) {
        const double weight = exp(p[j] - max);
        sum += weight;
        for (int c = 0; c < D; c++) o[c] += weight * r.v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++)
        if (!(fabs(o[c] / sum - r.got[c]) < r.near)) return 0;
    return 1;
}

static int all_match(const lab_symptom *s, const lab_wrong_rows *w, formula f, int of) {
    const attn_shape a = w->shape;
    const size_t D = a.head_dim;
    for (int i = 0; i < w->n; i++) {
        lab_wrong_row r = w->row[i];
        const size_t q = begins(f, a, r.head, a.seq_q, a.seq_kv) + (a.seq_q > 1 ? r.query : 0),
                     k = f == LENGTHS_APART ? (size_t)r.head * r.keys : begins(f, a, r.head, a.seq_kv, a.seq_q),
                     heads = (size_t)a.batch * a.heads;
        if ((of & OF_Q && q >= heads * a.seq_q) || (of & ~OF_Q && k + r.seen > heads * a.seq_kv)) return 0;
        if (of & OF_Q) r.q = s->in[1] + q * D;
        if (of & OF_K) r.k = s->in[2] + k * D;
        if (of & OF_V) r.v = s->in[3] + k * D;
        if (!row_matches(w, r)) return 0;
    }
    return w->n > 1;
}

static const struct {
    int of;
    const char *name;
} tried[] = {{OF_K | OF_V, "K and V"}, {OF_K, "K"}, {OF_V, "V"}, {OF_Q, "Q"}, {OF_Q | OF_K | OF_V, "Q, K and V"},
             {OF_Q | OF_K, "Q and K"}};

static int say_formula(formula f, int t, char *text, size_t size) {
    char where[64], right[64];
    const int q = tried[t].of == OF_Q;
    snprintf(where, sizeof where, formulas[f], q == (f == OTHER_LENGTH) ? "seq_kv" : "seq_q");
    snprintf(right, sizeof right, "(b * heads + h) * %s * D", q ? "seq_q" : "seq_kv");
    return snprintf(text, size, "matches %s of a head that begins at %s: it begins at %s", tried[t].name, where,
                    right) > 0;
}

static int other_formula(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size) {
    for (formula f = FIRST_HEAD + 1; f < N_FORMULAS; f++)
        for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
            if (f == LENGTHS_APART && (!s->op->lengths || tried[t].of & OF_Q)) continue;
            if ((f == OTHER_LENGTH && s->shape.seq_q == s->shape.seq_kv) || !all_match(s, w, f, tried[t].of)) continue;
            return say_formula(f, (int)t, text, size);
        }
    return 0;
}

// With one key the row is V's, whatever K is: it fits as well as other claims do, and says nothing by itself.
void lab_guess_addresses_of_one_key(const lab_symptom *s, const lab_wrong_rows *w) {
    const attn_shape a = w->shape;
    char sentence[240], aside[240] = "";
    for (formula f = SWAPPED; f < LENGTHS_APART; f++) {
        int fits = w->n > 0;
        for (int i = 0; i < w->n && fits; i++) {
            const size_t row = begins(f, a, w->row[i].head, 1, 1);
            fits = row < (size_t)a.batch * a.heads;
            for (int c = 0; c < a.head_dim && fits; c++)
                fits = fabs(s->in[3][row * a.head_dim + c] - w->row[i].got[c]) < w->row[i].near;
        }
        for (int t = 0; t < (int)(sizeof tried / sizeof *tried) && fits; t++) {
            if (!(tried[t].of & OF_V)) continue;
            say_formula(f, t, sentence, sizeof sentence);
            lab_guess(s->guesses, sentence, aside, sizeof aside);
        }
    }
}

// Rows of another sequence than the first one tell head 0 of all from head 0 of each.
static int is_first_of_all(const lab_wrong_rows *w) {
    for (int i = 0; i < w->n; i++)
        if (w->row[i].head >= w->shape.heads) return 1;
    return w->shape.batch == 1;
}

int lab_explain_addresses(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size) {
    char first[240] = "";
    for (int t = 1; t < 4 && !*first; t++)  // of several of them it is a known mistake
        if (all_match(s, w, FIRST_HEAD, tried[t].of))
            snprintf(first, sizeof first, "matches %s of head 0 used for every head: look at the offset of a head",
                     tried[t].name);
    const int known = other_formula(s, w, text, size);
    if (*first && known) {  // both fit, and other claims tell which it is
        lab_guess(s->guesses, is_first_of_all(w) ? text : first, text, size);
        if (!is_first_of_all(w)) return 1;
    }
    return *first ? snprintf(text, size, "%s", first) > 0 : known;
}

// ---- Scores of several queries, added up: shuffles that go beyond the threads of one row

static int rows_added(const lab_wrong_rows *w, int rows) {
    const int D = w->shape.head_dim;
    float q[256];
    for (int i = 0; i < w->n; i++) {
        lab_wrong_row r = w->row[i];
        const int first = r.query / rows * rows;
        if (first + rows > w->shape.seq_q) return 0;
        for (int c = 0; c < D; c++) {
            q[c] = 0;
            for (int k = 0; k < rows; k++) q[c] += r.q[(long)(first + k - r.query) * D + c];
        }
        r.q = q;
        if (!row_matches(w, r)) return 0;
    }
    return w->n > 1;
}

int lab_explain_rows_added(const lab_wrong_rows *w, char *text, size_t size) {
    for (int rows = 2; rows <= 8 && w->shape.seq_q > 1 && w->shape.head_dim <= 256; rows *= 2) {
        if (!rows_added(w, rows)) continue;
        snprintf(
            text, size,
            "matches scores that are added up over %d queries: the shuffles of a dot product go beyond the threads of "
            "one row, so start them at half of these threads",
            rows);
        return 1;
    }
    return 0;
}

// ---- Hidden keys

// Where the walk of a tile of Br queries ends, with tiles of Bc keys. Br 0: behind the last key.
static int visited(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc) {
    if (!Br) return r->keys;
    const int end = r->query / Br * Br + Br + w->shape.seq_kv - w->shape.seq_q, whole = (end + Bc - 1) / Bc * Bc;
    return whole < r->keys ? whole : r->keys;
}

// The score x of the keys before `end` that the row does not see, or what is added to their own, for which the row is right;
// NAN: there is none.
static double hidden_score(const lab_wrong_rows *w, const lab_wrong_row *r, int end, int added) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, sum = 0, above = 0, below = 0, off = 0;
    lab_wrong_row all = *r;
    all.seen = end;
    const double max = lab_row_scores(&all, D, p);
    double hidden[256], n = 0;
    memset(o, 0, D * sizeof *o);
    memset(hidden, 0, sizeof hidden);
    for (int j = 0; j < r->seen; j++) sum += p[j] = exp(p[j] - max);
    for (int j = r->seen; j < end; j++) n += p[j] = added ? exp(p[j] - max) : 1;
    for (int c = 0; c < D; c++) {
        for (int j = 0; j < r->seen; j++) o[c] += p[j] * r->v[(size_t)j * D + c];
        for (int j = r->seen; j < end; j++) hidden[c] += p[j] * r->v[(size_t)j * D + c];
        const double a = o[c] - r->got[c] * sum, b = n * r->got[c] - hidden[c];
        above += a * b, below += b * b;
    }
    const double x = above / below;
    for (int c = 0; c < D; c++) off = fmax(off, fabs((o[c] + x * hidden[c]) / (sum + n * x) - r->got[c]));
    return x > 1e-6 && off < fmin(LAB_TOLERANCE / 4, r->near) ? log(x) + (added ? 0 : max) : NAN;
}

// Of all rows; NAN: they have none in common.
static double score_of_all(const lab_wrong_rows *w, int Br, int Bc, int added) {
    double score = NAN;
    for (int i = 0; i < w->n; i++) {
        const int end = visited(w, &w->row[i], Br, Bc);
        const double x = w->row[i].seen < end ? hidden_score(w, &w->row[i], end, added) : NAN;
        if (isnan(x) || (i && !(fabs(x - score) < 0.02))) return NAN;
        score = i ? score : x;
    }
    return score;
}

int lab_explain_hidden_score(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tile[] = {8, 16, 32, 64, 128};
    enum { N = sizeof tile / sizeof *tile };
    if (!w->shape.causal || w->shape.head_dim > 256 || w->n < 2) return 0;
    for (int added = 0; added < 2; added++) {
        double score = score_of_all(w, 0, 0, added);
        for (int i = 0; i < 2 && isnan(score) && w->row[0].queries;
             i++)  // whole tiles of keys, or what is left of them
            score = score_of_all(w, w->row[0].queries, i ? 1 : w->row[0].tile, added);
        for (int i = 0; i < N * N && isnan(score); i++) score = score_of_all(w, tile[i / N], tile[i % N], added);
        if (!(fabs(score) >= 0.02)) continue;  // 0 has a sentence of its own, and so has no mask
        snprintf(text, size,
                 added ? "matches hidden scores to which %.3g is added: they still count; set them to -INFINITY"
                       : "matches masked scores of %.3g: exp(%.3g) still counts; set them to -INFINITY",
                 score, score);
        return 1;
    }
    return 0;
}

// How many keys query i of a head sees.
static int sees(attn_shape s, int i) {
    const int causal = i + 1 + s.seq_kv - s.seq_q;
    return s.causal && causal < s.seq_kv ? causal : s.seq_kv;
}

// Is row n of all right exactly where it has the same head and keys as one of seq_kv rows for each head?
static int are_wrong_by_lengths(const lab_wrong_rows *w) {
    const int D = w->shape.head_dim, Sq = w->shape.seq_q, Sk = w->shape.seq_kv;
    const lab_wrong_row *r = &w->row[0];
    const size_t at = (size_t)(r->head * Sq + r->query) * D;
    for (int n = 0; n < w->shape.batch * w->shape.heads * Sq; n++) {
        const int same = n / Sk == n / Sq && sees(w->shape, n % Sk) == sees(w->shape, n % Sq);
        int right = 1;
        for (size_t i = (size_t)n * D; i < (size_t)(n + 1) * D && right; i++)
            right = fabs((r->got - at)[i] - (r->want - at)[i]) < LAB_TOLERANCE;
        if (right != same) return 0;
    }
    return 1;
}

// Q and O are taken for [heads, seq_kv, D]: row n of them is one of head n / seq_kv.
int lab_explain_queries_as_keys(const lab_wrong_rows *w, char *text, size_t size) {
    const int Sq = w->shape.seq_q, Sk = w->shape.seq_kv;
    if (!lab_are_enough(w) || Sq >= Sk) return 0;
    for (int i = 0; i < w->n; i++) {
        lab_wrong_row r = w->row[i];
        const int n = r.head * Sq + r.query;
        if (r.keys != Sk) return 0;
        const size_t back = (size_t)(r.head - n / Sk) * Sk * w->shape.head_dim;
        r.k -= back, r.v -= back, r.seen = sees(w->shape, n % Sk);
        if (!row_matches(w, r)) return 0;
    }
    if (!are_wrong_by_lengths(w)) return 0;
    snprintf(text, size,
             "matches seq_kv taken for the number of queries: heads of Q and O are seq_q rows apart, and only those of "
             "K and V are seq_kv");
    return 1;
}

// Rows whose K and V are those of the head before: all of its keys are before the row, where causal, too. The numbers of
// one that takes seq_kv for seq_q are that one's.
int lab_explain_head_before(const lab_wrong_rows *w, char *text, size_t size) {
    const size_t head = (size_t)w->shape.seq_kv * w->shape.head_dim;
    if (!lab_are_enough(w) || lab_explain_queries_as_keys(w, text, size)) return *text != 0;
    for (int i = 0; i < w->n; i++) {
        lab_wrong_row r = w->row[i];
        if (r.head < 1 || r.keys != w->shape.seq_kv) return 0;
        r.k -= head, r.v -= head, r.seen = r.keys;
        if (!row_matches(w, r)) return 0;
    }
    snprintf(text, size,
             "matches rows that attend to K and V of the head before: a tile of queries begins in one head and ends in "
             "the next, so cut the rows of each head on their own, and let its last tile be narrower");
    return 1;
}
