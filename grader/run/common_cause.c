// common_cause.c: explanations that differ in their numbers alone are the same. What is built on a function that is wrong
// itself says nothing.
#include "common_cause.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CLAIMS = 64, MOST_CAUSES = 64 };

static struct {
    lab_case c[MOST_CLAIMS];
    lab_verdict verdict[MOST_CLAIMS];
    lab_guesses fits[MOST_CLAIMS];
    int n, all_large;  // all_large: no other claim has failed
} seen;

static int is_large(const lab_case *c) { return c->kind == LAB_LARGE || c->kind == LAB_OFFSET; }

static int is_number(char c) { return isdigit((unsigned char)c) || c == '.'; }

// The same words, whatever their numbers, up to what stands in brackets at the end.
static int same(const char *a, const char *b) {
    while (*a && *b) {
        if (strncmp(a, " (", 2) == 0 || strncmp(b, " (", 2) == 0) break;
        if (is_number(*a) && is_number(*b)) {
            while (is_number(*a)) a++;
            while (is_number(*b)) b++;
        } else if (*a++ != *b++)
            return 0;
    }
    return (!*a || strncmp(a, " (", 2) == 0) && (!*b || strncmp(b, " (", 2) == 0);
}

// The first TODO whose claims fail, and whether it is known why.
static struct {
    char todo[8];
    int explained;
} first;

static int has_sentence(const lab_result *r) {
    return strncmp(r->diagnosis, "wrong: ", 7) != 0 && strncmp(r->diagnosis, "NaN", 3) != 0 &&
           strncmp(r->diagnosis, "after", 5) != 0;
}

void lab_cause_todo(const lab_case *c, const lab_result *r) {
    if (r->verdict == LAB_PASSED || r->verdict == LAB_MISSING || r->verdict == LAB_SKIPPED || !r->compared) return;
    if (!*first.todo) snprintf(first.todo, sizeof first.todo, "%s", c->todo);
    if (strcmp(first.todo, c->todo) == 0) first.explained |= has_sentence(r);
}

static const char after[] = "after", as_in[] = "NaN here, too, as in";  // what is said in place of a sentence

void lab_cause_add(const lab_case *c, const lab_result *r) {
    const char *end = strstr(r->diagnosis, "; wrong: ");
    if (seen.n == MOST_CLAIMS) return;
    lab_guesses *fits = &seen.fits[seen.n];
    seen.c[seen.n] = *c, seen.verdict[seen.n] = r->verdict, *fits = r->guesses;
    if (!seen.n) seen.all_large = 1;
    seen.n++;
    if (r->verdict != LAB_PASSED && !is_large(c)) seen.all_large = 0;
    if (strncmp(r->diagnosis, after, sizeof after - 1) == 0 || strncmp(r->diagnosis, as_in, sizeof as_in - 1) == 0)
        return;
    if (!end || r->verdict == LAB_PASSED) return;
    char text[sizeof fits->text[0]], first[2] = "";
    snprintf(text, sizeof text, "%.*s", (int)(end - r->diagnosis), r->diagnosis);
    for (int i = 0; i < fits->n; i++)
        if (strncmp(fits->text[i], text, sizeof text - 1) == 0) return;
    lab_guess(fits, text, first, sizeof first);
}

// ---- What builds on what

static int has_failed(const lab_op *op) {
    for (int i = 0; i < seen.n; i++)
        if (seen.c[i].op == op && seen.verdict[i] != LAB_PASSED) return 1;
    return 0;
}

// The first function that this one uses and whose own claims fail; NULL: there is none.
static const lab_op *wrong_part(const lab_op *op) {
    for (int i = 0; i < LAB_MOST_USED && op->uses[i]; i++)
        if (has_failed(op->uses[i])) return op->uses[i];
    return NULL;
}

