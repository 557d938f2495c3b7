// made_of.c: an element that becomes another number when an input is altered has that input in it. The oracle answers the
// same question. No formula is needed for that, so it is understood of any function of a TODO: which thread, loop or
// subscript took what it must not, or left out what it must take.
#include "made_of.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "made_of_words.h"
#include "pointwise.h"
#include "trial.h"

enum { WATCHED = 3, MOST = 1 << 13 };

static struct {
    lab_case c;
    const lab_stage_options *options;
} kept;

static size_t inputs_of(const lab_case *c) {
    size_t n = 0;
    for (int i = 1; i < c->op->n_tensors; i++) n += c->op->elements(c->shape, i);
    return n;
}

void lab_made_of_keep(const lab_stage_options *options, const lab_case *c, const lab_result *r) {
    if (!c->todo || !r->compared || r->verdict == LAB_PASSED || !c->op->oracle || c->op->lengths) return;
    if (c->recorded || c->op->to_floats) return;  // of what the output holds, not all are numbers
    if (kept.options && (strcmp(c->todo, kept.c.todo) || inputs_of(c) >= inputs_of(&kept.c))) return;
    kept.c = *c, kept.options = options;
}

static const size_t NOBODY = (size_t)-1;

typedef struct {
    lab_trial t;
    lab_stage stage;
    double seconds, *due, *was_due;
    float *got, *was;
    size_t first[LAB_MAX_TENSORS][3];  // of each tensor, some that the first of them has to have in it
    size_t at[WATCHED];                // elements that are wrong
    int n, calls, found;
    int most;  // calls of one tensor; after two thirds of them not all that is found is followed
    int cut;
    double up, down;                    // how far the inputs of this tensor are altered
    char *is[WATCHED], *must[WATCHED];  // which elements of the tensor they have in them
} state;

static int call(state *s, float *out) {
    char why[400];
    attn_status status = ATTN_OK;
    return s->calls++ < s->most &&
           lab_trial_run(&s->t, &s->stage, out, s->seconds, &status, why, sizeof why) == LAB_PASSED &&
           status == ATTN_OK;
}

static int oracle(state *s, double *due) {
    const lab_case *c = s->t.c;
    return c->op->oracle(c->shape, c->extra, (const float *const *)s->t.in, LAB_NO_MISTAKE, due);
}

// 2: another number; 1: perhaps, it may be rounding; 0: the same.
static int differs(double a, double b) {
    if (!isfinite(a) || !isfinite(b)) return a == b || (isnan(a) && isnan(b)) ? 0 : 2;
    const double by = fabs(a - b) / (1e-2 + fabs(a));
    return by > 1e-3 ? 2 : by > 2e-6;
}

// Elements [from, to) of tensor i, together; then the halves of it.
static int ask(state *s, int i, size_t from, size_t to, int way) {
    float *x = s->t.in[i], was[to - from];
    memcpy(was, x + from, sizeof was);
    for (size_t k = from; k < to; k++)
        if (isfinite(x[k])) x[k] += (float)((way > 0 ? s->up : -s->down) * (1 + (double)(k * 7 % 11) / 16));
    const int ok = call(s, s->got) && oracle(s, s->due);
    memcpy(x + from, was, sizeof was);
    int alters = 0;
    for (int k = 0; k < s->n && ok; k++) {
        const int got = differs(s->was[s->at[k]], s->got[s->at[k]]);
        const int due = differs(s->was_due[s->at[k]], s->due[s->at[k]]);
        alters |= got | due;
        if (to - from > 1) continue;
        s->is[k][from] = got == 2, s->must[k][from] = due == 2;
        if (got == 1 || due == 1) s->is[k][from] = s->must[k][from];
    }
    if (alters && to - from == 1) s->found++;
    if (!ok || !alters || to - from == 1) return ok;
    const size_t middle = from + (to - from) / 2;
    const int found = s->found;
    if (!ask(s, i, from, middle, way)) return 0;
    // Of very many the first ones tell enough.
    if (s->calls <= s->most * 2 / 3 || s->found == found) return ask(s, i, middle, to, way);
    return s->cut = 1;
}

