// thread_columns.c: the threads of a block share a row, and each reduces its own columns: which ones has it taken?
#include "thread_columns.h"

#include <math.h>
#include <stdio.h>

// Thread t has begin, begin + step, begin + 2 step, ... below the end; as_many: as many of them as it should have.
typedef struct {
    int begin, step, end, as_many;
} columns_of;

static int is_near(double due, double got) { return fabs(due - got) <= LAB_TOLERANCE * (1 + fabs(due)); }

static int gives(const lab_symptom *s, const lab_thread_columns *of, const columns_of *way, int rows) {
    int wrong = 0;
    for (int r = 0; r < rows; r++)
        for (int t = 0; t < of->threads; t++) {
            const size_t at = (size_t)r * of->out_row + of->first + t;
            const double *x = of->value + (size_t)r * of->columns;
            const int begins[LAB_BEGINS] = {t, 0, t + of->threads, t + 1, t * of->threads, 2 * t};
            double all = of->is_max ? of->none : 0;
            int n = way->as_many ? (of->columns - t + of->threads - 1) / of->threads : of->columns;
            for (int c = begins[way->begin]; c < way->end && n-- > 0; c += way->step)
                all = of->is_max ? fmax(all, x[c]) : all + x[c];
            wrong += !is_near(s->want[at], all);
            if (!is_near(all, s->got[at])) return 0;
        }
    return wrong > 0;
}

int lab_explain_thread_columns(const lab_symptom *s, const lab_thread_columns *of, char *text, size_t size) {
    static const char *const begins[LAB_BEGINS] = {"t", "0", "t + THREADS", "t + 1", "t * THREADS", "2 * t"};
    const int T = of->threads, rows = (int)(s->op->elements(s->shape, 0) / of->out_row);
    const int steps[] = {T, 1, T + 1, T - 1, 2 * T, T / 2, T / 4, 32, 2}, n_steps = sizeof steps / sizeof *steps;
    static const char *const names[] = {
        "THREADS", "1", "THREADS + 1", "THREADS - 1", "2 THREADS", "THREADS / 2", "THREADS / 4", "32", "2"};
    const int ends[] = {of->columns, of->columns, of->columns - 1, of->columns - T, T};
    static const char *const until[] = {"", "", ", without the row's last one", ", to cols - THREADS", ", to THREADS"};
    for (int code = 0; code < LAB_BEGINS * n_steps * 5; code++) {
        const int b = code % LAB_BEGINS, k = code / LAB_BEGINS % n_steps, e = code / LAB_BEGINS / n_steps;
        const columns_of way = {b, steps[k], ends[e] < of->columns ? ends[e] : of->columns, e == 1};
        char sentence[240];
        if (ends[e] < 1 || (!b && !k && e < 2) || !gives(s, of, &way, rows)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches columns that begin at %s, in steps of %s%s: a thread has t, t + THREADS, t + 2 THREADS, ... "
                 "while they are below cols",
                 begins[b], names[k], until[e]);
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}

// A maximum is one of the scores: whose column is it? Where it is one of another thread's, that is said; 0: of no thread, or
// some number is no score of its row.
int lab_explain_foreign(const lab_symptom *s, const lab_thread_columns *of, char *text, size_t size) {
    const int rows = (int)(s->op->elements(s->shape, 0) / of->out_row);
    int foreign = 0, wrong = 0, row = 0, thread = 0, column = 0;
    for (int i = 0; of->is_max && i < rows * of->threads; i++) {
        const int r = i / of->threads, t = i % of->threads;
        const size_t at = (size_t)r * of->out_row + of->first + t;
        const double *x = of->value + (size_t)r * of->columns;
        int found = -1, own = 0;
        if (is_near(s->want[at], s->got[at])) continue;
        for (int c = 0; c < of->columns; c++)
            if (fabs(x[c] - s->got[at]) < 1e-6 * (1 + fabs(x[c]))) found = c, own |= c % of->threads == t;
        if (found < 0) return 0;
        wrong++;
        if (!own && !foreign++) row = r, thread = t, column = found;
    }
    char sentence[240];
    if (!foreign || 2 * foreign < wrong) return 0;
    snprintf(sentence, sizeof sentence,
             "matches columns of other threads: the m of thread %d in row %d is s[%d], a column of thread %d. A thread "
             "has t, t + THREADS, ... alone; what the threads have found is joined later",
             thread, row, column, column % of->threads);
    return lab_guess(s->guesses, sentence, text, size);
}

// The exponentials are right, and each thread's sum is that number times the right one.
int lab_explain_sums_times(const lab_symptom *s, int cols, int threads, char *text, size_t size) {
    const int row = cols + threads;
    const struct {
        double factor;
        const char *is;
    } known[] = {{1.0 / cols, "1 / cols"}, {1.0 / threads, "1 / THREADS"}, {cols, "cols"}, {threads, "THREADS"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        int all = 1, moved = 0;
        for (int i = 0; i < s->shape.seq_q * row && all; i++) {
            const double due = i % row < cols ? s->want[i] : known[k].factor * s->want[i];
            all = fabs(s->got[i] - due) <= 1e-5 + 1e-3 * fabs(due), moved += due != s->want[i];
        }
        char sentence[160];
        if (!all || !moved) continue;
        snprintf(sentence, sizeof sentence,
                 "matches l that is %s times the sum: it is the sum of the exponentials alone", known[k].is);
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}
