// op_mha.c: multi-head attention with its projections. Task 1.
#include "heuristics.h"
#include "wiring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t mha_elements(attn_shape s, int t) {
    const size_t e_dim = (size_t)s.heads * s.head_dim;
    return t < 2 ? s.batch * s.seq_q * e_dim : e_dim * e_dim;
}

// Weights are scaled by 1/sqrt(E), so that outputs are near N(0, 1).
static void mha_fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    lab_fill_scaled(x, mha_elements(s, t), t > 1 ? 1 / sqrtf((float)(s.heads * s.head_dim)) : 1, key);
}

static void mha_draw(uint64_t key, attn_shape *s, int extra[2]) {
    s->head_dim = 8 * (int)(1 + lab_bits(key, 3) % 6);
    s->seq_kv = s->seq_q;
}

// y[r][e] = sum_f x[r][f] w[e][f]; rows x E times (E x E)^T.
LAB_WIDE
static void project(double *y, const float *x, const float *w, size_t rows, size_t e_dim) {
    for (size_t r = 0; r < rows; r++)
        for (size_t e = 0; e < e_dim; e++) y[r * e_dim + e] = lab_dot(x + r * e_dim, w + e * e_dim, (int)e_dim);
}

// The same with w^T, which is made first.
static int project_by(double *y, const float *x, const float *w, size_t rows, size_t e_dim, int transposed) {
    float *turned = transposed ? malloc(e_dim * e_dim * sizeof *turned) : NULL;
    if (transposed && !turned) return 0;
    for (size_t i = 0; transposed && i < e_dim * e_dim; i++) turned[i] = w[i % e_dim * e_dim + i / e_dim];
    project(y, x, transposed ? turned : w, rows, e_dim);
    free(turned);
    return 1;
}

// The projections are rounded to float32 once, which is far below every tolerance.
// Mistakes of putting it together, beside those of attention.
enum {
    NO_SPLIT = LAB_N_MISTAKES,      // 3: of Q, K, V
    OWN_TRANSPOSED = NO_SPLIT + 3,  // 4: Wq, Wk, Wv, Wo alone
    NO_MERGE = OWN_TRANSPOSED + 4,
    SPLIT_FOR_MERGE,
    NO_WO,
    ONE_HEAD,
    MERGED_LATE,
    SPLIT_EARLY,
    NEVER_SPLIT,
    NEVER_MOVED,
    ONE_SEQUENCE,
    READ_BY_HEAD,
    WRITTEN_BY_HEAD,
    N_MHA_MISTAKES
};

// A row of 3 E numbers, one q, k and v after the other, or a head's q, k and v side by side: who takes it for the other one has
// in the place of block (t, h) another one. heads: 3 [B, H, S, D], of which a copy is made.
static int exchange_blocks(float *heads, attn_shape s, int mistake) {
    const size_t block = (size_t)s.seq_q * s.head_dim, n = s.batch * s.heads * block;
    float *was = malloc(3 * n * sizeof *was);
    for (size_t i = 0; was && i < 3 * n; i++) was[i] = heads[i];
    for (int place = 0; was && place < 3 * s.heads; place++)
        for (int b = 0; b < s.batch; b++) {
            const int part[2] = {place / s.heads, place % 3}, head[2] = {place % s.heads, place / 3};
            const int read = mistake == READ_BY_HEAD;
            memcpy(heads + part[read] * n + (b * s.heads + head[read]) * block,
                   was + part[!read] * n + (b * s.heads + head[!read]) * block, block * sizeof *heads);
        }
    free(was);
    return was != NULL;
}

