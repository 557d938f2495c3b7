// table.c: lines that stay, and lines that are drawn again.
#define _GNU_SOURCE
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "process.h"
#include "text.h"

enum { MOST_LINES = 40, NAME_COLUMNS = 30 };

static struct {
    int lines;  // drawn below the cursor's line of the last permanent text
    double drawn, begun;
    int done, before;  // submissions; of them, in an earlier run
    int failed;
} now;

const char *lab_shown(const char *name) {
    static char text[2][1024];
    static int i;
    i = !i;
    snprintf(text[i], sizeof text[i], "%s", name);
    lab_clean_text(text[i]);
    return text[i];
}

static int is_live(void) { return isatty(STDOUT_FILENO); }

// Takes the lines below away; what is printed next stays.
static void erase(void) {
    if (now.lines) printf("\033[%dA\r\033[J", now.lines);
    now.lines = 0, now.drawn = 0;
}

// A name in a column as wide as others': a letter may take several bytes.
static const char *in_column(const char *name) {
    static char text[512];
    const char *shown = lab_shown(name);
    int columns = 0;
    for (const char *p = shown; *p; p++) columns += ((unsigned char)*p & 0xc0) != 0x80;
    snprintf(text, sizeof text, "%s%*s", shown, columns < NAME_COLUMNS ? NAME_COLUMNS - columns : 0, "");
    return text;
}

void lab_table_step(lab_arguments *all, lab_entry *e, const char *step) {
    snprintf(e->step, sizeof e->step, "%s", step);
    if (strncmp(step, "task", 4)) return;
    if (is_live() && all->n > 1) return;  // a class is told by submissions
    erase();
    printf("  %s %s\n", in_column(e->name), step);
    fflush(stdout);
}

void lab_table_done(lab_arguments *all, const lab_entry *e, const lab_outcome *o) {
    erase();
    now.done++, now.failed += !o->ok;
    if (o->ok)
        printf("  %s %g of %g points, %s/%s/Results.md\n", in_column(e->name), o->score, o->max_score, all->out,
               lab_shown(e->folder));
    else
        printf("  %s could not be graded: %s\n", in_column(e->name), lab_shown(o->why));
    fflush(stdout);
}

void lab_table_graded_before(lab_arguments *all, const lab_entry *e) {
    (void)all;
    erase();
    now.done++, now.before++;
    printf("  %s already graded\n", in_column(e->name));
}

void lab_table_skipped(void) { now.done++, now.before++; }

static void put_duration(char text[32], double seconds) {
    const int s = (int)seconds;
    if (s < 3600)
        snprintf(text, 32, "%d:%02d", s / 60, s % 60);
    else
        snprintf(text, 32, "%d h %02d min", s / 3600, s / 60 % 60);
}

// No line may be longer than the terminal is wide: it would be two, and erase() would miss one.
static void put_line(const char *line) {
    struct winsize size = {.ws_col = 80};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col) size.ws_col = 80;
    int columns = 0, bytes = 0, n;
    uint32_t code;
    for (; line[bytes] && columns < size.ws_col - 1; bytes += n, columns += code < 0x1100 ? 1 : 2)
        if (!(n = lab_utf8(line + bytes, &code))) break;
    printf("%.*s\n", bytes, line);
    now.lines++;
}

static void put_header(const lab_arguments *all) {
    char line[256], rest[32];
    const int fresh = now.done - now.before;
    const double took = lab_now() - now.begun;
    int n = snprintf(line, sizeof line, "  %d of %d done", now.done, all->n);
    if (now.failed) n += snprintf(line + n, sizeof line - n, ", %d could not be graded", now.failed);
    if (fresh && took > 0) {
        put_duration(rest, took / fresh * (all->n - now.done));
        snprintf(line + n, sizeof line - n, ", %.0f an hour, about %s left", 3600 * fresh / took, rest);
    }
    put_line(line);
}

void lab_table_show(const lab_arguments *all, int begun) {
    if (!now.begun) now.begun = lab_now();
    if (!is_live() || lab_now() - now.drawn < 0.1) return;
    erase();
    if (all->n > 1) put_header(all);
    for (int i = 0, shown = 0; i < begun && shown < MOST_LINES; i++) {
        const lab_entry *e = &all->entries[i];
        char line[512], took[32];
        if (!e->pid) continue;
        put_duration(took, lab_now() - e->since);
        snprintf(line, sizeof line, "  %s %s  %s", in_column(e->name), took, *e->step ? lab_shown(e->step) : "begins");
        put_line(line);
        shown++;
    }
    now.drawn = lab_now();
    fflush(stdout);
}

void lab_table_say(const char *format, ...) {
    va_list words;
    va_start(words, format);
    erase();
    vprintf(format, words);
    putchar('\n');
    fflush(stdout);
    va_end(words);
}

void lab_table_end(void) {
    erase();
    fflush(stdout);
}
