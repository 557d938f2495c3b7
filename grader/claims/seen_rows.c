// seen_rows.c: a call with fewer keys than dims, whose rows tell which keys they see (core/diagnose/rows/seen_sets.c). Rows that
// see others than they must say what a mask or a walk does, in whatever style it is written.
#include "seen_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "seen_sets.h"
#include "trial.h"

static struct {
    lab_case c;
    const lab_stage_options *options;
} kept;

static int is_attention(const lab_op *op) {
    return op->n_tensors >= 4 && !op->probe && !op->lengths && !strcmp(op->tensors[0], "O") &&
           !strcmp(op->tensors[1], "Q") && !strcmp(op->tensors[2], "K") && !strcmp(op->tensors[3], "V");
}

// A mask that is wrong is looked at before what else fails.
void lab_seen_rows_keep(const lab_stage_options *options, const lab_case *c, const lab_result *r) {
    if (c->todo || !r->compared || r->verdict == LAB_PASSED || !is_attention(c->op)) return;
    if (!kept.options || (!c->shape.causal && kept.c.shape.causal)) kept.c = *c, kept.options = options;
}

static const struct { int Br, Bc; } tiles[] = {{8, 4}, {8, 8}, {4, 16}};
enum { N_TILES = sizeof tiles / sizeof *tiles };

// Several tiles, of queries, too: where the lab does not say how large they are, they have 64 keys at most, as a rule.
static lab_case few_keys(int i) {
    lab_case c = kept.c;
    const int causal = c.shape.causal, tiled = c.op == &lab_tiled;
    c.shape = tiled ? (attn_shape){1, 1, 24, 40, 64, causal} : (attn_shape){1, 1, 72, 96, 128, causal};
    c.kind = LAB_NORMAL, c.recorded = 0;
    if (tiled) c.tiles.Br = tiles[i].Br, c.tiles.Bc = tiles[i].Bc;
    return c;
}

static int is_wrong(const lab_trial *t, int row) {
    const int D = t->c->shape.head_dim;
    for (int d = row * D; d < (row + 1) * D; d++)
        if (!(fabs(t->got[d] - t->want[d]) < LAB_TOLERANCE)) return 1;
    return 0;
}

// "query 3 sees keys 0 .. 1, and must see keys 0 .. 3"; 0 if it is something else. *more: of the keys that it sees, how many it
// must not.
static int say_row(const lab_trial *t, int row, int *more, char *text, size_t size) {
    const attn_shape s = t->c->shape;
    const int D = s.head_dim, due = s.causal ? row + s.seq_kv - s.seq_q + 1 : s.seq_kv;
    char sees[LAB_MOST_SOLVED_KEYS], must[LAB_MOST_SOLVED_KEYS], is[160], it_is[160];
    if (!lab_keys_seen(t->in[1] + row * D, t->in[2], t->in[3], t->got + row * D, s.seq_kv, D, sees)) return 0;
    *more = 0;
    for (int j = 0; j < s.seq_kv; j++) must[j] = j < due, *more += sees[j] && !must[j];
    if (!memcmp(sees, must, (size_t)s.seq_kv)) return 0;
    lab_list_keys(sees, s.seq_kv, is, sizeof is), lab_list_keys(must, s.seq_kv, it_is, sizeof it_is);
    return snprintf(text, size, "query %d sees %s, and must see %s", row, is, it_is) > 0;
}

// The first row that is wrong, and the last one that sees too many keys where that sees too few, or the other way round.
static int say(const lab_trial *t, char *note, size_t size) {
    const attn_shape s = t->c->shape;
    char first[300] = "", last[300] = "", other[300], of[40] = "";
    int row = 0, too_many, more;
    while (row < s.seq_q && !is_wrong(t, row)) row++;
    if (row == s.seq_q || !say_row(t, row, &too_many, first, sizeof first)) return 0;
    for (int i = s.seq_q - 1, unlike = 0; i > row && !unlike; i--) {
        if (!is_wrong(t, i)) continue;
        if (!say_row(t, i, &more, other, sizeof other)) return 0;
        unlike = !more != !too_many;
        if (unlike || !*last) memcpy(last, other, sizeof last);
    }
    if (t->c->op == &lab_tiled) snprintf(of, sizeof of, ", Br %d, Bc %d", t->c->tiles.Br, t->c->tiles.Bc);
    snprintf(note, size, "called with seq_q %d, seq_kv %d%s%s: %s%s%s", s.seq_q, s.seq_kv, of,
             s.causal ? ", causal" : "", first, *last ? "; " : "", last);
    return 1;
}

static int try_with(int i, uint64_t seed, double seconds, char *note, size_t size) {
    char why[400];
    lab_stage stage;
    attn_status status = ATTN_OK;
    const lab_case c = few_keys(i);
    lab_trial t = {.c = &c, .op = c.op, .layout = lab_layout_of(c.op, c.shape, 1)};
    const int ready = lab_trial_prepare(&t, seed) && t.layout.bytes <= kept.options->arena_bytes;
    int said = 0;
    if (ready && lab_stage_open(&stage, kept.options, why, sizeof why) == LAB_PASSED) {
        const lab_verdict v = lab_trial_run(&t, &stage, t.got, seconds, &status, why, sizeof why);
        said = v == LAB_PASSED && status == ATTN_OK && say(&t, note, size);
        lab_stage_close(&stage);
    }
    lab_trial_discard(&t);
    return said;
}

int lab_seen_rows(uint64_t seed, double seconds, char *note, size_t size) {
    note[0] = 0;
    for (int i = 0; kept.options && i < (kept.c.op == &lab_tiled ? N_TILES : 1); i++)
        if (try_with(i, seed, seconds, note, size)) return 1;
    return 0;
}
