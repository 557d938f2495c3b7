// unit_explain_scores.c: l that adds up the scores, and what is said of it by chance. grader/core/diagnose:
// row_number.c, joined.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "cases.h"
#include "symptom.h"
#include "tasks.h"

static lab_guesses fits;

static void ask(void) {
    fits.n = 0, wrong.guesses = &fits;
    examine();
    wrong.guesses = NULL;
}

static int is_said(const char *words) {
    int said = strstr(wrong.text, words) != NULL;
    for (int i = 0; i < fits.n; i++) said |= strstr(fits.text[i], words) != NULL;
    return said;
}

// A row of the output is `columns` exponentials and then a sum for each of `threads`, of every threads-th column.
typedef struct {
    const char *task, *todo;
    int threads, kept;  // kept: the tensor with what the sums are added to
} sums;

// Each sum is made of the scores of its columns, all claims of the TODO one after another.
static int n_claims(const sums *t) {
    const lab_case *c = lab_task_find(t->task)->todos;
    int n = 0;
    for (; c->claim; c++) n += !strcmp(c->todo, t->todo);
    return n;
}

static void begin_sums(const sums *t, int i, double (*term)(double score)) {
    const lab_case *c = lab_task_find(t->task)->todos;
    while (strcmp(c->todo, t->todo) || i--) c++;
    begin_claim(t->task, c->claim);
    const int rows = (int)(wrong.n / lab_op_row(wrong.op, wrong.shape)), width = (int)wrong.n / rows,
              columns = width - t->threads;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < t->threads; k++) {
            double sum = t->kept ? wrong.in[t->kept][r * t->threads + k] : 0;
            for (int j = k; j < columns; j += t->threads) sum += term(wrong.in[1][r * columns + j]);
            wrong.got[r * width + columns + k] = (float)sum;
        }
    ask();
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static double the_score(double score) { return score; }
static double nothing(double score) { return 0 * (score > 0); }

static const sums of[] = {
    {"task1", "1.2", 1, 0}, {"task2", "2.3", 256, 0}, {"task3", "3.5", 1, 2}, {"task4", "4.6", 8, 2}};
enum { N = sizeof of / sizeof *of };

static void scores_that_are_added_up_are_named_in_every_claim(void **state) {
    (void)state;
    static const char said[] =
        "matches l = the sum of the scores themselves: add the exponential that is stored, not the score";
    for (int t = 0; t < N; t++)
        for (int i = 0; i < n_claims(&of[t]); i++) {
            begin_sums(&of[t], i, the_score);
            if (!is_said(said)) fail_msg("%s, claim %d: %s", of[t].task, i, wrong.text);
            if (is_said("exp(sum")) fail_msg("%s, claim %d: %s", of[t].task, i, wrong.text);
        }
}

// -INFINITY is no 0; and where a score is hidden, a product of exponentials is 0, as is a sum that nobody adds to.
static void no_product_of_exponentials_fits_all_claims_by_chance(void **state) {
    (void)state;
    for (int t = 0; t < N; t++) {
        int all = 1;
        for (int i = 0; i < n_claims(&of[t]); i++)
            begin_sums(&of[t], i, nothing), all &= is_said("exp(sum of (s - m))");
        if (all) fail_msg("%s: every claim of %s", of[t].task, of[t].todo);
    }
}

static void scores_that_a_key_adds_to_l_are_named(void **state) {
    (void)state;
    begin_claim("task5", "more_keys_are_added");
    const int width = 2 + wrong.shape.head_dim;
    double m = -INFINITY, l = 0;
    for (int j = 0; j < wrong.shape.seq_kv; j++) {
        const double s = wrong.in[1][j * width], now = fmax(m, s);
        l = l * exp(m - now) + s, m = now;
    }
    wrong.got[1] = (float)l;
    ask();
    assert_true(is_said("matches l = rescale * l + s: the scores themselves are added up: add the exponential"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(scores_that_are_added_up_are_named_in_every_claim),
        CLAIM(no_product_of_exponentials_fits_all_claims_by_chance),
        CLAIM(scores_that_a_key_adds_to_l_are_named),
    };
    return cmocka_run_group_tests_name("explain_scores", claims, NULL, release);
}
