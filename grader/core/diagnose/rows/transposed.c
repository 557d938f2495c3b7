// transposed.c: square tiles of scores that are written one way round and read the other: row r of a tile has what column
// r should have. And threads with several scores each, whose x and y count queries in one place and keys in the other.
#include "kept_scores.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The score of query i with key j, as the tile has it before it is turned round.
static double score_at(const lab_wrong_rows *w, const lab_wrong_row *r, int i, int j) {
    if (j >= r->keys || (w->shape.causal && j > i + w->shape.seq_kv - w->shape.seq_q)) return -INFINITY;
    const lab_kept_row *row = i < w->shape.seq_q ? lab_kept_row_of(w, r, i) : NULL;
    return row ? row->score[j] : 0;
}

// Of a tile of `queries` x `keys` scores a thread (x, y) of threads x threads makes several. Side by side it has rows R y + a,
// in turn rows y + threads a; the four bits say which it is for rows, columns, queries and keys.
typedef struct {
    int queries, keys, threads;
    unsigned in_turn;
} dealt;

enum { ROWS = 1, COLUMNS = 2, QUERIES = 4, KEYS = 8, ALL_WAYS = 16 };

// Row (or column) `at` is that of thread t, its number `part`: which query (or key) has thread t as its number `part`?
typedef struct {
    int thread, part;
} place;

static place place_of(int at, int length, const dealt *t, unsigned way) {
    const int per = length / t->threads;
    return t->in_turn & way ? (place){at % t->threads, at / t->threads} : (place){at / per, at % per};
}

static int number_of(int thread, int part, int length, const dealt *t, unsigned way) {
    return t->in_turn & way ? thread + t->threads * part : thread * (length / t->threads) + part;
}

// The place of row r and key k0 + c is thread (x, y)'s, where y has row r and x column c. There lies the score of the query that
// x has, and of the key that y has.
static int is_exchanged(const lab_wrong_rows *w, const lab_wrong_row *r, const dealt *t, int D) {
    const int i0 = r->query / t->queries * t->queries;
    const int end = w->shape.causal ? i0 + t->queries + w->shape.seq_kv - w->shape.seq_q : r->keys;
    const place row = place_of(r->query - i0, t->queries, t, ROWS);
    double *o = w->scratch;
    lab_running l = {-INFINITY, 0};
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->keys + t->keys && j / t->keys * t->keys < end; j++) {
        const place column = place_of(j % t->keys, t->keys, t, COLUMNS);
        const int i = i0 + number_of(column.thread, row.part, t->queries, t, QUERIES),
                  key = j / t->keys * t->keys + number_of(row.thread, column.part, t->keys, t, KEYS);
        const double score = score_at(w, r, i, key);
        if (score == -INFINITY) continue;
        lab_add_key(&l, o, D, score, j < r->keys ? r->v + (size_t)j * w->shape.head_dim : NULL);
    }
    return lab_is_sum(r, o, l.sum, D);
}

static int all_exchanged(const lab_wrong_rows *w, const dealt *t) {
    for (int i = 0; i < 2 * w->n; i++)
        if (!is_exchanged(w, &w->row[i % w->n], t, lab_columns_in_turn(w->shape.head_dim, w->n, i))) return 0;
    return 1;
}

int lab_explain_transposed(const lab_wrong_rows *w, char *text, size_t size) {
    for (int tile = 8; tile <= 128; tile *= 2) {
        if (w->n < 2 || w->shape.seq_q < 2 || !all_exchanged(w, &(dealt){tile, tile, tile, 0})) continue;
        snprintf(text, size,
                 "matches a tile of scores (%d x %d) that is transposed: it is written as S[r][c] and read as S[c][r], "
                 "or the other way round",
                 tile, tile);
        return 1;
    }
    return 0;
}

// Of one key many a mistake gives the same numbers.
int lab_explain_exchanged(const lab_wrong_rows *w, char *text, size_t size) {
    if (w->n < 2 || w->shape.seq_kv == 1) return 0;
    for (dealt t = {.threads = 8}; t.threads <= 32; t.threads *= 2)
        for (t.queries = t.threads; t.queries <= 64; t.queries *= 2)
            for (t.keys = t.threads; t.keys <= 128; t.keys *= 2)
                for (t.in_turn = 0; t.in_turn < ALL_WAYS; t.in_turn++) {
                    if (t.queries * t.keys == t.threads * t.threads || !all_exchanged(w, &t)) continue;
                    snprintf(text, size,
                             LAB_EXCHANGED ": where they are made, one of a thread's two numbers counts queries and "
                                           "the other one keys, and where a row is joined and stored, it is the other "
                                           "way round");
                    return 1;
                }
    return 0;
}
