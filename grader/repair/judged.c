// judged.c: the claims that have been judged: which fail, and what they say of the TODOs and functions.
#include "judged.h"
#include "untried.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_BYTES = 4 << 20 };  // of an arena in which dozens of changes are tried at once

static struct {
    lab_kept claim[LAB_MOST_KEPT];
    int n;
    int unwritten;                 // claims with elements that nobody wrote
    int cuda;                      // a call takes milliseconds
    int damaged, failed, refused;  // refused: launches that ask for more shared memory than they may have
    int statuses;                  // claims about who is refused
    int room;   // the line that got the memory behind whose end something was written; 0: nothing was
    int unset;  // a claim reads memory that nobody has written
    int later;  // it is not the first TODO that fails
} seen;

// What a change of the file may mend. What was not run, since another claim did not end, may fail, too.
static int is_wrong(lab_verdict v) {
    static const lab_verdict wrong[] = {LAB_EARLY_EXIT,       LAB_CRASH,          LAB_TIMEOUT,    LAB_GPU_HANG,
                                        LAB_ILLEGAL_ACCESS,   LAB_LAUNCH_FAILURE, LAB_NOT_FINITE, LAB_WRONG_ANSWER,
                                        LAB_NONDETERMINISTIC, LAB_INPUT_MODIFIED, LAB_SKIPPED};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (v == wrong[i]) return 1;
    return 0;
}

// It says itself that there is no memory, and asks a pointer the wrong way round, maybe, or one that it has not set.
static int is_mistaken(const lab_result *r) {
    return is_wrong(r->verdict) || (r->verdict == LAB_OUT_OF_MEMORY && strstr(r->diagnosis, "returned ATTN_NO_MEMORY"));
}

void lab_repair_keep(const lab_case *c, const lab_result *r) {
    seen.damaged |=
        r->verdict != LAB_PASSED && strstr(r->diagnosis, " past the end of ") && strstr(r->diagnosis, "from malloc");
    const char *room = strstr(r->diagnosis, "that line "), *got = room ? strstr(room, " got from malloc") : NULL;
    if (r->verdict != LAB_PASSED && got && !seen.room && strstr(r->diagnosis, " past the end of "))
        seen.room = atoi(room + sizeof "that line " - 1);
    seen.unwritten += r->verdict != LAB_PASSED && r->compared && r->cmp.unwritten;
    seen.unset |= r->verdict != LAB_PASSED && strstr(r->diagnosis, "before anything is written to it");
    seen.failed += r->verdict != LAB_PASSED && is_mistaken(r);
    seen.refused += r->verdict == LAB_LAUNCH_FAILURE && strstr(r->diagnosis, "bytes of dynamic shared memory");
    seen.statuses += r->verdict == LAB_WRONG_ANSWER && !r->compared && strstr(r->diagnosis, "refuse");
    lab_untried_keep(c, r->verdict != LAB_PASSED && is_mistaken(r));
    if (seen.n == LAB_MOST_KEPT || (r->verdict != LAB_PASSED && !is_mistaken(r)) || !c->op->oracle) return;
    const int in_numbers = r->compared && (r->verdict == LAB_PASSED || r->cmp.verdict != LAB_PASSED);
    seen.claim[seen.n++] =
        (lab_kept){*c, r->verdict != LAB_PASSED, in_numbers, 0, r->compared, r->verdict == LAB_SKIPPED};
}

static double work(const lab_kept *k) {
    double n = 0;
    for (int t = 0; t < k->c.op->n_tensors; t++) n += k->c.op->elements(k->c.shape, t);
    return n;
}

// It has been seen to fail.
static int is_seen(const lab_kept *k) { return k->failed && !k->skipped; }

// It calls a function whose own claims fail. In CUDA, to call that one takes a tenth of the time.
static int is_of_wrong_parts(const lab_kept *k) {
    for (int u = 0; u < LAB_MOST_USED && k->c.op->uses[u]; u++)
        for (int i = 0; i < seen.n; i++)
            if (is_seen(&seen.claim[i]) && !seen.claim[i].c.todo && seen.claim[i].c.op == k->c.op->uses[u]) return 1;
    return 0;
}

