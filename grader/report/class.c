// class.c: the verb class: DIR/class.html, one page about all results in DIR, for the instructor.
//
// The page stands alone: its style and its script are in it, and its policy forbids every request.
#include "class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "html.h"
#include "verbs.h"

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void put_facts(FILE *out, const lab_class *all) {
    double *scores = calloc((size_t)all->n + 1, sizeof *scores), sum = 0, max = 0;
    int n = 0;
    if (!scores) abort();
    for (int i = 0; i < all->n; i++) {
        const lab_student *s = &all->students[i];
        if (s->error) continue;
        scores[n++] = s->score;
        sum += s->score;
        max = fmax(max, s->max_score);
    }
    qsort(scores, (size_t)n, sizeof *scores, ascending);
    lab_html(out, "<p class=\"dim\">Newest result: %t, lab version %t, backend %t, %t.</p>\n<ul class=\"facts\">",
             all->created, all->lab_commit, all->backend, all->machine);
    lab_html(out, "<li><b>%i</b>submissions</li>", all->n);
    if (n < all->n) lab_html(out, "<li class=\"bad\"><b>%i</b>could not be graded</li>", all->n - n);
    lab_html(out,
             "<li><b>%P</b>mean of %P</li><li><b>%P</b>median</li><li><b>%P</b>a quarter is below</li><li><b>%P</b>a "
             "quarter is above</li></ul>\n",
             n ? sum / n : NAN, max, n ? (scores[n / 2] + scores[(n - 1) / 2]) / 2 : NAN, n ? scores[n / 4] : NAN,
             n ? scores[n - 1 - n / 4] : NAN);
    free(scores);
}

static void put_page(FILE *out, const lab_class *all) {
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
          "http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<meta "
          "name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
          "<title>The class</title>\n<style>\n",
          out);
    lab_html(out, "%s</style></head>\n<body>\n<h1>The class</h1>\n", lab_class_css);
    put_facts(out, all);
    lab_class_look_first(out, all);
    lab_class_scores(out, all);
    lab_class_ladders(out, all);
    lab_class_verdicts(out, all);
    lab_class_claims(out, all);
    lab_class_students(out, all);
    lab_html(out, "<script>\n%s</script>\n</body></html>\n", lab_class_js);
}

int lab_report_class(int argc, char **argv) {
    (void)argc;
    char path[4400], *text = NULL;
    size_t size;
    lab_class all;
    if (!lab_class_read(argv[0], &all)) return 1;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    put_page(out, &all);
    fclose(out);
    snprintf(path, sizeof path, "%s/class.html", argv[0]);
    const int good = lab_write_file(path, text, size);
    free(text);
    lab_class_free(&all);
    return !good;
}
