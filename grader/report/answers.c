// answers.c: finds a report's questions and answers; and DIR/reports.html, which lays a class's answers side by side.
#define _GNU_SOURCE
#include "answers.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "html.h"
#include "text.h"
#include "verbs.h"

// ---- one report

static int begins_question(const char *line, char number[8]) {
    int n = 0;
    return sscanf(line, "**%3[0-9].%3[0-9]**%n", number, number + 4, &n) == 2 && n > 0;
}

static int ends_answer(const char *line) {
    return strncmp(line, "# ", 2) == 0 || strncmp(line, "## ", 3) == 0 || strncmp(line, "<!-- lab:", 9) == 0;
}

static void close_answer(lab_answer *a, const char *end) {
    while (end > a->text && isspace((unsigned char)end[-1])) end--;
    while (a->text < end && isspace((unsigned char)*a->text)) a->text++;
    a->size = (size_t)(end - a->text), a->words = 0;
    for (const char *c = a->text; c < end; c++)
        a->words += !isspace((unsigned char)*c) && (c == a->text || isspace((unsigned char)c[-1]));
}

int lab_find_answers(const char *text, size_t length, lab_answer answers[LAB_MOST_ANSWERS]) {
    static const char prompt[] = "Your answer:";
    enum { NOWHERE, IN_QUESTION, IN_ANSWER } at = NOWHERE;
    int n = 0;
    lab_answer *a = NULL;
    for (const char *line = text, *end = text + length, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        char number[8];
        next = newline ? newline + 1 : end;
        const int question = begins_question(line, number);
        if (at == IN_QUESTION && (question || ends_answer(line))) a->text = line;
        if (at != NOWHERE && (question || ends_answer(line))) close_answer(a, line), at = NOWHERE;
        if (question && n < LAB_MOST_ANSWERS) {
            a = &answers[n++];
            *a = (lab_answer){.question = strstr(line + 2, "**") + 2, .text = next};
            snprintf(a->number, sizeof a->number, "%.3s.%.3s", number, number + 4);
            at = IN_QUESTION;
        } else if (at == IN_QUESTION && strncmp(line, prompt, sizeof prompt - 1) == 0) {
            a->text = line + sizeof prompt - 1, at = IN_ANSWER;
        } else if (at == IN_QUESTION && a->question_size && line[strspn(line, " \t\r")] != '\n')
            a->text = line, at = IN_ANSWER;  // the prompt was deleted
        if (at == IN_QUESTION && line[strspn(line, " \t\r")] == '\n' && !a->question_size)
            a->question_size = (size_t)(line - a->question);
        if (at == IN_ANSWER && !a->question_size) a->question_size = (size_t)(line - a->question);
    }
    if (at == IN_QUESTION) a->text = text + length;
    if (at != NOWHERE) close_answer(a, text + length);
    return n;
}

// ---- a class

typedef struct {
    char *folder, *text;
    lab_answer answers[LAB_MOST_ANSWERS];
    int n;
} student;

static const char style[] =
    "body{max-width:56rem;margin:2rem auto;padding:0 1rem;font:15px/1.5 sans-serif;color:#111}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;padding:.6rem;background:#f5f5f8;font:14px/1.45 "
    "serif}section{display:grid;grid-template-columns:1fr 6rem;gap:0 1rem;break-inside:avoid;margin:.8rem 0}"
    "h3{margin:0;font-size:1rem;grid-column:1/3}.box{border:1px solid #888;min-height:3rem;padding:.3rem;color:#555;"
    "font-size:.8rem}.none{color:#a00}table{border-collapse:collapse}td,th{padding:.1rem .6rem;text-align:left}";

// Text of a student, with its lines.
static void put_text(FILE *out, const char *text, size_t size) {
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        const int part = lab_utf8_part(text + i, size - i), bytes = part > 0 ? part : 1;
        char c[8] = "";
        memcpy(c, text + i, (size_t)bytes);
        if (part > 0) lab_utf8(c, &code);
        if (*c == '\n' || *c == '\t' || *c == ' ' || isalnum((unsigned char)*c))
            fputc(*c, out);
        else if (*c != '\r')
            lab_html(out, "%t", part > 0 && !lab_acts_on_a_page(code) ? c : "?");
        i += (size_t)bytes;
    }
}