// With large scores one key has all the weight in most rows: many mistakes look the same there, or nothing fits.
static int counts(int i) {
    int matches = 0;
    for (int k = 0; k < seen.fits[i].n; k++) matches += strncmp(seen.fits[i].text[k], "matches", 7) == 0;
    return seen.verdict[i] != LAB_PASSED && !wrong_part(seen.c[i].op) &&
           (matches || !is_large(&seen.c[i]) || seen.all_large);
}

// ---- One cause

static int explains(const char *cause, int i) {
    for (int k = 0; k < seen.fits[i].n; k++)
        if (same(seen.fits[i].text[k], cause)) return 1;
    return 0;
}

// A number of them that is as large as it gets; a sentence that something matches goes before a sign.
static const char *best_cause(int *most, int *failed, int *built_on) {
    const char *best = NULL;
    *most = *failed = *built_on = 0;
    for (int i = 0; i < seen.n; i++) {
        *failed += counts(i);
        *built_on += seen.verdict[i] != LAB_PASSED && wrong_part(seen.c[i].op);
        for (int k = 0; k < seen.fits[i].n && counts(i); k++) {
            const char *cause = seen.fits[i].text[k];
            int said = 0;
            for (int j = 0; j < seen.n; j++) said += counts(j) && explains(cause, j);
            const int matches = strncmp(cause, "matches", 7) == 0, matched = best && strncmp(best, "matches", 7) == 0;
            if (said > *most || (said == *most && matches > matched)) *most = said, best = cause;
        }
    }
    return best;
}

static const char *part_that_fails(void) {
    for (int i = 0; i < seen.n; i++) {
        const lab_op *part = seen.verdict[i] != LAB_PASSED ? wrong_part(seen.c[i].op) : NULL;
        if (part) return part->symbol;
    }
    return "";
}

// That there is NaN is what is seen, and no cause.
static int names_nothing(const char *cause) {
    return strncmp(cause, "NaN: slots from", 15) == 0 || strncmp(cause, "NaN: 0 * INFINITY", 17) == 0;
}

void lab_cause_say(char *text, size_t size) {
    int most, failed, built_on;
    text[0] = 0;
    if (first.explained) return;  // said once
    const char *cause = best_cause(&most, &failed, &built_on);
    if (cause && names_nothing(cause)) cause = NULL;
    char rest[160] = "";
    if (built_on) snprintf(rest, sizeof rest, " (%d of them use %s)", built_on, part_that_fails());
    if (cause && failed + built_on > 1 && most == failed)
        snprintf(text, size, "one cause explains all %d%s: %s", failed + built_on, rest, cause);
    else if (cause && failed > 1 && 2 * most > failed)
        snprintf(text, size, "a guess, which explains %d of the %d%s: %s", most + built_on, failed + built_on, rest,
                 cause);
    else if (built_on)
        snprintf(text, size, "%s is wrong: mend it first; %d claims about what uses it fail, too", part_that_fails(),
                 built_on);
}

// ---- Where it fails, and where it does not

typedef struct {
    int (*is)(const lab_case *c);  // -1: it cannot be told
    const char *where, *means;
} feature;

