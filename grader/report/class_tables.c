// class_tables.c: the lists and tables of a class.
#include "class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "results.h"
#include "tasks.h"

enum { CLAIMS = 15, SHOWN = 12 };

// ---- What to look at before points are given

static int is_error(const lab_student *s) {
    json_t *one;
    size_t i;
    json_array_foreach(s->found, i, one) if (lab_is(one, "what", "GRADER_ERROR")) return 1;
    return s->error != NULL;
}

static int is_odd(const lab_student *s) {
    json_t *one;
    size_t i;
    json_array_foreach(s->found, i, one) if (!lab_is(one, "what", "GRADER_ERROR")) return 1;
    return 0;
}

// The list is cut where it grows long; the rest unfolds.
static void item(FILE *out, int *n) {
    if (++*n == SHOWN + 1) fputs("</ul><details><summary>and more</summary><ul>\n", out);
    fputs("<li>", out);
}

static void put_found(FILE *out, const lab_student *s, int *n) {
    json_t *one;
    size_t i;
    json_array_foreach(s->found, i, one) {
        char words[40];
        lab_verdict v = LAB_GRADER_ERROR;
        lab_verdict_parse(lab_str(one, "what"), &v);
        item(out, n);
        lab_html(out, "<a href=\"%u/details.md\"><bdi>%t</bdi></a>, %t: <span class=\"what\">%s</span>", s->folder,
                 s->name, lab_str(one, "task"), lab_verdict_words(words, v));
        if (*lab_str(one, "where")) lab_html(out, " in %t", lab_str(one, "where"));
        if (*lab_str(one, "text")) lab_html(out, " <small>%t</small>", lab_str(one, "text"));
        fputs("</li>\n", out);
    }
}

static void put_pairs(FILE *out, const lab_class *all, int *n) {
    json_t *pair;
    size_t i;
    json_array_foreach(all->pairs, i, pair) {
        item(out, n);
        lab_html(out,
                 "look at these two: <bdi>%t</bdi> and <bdi>%t</bdi>, %t: <span class=\"what\">%D %% alike</span> "
                 "where the skeleton's text is left out</li>\n",
                 lab_str(pair, "a"), lab_str(pair, "b"), lab_str(pair, "task"), lab_num(pair, "percent"));
    }
}

void lab_class_look_first(FILE *out, const lab_class *all) {
    int n = 0, calm = !all->unsandboxed && !json_array_size(all->pairs);
    for (int i = 0; i < all->n; i++) calm = calm && !is_error(&all->students[i]) && !is_odd(&all->students[i]);
    lab_html(out, "<section class=\"look%s\"><h2>Look at these first</h2>\n", calm ? " calm" : "");
    fputs(calm ? "<p>Nothing to look at: no suspect time, no forbidden symbol, nothing that could not be graded.</p>\n"
               : "<p>Each is a reason to look, and no proof. Similar files may have a common source that is "
                 "allowed.</p>\n",
          out);
    fputs("<ul>\n", out);
    if (all->unsandboxed)
        lab_html(out,
                 "<li class=\"bad\">%i of %i were graded without a sandbox: what they claim of themselves cannot be "
                 "trusted.</li>\n",
                 all->unsandboxed, all->n);
    for (int i = 0; i < all->n; i++)
        if (all->students[i].error) {
            item(out, &n);
            lab_html(out, "<bdi>%t</bdi>: <span class=\"what\">could not be graded</span> <small>%t</small></li>\n",
                     all->students[i].name, all->students[i].error);
        }
    for (int i = 0; i < all->n; i++) put_found(out, &all->students[i], &n);
    put_pairs(out, all, &n);
    fputs(n > SHOWN ? "</ul></details>" : "</ul>", out);
    if (!all->pairs) fputs("<p class=\"dim\">Similarity was not looked for: grader/setup similarity.</p>", out);
    fputs("</section>\n", out);
}

// ---- What went wrong

