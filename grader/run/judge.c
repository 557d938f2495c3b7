// judge.c: how a verdict is reached. What the checker relies on (inputs, oracle, copies of the outputs) lives in its
// own memory; the arena, which the student's process can write at any time, is only read once per call, into such a
// copy.
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crash.h"
#include "device.h"
#include "diagnose.h"
#include "heuristics.h"
#include "trial.h"

// Where the first damaged word lies: before the first tensor, or past the end of the one before it.
static void say_outside(const lab_trial *t, const uint32_t *now, const uint32_t *pattern, size_t words, size_t damaged,
                        lab_result *r) {
    size_t first = 0;
    int of = 0;
    while (first < words && now[first] == pattern[first]) first++;
    for (int i = 1; i < t->op->n_tensors; i++)
        if (t->layout.offset[i] / sizeof *now <= first) of = i;
    const long at = (long)first - (long)(t->layout.offset[of] / sizeof *now);
    snprintf(r->diagnosis, sizeof r->diagnosis,
             at < 0 ? "wrote %zu element%s outside of the tensors, the first %ld before the start of %s"
                    : "wrote %zu element%s outside of the tensors, the first %ld past the end of %s",
             damaged, damaged == 1 ? "" : "s", at < 0 ? -at : at - (long)t->n[of] + 1, t->op->tensors[of]);
}

// The memory around the tensors, and the inputs, after a call.
static lab_verdict judge_surroundings(const lab_trial *t, char *arena, lab_result *r) {
    uint32_t *pattern = malloc(t->layout.bytes);
    lab_verdict v = LAB_PASSED;
    if (!pattern) return LAB_GRADER_ERROR;
    lab_guard_fill(pattern, t->layout.bytes / sizeof *pattern);
    for (int i = 1; i < t->op->n_tensors && v == LAB_PASSED; i++) {
        const char *const now = arena + t->layout.offset[i];
        if (i == t->op->scratch || memcmp(now, t->in[i], t->n[i] * sizeof(float)) == 0) continue;
        // What runs on from the end of the tensor before it fills the guard band between them, too.
        const uint64_t guard = t->layout.offset[i] - sizeof(float);
        const int ran_on = memcmp(arena + guard, (char *)pattern + guard, sizeof(float)) != 0;
        snprintf(r->diagnosis, sizeof r->diagnosis, "input %s was modified: inputs are read only%s%s%s",
                 t->op->tensors[i], ran_on ? "; so was the memory before it: writes that run past the end of " : "",
                 ran_on ? t->op->tensors[i - 1] : "", ran_on ? " have reached it" : "");
        v = LAB_INPUT_MODIFIED;
    }
    // Put the expected pattern over every tensor; what still differs lies outside of all of them.
    for (int i = 0; i < t->op->n_tensors; i++)
        memcpy(arena + t->layout.offset[i], (char *)pattern + t->layout.offset[i], t->n[i] * sizeof(float));
    const size_t words = t->layout.bytes / sizeof *pattern, damaged = lab_guard_damage((uint32_t *)arena, words);
    if (damaged && v == LAB_PASSED) {
        say_outside(t, (const uint32_t *)arena, pattern, words, damaged, r);
        v = LAB_ILLEGAL_ACCESS;
    }
    free(pattern);
    return v;
}

// A NaN that arithmetic makes has no bits but the highest: others came from memory (guarded_runner.c).
static uint32_t telling_nan(const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits &= 0x7fffffff;  // -NaN is as good
        if (bits > LAB_NAN && bits != LAB_USED_POISON && bits < LAB_NAN_OF_GUARDS) return bits;
    }
    return 0;
}

// NaN that came from a guard band: from behind which tensor, or from before it?
static void say_read_outside(const lab_trial *t, lab_result *r) {
    size_t place = 0, i = 0;
    int of = 0;
    static const char *const weaker[] = {"wrong: ", "perhaps", "a guess: ", "NaN: 0 * INFINITY"};
    int known = 1;
    for (size_t w = 0; w < sizeof weaker / sizeof *weaker; w++)
        known &= strncmp(r->diagnosis, weaker[w], strlen(weaker[w])) != 0;
    if (known) return;
    while (i < t->n[0] && !lab_guard_place(t->got[i], t->layout.bytes / sizeof(float), &place)) i++;
    if (i == t->n[0]) return;
    for (int k = 1; k < t->op->n_tensors; k++)
        if (t->layout.offset[k] / sizeof(float) <= place) of = k;
    const long at = (long)place - (long)(t->layout.offset[of] / sizeof(float)), behind = at - (long)t->n[of];
    const long before =
        of + 1 < t->op->n_tensors ? (long)(t->layout.offset[of + 1] / sizeof(float)) - (long)place : LAB_GUARD_BYTES;
    char sentence[sizeof r->guesses.text[0]], where[80];
    if (at >= 0 && behind < 0) return;  // within a tensor: no guard band
    if (at < 0 || before <= behind)
        snprintf(where, sizeof where, "%ld before the start of %s", at < 0 ? -at : before,
                 t->op->tensors[at < 0 ? 0 : of + 1]);
    else
        snprintf(where, sizeof where, "%ld past the end of %s", behind + 1, t->op->tensors[of]);
    snprintf(sentence, sizeof sentence,
             "matches memory outside of the tensors, which holds NaN here: what is NaN comes from an element %s "
             "(0 * NaN is NaN, too)",
             where);
    r->diagnosis[0] = 0;
    lab_guess(&r->guesses, sentence, r->diagnosis, sizeof r->diagnosis);
}

