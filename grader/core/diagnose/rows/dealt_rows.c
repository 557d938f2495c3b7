// dealt_rows.c: queries that are shared out by two rules: a block loads those that lie side by side, and stores (and
// masks) as if blocks took them in turn; or the other way round.
//
//     loaded: query Br b + w, b = block, w = warp        stored: row b + n w, n = number of blocks
#include "kept_scores.h"

#include <string.h>

enum { STORED_IN_TURN, LOADED_IN_TURN, N_WAYS, MOST = 128 };

static const char *const sentence[N_WAYS] = {
    [STORED_IN_TURN] =
        "matches queries that are shared out by two rules: block b of n takes Br queries side by side, from "
        "Br b on, and stores them in rows b, b + n, b + 2 n, ...: load and store by the same number",
    [LOADED_IN_TURN] =
        "matches queries that are shared out by two rules: block b of n takes queries b, b + n, b + 2 n, "
        "..., and stores them in Br rows side by side, from Br b on: load and store by the same number",
};

// Which query's attention lies in the row? seq_q or more: nobody's.
static int query_in(int way, int row, int seq_q, int Br) {
    const int blocks = (seq_q + Br - 1) / Br;
    return way == STORED_IN_TURN ? row % blocks * Br + row / blocks : row % Br * blocks + row / Br;
}

// by_row: the mask is that of the row, and not that of the query.
static int is_row(const lab_wrong_rows *w, const lab_wrong_row *r, int query, int by_row) {
    lab_wrong_row other = *r;
    const lab_kept_row *kept = lab_kept_row_of(w, r, query);
    if (w->shape.causal && !by_row) other.seen += query - r->query;
    if (!kept) return 0;
    memcpy(w->scratch, kept->score, (size_t)other.seen * sizeof *w->scratch);
    return lab_row_has_scores(&other, w->shape.head_dim, w->scratch);
}

static int all_match(const lab_wrong_rows *w, int way, int Br, int by_row) {
    int rows = 0;
    for (int i = 0; i < w->n; i++) {
        const int query = query_in(way, w->row[i].query, w->shape.seq_q, Br);
        if (query >= w->shape.seq_q) continue;
        if (!is_row(w, &w->row[i], query, by_row)) return 0;
        rows++;
    }
    return rows > 1;
}

int lab_explain_dealt_rows(const lab_wrong_rows *w, char *text, size_t size) {
    int known = 0;
    for (int way = 0; way < N_WAYS; way++)
        for (int i = 0, fits = 0; i < 2 * (MOST - 1) && !fits; i++)
            if ((fits = all_match(w, way, 2 + i / 2, i % 2))) known = lab_guess(w->guesses, sentence[way], text, size);
    return known;
}
