// unit_classes.c: classes of mistakes that students made in files that nobody here had seen, each in code of its own: of
// attention which keys a row sees, where heads begin, how parts are put together.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"

// ---- Attention: what a wrong file makes of query i of head g

typedef struct {
    int (*keys)(int i);                         // how many it sees; NULL: as many as it should
    size_t (*k_head)(int g), (*v_head)(int g);  // the head whose K, V it reads, in rows; NULL: its own
    int k_tile, v_tile;                         // the first tile of so many keys is read for every tile
    double hidden;                              // the score of hidden keys; 0: -INFINITY
    int added;                                  // 1: it is added to their own
    int own_max;  // exponentials are relative to the maximum of their tile of so many keys
    double more;  // what the row is divided by is larger by that than the sum relative to its maximum
    int visited;  // hidden keys count up to the end of the last tile of so many keys that 16 queries see; 0: all do
    int parts;    // interleaved parts are added without a common maximum
} mistake;

static const attn_shape CAUSAL = {2, 3, 48, 48, 32, 1}, WIDE = {2, 3, 24, 40, 32, 0}, LATE = {1, 2, 24, 56, 32, 1};

static double score(const float *q, const float *k, int D) {
    double dot = 0;
    for (int c = 0; c < D; c++) dot += (double)q[c] * k[c];
    return dot / sqrt(D);
}

// The weight of key j: exp(score - max), where max is that of the keys with which it is put together.
static double weight(const mistake *m, const double *s, int seen, int j) {
    double max = -INFINITY, so_far = -INFINITY;
    if (!m->own_max && !m->parts) return exp(s[j]);
    for (int i = 0; i < seen; i++) {
        const int together = m->own_max ? i / m->own_max == j / m->own_max : i % m->parts == j % m->parts;
        if (together) max = fmax(max, s[i]);
        if (m->own_max && i / m->own_max <= j / m->own_max) so_far = fmax(so_far, s[i]);
    }
    return m->own_max ? exp(s[j] - max + so_far) : exp(s[j] - max);
}

static void student(const lab_op *op, attn_shape a, const mistake *m) {
    begin(op, a);
    const int D = a.head_dim;
    for (int r = 0; r < a.batch * a.heads * a.seq_q; r++) {
        const int g = r / a.seq_q, i = r % a.seq_q, due = a.causal ? i + 1 + a.seq_kv - a.seq_q : a.seq_kv;
        const int seen = m->keys ? m->keys(i) : due, end = (i / 16 * 16 + 16 + a.seq_kv - a.seq_q + 7) / 8 * 8,
                  all = m->hidden == 0                 ? seen
                        : m->visited && end < a.seq_kv ? end
                                                       : a.seq_kv;
        const size_t kh = m->k_head ? m->k_head(g) : (size_t)g * a.seq_kv,
                     vh = m->v_head ? m->v_head(g) : (size_t)g * a.seq_kv;
        double s[64], o[64] = {0}, sum = 0, most = -INFINITY;
        for (int j = 0; j < all; j++)
            s[j] =
                j < seen
                    ? score(wrong.in[1] + (size_t)r * D, wrong.in[2] + (kh + j % (m->k_tile ? m->k_tile : 64)) * D, D)
                    : m->hidden + (m->added ? score(wrong.in[1] + (size_t)r * D, wrong.in[2] + (kh + j) * D, D) : 0);
        for (int j = 0; j < all; j++) most = fmax(most, s[j]);
        for (int j = 0; j < all; j++) {
            const double w = weight(m, s, all, j);
            sum += w;
            for (int c = 0; c < D; c++) o[c] += w * wrong.in[3][(vh + j % (m->v_tile ? m->v_tile : 64)) * D + c];
        }
        for (int c = 0; c < D; c++) wrong.got[(size_t)r * D + c] = (float)(o[c] / (sum + m->more * exp(most)));
    }
    examine();
}

#define SAYS(shape, words, ...)                                                                                        \
    do {                                                                                                               \
        const mistake m = {__VA_ARGS__};                                                                               \
        student(&lab_flash, shape, &m);                                                                                \
        assert_says(wrong.text, words);                                                                                \
    } while (0)

