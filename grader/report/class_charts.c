// class_charts.c: the pictures of a class, as SVG inside the page.
#include "class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "results.h"
#include "tasks.h"

// ---- How the scores are spread

enum { BINS = 11, WIDTH = 300, HEIGHT = 120, LEFT = 8, TOP = 16, BOTTOM = 20 };

typedef struct {
    int n, bins[BINS];
    double max, sum;
} spread;

// A bin is a tenth of the points wide, around its middle: 0 %, 10 %, ... 100 %.
static void add_score(spread *s, double score) {
    const double share = s->max > 0 ? score / s->max : 0;
    s->bins[(int)fmax(0, fmin(BINS - 1, round(share * (BINS - 1))))]++;
    s->sum += score;
    s->n++;
}

static void histogram(FILE *out, const spread *s, const char *id, const char *title) {
    int most = 1;
    const double step = (WIDTH - 2.0 * LEFT) / BINS, high = HEIGHT - TOP - BOTTOM;
    for (int i = 0; i < BINS; i++) most = s->bins[i] > most ? s->bins[i] : most;
    lab_html(out,
             "<figure><figcaption>%t <small>%t</small></figcaption>\n<svg viewBox=\"0 0 %i %i\" role=\"img\" "
             "aria-label=\"%t: %i submissions, mean %P of %P points\">",
             id, title, WIDTH, HEIGHT, id, s->n, s->n ? s->sum / s->n : NAN, s->max);
    for (int i = 0; i < BINS; i++) {
        const double h = high * s->bins[i] / most, x = LEFT + i * step;
        if (!s->bins[i]) continue;
        lab_html(out,
                 "<rect class=\"bar\" x=\"%f\" y=\"%f\" width=\"%f\" height=\"%f\" rx=\"2\"><title>%i with about %P "
                 "points</title></rect>",
                 x + 1.5, TOP + high - h, step - 3, h, s->bins[i], s->max * i / (BINS - 1));
        lab_html(out, "<text x=\"%f\" y=\"%f\" text-anchor=\"middle\">%i</text>", x + step / 2, TOP + high - h - 4,
                 s->bins[i]);
    }
    lab_html(out, "<path class=\"axis\" d=\"M%i %fH%i\"/>", LEFT, TOP + high + 0.5, WIDTH - LEFT);
    for (int i = 0; i < BINS; i += 5)
        lab_html(out, "<text x=\"%f\" y=\"%i\" text-anchor=\"middle\">%P</text>", LEFT + (i + 0.5) * step, HEIGHT - 6,
                 s->max * i / (BINS - 1));
    lab_html(out, "</svg>\n<small>mean %P of %P points</small></figure>\n", s->n ? s->sum / s->n : NAN, s->max);
}

void lab_class_scores(FILE *out, const lab_class *all) {
    spread whole = {0};
    fputs("<h2>Scores</h2>\n<p>Submissions by points; a bar is a tenth of a task's points.</p>\n<div "
          "class=\"charts\">\n",
          out);
    for (int i = 0; i < all->n; i++) whole.max = fmax(whole.max, all->students[i].max_score);
    for (int i = 0; i < all->n; i++)
        if (!all->students[i].error) add_score(&whole, all->students[i].score);
    histogram(out, &whole, "all tasks", "without bonus");
    for (int t = 0; t < lab_n_tasks; t++) {
        spread one = {.max = all->max[t]};
        for (int i = 0; i < all->n; i++)
            if (all->students[i].tasks[t].graded) add_score(&one, all->students[i].tasks[t].score);
        if (one.n) histogram(out, &one, lab_tasks[t].id, lab_tasks[t].title);
    }
    fputs("</div>\n", out);
}

// ---- The ladder of speed: a dot a submission, right is better

enum { LADDER = 480, LANE = 84, MIDDLE = 44, EDGE = 24, COLUMN = 7 };

typedef struct {
    double low, high;  // of the values, on a logarithmic axis
    int turned;        // less is better: the axis runs the other way
    const char *x;     // behind a number: "x", or nothing where it is no ratio
} axis;

static double place(const axis *a, double value) {
    const double share = (log(value) - log(a->low)) / (log(a->high) - log(a->low));
    return EDGE + (LADDER - 2.0 * EDGE) * (a->turned ? 1 - share : share);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const json_t *dots) {
    const size_t n = json_array_size(dots);
    double *values = malloc((n + 1) * sizeof *values), median;
    if (!values) abort();
    for (size_t i = 0; i < n; i++) values[i] = lab_num(json_array_get(dots, i), "value");
    qsort(values, n, sizeof *values, ascending);
    median = n ? (values[n / 2] + values[(n - 1) / 2]) / 2 : NAN;
    free(values);
    return median;
}

