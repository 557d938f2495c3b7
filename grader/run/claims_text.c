// claims_text.c: what is said about a claim that fails, in 80 columns, one fact a line, and each cause once.
#include "claims_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "pointwise.h"

enum { SHOWN_LOG = 400, MOST_CAUSES = 32 };  // bytes of a stage's own output

void lab_print_wrapped(const char *text, int from, int hang, int at) {
    int column = from;
    int started = 0;
    printf("%*s", from - at, "");
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (started && column + 1 + word > 80)
            printf("\n%*s", from + hang, ""), column = from + hang;
        else if (started)
            putchar(' '), column++;
        printf("%.*s", word, text), column += word, started = 1;
        text += word + strspn(text + word, " ");
    }
    putchar('\n');
}

static int is_number(char c) { return isdigit((unsigned char)c) || c == '.'; }

static const char *behind_address(const char *text) { return text + 2 + strspn(text + 2, "0123456789abcdef"); }

// The same words, whatever their numbers; the number of a line, after a colon, counts.
static int same_cause(const char *a, const char *b) {
    for (char before = ' '; *a && *b;) {
        if (strncmp(a, "0x", 2) == 0 && strncmp(b, "0x", 2) == 0)
            a = behind_address(a), b = behind_address(b);
        else if (before != ':' && is_number(*a) && is_number(*b)) {
            while (is_number(*a)) a++;
            while (is_number(*b)) b++;
            before = '0';
        } else {
            if (*a != *b) return 0;
            before = is_number(*a) && before == ':' ? ':' : *a;
            a++, b++;
        }
    }
    return *a == *b;
}

static struct {
    char cause[MOST_CAUSES][sizeof((lab_result *)0)->diagnosis];
    int n;
} told;

// Of a wrong output the numbers belong to the cause, of a report of checked mode they do not.
static int is_told(const char *cause, int numbers_count) {
    for (int i = 0; i < told.n; i++)
        if (numbers_count ? !strcmp(told.cause[i], cause) : same_cause(told.cause[i], cause)) return 1;
    return 0;
}

// 1 if it has been told; now it has.
static int told_before(const char *cause, int numbers_count) {
    if (is_told(cause, numbers_count)) return 1;
    if (told.n < MOST_CAUSES) snprintf(told.cause[told.n++], sizeof *told.cause, "%s", cause);
    return 0;
}

int lab_report_is_told(const lab_result *r) { return !r->compared && *r->diagnosis && is_told(r->diagnosis, 0); }

void lab_print_line(const char *word, const lab_case *c, const lab_result *r) {
    const int color = isatty(STDOUT_FILENO), passed = r->verdict == LAB_PASSED;
    printf("%s%-14s%s %s", !color ? "" : passed ? "\033[32m" : "\033[31m", word, color ? "\033[0m" : "", c->claim);
    if (passed && r->compared && !c->todo) printf("%*s max_err %.2g", 45 - (int)strlen(c->claim), "", r->cmp.max_err);
}

void lab_print_facts(char *text, int from, int hang, int at) {
    for (char *fact = text, *end; fact; fact = end) {
        if ((end = strstr(fact, "; "))) *end = 0, end += 2;
        lab_print_wrapped(fact, fact == text ? from : from + hang, 2, fact == text ? at : 0);
    }
}

void lab_print_diagnosis(const lab_result *r) {
    char explained[sizeof r->diagnosis], where[sizeof r->diagnosis + 40];
    const char *wrong = strstr(r->diagnosis, "wrong: ");
    if (!wrong) wrong = r->diagnosis + strlen(r->diagnosis);
    snprintf(explained, sizeof explained, "%.*s", (int)(wrong - r->diagnosis), r->diagnosis);
    char *end = explained + strlen(explained);
    while (end > explained && (end[-1] == ' ' || end[-1] == ';')) *--end = 0;
    const int again = *explained && told_before(explained, r->compared);
    if (again && !r->compared) {
        printf("  as above\n");
        return;
    }
    putchar('\n');
    if (*explained && !again) lab_print_facts(explained, LAB_DETAIL, 0, 0);
    if (r->compared && r->cmp.not_finite && r->cmp.max_err < LAB_TOLERANCE)  // what is a number is right
        snprintf(where, sizeof where, "NaN or Inf%s%s", *wrong ? ", " : "", wrong);
    else if (r->compared && fabs(r->cmp.max_err + LAB_HIDDEN) < 100)  // a probe's number for -INFINITY
        snprintf(where, sizeof where, "a score is -INFINITY and must not be, or must be and is not%s%s",
                 *wrong ? ", " : "", wrong);
    else if (r->compared)
        snprintf(where, sizeof where, "max_err %.2g%s%s", r->cmp.max_err, *wrong ? ", " : "", wrong);
    else
        snprintf(where, sizeof where, "%s", wrong);
    if (*where) lab_print_wrapped(where, LAB_DETAIL, 2, 0);
}

// The stage's own output: without empty lines around it, and without what would act on the student's terminal.
void lab_print_log(const char *log) {
    int visible = 0;
    for (const char *c = log; *c; c++) visible |= isgraph((unsigned char)*c) != 0;
    if (!visible) return;
    log += strspn(log, " \r\n\t");
    size_t length = strlen(log);
    while (length && strchr(" \r\n\t", log[length - 1])) length--;
    printf("%*sit printed: ", LAB_DETAIL, "");
    for (size_t i = 0; i < length && i < SHOWN_LOG; i++) {
        if (log[i] == '\n')
            printf("\n%*s", LAB_DETAIL + 2, "");
        else if (log[i] != '\r')
            putchar((unsigned char)log[i] >= ' ' ? log[i] : '?');
    }
    puts(length > SHOWN_LOG ? " ..." : "");
}
