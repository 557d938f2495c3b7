// output_places.c: an output of attention whose numbers are all right, and that lies in another order: the token before the
// head, or the feature before the row, of a head or of a tile of queries.
#include "wrong_rows.h"

#include <math.h>

typedef enum { TOKEN_FIRST, HEAD_FIRST, HEADS_INNERMOST, FEATURES_OF_HEAD, FEATURES_OF_TILE, ORDERS } order;

static const char *const sentence[ORDERS] = {
    [TOKEN_FIRST] =
        "matches O stored as [B, S, H, D], a token's heads side by side: it is [B, H, S, D], a head's rows side "
        "by side",
    [HEAD_FIRST] = "matches O stored as [H, B, S, D]: it is [B, H, S, D], the heads of a sequence side by side",
    [HEADS_INNERMOST] = "matches O stored as [B, S, D, H]: it is [B, H, S, D], a head's rows side by side",
    [FEATURES_OF_HEAD] = "matches O of a head stored feature by feature, [D, S]: it is [S, D], row i begins at i * D",
    [FEATURES_OF_TILE] =
        "matches O of a tile of queries stored feature by feature, [D, rows of the tile]: it is row by "
        "row, and row r of the tile begins at (i0 + r) * D"};

// Where element d of query i of head h stands. Br: rows of a tile.
static size_t place(order o, attn_shape s, size_t b, size_t h, size_t i, size_t d, size_t Br) {
    const size_t B = s.batch, H = s.heads, S = s.seq_q, D = s.head_dim, head = (b * H + h) * S * D, i0 = i / Br * Br;
    switch (o) {
    case TOKEN_FIRST: return ((b * S + i) * H + h) * D + d;
    case HEAD_FIRST: return ((h * B + b) * S + i) * D + d;
    case HEADS_INNERMOST: return ((b * S + i) * D + d) * H + h;
    case FEATURES_OF_HEAD: return head + d * S + i;
    default: return head + i0 * D + d * (S - i0 < Br ? S - i0 : Br) + i - i0;
    }
}

// Of one batch, one head or one query an order may be the right one: it moves nothing, and nearly right numbers fit it.
static int fits(const lab_symptom *s, order o, size_t Br) {
    int moves = 0;
    const size_t H = s->shape.heads, S = s->shape.seq_q, D = s->shape.head_dim;
    for (size_t n = s->shape.batch * H * S * D; n-- > 0;) {  // late ones first: the first ones often stay
        const size_t at = place(o, s->shape, n / D / S / H, n / D / S % H, n / D % S, n % D, Br);
        if (!(fabs(s->got[at] - s->want[n]) < LAB_TOLERANCE * (1 + fabs(s->want[n])))) return 0;
        moves |= at != n;
    }
    return moves;
}

int lab_explain_output_places(const lab_symptom *s, int tile, char *text, size_t size) {
    static const int usual[] = {0, 16, 32, 64, 128, 8, 4};
    int known = 0;
    for (order o = 0; o < FEATURES_OF_TILE; o++)
        if (fits(s, o, 1)) known = lab_guess(s->guesses, sentence[o], text, size);
    for (int k = 0; k < (tile ? 1 : (int)(sizeof usual / sizeof *usual)); k++) {
        const int Br = tile ? tile : usual[k];
        if (Br && fits(s, FEATURES_OF_TILE, (size_t)Br))
            return lab_guess(s->guesses, sentence[FEATURES_OF_TILE], text, size);
    }
    return known;
}