void lab_class_verdicts(FILE *out, const lab_class *all) {
    int *count = calloc((size_t)LAB_N_VERDICTS * (size_t)lab_n_tasks, sizeof *count), most = 1;
    if (!count) abort();
    for (int i = 0; i < all->n; i++)
        for (int t = 0; t < lab_n_tasks; t++) {
            const lab_class_task *one = &all->students[i].tasks[t];
            if (!one->graded) continue;
            const int now = ++count[(int)one->verdict * lab_n_tasks + t];
            most = now > most ? now : most;
        }
    fputs("<h2>Verdicts</h2>\n<p>How the tasks ended.</p>\n<div class=\"scroll\"><table><thead><tr><th>verdict</th>",
          out);
    for (int t = 0; t < lab_n_tasks; t++) lab_html(out, "<th>%s</th>", lab_tasks[t].id);
    fputs("</tr></thead><tbody>\n", out);
    for (int v = 0; v < LAB_N_VERDICTS; v++) {
        char words[40];
        int any = 0;
        for (int t = 0; t < lab_n_tasks; t++) any += count[v * lab_n_tasks + t];
        if (!any) continue;
        lab_html(out, "<tr><td>%s</td>", lab_verdict_words(words, (lab_verdict)v));
        for (int t = 0; t < lab_n_tasks; t++) {
            const int n = count[v * lab_n_tasks + t];
            if (n)
                lab_html(out, "<td class=\"heat\" style=\"--share: %f\">%i</td>", 0.06 + 0.4 * n / most, n);
            else
                fputs("<td></td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    free(count);
}

static int by_failures(const void *a, const void *b) {
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    const double p = lab_num(x, "failed"), q = lab_num(y, "failed"), s = isnan(p) ? 0 : p, t = isnan(q) ? 0 : q;
    if (s != t) return s < t ? 1 : -1;
    const int task = strcmp(lab_str(x, "task"), lab_str(y, "task"));
    return task ? task : strcmp(lab_str(x, "name"), lab_str(y, "name"));
}

static const char *said_most(const json_t *says, int *times) {
    const char *key, *most = "";
    json_t *n;
    *times = 0;
    json_object_foreach((json_t *)says, key, n) {
        if (json_integer_value(n) > *times) *times = (int)json_integer_value(n), most = key;
    }
    return most;
}

static void put_claim(FILE *out, const json_t *row) {
    const double failed = lab_num(row, "failed"), tried = lab_num(row, "tried");
    const char *todo = lab_str(row, "todo");
    int times;
    const char *said = said_most(json_object_get(row, "says"), &times);
    lab_html(out,
             "<tr><td>%t</td><td class=\"text\">%t%s%t%s</td><td class=\"text\"><span class=\"meter\"><i "
             "style=\"width: %f%%\"></i></span></td><td>%D</td><td>%D</td><td class=\"text\">%t <small>%i "
             "time%s</small></td></tr>\n",
             lab_str(row, "task"), lab_str(row, "name"), *todo ? " (TODO " : "", todo, *todo ? ")" : "",
             100 * failed / tried, failed, tried, said, times, times == 1 ? "" : "s");
}

void lab_class_claims(FILE *out, const lab_class *all) {
    json_t *rows = lab_sorted(json_incref(all->claims), by_failures), *row;
    size_t i;
    int n = 0;
    json_array_foreach(rows, i, row) {
        if (n == CLAIMS || !(lab_num(row, "failed") > 0)) break;
        if (!n++)
            fputs(
                "<h2>What to teach again</h2>\n<p>The claims that fail most, of those who have written the code. Open "
                "TODOs do not count.</p>\n<div class=\"scroll\"><table><thead><tr><th>task</th><th "
                "class=\"text\">claim</th><th></th><th>fail</th><th>of</th><th class=\"text\">what was said most "
                "often</th></tr></thead><tbody>\n",
                out);
        put_claim(out, row);
    }
    if (n) fputs("</tbody></table></div>\n", out);
    json_decref(rows);
}

// ---- The students

static const char *class_of(lab_verdict v) {
    switch (v) {
    case LAB_PASSED: return "good";
    case LAB_MISSING:
    case LAB_SKIPPED: return "none";
    case LAB_TIMING_SUSPECT:
    case LAB_FORBIDDEN_SYMBOL: return "odd";
    default: return "bad";
    }
}

static void put_filters(FILE *out, const lab_class *all) {
    int seen[LAB_N_VERDICTS] = {0};
    for (int i = 0; i < all->n; i++)
        for (int t = 0; t < lab_n_tasks; t++)
            if (all->students[i].tasks[t].graded) seen[all->students[i].tasks[t].verdict] = 1;
    fputs("<div id=\"filters\" hidden><input id=\"search\" type=\"search\" placeholder=\"name\" aria-label=\"name\"> "
          "<select id=\"verdict\" aria-label=\"verdict\"><option value=\"\">all verdicts</option><option "
          "value=\"look\">to look at</option>",
          out);
    for (int v = 0; v < LAB_N_VERDICTS; v++) {
        char words[40];
        if (seen[v])
            lab_html(out, "<option value=\"%s\">%s</option>", lab_verdict_name((lab_verdict)v),
                     lab_verdict_words(words, (lab_verdict)v));
    }
    fputs("</select> <span id=\"shown\" class=\"dim\" aria-live=\"polite\"></span></div>\n", out);
}

static void put_task(FILE *out, const lab_class_task *one) {
    char words[40];
    if (!one->graded) {
        fputs("<td class=\"none\" data-v=\"-1\">-</td>", out);
        return;
    }
    lab_html(out, "<td class=\"%s\" data-v=\"%f\">%P%s%s%s</td>", class_of(one->verdict), one->score, one->score,
             one->verdict == LAB_PASSED ? "" : "<small>",
             one->verdict == LAB_PASSED ? "" : lab_verdict_words(words, one->verdict),
             one->verdict == LAB_PASSED ? "" : "</small>");
}

// Points that people gave, days late, and the sum of all.
static void put_by_hand(FILE *out, const lab_student *s) {
    double points = 0, days = s->manual ? lab_num(s->manual, "late_days") : 0;
    json_t *item;
    size_t i;
    json_array_foreach(json_object_get(s->manual, "items"), i, item) {
        points += json_number_value(json_object_get(item, "points"));
    }
    const double total = s->manual ? lab_num(s->manual, "total") : s->score + s->bonus;
    lab_html(out, "<td data-v=\"%f\">%P</td><td data-v=\"%f\">%P</td><td data-v=\"%f\"><b>%P</b></td>", points, points,
             days, days, s->error ? -1 : total, s->error ? NAN : total);
}

static void put_student(FILE *out, const lab_class *all, const lab_student *s) {
    const int look = is_odd(s) || is_error(s);
    lab_html(out, "<tr%s data-verdicts=\"%s",
             is_error(s) ? " class=\"bad\""
             : look      ? " class=\"odd\""
                         : "",
             look ? "look" : "");
    for (int t = 0; t < lab_n_tasks; t++)
        if (s->tasks[t].graded) lab_html(out, " %s", lab_verdict_name(s->tasks[t].verdict));
    if (s->no_pages)
        lab_html(out, "\"><td><bdi>%t</bdi></td>", s->name);
    else
        lab_html(out, "\"><td><a href=\"%u/Results.md\"><bdi>%t</bdi></a></td>", s->folder,
                 *s->name ? s->name : "(no name)");
    if (s->error)
        fputs("<td class=\"bad\" data-v=\"-1\">-<small>grader error</small></td><td data-v=\"-1\"></td>", out);
    else
        lab_html(out, "<td data-v=\"%f\"><b>%P</b> <small>of %P</small></td><td data-v=\"%f\">%s%P</td>", s->score,
                 s->score, s->max_score, s->bonus, s->bonus > 0 ? "+" : "", s->bonus);
    if (all->by_hand) put_by_hand(out, s);
    for (int t = 0; t < lab_n_tasks; t++) put_task(out, &s->tasks[t]);
    if (s->no_pages)
        fputs("<td></td></tr>\n", out);
    else
        lab_html(out, "<td><a href=\"%u/details.md\">details</a></td></tr>\n", s->folder);
}

void lab_class_students(FILE *out, const lab_class *all) {
    fputs("<h2>Students</h2>\n", out);
    put_filters(out, all);
    fputs("<div class=\"scroll tall\"><table id=\"students\"><thead><tr><th><button>submission</button></th><th "
          "data-down><button>score</button></th><th data-down><button>bonus</button></th>",
          out);
    if (all->by_hand)
        fputs("<th data-down><button>by hand</button></th><th data-down><button>days late</button></th><th "
              "data-down><button>total</button></th>",
              out);
    for (int t = 0; t < lab_n_tasks; t++)
        lab_html(out, "<th data-down title=\"%t\"><button>%s</button></th>", lab_tasks[t].title, lab_tasks[t].id);
    fputs("<th></th></tr></thead><tbody>\n", out);
    for (int i = 0; i < all->n; i++) put_student(out, all, &all->students[i]);
    fputs("</tbody></table></div>\n", out);
}