static int whole_tiles(int i) { return 32 + 0 * i; }
static int first_query_of_tile(int i) { return i + 1 < i / 16 * 16 + 8 ? i + 1 : i / 16 * 16 + 8; }
static int before_first_query_of_tile(int i) { return 32 + i / 8 * 8; }
static int tile_of_first_query(int i) { return i / 16 * 16 + 8; }
static int tiles_of_walk(int i) {
    const int seen = (i + 33 + 7) / 8 * 8, end = i / 20 * 20 + 20 + 32;
    return seen < end ? seen : end;
}
static int all_of_walk(int i) { return i < 12 ? 48 : 56; }
static int without_shift(int i) { return i + 33 < i / 8 * 8 + 8 ? i + 33 : i / 8 * 8 + 8; }
static int of_turned_tile(int i) { return i + 1 < 48 - i / 8 * 8 ? i + 1 : 48 - i / 8 * 8; }
static size_t by_seq_q(int g) { return (size_t)g * 24; }
static size_t swapped(int g) { return (size_t)(g % 3 * 2 + g / 3) * 40; }
static size_t by_batch(int g) { return (size_t)(g / 3) * 40; }
static size_t first_head(int g) { return (size_t)g * 0; }

static void a_right_file_is_right(void **state) {
    (void)state;
    SAYS(CAUSAL, "", 0);
    assert_string_equal(wrong.text, "");
    SAYS(LATE, "", 0);
    assert_string_equal(wrong.text, "");
}

static int all_but_the_last(int i) { return i + 56 - 24 > 1 ? i + 56 - 24 : 1; }

static int whole_of_walk(int i) {
    const int end = i < 16 ? 48 : 56, whole = end / 20 * 20;
    return i + 33 < whole ? i + 33 : whole;
}

// Several laws may give one claim's rows; one of them is true of all claims, with and without a mask.
static void a_last_key_or_tile_that_is_left_out_is_among_what_fits(void **state) {
    (void)state;
    static const struct {
        const char *words;
        mistake is;
    } laws[] = {{"the last key that each row sees left out", {.keys = all_but_the_last}},
                {"the last, ragged tile of keys visited (tiles of", {.keys = whole_of_walk}}};
    static lab_guesses fits;
    for (int law = 0; law < 2; law++) {
        int found = 0;
        fits.n = 0, wrong.guesses = &fits;
        student(&lab_flash, LATE, &laws[law].is);
        wrong.guesses = NULL;
        for (int i = 0; i < fits.n; i++) found |= strstr(fits.text[i], laws[law].words) != NULL;
        if (!found) fail_msg("%s: not %s", wrong.text, laws[law].words);
    }
}

// Of causal attention, too: what is hidden has no weight.
static void a_softmax_over_the_queries_is_named(void **state) {
    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        enum { S = 24, D = 16 };
        static double e[S][S];
        double sum[S] = {0};
        begin(&lab_sdpa, (attn_shape){1, 1, S, S, D, causal});
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++)
                sum[j] += e[i][j] =
                    causal && j > i ? 0 : exp(score(wrong.in[1] + (size_t)i * D, wrong.in[2] + (size_t)j * D, D));
        for (int n = 0; n < S * D; n++) {
            double o = 0;
            for (int j = 0; j < S; j++) o += e[n / D][j] / sum[j] * wrong.in[3][j * D + n % D];
            wrong.got[n] = (float)o;
        }
        says("a softmax over the queries");
    }
}

static void the_law_of_the_keys_that_a_row_sees_is_named(void **state) {
    (void)state;
    SAYS(WIDE, "the last, ragged tile of keys visited (tiles of 32 keys)", .keys = whole_tiles);
    SAYS(CAUSAL, "ends with what the first query of a tile sees", .keys = first_query_of_tile);
    SAYS(LATE, "where the first query of a tile stands", .keys = before_first_query_of_tile);
    SAYS(LATE, "ends with tile i0 / Bc of them", .keys = tile_of_first_query);
    SAYS(LATE, "sees seq_kv - seq_q more", .keys = without_shift);
    SAYS(LATE, "hides whole tiles of 8 keys", .keys = tiles_of_walk);
    SAYS(LATE, "no mask in the tiles that are visited", .keys = all_of_walk);
    SAYS(CAUSAL, "ends where that of the tile at the other end does", .keys = of_turned_tile);
    SAYS(CAUSAL, "masked scores of -1: exp(-1) still counts", .hidden = -1);
    SAYS(CAUSAL, "masked scores of -8: exp(-8) still counts", .hidden = -8);  // and no mask with another edge
    SAYS(CAUSAL, "hidden scores to which -1 is added", .hidden = -1, .added = 1);
    SAYS(CAUSAL, "hidden scores to which -4 is added", .hidden = -4, .added = 1, .visited = 8);
    SAYS(CAUSAL, "masked scores of -3: exp(-3) still counts", .hidden = -3, .visited = 8);
}

static void a_sum_that_is_hardly_too_large_is_not_every_row_times_a_number(void **state) {
    (void)state;
    SAYS(WIDE, "a division by l + 0.02: divide by l", .more = 0.02);
    SAYS(CAUSAL, "a division by l + 0.05: divide by l", .more = 0.05);
    assert_null(strstr(wrong.text, "every row is"));
}