static int is_causal(const lab_case *c) { return c->shape.causal; }
static int is_aligned(const lab_case *c) { return c->shape.causal && c->shape.seq_q != c->shape.seq_kv; }
static int is_unequal(const lab_case *c) { return c->shape.seq_q != c->shape.seq_kv; }
// Task 3's tile sizes are the claim's, unless it leaves them to the student.
static int is_ragged_Bc(const lab_case *c) {
    return c->op != &lab_tiled || !c->extra[1] ? -1 : c->shape.seq_kv % c->extra[1] != 0;
}
static int is_ragged_Br(const lab_case *c) {
    return c->op != &lab_tiled || !c->extra[0] ? -1 : c->shape.seq_q % c->extra[0] != 0;
}
static int is_several(const lab_case *c) {
    return c->op != &lab_tiled || !c->extra[1] ? -1 : c->shape.seq_kv > c->extra[1];
}
static int is_split(const lab_case *c) { return c->op != &lab_decode_split ? -1 : c->extra[0] != 1; }
static int is_batch(const lab_case *c) { return c->shape.batch > 1; }
static int is_heads(const lab_case *c) { return c->shape.heads > 1; }
static int is_many(const lab_case *c) { return c->shape.batch * c->shape.heads > 1; }
static int is_batch_of_heads(const lab_case *c) { return c->shape.batch > 1 && c->shape.heads > 1; }
static int is_wide(const lab_case *c) { return c->shape.head_dim > 64; }
static int is_wider(const lab_case *c) { return c->shape.head_dim > 96; }
static int is_odd(const lab_case *c) { return c->shape.head_dim % 32 != 0; }
static int is_narrow(const lab_case *c) { return c->shape.head_dim < 64; }
static int is_long16(const lab_case *c) { return c->shape.seq_kv > 16; }
static int is_long32(const lab_case *c) { return c->shape.seq_kv > 32; }
static int is_long64(const lab_case *c) { return c->shape.seq_kv > 64; }
static int is_long128(const lab_case *c) { return c->shape.seq_kv > 128; }
static int is_long256(const lab_case *c) { return c->shape.seq_kv > 256; }
static int is_ragged16(const lab_case *c) { return c->shape.seq_kv % 16 != 0; }
static int is_ragged32(const lab_case *c) { return c->shape.seq_kv % 32 != 0; }
static int is_ragged64(const lab_case *c) { return c->shape.seq_kv % 64 != 0; }
static int is_ragged_q16(const lab_case *c) { return c->shape.seq_q % 16 != 0; }
static int is_ragged_q32(const lab_case *c) { return c->shape.seq_q % 32 != 0; }
static int is_ragged_q64(const lab_case *c) { return c->shape.seq_q % 64 != 0; }

enum {
    N_OF_HEADS = 11,
    FIRST_OF_HEADS = 7
};  // of a cache, sequences differ in length: what differs by batch and head is said elsewhere

static const feature features[] = {
    {is_aligned, "attention is causal and seq_q differs from seq_kv", "query i sees key j <= i + seq_kv - seq_q"},
    {is_causal, "attention is causal", "look at the mask, and at where the walk over the keys ends"},
    {is_unequal, "seq_q differs from seq_kv", "an offset, a stride or a loop has one for the other"},
    {is_ragged_Bc, "seq_kv is no multiple of Bc",
     "the last tile has fewer keys: nothing behind them is read or counted"},
    {is_ragged_Br, "seq_q is no multiple of Br", "the last tile has fewer queries: no row behind them is written"},
    {is_several, "there are several tiles of keys", "one tile is right: look at what goes from tile to tile"},
    {is_split, "there are several splits", "one split is right: look at its keys, and at how parts are put together"},
    {is_batch_of_heads, "batch and heads are both above 1", "look at the offset of batch b, head h: b * heads + h"},
    {is_batch, "batch is above 1", "look at the offset of a batch"},
    {is_heads, "heads is above 1", "look at the offset of a head"},
    {is_many, "there is more than one head in all", "look at the offset of a head"},
    {is_large, "scores are large", "subtract the row maximum, of all keys so far, before every exponential"},
    {is_wider, "head_dim is above 96", "an array, or shared memory, is too small, or not all dims are visited"},
    {is_wide, "head_dim is above 64", "an array, or shared memory, is too small, or not all dims are visited"},
    {is_odd, "head_dim is no multiple of 32", "look at the last dims of a row"},
    {is_narrow, "head_dim is below 64", "not every thread has a dim of its own"},
    {is_ragged16, "seq_kv is no multiple of 16", "look at the last tile of keys"},
    {is_ragged32, "seq_kv is no multiple of 32", "look at the last tile of keys"},
    {is_ragged64, "seq_kv is no multiple of 64", "look at the last tile of keys"},
    {is_ragged_q16, "seq_q is no multiple of 16", "look at the last tile of queries"},
    {is_ragged_q32, "seq_q is no multiple of 32", "look at the last tile of queries"},
    {is_ragged_q64, "seq_q is no multiple of 64", "look at the last tile of queries"},
    {is_long16, "seq_kv is above 16", "one tile is right: look at what goes from tile to tile"},
    {is_long32, "seq_kv is above 32", "one tile is right: look at what goes from tile to tile"},
    {is_long64, "seq_kv is above 64", "one tile is right: look at what goes from tile to tile"},
    {is_long128, "seq_kv is above 128", "a few tiles are right: look at what goes from tile to tile"},
    {is_long256, "seq_kv is above 256", "a few tiles are right: look at what goes from tile to tile"},
};