static axis axis_of(const json_t *row) {
    const double from = lab_num(row, "from"), to = lab_num(row, "to");
    const int is_share = strstr(lab_str(row, "unit"), "per multiply-add") != NULL;
    axis a = {fmin(from, to), fmax(from, to), from > to, is_share ? "" : "x"};
    json_t *dot;
    size_t i;
    json_array_foreach(json_object_get(row, "dots"), i, dot) {
        a.low = fmin(a.low, lab_num(dot, "value")), a.high = fmax(a.high, lab_num(dot, "value"));
    }
    a.low /= 1.15, a.high *= 1.15;
    return a;
}

static void landmark(FILE *out, const axis *a, double value, const char *class, const char *words) {
    const double x = place(a, value);
    lab_html(out,
             "<path class=\"%s\" d=\"M%f 16V%i\"/><text class=\"note\" x=\"%f\" y=\"11\" text-anchor=\"%s\">%s "
             "%N%s</text>",
             class, x, LANE - 12, x,
             x < LADDER / 3.0   ? "start"
             : x > LADDER / 1.5 ? "end"
                                : "middle",
             words, value, a->x);
}

// Dots of one column stand above and below each other; those of a full column closer together.
static void put_dots(FILE *out, const axis *a, const json_t *dots) {
    int in[LADDER / COLUMN + 1] = {0}, drawn[LADDER / COLUMN + 1] = {0};
    json_t *dot;
    size_t i;
    json_array_foreach(dots, i, dot) in[(int)place(a, lab_num(dot, "value")) / COLUMN]++;
    json_array_foreach(dots, i, dot) {
        const double value = lab_num(dot, "value"), x = place(a, value);
        const int column = (int)x / COLUMN, k = drawn[column]++;
        const double gap = fmin(6, 46.0 / in[column]), y = MIDDLE + gap * ((k + 1) / 2) * (k % 2 ? 1 : -1);
        lab_html(out, "<circle class=\"dot\" cx=\"%f\" cy=\"%f\" r=\"3\"><title>%t: %N%s</title></circle>", x, y,
                 lab_str(dot, "student"), value, a->x);
    }
}

void lab_class_ladders(FILE *out, const lab_class *all) {
    json_t *row;
    size_t i;
    if (!json_array_size(all->ladders)) return;
    fputs("<h2>Speed</h2>\n<p>A dot is a submission whose answers are all right; right is better. Dashed: where points "
          "begin; solid: where all of them are earned; thick: the median.</p>\n<div class=\"charts wide\">\n",
          out);
    json_array_foreach(all->ladders, i, row) {
        const json_t *dots = json_object_get(row, "dots");
        const axis a = axis_of(row);
        const double median = median_of(dots);
        lab_html(out,
                 "<figure><figcaption>%t: %t <small>%t%s; median %N%s of %i</small></figcaption>\n<svg viewBox=\"0 0 "
                 "%i %i\" role=\"img\" aria-label=\"%t: median %N%s\">",
                 lab_str(row, "task"), lab_str(row, "name"), a.turned ? lab_str(row, "unit") : "speed-up",
                 a.turned ? ", counted: fewer is better" : "", median, a.x, (int)json_array_size(dots), LADDER, LANE,
                 lab_str(row, "name"), median, a.x);
        lab_html(out, "<path class=\"axis\" d=\"M%i %iH%i\"/>", EDGE / 2, MIDDLE, LADDER - EDGE / 2);
        landmark(out, &a, lab_num(row, "from"), "mark", "from");
        landmark(out, &a, lab_num(row, "to"), "all", "all");
        put_dots(out, &a, dots);
        lab_html(out, "<path class=\"middle\" d=\"M%f %iV%i\"/>", place(&a, median), MIDDLE - 22, MIDDLE + 22);
        lab_html(out,
                 "<text x=\"2\" y=\"%i\">%N%s</text><text x=\"%i\" y=\"%i\" text-anchor=\"end\">%N%s</text></svg>"
                 "</figure>\n",
                 LANE - 2, a.turned ? a.high : a.low, a.x, LADDER - 2, LANE - 2, a.turned ? a.low : a.high, a.x);
    }
    fputs("</div>\n", out);
}
