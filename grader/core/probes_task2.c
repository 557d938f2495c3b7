// probes_task2.c: the TODOs of task 2, one by one: what a probe (grader/probes/task2.cu) computes, and its claims.
//
// Softmax: seq_q rows of seq_kv columns, a block of 256 threads for each. Products: m = seq_q, n = seq_kv, k = head_dim,
// tiles of 32 x 32.
#include "cases.h"
#include "formula.h"
#include "probes_task2.h"
#include "row_number.h"
#include "thread_columns.h"
#include "trees.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 256 };

// What the 32 threads from x on have together.
static double of_warp(const float *x, int sum) {
    double all = x[0];
    for (int t = 1; t < 32; t++) all = sum ? all + x[t] : fmax(all, x[t]);
    return all;
}

// ---- block_reduce: out [seq_q, THREADS], the max (extra[0] = 0) or sum of x [seq_q, THREADS] in each thread

SIZES(block_reduce, s.seq_q, THREADS, s.seq_q *THREADS)

ORACLE(block_reduce) {
    for (int r = 0; r < s.seq_q; r++, out += THREADS) {
        const float *x = in[1] + r * THREADS;
        double all = x[0], part[THREADS];
        for (int t = 0; t < THREADS; t++) part[t] = x[t];
        for (int half = THREADS / 2; mistake == 5 && half > 0; half /= 2)
            for (int t = 0; t < half; t++) part[t] = extra[0] ? part[t] + part[t + 1] : fmax(part[t], part[t + 1]);
        for (int t = 1; t < THREADS && mistake != 5; t++)
            if (mistake == 1   ? t % 2 == 0
                : mistake == 2 ? t < THREADS / 2
                : mistake == 8 ? t < THREADS / 4
                : mistake == 9 ? t < 32
                               : mistake != 3 && (mistake != 10 || t % 32 == 0))
                all = (extra[0] ^ (mistake == 4)) ? all + x[t] : fmax(all, x[t]);
        for (int t = 0; t < THREADS; t++)
            out[t] = mistake == 5                ? part[0]
                     : mistake == 7              ? x[THREADS - 1]
                     : mistake == 11 && extra[0] ? all + x[0]
                     : mistake == 12             ? of_warp(x + t / 32 * 32, extra[0])
                                                 : all;
    }
    return 1;
}
KNOWN_OR(known_block_reduce, lab_explain_tree,
         "the last step, half = 1, is missing: part[1] is not joined into part[0]",
         "matches the x of threads 0 .. THREADS / 2 - 1 alone: the first step, half = THREADS / 2, is missing, or "
         "half of the warps are not joined",
         "matches the x of thread 0 alone: no step of the tree joins anything into part[0]",
         "max and sum are mixed up: join(op, ...) knows which one is asked for",
         "matches part[t + 1] joined in each step: thread t joins part[t + half]", NULL,
         "matches the x of the last thread alone: part[t + half] takes the place of part[t], join both",
         "matches the x of threads 0 .. THREADS / 4 - 1 alone: what the others have does not reach part[0]",
         "matches the x of warp 0 alone: what the other warps have does not reach part[0]",
         "matches the x of each warp's first thread alone: the steps inside of a warp are missing",
         "matches a sum in which the x of thread 0 counts twice: part[0] holds it before the first step",
         "matches what each warp has alone: its 32 threads agree, and what the 8 warps have is not joined: by way of "
         "shared memory, with a barrier before it is read")
// A maximum may be that of other threads by chance: the claim of the sum tells.
static int block_reduce_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int known = known_block_reduce_diagnose(s, text, size);
    return lab_explain_tree(s, text, size) || known;
}
PROBE(block_reduce, block_reduce, 2, .tensors = {"result", "x"});

// ---- thread_max: out [seq_q, THREADS], the largest score of each thread's columns; -100: it has none

SIZES(thread_max, s.seq_q, THREADS, s.seq_q *s.seq_kv)