static size_t begin(const state *s, char *text, size_t size) {
    return (size_t)snprintf(
        text, size, "TODO %s: one input after another was altered, in %s, to see what is made of it:", s->t.c->todo,
        s->t.c->claim);
}

// "batch 1, head 0, row 2, column 3 of the output (p and l)": of a tensor of two things the last columns may be the other one.
static size_t place(const state *s, size_t i, char *text, size_t size) {
    const char *const *tensor = s->t.op->tensors, *names[] = {"batch", "head"};
    size_t at[4], extent[4], used = 0;
    lab_place(s->t.op, s->t.c->shape, i, at);
    lab_op_extent(s->t.op, s->t.c->shape, extent);
    for (int a = 0; a < 2; a++)
        if (extent[a] > 1) used += (size_t)snprintf(text + used, size - used, "%s %zu, ", names[a], at[a]);
    used += (size_t)snprintf(text + used, size - used, "row %zu, column %zu of the output", at[2], at[3]);
    if (strstr(*tensor, " and ")) used += (size_t)snprintf(text + used, size - used, " (%s)", *tensor);
    return used;
}

// One way: all tensors. Returns 1 with a sentence if an element has others in it than it must.
static int ask_all(state *s, int way, char *text, size_t size) {
    lab_made_of_words words[WATCHED] = {0};
    int ok = 1, said = 0;
    for (int i = 1; i < s->t.op->n_tensors && ok; i++) {
        const size_t n = s->t.n[i];
        double largest = 0;
        ok = n <= MOST;
        for (size_t k = 0; k < n && ok; k++)
            if (isfinite(s->t.in[i][k])) largest = fmax(largest, fabs(s->t.in[i][k]));
        s->up = s->down = 2 * largest + 1;
        for (int k = 0; k < s->n && ok; k++) {
            memset(s->is[k], 0, MOST), memset(s->must[k], 0, MOST);
        }
        s->calls = s->cut = 0;
        ok = ok && ask(s, i, 0, n, way);
        for (size_t k = 0, found = 0; ok && k < n && found < 3; k++)
            if (s->must[0][k]) s->first[i][found++] = k;
        for (int k = 0; k < s->n && ok; k++)
            lab_made_of_add(&words[k], s->t.op->tensors[i], s->is[k], s->must[k], n, s->cut);
    }
    size_t used = 0;
    const int last = s->n - 1;
    for (int k = 0; k <= last && ok && said < 2; k++) {  // the first one, and the last
        char has[400];
        const int of = k ? last - k + 1 : 0;
        if (!lab_made_of_say(&words[of], has, sizeof has)) continue;
        if (!said++) used = begin(s, text, size);
        used += (size_t)snprintf(text + used, size - used, "%s ", said > 1 ? ", and" : "");
        used += place(s, s->at[of], text + used, size - used);
        used += (size_t)snprintf(text + used, size - used, " %s", has);
    }
    if (said) snprintf(text + used, size - used, " (elements are counted from 0, through all rows)");
    return said;
}

// Where both have the same in them: two inputs meet if what one alters depends on the other one.
static double meeting(const double f[4]) { return fabs(f[0] - f[1] - f[2] + f[3]) / (1e-2 + fabs(f[0])); }

static int alter_two(state *s, int i, size_t a, int j, size_t b, double got[4], double due[4]) {
    float *x = &s->t.in[i][a], *y = &s->t.in[j][b], was_x = *x, was_y = *y;
    int ok = 1;
    for (int way = 0; way < 4 && ok; way++) {
        if (way & 1) *x += 1 + fabsf(was_x);
        if (way & 2) *y += 1 + fabsf(was_y);
        ok = call(s, s->got) && oracle(s, s->due);
        got[way] = s->got[s->at[0]], due[way] = s->due[s->at[0]];
        *x = was_x, *y = was_y;
    }
    return ok;
}