// The function whose claims fail, and no other's do; NULL: there are several, or none.
static const lab_op *only_wrong(void) {
    const lab_op *op = NULL;
    for (int i = 0; i < seen.n; i++) {
        if (!counts(i)) continue;
        if (op && op != seen.c[i].op) return NULL;
        op = seen.c[i].op;
    }
    return op;
}

void lab_cause_where(char *text, size_t size) {
    const lab_op *op = first.explained ? NULL : only_wrong();
    text[0] = 0;
    for (size_t f = 0; op && f < sizeof features / sizeof *features; f++) {
        int with = 0, without = 0, against = 0;
        if (strcmp(op->tensors[1], "Q")) break;  // sizes of other functions have other meanings
        if (op->lengths && f >= FIRST_OF_HEADS && f < N_OF_HEADS) continue;
        for (int i = 0; i < seen.n; i++) {
            if (seen.c[i].op != op || seen.verdict[i] == LAB_SKIPPED) continue;
            const int failed = seen.verdict[i] != LAB_PASSED, is = features[f].is(&seen.c[i]);
            if (is < 0) continue;
            with += failed && is, without += !failed && !is, against += failed != is;
        }
        if (with < 2 || without < 2 || against) continue;
        snprintf(text, size, "%s fails where %s, and nowhere else: %s", op->symbol, features[f].where,
                 features[f].means);
        return;
    }
}

// ---- What earlier claims contradict

static void replace_sentence(lab_result *r, const char *where, const char *words, const char *name) {
    char text[sizeof r->diagnosis];
    snprintf(text, sizeof text, "%.60s %.60s; %.400s", words, name, where);
    memcpy(r->diagnosis, text, sizeof text);
    r->guesses.n = 0;
}

// A TODO that puts others together.
static int is_whole(const lab_case *c) {
    const char *in = c->op->tensors[1];
    return c->op->n_tensors > 3 && in && (strcmp(in, "Q") == 0 || strcmp(in, "X") == 0);
}

void lab_cause_revise(const lab_case *c, lab_result *r) {
    static const struct {
        const char *start;
        int (*only)(const lab_case *c);
    } signs[] = {{"exp overflows where", is_large}, {"NaN where scores are masked", is_causal}};
    char *end = strstr(r->diagnosis, "; wrong: ");
    if (end && *first.todo && (!c->todo || is_whole(c)) && strcmp(first.todo, c->todo ? c->todo : "") != 0 &&
        (first.explained || strncmp(r->diagnosis, "matches", 7) != 0)) {
        char todo[16];
        snprintf(todo, sizeof todo, "TODO %s", first.todo);
        replace_sentence(r, end + 2, after, todo);
        return;
    }
    if (c->todo) return;
    const lab_op *part = end ? wrong_part(c->op) : NULL;
    for (int i = 0; i < seen.n && part; i++)
        if (seen.c[i].op == part && seen.verdict[i] != LAB_PASSED && !is_large(&seen.c[i])) {
            replace_sentence(r, end + 2, after, part->symbol);
            return;
        }
    for (size_t s = 0; s < sizeof signs / sizeof *signs && end; s++) {
        if (strncmp(r->diagnosis, signs[s].start, strlen(signs[s].start))) continue;
        for (int i = 0; i < seen.n; i++)
            if (seen.c[i].op == c->op && seen.verdict[i] == LAB_NOT_FINITE && !signs[s].only(&seen.c[i])) {
                replace_sentence(r, end + 2, as_in, seen.c[i].claim);
                return;
            }
    }
}