static int mha(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    if (mistake == ONE_SEQUENCE) s.seq_q = s.seq_kv *= s.batch, s.batch = 1;
    const size_t rows = (size_t)s.batch * s.seq_q, e_dim = (size_t)s.heads * s.head_dim, n = rows * e_dim;
    const int transposed = mistake == LAB_W_TRANSPOSED;
    double *wide = malloc(n * sizeof *wide);
    float *heads = malloc(3 * n * sizeof *heads), *packed = malloc(n * sizeof *packed);
    int ok = wide && heads && packed;
    for (int t = 0; ok && t < 3; t++) {
        const int flat = mistake == NO_SPLIT + t || mistake == ONE_HEAD || mistake == SPLIT_EARLY ||
                         mistake == NEVER_SPLIT || mistake == NEVER_MOVED;
        for (size_t i = 0; i < n && mistake == SPLIT_EARLY; i++) packed[i] = in[1][lab_packed_index(i, s)];
        ok = project_by(wide, mistake == SPLIT_EARLY ? packed : in[1], in[2 + t], rows, e_dim,
                        transposed || mistake == OWN_TRANSPOSED + t);
        for (size_t i = 0; ok && i < n; i++) heads[t * n + i] = (float)wide[flat ? i : lab_packed_index(i, s)];
    }
    if (ok && (mistake == READ_BY_HEAD || mistake == WRITTEN_BY_HEAD)) ok = exchange_blocks(heads, s, mistake);
    const float *const qkv[LAB_MAX_TENSORS] = {NULL, heads, heads + n, heads + 2 * n};
    const attn_shape one = {s.batch, 1, s.seq_q, s.seq_kv, (int)e_dim, s.causal};
    ok = ok && lab_sdpa.oracle(mistake == ONE_HEAD ? one : s, extra, qkv, mistake < LAB_N_MISTAKES ? mistake : 0, wide);
    const int stays = mistake == NO_MERGE || mistake == ONE_HEAD || mistake == MERGED_LATE || mistake == NEVER_MOVED;
    for (size_t i = 0; ok && i < n; i++)
        if (mistake == SPLIT_FOR_MERGE)
            packed[i] = (float)wide[lab_packed_index(i, s)];
        else
            packed[stays ? i : lab_packed_index(i, s)] = (float)wide[i];
    ok = ok && project_by(out, packed, in[5], rows, e_dim, transposed || mistake == OWN_TRANSPOSED + 3);
    for (size_t i = 0; ok && i < n && mistake == NO_WO; i++) out[i] = packed[i];
    for (size_t i = 0; ok && i < n && mistake == MERGED_LATE; i++) wide[i] = out[i];
    for (size_t i = 0; ok && i < n && mistake == MERGED_LATE; i++) out[lab_packed_index(i, s)] = wide[i];
    free(wide), free(heads), free(packed);
    return ok;
}

// Y is right, and X is added to it, as in a layer of a model.
static int is_residual(const lab_symptom *s) {
    int differs = 0;
    for (size_t i = 0; i < mha_elements(s->shape, 0); i++) {
        if (!(fabs(s->got[i] - s->want[i] - s->in[1][i]) < LAB_TOLERANCE)) return 0;
        differs |= fabs(s->in[1][i]) > 10 * LAB_TOLERANCE;
    }
    return differs;
}

// Projections that are no sums: all, or some, have a factor that their length makes. Such outputs are small, so that what is
// near them by the lab's tolerance says nothing.
static int explain_means(const lab_symptom *s, char *text, size_t size) {
    enum { N_SETS = 3 };
    static const char *const of[N_SETS] = {"Q, K, V and Y", "Q, K and V", "Y, or V"};
    static const int which[N_SETS] = {15, 7, 8};  // Q or K alone is the scale of the scores
    const size_t e_dim = (size_t)s->shape.heads * s->shape.head_dim, n = mha_elements(s->shape, 0);
    const double e = (double)e_dim, factor[] = {1 / e, 1 / sqrt(e)};
    static const char *const is[] = {"the mean of its E products", "divided by sqrt(E)"};
    float *const w = malloc(4 * e_dim * e_dim * sizeof *w);
    double *const due = malloc(n * sizeof *due);
    int found = 0;
    for (size_t i = 0; w && due && !found && i < N_SETS * 2; i++) {
        const size_t k = i / N_SETS, set = i % N_SETS;
        const float *in[LAB_MAX_TENSORS] = {NULL, s->in[1], s->in[2], s->in[3], s->in[4], s->in[5]};
        double most = 0, off = 0;
        for (int t = 0; t < 4; t++) {
            if (!(which[set] >> t & 1)) continue;
            float *const own = w + (size_t)t * e_dim * e_dim;
            for (size_t j = 0; j < e_dim * e_dim; j++) own[j] = (float)(factor[k] * s->in[2 + t][j]);
            in[2 + t] = own;
        }
        if (!mha(s->shape, s->extra, in, LAB_NO_MISTAKE, due)) break;
        for (size_t j = 0; j < n; j++) most = fmax(most, fabs(due[j])), off = fmax(off, fabs(due[j] - s->got[j]));
        found = off < 1e-3 * most ? (int)i + 1 : 0;
    }
    free(w), free(due);
    if (!found) return 0;
    char sentence[240];
    snprintf(sentence, sizeof sentence,
             "matches projections of which each number is %s (%s): X W^T is the sum of the E products, and nothing "
             "divides it",
             is[(found - 1) / N_SETS], of[(found - 1) % N_SETS]);
    return lab_guess(s->guesses, sentence, text, size);
}