static int ask_pairs(state *s, char *text, size_t size) {
    enum { EACH = 3 };
    s->calls = 0;
    for (int i = 1; i < s->t.op->n_tensors; i++)
        for (int j = i + 1; j < s->t.op->n_tensors; j++)
            for (size_t k = 0; k < EACH * EACH; k++) {
                double got[4], due[4];
                const size_t a = s->first[i][k / EACH], b = s->first[j][k % EACH];
                if (a == NOBODY || b == NOBODY) continue;
                if (!alter_two(s, i, a, j, b, got, due)) return 0;
                const double is = meeting(got), must = meeting(due);
                if (!(is > 1e-3 && must < 1e-6) && !(is < 1e-6 && must > 1e-3)) continue;
                size_t used = begin(s, text, size);
                used += (size_t)snprintf(text + used, size - used, " in ");
                used += place(s, s->at[0], text + used, size - used);
                snprintf(text + used, size - used,
                         ", what %s[%zu] alters %s on %s[%zu]%s (elements are counted from 0, through all rows)",
                         s->t.op->tensors[i], a, is > must ? "depends" : "does not depend", s->t.op->tensors[j], b,
                         is > must ? ", and must not: these two never meet" : ", and must: the two meet");
                return 1;
            }
    return 0;
}

// What a mask sets is made of nothing: another sentence says which elements it has taken for others.
static int is_wrong(const state *s, size_t i) {
    if (s->was[i] == (float)LAB_HIDDEN || s->was_due[i] == LAB_HIDDEN) return 0;
    return isfinite(s->was[i]) && !(fabs(s->was[i] - s->was_due[i]) <= LAB_TOLERANCE * (1 + fabs(s->was_due[i])));
}

// The first element that is wrong, the last one, and one between.
static void watch(state *s) {
    const size_t n = s->t.n[0];
    size_t wrong = 0, seen = 0;
    for (size_t i = 0; i < n; i++) wrong += is_wrong(s, i);
    for (size_t i = 0; i < n; i++) {
        if (!is_wrong(s, i)) continue;
        if (seen == 0 || seen == wrong / 2 || seen == wrong - 1) s->at[s->n++] = i;
        seen++;
    }
}

static int ask_file(state *s, char *text, size_t size) {
    memcpy(s->was_due, s->t.want, s->t.n[0] * sizeof *s->due);
    if (!call(s, s->was) || !call(s, s->got)) return 0;
    if (memcmp(s->was, s->got, s->t.n[0] * sizeof *s->got)) return 0;  // the threads are in each other's way
    watch(s);
    memset(s->first, 0xff, sizeof s->first);
    if (!s->n || ask_all(s, 1, text, size)) return s->n;
    return ask_all(s, -1, text, size) || ask_pairs(s, text, size);
}

int lab_made_of(uint64_t seed, double seconds, int calls, char *note, size_t size) {
    char why[400];
    note[0] = 0;
    if (!kept.options) return 0;
    state s = {.t = {.c = &kept.c, .op = kept.c.op, .layout = lab_layout_of(kept.c.op, kept.c.shape, 1)},
               .seconds = seconds,
               .most = calls};
    int ready = lab_trial_prepare(&s.t, seed) && s.t.layout.bytes <= kept.options->arena_bytes, said = 0;
    s.due = malloc(s.t.n[0] * sizeof *s.due), s.was_due = malloc(s.t.n[0] * sizeof *s.due);
    s.got = malloc(s.t.n[0] * sizeof *s.got), s.was = malloc(s.t.n[0] * sizeof *s.got);
    ready = ready && s.due && s.was_due && s.got && s.was;
    char *sets = malloc(2 * WATCHED * MOST);
    for (int k = 0; k < WATCHED && sets; k++) s.is[k] = sets + 2 * k * MOST, s.must[k] = s.is[k] + MOST;
    if (ready && sets && lab_stage_open(&s.stage, kept.options, why, sizeof why) == LAB_PASSED) {
        said = ask_file(&s, note, size);
        lab_stage_close(&s.stage);
    }
    free(sets), free(s.due), free(s.was_due), free(s.got), free(s.was);
    lab_trial_discard(&s.t);
    return said;
}