static const lab_answer *answer_to(const student *s, const char *number) {
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->answers[i].number, number) == 0) return &s->answers[i];
    return NULL;
}

static int written(const student *s) {
    int n = 0;
    for (int i = 0; i < s->n; i++) n += s->answers[i].words >= LAB_LEAST_WORDS;
    return n;
}

// A student who wrote nothing has a line in the table, and none below.
static void put_question(FILE *out, const lab_answer *q, const student *all, int n) {
    int silent = 0;
    lab_html(out, "<h2>%t</h2>\n<p>", q->number);
    put_text(out, q->question, q->question_size);
    fputs("</p>\n", out);
    for (int i = 0; i < n; i++) {
        const lab_answer *a = answer_to(&all[i], q->number);
        if (!a || a->words < LAB_LEAST_WORDS) {
            silent++;
            continue;
        }
        lab_html(out, "<section><h3>%t</h3><pre>", all[i].folder);
        put_text(out, a->text, a->size);
        fputs("</pre><div class=\"box\">points</div></section>\n", out);
    }
    if (silent) lab_html(out, "<p class=\"none\">Not written: %i of %i.</p>\n", silent, n);
}

static void put_page(FILE *out, const student *all, int n, const student *asked) {
    lab_html(out,
             "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-"
             "Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>The reports</title><style>%s"
             "</style></head><body>\n<h1>The reports</h1>\n<p>Question by question, with boxes for points. What you "
             "give goes into manual.csv (item: report). An answer counts as written from %i words on; the lab does not "
             "judge it.</p>\n<table><tr><th>report</th><th>answers</th></tr>\n",
             style, LAB_LEAST_WORDS);
    for (int i = 0; i < n; i++)
        lab_html(out, "<tr><td><a href=\"%u/report.md\">%t</a></td><td>%i of %i</td></tr>\n", all[i].folder,
                 all[i].folder, written(&all[i]), asked->n);
    fputs("</table>\n", out);
    for (int i = 0; i < asked->n; i++) put_question(out, &asked->answers[i], all, n);
    fputs("</body></html>\n", out);
}

static int has_report(const char *dir, const char *name, char path[4400]) {
    snprintf(path, 4400, "%s/%s/report.md", dir, name);
    return *name != '.' && access(path, R_OK) == 0;
}

// The questions are the template's; a report may lack some.
int lab_report_answers(int argc, char **argv) {
    (void)argc;
    struct dirent **entries;
    char path[4400], *page = NULL;
    student asked = {0}, *all;
    size_t size;
    int n = 0, good = 1;
    const int found = scandir(argv[0], &entries, NULL, alphasort);
    if (found < 0) return perror(argv[0]), 1;
    all = calloc((size_t)found + 1, sizeof *all);
    if (!all || !(asked.text = lab_read_file("report_template/report.md", &size))) return 1;
    asked.n = lab_find_answers(asked.text, size, asked.answers);
    for (int i = 0; i < found; i++) {
        student *s = &all[n];
        if (!has_report(argv[0], entries[i]->d_name, path) || !(s->text = lab_read_file(path, &size))) continue;
        s->folder = entries[i]->d_name;
        s->n = lab_find_answers(s->text, size, s->answers);
        n++;
    }
    if (n) {
        FILE *out = open_memstream(&page, &size);
        if (!out) abort();
        put_page(out, all, n, &asked);
        fclose(out);
        snprintf(path, sizeof path, "%s/reports.html", argv[0]);
        good = lab_write_file(path, page, size);
    }
    for (int i = 0; i < found; i++) free(entries[i]);
    for (int i = 0; i < n; i++) free(all[i].text);
    free(entries), free(all), free(asked.text), free(page);
    return !good;
}