static void heads_at_a_wrong_address_are_named(void **state) {
    (void)state;
    SAYS(WIDE, "K of a head that begins at (b * heads + h) * seq_q * D", .k_head = by_seq_q);
    SAYS(WIDE, "K and V of a head that begins at (h * batch + b)", .k_head = swapped, .v_head = swapped);
    SAYS(WIDE, "V of a head that begins at b *", .v_head = by_batch);
    SAYS(LATE, "K of head 0 used for every head", .k_head = first_head);
    SAYS(LATE, "V of head 0 used for every head", .v_head = first_head);
    student(&lab_sdpa, LATE, &(mistake){.k_head = first_head});  // of one batch it may be b * seq_kv * D
    is_among_what_fits("K of a head that begins at b *");
    student(&lab_sdpa, WIDE,
            &(mistake){.k_head = first_head});  // of two the rows of the first one alone may be looked at
    is_among_what_fits("K of head 0 used for every head");
    begin(&lab_sdpa, (attn_shape){2, 2, 1, 1, 16, 0});
    for (int i = 0; i < 4 * 16; i++) wrong.got[i] = wrong.in[3][i / 32 * 16 + i % 16];
    is_among_what_fits("K and V of a head that begins at b *");  // of one key K tells nothing
    is_among_what_fits("matches V of a head that begins at b *");
    begin(&lab_naive, (attn_shape){1, 2, 1, 1, 16, 0});  // where an argument of the chain fits by chance, too
    for (int i = 0; i < 2 * 16; i++) wrong.got[i] = wrong.in[3][i % 16];
    is_among_what_fits("K and V of a head that begins at b *");
}

static void tiles_that_are_read_again_are_named(void **state) {
    (void)state;
    SAYS(CAUSAL, "the keys of the first tile read for every tile", .k_tile = 16);
    SAYS(WIDE, "the values of the first tile read for every tile", .v_tile = 16);
    SAYS(WIDE, "K and V of the first tile read for every tile", .k_tile = 16, .v_tile = 16);
    SAYS(WIDE, "(4 parts, part i has the keys i, i + 4, ...)", .parts = 4);
    // Of one key in each tile the walk may as well end with the first.
    student(&lab_sdpa, WIDE, &(mistake){.v_tile = 1});
    is_among_what_fits("matches the value of the first key in every output: V of key j begins at row j, and the walk");
}

// Each row of attention is divided by how many keys it sees: l of parts of one key each, too, which is said behind it.
static void a_row_of_attention_that_is_divided_by_its_keys_is_named(void **state) {
    (void)state;
    static lab_guesses fits;
    begin(&lab_tiled, CAUSAL);
    for (int r = 0; r < 6 * 48; r++) {
        const int seen = r % 48 + 1;
        double s[48], most = -INFINITY, sum = 0;
        for (int j = 0; j < seen; j++)
            s[j] = score(wrong.in[1] + (size_t)r * 32, wrong.in[2] + (r / 48 * 48 + (size_t)j) * 32, 32);
        for (int j = 0; j < seen; j++) most = fmax(most, s[j]);
        for (int j = 0; j < seen; j++) sum += exp(s[j] - most);
        for (int c = 0; c < 32; c++) wrong.got[r * 32 + c] *= (float)(sum / seen);
    }
    fits.n = 0, wrong.guesses = &fits;
    examine();
    wrong.guesses = NULL;
    int number = -1, parts = -1;
    for (int i = fits.n - 1; i >= 0; i--) {
        if (strstr(fits.text[i], "by the number of columns, or keys")) number = i;
        if (strstr(fits.text[i], "parts whose l is added without its factor")) parts = i;
    }
    assert_true(number >= 0 && (parts < 0 || number < parts));
    for (int i = 0; i < fits.n; i++) assert_null(strstr(fits.text[i], "(key by key)"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_right_file_is_right),
        CLAIM(the_law_of_the_keys_that_a_row_sees_is_named),
        CLAIM(a_row_of_attention_that_is_divided_by_its_keys_is_named),
        CLAIM(a_last_key_or_tile_that_is_left_out_is_among_what_fits),
        CLAIM(a_softmax_over_the_queries_is_named),
        CLAIM(a_sum_that_is_hardly_too_large_is_not_every_row_times_a_number),
        CLAIM(heads_at_a_wrong_address_are_named),
        CLAIM(tiles_that_are_read_again_are_named),
    };
    return cmocka_run_group_tests_name("classes", claims, NULL, release);
}
