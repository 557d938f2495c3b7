// leaderboard_show.c: the boards for a terminal, and as a page of one file, without scripts.
#include <math.h>
#include <string.h>

#include "html.h"
#include "leaderboard.h"

enum { BAR = 28 };

static const char no_member[] = "Nobody has chosen a name yet. Who wants to take part writes a file `nickname`\n"
                                "  beside the task folders, and is graded again; an instructor may write\n"
                                "  DIR/leaderboard.csv: submission,nickname.";

static double largest(const lab_ranking *r) {
    double most = 0;
    for (int i = 0; i < r->n; i++) most = fmax(most, r->entry[i].value);
    return most;
}

// Characters, not bytes.
static int width_of(const char *text) {
    int n = 0;
    for (; *text; text++) n += (*text & 0xc0) != 0x80;
    return n;
}

static void board_text(FILE *out, const lab_board *b, const lab_ranking *r) {
    const double most = largest(r);
    fprintf(out, "\n  %s, %s%s\n", b->title, b->unit, r->rungs ? "; the ladder's rungs on an NVIDIA H200" : "");
    for (int i = 0; i < r->n; i++) {
        const lab_entry *e = &r->entry[i];
        char place[8] = "  ", bar[BAR + 1] = "";
        if (!e->landmark) snprintf(place, sizeof place, "%2d", e->place);
        memset(bar, e->landmark ? '.' : '#', BAR);
        bar[(int)fmax(1, BAR * e->value / most)] = 0;
        fprintf(out, "  %s  %s%*s %9.4g  %s\n", place, e->name, 34 - width_of(e->name), "", e->value, bar);
    }
}

void lab_leaderboard_text(FILE *out, const json_t *members, int all, const json_t *ladder) {
    static lab_ranking r;
    int boards = 0;
    fprintf(out, "leaderboard  %d of %d submissions take part; dots are landmarks\n", (int)json_array_size(members),
            all);
    if (!json_array_size(members)) fprintf(out, "  %s\n", no_member);
    for (int i = 0; i < lab_n_boards; i++)
        if (lab_rank_worth_it(&r, &lab_boards[i], members, ladder)) board_text(out, &lab_boards[i], &r), boards++;
    if (json_array_size(members) && !boards) fprintf(out, "  of theirs nothing was timed or counted\n");
}

static const char style[] =
    ":root{--ink:#1c2126;--dim:#5b6570;--line:#d5d9dd;--bar:#0072b2;--mark:#8a6d00}"
    "body{margin:1.5rem auto;max-width:60rem;padding:0 1rem;background:#fff;color:var(--ink);"
    "font:15px/1.45 system-ui,sans-serif}"
    "h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:1.8rem 0 .4rem}.dim{color:var(--dim)}"
    "table{border-collapse:collapse;width:100%}td{padding:.15rem .4rem;border-bottom:1px solid var(--line)}"
    "td.place{width:2.5rem;text-align:right;font-weight:700}td.value{width:7rem;text-align:right;"
    "font-variant-numeric:tabular-nums}td.bar{width:45%}"
    ".bar i{display:block;height:1rem;background:var(--bar);border-radius:0 3px 3px 0}"
    "tr.mark td{color:var(--dim);font-style:italic}"
    "tr.mark .bar i{background:repeating-linear-gradient(90deg,var(--mark) 0 4px,transparent 4px 8px)}";

static void board_page(FILE *out, const lab_board *b, const lab_ranking *r) {
    const double most = largest(r);
    lab_html(out, "<h2>%s</h2>\n<p class=dim>%s%s%s</p>\n<table>\n", b->title, b->unit,
             b->least_is_best ? ": bytes that the kernel moved over those that it must move; the least is best" : "",
             r->rungs ? "; the ladder's rungs were measured on an NVIDIA H200" : "");
    for (int i = 0; i < r->n; i++) {
        const lab_entry *e = &r->entry[i];
        char value[32], width[32], place[16] = "";
        snprintf(value, sizeof value, "%.4g", e->value);
        snprintf(width, sizeof width, "%.1f", 100 * e->value / most);
        if (!e->landmark) snprintf(place, sizeof place, "%d", e->place);
        lab_html(out, "<tr%s><td class=place>%s<td>%t<td class=value>%s<td class=bar><i style=\"width:%s%%\"></i>\n",
                 e->landmark ? " class=mark" : "", place, e->name, value, width);
    }
    lab_html(out, "</table>\n");
}

void lab_leaderboard_page(FILE *out, const json_t *members, int all, const json_t *ladder) {
    static lab_ranking r;
    lab_html(
        out,
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<title>Leaderboard</title><style>%s</style>\n<h1>Leaderboard</h1>\n"
        "<p>%i of %i submissions take part: those whose authors chose a name. Times within the noise share a place. "
        "Striped bars are landmarks: what was measured beside the class, and the rungs of the ladder.</p>\n",
        style, (int)json_array_size(members), all);
    if (!json_array_size(members)) lab_html(out, "<p>%t</p>\n", no_member);
    for (int i = 0; i < lab_n_boards; i++)
        if (lab_rank_worth_it(&r, &lab_boards[i], members, ladder)) board_page(out, &lab_boards[i], &r);
}