FILL(
    thread_max) {  // every other row holds only scores below 0; in one row or another each column is its thread's largest
    const int cols = s.seq_kv;
    lab_fill(x, thread_max_elements(s, t), cols, LAB_NORMAL, key);
    for (int i = 0; i < s.seq_q * cols; i++)
        if (i / cols % 2) x[i] = -4 - fabsf(x[i]);
    for (int i = 0; i < s.seq_q * cols; i++) {
        const int r = i / cols, c = i % cols, own = (cols - c % THREADS + THREADS - 1) / THREADS;
        if (c / THREADS == (r / 2 + own - 1) % own) x[i] = r % 2 ? -1 - c % 7 * 0.25f : 6 + c % 7;
    }
}

ORACLE(thread_max) {
    for (int i = 0; i < s.seq_q * THREADS; i++) {
        const float *row = in[1] + i / THREADS * s.seq_kv;
        double m = mistake == 2 ? 0 : -100;
        for (int c = mistake == 3 ? 0 : i % THREADS; c < s.seq_kv; c += mistake == 3 ? 1 : THREADS) {
            if (mistake == 4 && c + THREADS >= s.seq_kv) break;
            m = fmax(m, row[c]);
            if (mistake == 1) break;
        }
        const int t = i % THREADS, chunk = (s.seq_kv + (mistake == 6) * (THREADS - 1)) / THREADS;
        if (mistake > 4) m = -100;
        for (int c = t * chunk; mistake < 7 && mistake > 4 && c < (t + 1) * chunk && c < s.seq_kv; c++)
            m = fmax(m, row[c]);
        for (int c = t + i / THREADS * THREADS; mistake == 7 && c < s.seq_kv; c += THREADS) m = fmax(m, row[c]);
        for (int c = t; mistake == 8 && c < s.seq_kv; c += 32) m = fmax(m, row[c]);
        double top = -INFINITY;  // 9, 10: the column takes the place of its score
        for (int c = t; mistake > 8 && c < s.seq_kv; c += THREADS)
            if (mistake < 11 && row[c] > (mistake == 9 ? m : top)) m = c, top = row[c];
        if (mistake > 10) m = t < s.seq_kv ? row[t] : -100;
        for (int half = THREADS / 2; mistake > 10 && half > 0; half /= 2)
            if ((mistake == 12 || t < half) && t + half < s.seq_kv) m = fmax(m, row[t + half]);
        out[i] = mistake == 4 && s.seq_kv <= THREADS ? NAN : m;
    }
    return 1;
}
static int thread_max_else(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv, n = s->shape.seq_q * cols;
    double *value = malloc(n * sizeof *value);
    for (int i = 0; value && i < n; i++) value[i] = s->in[1][i];
    const lab_thread_columns of = {value, cols, THREADS, 1, -100, 0, THREADS};
    const int known =
        value && (lab_explain_thread_columns(s, &of, text, size) || lab_explain_foreign(s, &of, text, size));
    free(value);
    return known;
}
#define THREAD_MAX_TREE                                                                                                \
    "matches the steps of a tree on the row itself, m = max(s[t], s[t + half]), half = THREADS / 2, ..., 1: a tree "   \
    "joins what the threads have found. A thread goes over its own columns, t, t + THREADS, ..., to the end of the "   \
    "row"
KNOWN_OR(thread_max, thread_max_else, "each thread looks at one column only: it has t, t + THREADS, t + 2 THREADS, ...",
         "matches a maximum that starts at 0: a row whose scores are all below 0 has another one",
         "each thread looks at all columns: it has t, t + THREADS, ... alone",
         "each thread's last column is not looked at: the loop runs while c < cols",
         "matches cols / THREADS columns side by side for each thread: what is left of the division, or all of a short "
         "row, is nobody's; a thread has t, t + THREADS, ...",
         "matches columns that lie side by side: a thread has t, t + THREADS, ..., so that a warp reads one piece of "
         "memory",
         "matches columns from blockIdx.x * blockDim.x + t on: s is this block's row already, so c starts at t",
         "matches columns t, t + 32, t + 64, ...: the step is THREADS, all threads of the block, and not a warp's",
         "matches m = c, the column: m is the score itself, s[c]",
         "matches the column of the largest score: m is the score itself, s[c]", THREAD_MAX_TREE, THREAD_MAX_TREE)