static int by_work(const void *a, const void *b) {
    const lab_kept *x = *(const lab_kept *const *)a, *y = *(const lab_kept *const *)b;
    if (x->failed != y->failed) return y->failed - x->failed;
    if (x->skipped != y->skipped) return x->skipped - y->skipped;
    const int late = seen.cuda ? is_of_wrong_parts(x) - is_of_wrong_parts(y) : 0;
    if (late && x->failed) return late;
    return (work(x) > work(y)) - (work(x) < work(y));
}

// Of a TODO that fails a claim may hold since two mistakes cancel each other.
static int holds_by_luck(const lab_kept *k) {
    for (int i = 0; i < seen.n && seen.later; i++)
        if (seen.claim[i].failed && seen.claim[i].c.todo && !strcmp(seen.claim[i].c.todo, k->c.todo)) return 1;
    return 0;
}

void lab_judged_choose(const lab_repair_ask *ask, const char *todo, char *const runner[], double share,
                       lab_subject *s) {
    memset(s, 0, sizeof *s);
    s->todo = todo, s->cuda = ask->task->language == LAB_CUDA, s->threads = ask->task->language == LAB_C_OPENMP;
    for (int i = 0; i < seen.n; i++) {
        lab_kept *k = &seen.claim[i];
        if (!k->c.todo != !todo) continue;
        const size_t bytes = lab_layout_of(k->c.op, k->c.shape, 1).bytes;
        if (bytes > s->attempts.options.arena_bytes) s->attempts.options.arena_bytes = bytes;
        if (todo && strcmp(todo, k->c.todo) && (k->failed || holds_by_luck(k))) continue;
        s->claim[s->n++] = k, s->failed += k->failed;
    }
    seen.cuda = s->cuda;
    qsort(s->claim, s->n, sizeof *s->claim, by_work);
    s->attempts.options.runner = runner, s->attempts.options.stage = runner[1];
    s->attempts.device = s->cuda;
    if (s->cuda && s->attempts.options.arena_bytes < SETS_BYTES) s->attempts.options.arena_bytes = SETS_BYTES;
    s->attempts.options.load_seconds = 5, s->attempts.options.threads = 2;
    s->attempts.budget = lab_attempts_left() * share;
}

void lab_judged_note_mended(const lab_repair_ask *ask, lab_attempts *a, const lab_edit *edit) {
    for (int i = 0; i < seen.n; i++) {
        lab_kept *k = &seen.claim[i];
        if (!k->c.todo || !k->failed || k->mended) continue;
        k->mended = lab_attempt_twice(a, &k->c, ask->seed, edit->id, 1);
    }
}

int lab_judged_room(void) { return seen.room; }

int lab_judged_damaged(void) { return seen.damaged; }

int lab_judged_unset(void) { return seen.unset; }

int lab_judged_unwritten(void) { return seen.unwritten > 0; }

int lab_judged_refused(void) { return seen.refused && seen.refused == seen.failed; }

int lab_judged_statuses(void) { return seen.statuses && seen.statuses == seen.failed; }

int lab_judged_dim(void) {
    const lab_kept *least = NULL;
    for (int i = 0; i < seen.n; i++) {
        const lab_kept *k = &seen.claim[i];
        if (is_seen(k) && !k->c.todo && (!least || by_work(&k, &least) < 0)) least = k;
    }
    return least ? least->c.shape.head_dim : 0;
}

// Numbers that are near N(0, 1) are told from one another; of few keys there is little to tell.
static int tells_more(const lab_kept *a, const lab_kept *b) {
    enum { FEW = 5 };
    const int plain = (a->c.kind == LAB_NORMAL) - (b->c.kind == LAB_NORMAL);
    const int many = (a->c.shape.seq_kv >= FEW) - (b->c.shape.seq_kv >= FEW);
    return many ? many > 0 : plain ? plain > 0 : work(a) < work(b);
}

const lab_case *lab_judged_telling(void) {
    const lab_kept *best = NULL;
    for (int i = 0; i < seen.n; i++) {
        const lab_kept *k = &seen.claim[i];
        if (k->failed && k->in_numbers && !k->c.todo && !is_of_wrong_parts(k) && (!best || tells_more(k, best)))
            best = k;
    }
    return best ? &best->c : NULL;
}