// Smaller outputs are near to much that is almost 0.
#define FAINT (20 * LAB_TOLERANCE)

static int mha_diagnose(const lab_symptom *s, char *text, size_t size) {
    const char *sentence[N_MHA_MISTAKES] = {
        [NO_SPLIT] = "matches Q that is not split into heads before attention",
        [NO_SPLIT + 1] = "matches K that is not split into heads before attention",
        [NO_SPLIT + 2] = "matches V that is not split into heads before attention",
        [OWN_TRANSPOSED] = "matches X Wq in place of X Wq^T: row e of Wq makes output feature e",
        [OWN_TRANSPOSED + 1] = "matches X Wk in place of X Wk^T: row e of Wk makes output feature e",
        [OWN_TRANSPOSED + 2] = "matches X Wv in place of X Wv^T: row e of Wv makes output feature e",
        [OWN_TRANSPOSED + 3] = "matches O Wo in place of O Wo^T: row e of Wo makes output feature e",
        [NO_MERGE] = "matches the output of the heads projected without a merge: merge them into [B, S, E] before Wo",
        [SPLIT_FOR_MERGE] = "matches a split in place of the merge before Wo",
        [NO_WO] = "matches the merged heads themselves: the projection by Wo is missing",
        [ONE_HEAD] = "matches one head of width E in place of heads of width head_dim: split before attention",
        [MERGED_LATE] =
            "matches the heads projected by Wo first and merged then: merge them into [B, S, E], then project",
        [NEVER_SPLIT] =
            "matches projections that are read as [B, H, S, D]: they lie as [B, S, H, D], a token's heads side by "
            "side",
        [NEVER_MOVED] =
            "matches projections, and an output, that are taken for [B, H, S, D]: they lie as [B, S, H, D], a "
            "token's heads side by side, so that a head's rows are E apart",
        [ONE_SEQUENCE] = "matches one sequence of batch * seq tokens: a query sees the keys of its own sequence alone",
        [READ_BY_HEAD] = "matches q, k and v of head h that are looked for at 3 h D, (3 h + 1) D and (3 h + 2) D of a "
                         "row of 3 E numbers: they were stored at h D, E + h D and 2 E + h D",
        [WRITTEN_BY_HEAD] = "matches q, k and v of head h that are looked for at h D, E + h D and 2 E + h D of a row "
                            "of 3 E numbers: they were stored at 3 h D, (3 h + 1) D and (3 h + 2) D",
        [SPLIT_EARLY] = "matches X split into heads first and projected then: project X, then split what that gives",
    };
    memcpy(sentence, lab_attention_mistakes, LAB_N_MISTAKES * sizeof *sentence);
    sentence[LAB_SCALE_BY_D] =
        "matches a scale of 1/D, which is 1/sqrt(D) twice: attn_sdpa scales, and Q and K go into it as they are";
    if (is_residual(s))
        return lab_guess(s->guesses, "matches Y with X added to it: Y is the projected heads alone", text, size);
    double most = 0;
    for (size_t i = 0; i < mha_elements(s->shape, 0); i++) most = fmax(most, fabs(s->got[i]));
    if (most > 0 && explain_means(s, text, size)) return 1;
    if (most < FAINT) most = 0;
    if (most > 0 && lab_recognise(s, sentence, N_MHA_MISTAKES, text, size)) return 1;
    if (most > 0)
        return lab_explain_heads_of_tokens(s, text, size) | lab_explain_overlaps(s, text, size) ||
               lab_explain_wiring(s, text, size) || lab_explain_step_order(s, text, size) ||
               lab_explain_head_weights(s, text, size);
    return lab_explain_wiring(s, text, size) | lab_explain_overlaps(s, text, size);  // 0 has more than one cause
}

// ---- The rows

// clang-format off
#define MHA \
    .n_tensors = 6, .tensors = {"Y", "X", "Wq", "Wk", "Wv", "Wo"}, .elements = mha_elements, \
    .extent = lab_packed_extent, .fill = mha_fill, .oracle = mha, .draw = mha_draw, .diagnose = mha_diagnose, \
    .uses = {&lab_softmax_rows, &lab_split_heads, &lab_merge_heads, &lab_sdpa}
const lab_op lab_mha = {.name = "mha", .symbol = "attn_mha", MHA};
const lab_op lab_mha_probe = {.name = "mha_probe", .symbol = "lab_probe_mha", .probe = 1, MHA};