PROBE(thread_max, thread_max, 2, .tensors = {"m", "s"}, .fill = thread_max_fill);

// ---- exponentiate: out [seq_q, seq_kv + THREADS], exp(S - m), then the sum of each thread's columns

SIZES(exponentiate, s.seq_q, s.seq_kv + THREADS, s.seq_q *s.seq_kv, s.seq_q)

FILL(exponentiate) {  // of the scores, every fifth is masked
    lab_fill_scaled(x, exponentiate_elements(s, t), 0.5f, key);
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] += 1;
    for (int i = 0; t == 1 && i < s.seq_q * s.seq_kv; i++)
        if (i % 5 == 3) x[i] = -INFINITY;
}

// Each thread has `piece` columns side by side; what is left of the row is nobody's.
static void in_pieces(double *p, double *l, int cols, int piece) {
    for (int t = 0; t < THREADS; t++) l[t] = 0;
    for (int c = 0; c < cols; c++) {
        if (c < piece * THREADS)
            l[c / piece] += p[c];
        else
            p[c] = NAN;
    }
}

ORACLE(exponentiate) {
    for (int r = 0; r < s.seq_q; r++, out += s.seq_kv + THREADS) {
        double *l = out + s.seq_kv;
        for (int t = 0; t < THREADS; t++) l[t] = 0;
        for (int c = 0; c < s.seq_kv; c++) {
            out[c] = exp(in[1][r * s.seq_kv + c] - (mistake == 1 ? 0.0 : in[2][r]));
            const double term = mistake == 5 ? in[1][r * s.seq_kv + c] : out[c];
            if (mistake == 6) out[c] = exp2(in[1][r * s.seq_kv + c] - in[2][r]);
            l[c % THREADS] = mistake == 2 ? 0 : mistake == 3 ? out[c] : l[c % THREADS] + (mistake == 6 ? out[c] : term);
        }
        for (int t = 0; t < THREADS && (mistake == 4 || mistake == 7); t++) {
            l[t] = 0;
            for (int c = t; c < s.seq_kv; c += mistake == 4 ? 32 : 1) l[t] += out[c];
        }
        for (int c = 0; c < s.seq_kv && mistake == 8; c++) {
            out[c % THREADS] = out[c];
            if (c >= THREADS) out[c] = NAN;
        }
        for (int c = 0; c < s.seq_kv && c < r * THREADS && mistake == 9; c++) l[c % THREADS] -= out[c], out[c] = NAN;
        for (int c = 0; c < s.seq_kv && mistake == 12; c++) {  // the largest of each thread's own columns
            double own = -INFINITY;
            for (int k = c % THREADS; k < s.seq_kv; k += THREADS) own = fmax(own, in[1][r * s.seq_kv + k]);
            out[c] = own > -INFINITY ? exp(in[1][r * s.seq_kv + c] - own) : NAN;
            l[c % THREADS] = (c < THREADS ? 0 : l[c % THREADS]) + out[c];
        }
        if (mistake == 10 || mistake == 11)
            in_pieces(out, l, s.seq_kv, (s.seq_kv + (mistake == 11) * (THREADS - 1)) / THREADS);
    }
    return 1;
}
// The exponentials are right, and the sums are those of other columns.
static int sums_of_others(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv, row = cols + THREADS, n = s->shape.seq_q * cols;
    double *value = malloc(n * sizeof *value);
    int known = value != NULL;
    for (int i = 0; known && i < n; i++) {
        value[i] = s->want[i / cols * row + i % cols];
        known = !lab_element_bad(s, i / cols * row + i % cols, 0);
    }
    const lab_thread_columns of = {value, cols, THREADS, 0, 0, cols, row};
    known = known && lab_explain_thread_columns(s, &of, text, size);
    free(value);
    return known;
}
static int exponentiate_else(const lab_symptom *s, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    const lab_formula p = {"p[c]", "exp(s - m)",   0,
                           cols,   cols + THREADS, {{"s", LAB_OF_ELEMENT, 1}, {"m", LAB_OF_ROW, 2}}};
    return lab_explain_power(s, (lab_powers){(int)cols, (int)cols + THREADS, 2}, text, size) ||
           lab_explain_formula(s, &p, text, size) || lab_explain_sums_times(s, s->shape.seq_kv, THREADS, text, size) ||
           sums_of_others(s, text, size);
}
KNOWN_OR(known_exponentiate, exponentiate_else, "matches exp(s): subtract the row's maximum m before exp",
         "l stays 0: add each exponential to it", "l is set to the last exponential: add each of this thread's to it",
         "each thread has the columns t, t + 32, t + 64, ...: the step is THREADS, or several threads count a column",
         "matches l = " LAB_SUM_OF_SCORES, "matches 2^(s - m): it is e^(s - m), expf and not exp2f",
         "each thread has all columns from t on: the step is THREADS, or several threads count a column",
         "matches p[t] in place of p[c]: each column has a probability of its own",
         "matches columns from blockIdx.x * blockDim.x + t on: p is this block's row already, so c starts at t",
         "matches cols / THREADS columns side by side for each thread: what is left of the division, or all of a short "
         "row, is nobody's; a thread has t, t + THREADS, ...",
         "matches columns that lie side by side: a thread has t, t + THREADS, ..., so that a warp reads one piece of "
         "memory",
         "matches exp(s - the largest of this thread's own columns): m is the largest of the row, the same for all")