const lab_case *lab_judged_of(const lab_op *op) {
    for (int i = 0; i < seen.n; i++)
        if (seen.claim[i].failed && seen.claim[i].in_numbers && !seen.claim[i].c.todo && seen.claim[i].c.op == op)
            return &seen.claim[i].c;
    return NULL;
}

const lab_case *lab_judged_parts(void) {
    for (int i = 0; i < seen.n; i++)
        if (seen.claim[i].failed && !seen.claim[i].in_numbers && !seen.claim[i].c.todo &&
            seen.claim[i].c.op == &lab_decode_split && seen.claim[i].compared)
            return &seen.claim[i].c;
    return NULL;
}

int lab_judged_whole(void) {
    for (int i = 0; i < seen.n; i++)
        if (!seen.claim[i].c.todo) return 1;
    return 0;
}

static int is_judged(const char *symbol) {
    for (int i = 0; i < seen.n; i++)
        if (!seen.claim[i].c.todo && strcmp(seen.claim[i].c.op->symbol, symbol) == 0) return 1;
    return 0;
}

static void add_function(const char *symbol, char *list, size_t size) {
    const size_t used = strlen(list);
    if (used + strlen(symbol) + 2 <= size) snprintf(list + used, size - used, "%s%s", used ? "," : "", symbol);
}

// Claims of a function stand together in the table.
void lab_judged_add_rest(const lab_task *task, char *list, size_t size) {
    const lab_case *row;
    const char *last = "";
    for (int i = 0; (row = lab_case_at(i)); i++) {
        if (strcmp(row->task, task->id) || row->todo || !row->op->oracle || is_judged(row->op->symbol)) continue;
        if (strcmp(row->op->symbol, last)) add_function(row->op->symbol, list, size);
        last = row->op->symbol;
    }
}

// Of a function that was not run nothing is known.
void lab_judged_functions(int failing, char *list, size_t size) {
    list[0] = 0;
    for (int i = 0; i < seen.n; i++) {
        const lab_op *op = seen.claim[i].c.op;
        int failed = 0, unknown = 0, first = 1;
        for (int k = 0; k < seen.n; k++) {
            const int same = !seen.claim[k].c.todo && strcmp(seen.claim[k].c.op->symbol, op->symbol) == 0;
            failed |= same && is_seen(&seen.claim[k]), unknown |= same && seen.claim[k].skipped;
            first &= !same || k >= i;
        }
        if (!seen.claim[i].c.todo && first && failed == failing && (failed || !unknown))
            add_function(op->symbol, list, size);
    }
}

int lab_judged_others_fail(const lab_repair_ask *ask, lab_attempts *a, const char *todo, const lab_edit *edit) {
    for (int i = 0; i < seen.n; i++) {
        const lab_kept *k = &seen.claim[i];
        if (k->c.todo && k->failed && !k->mended && strcmp(k->c.todo, todo) &&
            !lab_attempt_twice(a, &k->c, ask->seed, edit->id, 1))
            return 1;
    }
    return 0;
}

const char *lab_judged_next_todo(const char *after) {
    seen.later = after != NULL;
    for (int i = 0, reached = !after; i < seen.n; i++) {
        const lab_kept *k = &seen.claim[i];
        if (reached && k->c.todo && is_seen(k) && !k->mended && !is_of_wrong_parts(k) &&
            (!after || strcmp(after, k->c.todo)))
            return k->c.todo;
        reached |= k->c.todo && after && strcmp(after, k->c.todo) == 0;
    }
    return NULL;
}

int lab_judged_later(void) { return seen.later; }

int lab_judged_calls_others(const char *todo) {
    for (int i = 0; i < seen.n; i++)
        if (seen.claim[i].c.todo && !strcmp(seen.claim[i].c.todo, todo) && seen.claim[i].c.op->uses[0]) return 1;
    return 0;
}

int lab_repair_wanted(void) {
    for (int i = 0; i < seen.n; i++)
        if (seen.claim[i].failed) return 1;
    return 0;
}