static lab_symptom symptom_of(const lab_trial *t, lab_result *r) {
    const lab_case *c = t->c;
    return (lab_symptom){c->op,   c->shape, (const float *const *)t->in, t->got,
                         t->want, r->cmp,   {c->extra[0], c->extra[1]},  &r->guesses,
                         t->work};
}

static void judge_output(const lab_trial *t, const char *stage, lab_result *r) {
    const lab_case *c = t->c;
    lab_op_to_floats(c->op, c->shape, t->got);
    r->compared = 1;
    r->cmp = lab_compare(t->got, t->want, t->n[0], LAB_TOLERANCE);
    r->verdict = r->cmp.verdict;
    if (r->verdict == LAB_PASSED) return;
    r->nan = telling_nan(t->got, t->n[0]);
    const lab_symptom symptom = symptom_of(t, r);
    lab_diagnose(&symptom, r->diagnosis, sizeof r->diagnosis);
    say_read_outside(t, r);
    lab_crash_locate_calls(r->diagnosis, sizeof r->diagnosis, stage);
    for (int i = 0; i < r->guesses.n; i++) lab_crash_locate_calls(r->guesses.text[i], sizeof r->guesses.text[i], stage);
    lab_place(c->op, c->shape, r->cmp.first_bad < t->n[0] ? r->cmp.first_bad : 0, r->first_bad);
}

// Something lies outside of the tensors: do the rows within say which blocks have run? It stands above the table.
static void say_which_blocks(const lab_trial *t, lab_result *r) {
    char sentence[sizeof r->guesses.text[0]];
    const lab_symptom symptom = symptom_of(t, r);
    lab_explain_grid(&symptom, 1, sentence, sizeof sentence);
}

// And do those of a TODO match a mistake that would write there?
static void say_what_matches(const lab_trial *t, lab_result *r) {
    char sentence[sizeof r->diagnosis] = "";
    if (!t->op->probe || !t->op->diagnose) return;
    lab_symptom symptom = symptom_of(t, r);
    symptom.cmp = lab_compare(t->got, t->want, t->n[0], LAB_TOLERANCE);
    if (symptom.cmp.verdict != LAB_PASSED) t->op->diagnose(&symptom, sentence, sizeof sentence);
}

// What a right output has left in working memory; t->work is a copy of it. changed: see ops.h.
static int left_wrong(const lab_trial *t, uint64_t changed, char *text, size_t size) {
    if (!t->op->left || !t->work) return 0;
    return t->op->left(t->c->shape, t->c->extra, (const float *const *)t->in, t->work, changed, text, size);
}

// A known mistake of what is left is one like those of an output: it may explain other claims, too.
static void keep_match(lab_result *r) {
    char first[2] = "";
    if (!strncmp(r->diagnosis, "matches ", 8)) lab_guess(&r->guesses, r->diagnosis, first, sizeof first);
}

static void keep_work(const lab_trial *t, const lab_stage *stage) {
    if (t->work) memcpy(t->work, stage->arena + t->layout.offset[t->op->scratch], t->n[t->op->scratch] * sizeof(float));
}

// Again on the same inputs: as good as the first call, and the same bits, whatever the threads did.
static void judge_again(const lab_trial *t, lab_stage *stage, double seconds, lab_result *r) {
    static const char differs[] =
        "gave another result: a race, memory that was never written, or what was left from an "
        "earlier tile or call";
    lab_result second = {0};
    attn_status status = ATTN_OK;
    second.verdict = lab_trial_run(t, stage, t->again, seconds, &status, second.diagnosis, sizeof second.diagnosis);
    if (second.verdict == LAB_PASSED)
        second.verdict = status != ATTN_OK ? lab_judge_status(status, t->op->symbol, stage->process.text, second.todo,
                                                              second.diagnosis, sizeof second.diagnosis)
                                           : judge_surroundings(t, stage->arena, &second);
    lab_op_to_floats(t->c->op, t->c->shape, t->again);
    if (second.verdict == LAB_PASSED && memcmp(t->got, t->again, t->n[0] * sizeof(float))) {
        second.verdict = LAB_NONDETERMINISTIC;
        memcpy(second.diagnosis, differs, sizeof differs);
    }
    if (second.verdict == LAB_PASSED || second.verdict == r->verdict) return;
    const size_t used = strlen(r->diagnosis);
    if (r->verdict == LAB_PASSED) r->verdict = second.verdict;
    snprintf(r->diagnosis + used, sizeof r->diagnosis - used, "%sa second call on the same inputs%s %s",
             used ? "; " : "", second.verdict == LAB_NONDETERMINISTIC ? "" : ":", second.diagnosis);
}