static int exponentiate_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    const lab_row_numbers l = {s->shape.seq_q, cols, THREADS, cols + THREADS, cols, .m = 2, .sums = 1};
    return lab_explain_row_numbers(s, l, text, size) || known_exponentiate_diagnose(s, text, size);
}
PROBE(exponentiate, exponentiate, 3, .tensors = {"p and l", "s", "m"}, .fill = exponentiate_fill);

// ---- normalise: out [seq_q, seq_kv] = P / l

SIZES(normalise, s.seq_q, s.seq_kv, s.seq_q *s.seq_kv, s.seq_q)

FILL(normalise) {
    lab_fill(x, normalise_elements(s, t), s.seq_kv, LAB_NORMAL, key);
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] = 0.5f + fabsf(x[r]);
}

ORACLE(normalise) {
    for (int i = 0; i < s.seq_q * s.seq_kv; i++) {
        const int stays = mistake == 2   ? i % s.seq_kv >= THREADS
                          : mistake == 5 ? i % s.seq_kv < i / s.seq_kv * THREADS
                                         : mistake == 6 && i % s.seq_kv >= s.seq_kv / THREADS * THREADS;
        const double l = in[2][i / s.seq_kv], by = stays ? 1 : l;
        out[i] = mistake == 1   ? in[1][i] * l
                 : mistake == 4 ? 1 / l
                 : mistake == 3 ? in[1][i] * pow(l, -THREADS)
                 : mistake == 7 ? in[1][i] / l / THREADS
                                : in[1][i] / by;
    }
    return 1;
}
static int normalise_else(const lab_symptom *s, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    const lab_formula p = {"p[c]", "p / l", 0,
                           cols,   cols,    {{"p", LAB_OF_ELEMENT, 1}, {"l", LAB_OF_ROW, 2}, {"cols", LAB_COLUMNS, 1}}};
    return lab_explain_left(s, (lab_left){"p", 1, s->shape.seq_kv, s->shape.seq_kv}, text, size) ||
           lab_explain_formula(s, &p, text, size);
}
KNOWN_OR(normalise, normalise_else, "matches a multiplication by l: divide by it",
         "only the first 256 columns are divided: a thread has t, t + THREADS, t + 2 THREADS, ...",
         "each of the 256 threads divides every column: a thread has t, t + THREADS, ... alone",
         "matches 1 / l: divide p[c] by l",
         "matches columns from blockIdx.x * blockDim.x + t on: p is this block's row already, so c starts at t",
         "only cols / THREADS whole steps are made: the columns of the last one, which not all threads have, are left",
         "matches p / (THREADS * l): in each thread l is the sum of the whole row already, so l is not to be added up "
         "over the threads once more")