// Once more, where other inputs tell more of what lies in working memory.
static void judge_changed(const lab_trial *t, lab_stage *stage, uint64_t key, double seconds, lab_result *r) {
    attn_status status = ATTN_OK;
    if (r->verdict != LAB_PASSED || !t->op->change) return;
    t->op->change(t->c->shape, key, t->in);  // for good: this is the last call
    r->verdict = lab_trial_run(t, stage, t->again, seconds, &status, r->diagnosis, sizeof r->diagnosis);
    keep_work(t, stage);
    if (r->verdict == LAB_PASSED && left_wrong(t, key, r->diagnosis, sizeof r->diagnosis))
        r->verdict = LAB_WRONG_ANSWER, keep_match(r);
}

void lab_judge(lab_stage *stage, const lab_case *c, uint64_t seed, double seconds, lab_result *r) {
    lab_trial t = {.c = c, .op = c->op, .layout = lab_layout_of(c->op, c->shape, 1)};
    attn_status status = ATTN_OK;
    memset(r, 0, sizeof *r);
    r->verdict = LAB_GRADER_ERROR;
    if (t.layout.bytes > stage->arena_bytes || !lab_trial_prepare(&t, seed)) {
        snprintf(r->diagnosis, sizeof r->diagnosis, "the lab has no memory for this case");
        lab_trial_discard(&t);
        return;
    }
    const double start = lab_now();
    r->verdict = lab_trial_run(&t, stage, t.got, seconds, &status, r->diagnosis, sizeof r->diagnosis);
    r->seconds = lab_now() - start;
    if (r->verdict == LAB_PASSED && status != ATTN_OK)
        r->verdict =
            lab_judge_status(status, t.op->symbol, stage->process.text, r->todo, r->diagnosis, sizeof r->diagnosis);
    else if (r->verdict == LAB_PASSED) {
        keep_work(&t, stage);
        r->verdict = judge_surroundings(&t, stage->arena, r);
        if (r->verdict == LAB_ILLEGAL_ACCESS) say_which_blocks(&t, r), say_what_matches(&t, r);
        if (r->verdict == LAB_PASSED) judge_output(&t, stage->options.stage, r);
        if (r->verdict == LAB_PASSED && left_wrong(&t, 0, r->diagnosis, sizeof r->diagnosis))
            r->verdict = LAB_WRONG_ANSWER, keep_match(r);
        if (!c->once) judge_again(&t, stage, seconds, r);
        judge_changed(&t, stage, lab_key(seed, c->claim, 0, 1) | 1, seconds, r);
    }
    lab_trial_discard(&t);
}

struct lab_prepared {
    lab_trial t;
    lab_case c;
};

lab_prepared *lab_prepare(const lab_case *c, uint64_t seed) {
    lab_prepared *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->c = *c;
    p->t = (lab_trial){.c = &p->c, .op = c->op, .layout = lab_layout_of(c->op, c->shape, 1)};
    if (lab_trial_prepare(&p->t, seed)) return p;
    lab_prepared_free(p);
    return NULL;
}

int lab_holds(lab_prepared *p, lab_stage *stage, double seconds) {
    static lab_result r;
    attn_status status = ATTN_OK;
    const lab_trial *t = &p->t;
    if (t->layout.bytes > stage->arena_bytes) return 0;
    if (lab_trial_run(t, stage, t->got, seconds, &status, r.diagnosis, sizeof r.diagnosis) != LAB_PASSED) return 0;
    keep_work(t, stage);
    if (status != ATTN_OK || judge_surroundings(t, stage->arena, &r) != LAB_PASSED) return 0;
    if (left_wrong(t, 0, r.diagnosis, sizeof r.diagnosis)) return 0;
    lab_op_to_floats(t->op, t->c->shape, t->got);
    return lab_compare(t->got, t->want, t->n[0], LAB_TOLERANCE).verdict == LAB_PASSED;
}

const lab_trial *lab_prepared_trial(const lab_prepared *p) { return &p->t; }

void lab_prepared_free(lab_prepared *p) {
    if (p) lab_trial_discard(&p->t);
    free(p);
}