PROBE(normalise, normalise, 3, .tensors = {"p", "P", "l"}, .fill = normalise_fill);

// ---- The claims

// clang-format off
const lab_case lab_todos_task2[] = {
    {"task2", TODO("2.1"), .claim = "a_block_agrees_on_its_sum", .op = &probe_block_reduce, .shape = {1, 1, 3, 1, 8, 0}, .extra = {1}},
    {"task2", TODO("2.1"), .claim = "a_block_agrees_on_its_max", .op = &probe_block_reduce, .shape = {1, 1, 3, 1, 8, 0}},
    {"task2", TODO("2.2"), .claim = "a_thread_has_the_max_of_its_columns", .op = &probe_thread_max, .shape = {1, 1, 6, 600, 8, 0}},
    {"task2", TODO("2.2"), .claim = "a_thread_without_columns_has_no_max", .op = &probe_thread_max, .shape = {1, 1, 4, 10, 8, 0}},
    {"task2", TODO("2.3"), .claim = "scores_become_exponentials_and_l_their_sum", .op = &probe_exponentiate, .shape = {1, 1, 3, 600, 8, 0}},
    {"task2", TODO("2.3"), .claim = "exponentials_of_a_short_row", .op = &probe_exponentiate, .shape = {1, 1, 3, 10, 8, 0}},
    {"task2", TODO("2.4"), .claim = "all_columns_are_divided_by_the_sum", .op = &probe_normalise, .shape = {1, 1, 3, 600, 8, 0}},
    {"task2", TODO("2.5"), .claim = "matrices_lie_one_behind_the_other", .op = &probe_matrix_offset, .shape = {3, 1, 1, 1, 8, 0}, .extra = {44, 80}},
    {"task2", TODO("2.5"), .claim = "an_offset_beyond_an_int", .op = &probe_matrix_offset, .shape = {4, 1, 1, 1, 8, 0}, .extra = {60000, 50000}},
    {"task2", TODO("2.6"), .claim = "outside_of_the_matrix_are_zeros", .op = &probe_load_or_zero, .shape = {1, 1, 7, 11, 8, 0}},
    {"task2", TODO("2.7"), .claim = "the_first_tiles_of_a_and_b_transposed", .op = &probe_load_tiles_nt, .shape = {1, 1, 64, 96, 32, 0}, .extra = {0, 1}},
    {"task2", TODO("2.7"), .claim = "ragged_tiles_of_a_and_b_transposed", .op = &probe_load_tiles_nt, .shape = {1, 1, 40, 70, 50, 0}, .extra = {32, 1}},
    {"task2", TODO("2.8"), .claim = "rows_meet_rows", .op = &probe_multiply_nt, .shape = {1, 1, 1, 1, 8, 0}},
    {"task2", TODO("2.9"), .claim = "the_first_tiles_of_a_and_b", .op = &probe_load_tiles_nn, .shape = {1, 1, 64, 96, 32, 0}},
    {"task2", TODO("2.9"), .claim = "ragged_tiles_of_a_and_b", .op = &probe_load_tiles_nn, .shape = {1, 1, 40, 70, 50, 0}, .extra = {32}},
    {"task2", TODO("2.10"), .claim = "one_step_is_complete_before_it_is_read", .op = &lab_gemm_nn_kernel, .shape = {1, 1, 32, 32, 32, 0}},
    {"task2", TODO("2.10"), .claim = "no_step_is_overwritten_while_it_is_read", .op = &lab_gemm_nn_kernel, .shape = {2, 1, 40, 33, 100, 0}},
    {"task2", TODO("2.11"), .claim = "the_chain_of_one_small_head", .op = &lab_naive_chain, .shape = {1, 1, 20, 33, 40, 0}},
    {"task2", TODO("2.11"), .claim = "the_chain_of_causal_heads", .op = &lab_naive_chain, .shape = {2, 3, 20, 33, 16, 1}},
    {0},
};
