// claims_text.c: what is said about a claim that fails, in 80 columns, one fact a line, and each cause once.
#include "claims_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "pointwise.h"

enum { SHOWN_LINES = 4, MOST_CAUSES = 32 };  // of a stage's own output

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

// A report is known by what happened and in which line; who was there comes behind it. Of a race, its lines count.
// A launch is refused for one reason, whichever function of the task has made it.
static void cause_of(const char *text, char cause[sizeof *told.cause]) {
    const char *launch = strstr(text, " returned ATTN_CUDA_ERROR: launch of ");
    if (launch) text = launch + 1;
    const int of_threads = strstr(text, "read thread (") || strstr(text, "write thread (");
    const char *line = of_threads ? NULL : strstr(text, ".cu:");
    if (!line && !of_threads) line = strstr(text, ".c:");
    const char *name = strstr(text, ": "), *fact = strstr(text, "; ");
    const int begins_with_call = name && fact && name < fact && line && fact < line;  // "attn_flash: an error; where"
    if (begins_with_call) text = fact + 2;
    const int length = line ? (int)(line - text) + (int)strcspn(line, ":") + 1 : 0;
    const int digits = line ? (int)strspn(text + length, "0123456789") : 0;
    snprintf(cause, sizeof *told.cause, "%.*s", line ? length + digits : (int)strlen(text), text);
}

// Who touches the memory of a race, one after another: "flash.cu:75". Returns where to go on, or NULL.
static const char *next_place(const char *at, char place[64]) {
    const char *thread = strstr(at, " thread ("), *from = thread ? strstr(thread, ") ") : NULL;
    if (!from) return NULL;
    snprintf(place, 64, "%.*s", (int)strcspn(from + 2, " ;"), from + 2);
    return from + 2;
}

// The same array and a line in common: one barrier that is missing shows at all lines that read what another stores.
static int is_same_race(const char *a, const char *b) {
    static const char start[] = "data race: ";
    const size_t n = strcspn(a, "[;");
    if (strncmp(a, start, sizeof start - 1) || strncmp(a, b, n) || strcspn(b, "[;") != n) return 0;
    char of_a[64], of_b[64];
    for (const char *at = a; (at = next_place(at, of_a));)
        for (const char *to = b; (to = next_place(to, of_b));)
            if (*of_a && strcmp(of_a, of_b) == 0) return 1;
    return 0;
}

// The numbers belong to a claim, and not to what is said about it.
static int is_told(const char *text) {
    char cause[sizeof *told.cause];
    cause_of(text, cause);
    for (int i = 0; i < told.n; i++)
        if (same_cause(told.cause[i], cause) || is_same_race(told.cause[i], cause)) return 1;
    return 0;
}

// 1 if it has been told; now it has.
static int told_before(const char *text) {
    if (is_told(text)) return 1;
    if (told.n < MOST_CAUSES) cause_of(text, told.cause[told.n++]);
    return 0;
}

// The sentence about why, without where it shows.
static const char *explanation_of(const lab_result *r, char text[sizeof r->diagnosis]) {
    const char *wrong = lab_where_wrong(r->diagnosis);
    snprintf(text, sizeof r->diagnosis, "%.*s", (int)(wrong ? wrong - r->diagnosis : (long)sizeof r->diagnosis),
             r->diagnosis);
    char *end = text + strlen(text);
    while (end > text && (end[-1] == ' ' || end[-1] == ';')) *--end = 0;
    return wrong ? wrong : "";
}

int lab_is_told(const lab_result *r) {
    char text[sizeof r->diagnosis];
    explanation_of(r, text);
    return *text && is_told(text);
}

void lab_print_word(const char *word, int good) {
    const int color = isatty(STDOUT_FILENO);
    printf("%s%-14s%s", !color ? "" : good ? "\033[32m" : "\033[31m", word, color ? "\033[0m" : "");
}

void lab_print_line(const char *word, const lab_case *c, const lab_result *r) {
    const int passed = r->verdict == LAB_PASSED;
    lab_print_word(word, passed);
    printf(" %s", c->claim);
    if (passed && r->compared && !c->todo) printf("%*s max_err %.2g", 45 - (int)strlen(c->claim), "", r->cmp.max_err);
}

// Of a report: what has been said in other words, or tells a student nothing.
static int is_idle(const char *fact) {
    const size_t n = strlen(fact);
    return strncmp(fact, "-> cudaError", 12) == 0 ||
           (strncmp(fact, "called from ", 12) == 0 && n > 12 && strcmp(fact + n - 12, " in a lambda") == 0);
}

// The "; " that ends this fact: none in brackets, where code of the file may stand, and none in a sentence on what the
// numbers match. NULL: it is the last one.
static char *end_of_fact(char *fact, int is_sentence) {
    int depth = 0;
    for (char *at = fact; *at; at++) {
        depth += *at == '(', depth -= *at == ')';
        if (depth <= 0 && at[0] == ';' && at[1] == ' ' && (!is_sentence || !strncmp(at, "; wrong:", 8))) return at;
    }
    return depth > 0 ? strstr(fact, "; ") : NULL;  // a bracket that was cut off
}

void lab_print_facts(char *text, int from, int hang, int at) {
    const char *matches = strstr(text, "matches ");
    const int is_sentence = matches && (matches == text || (!strncmp(text, "TODO ", 5) && matches - text < 12));
    for (char *fact = text, *end; fact; fact = end) {
        if ((end = end_of_fact(fact, is_sentence))) *end = 0, end += 2;
        if (fact == text || !is_idle(fact))
            lab_print_wrapped(fact, fact == text ? from : from + hang, 2, fact == text ? at : 0);
    }
}

void lab_print_diagnosis(const lab_result *r) {
    char explained[sizeof r->diagnosis], where[sizeof r->diagnosis + 40];
    const char *wrong = explanation_of(r, explained);
    const int again = *explained && told_before(explained);
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

// What glibc says of a damaged heap: the verdict says it in other words.
static int is_of_glibc(const char *line) {
    static const char *const starts[] = {"Fatal glibc error", "free()",     "malloc()",       "realloc()",
                                         "double free",       "corrupted ", "munmap_chunk()", "malloc_consolidate()"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(line, starts[i], strlen(starts[i])) == 0) return 1;
    return 0;
}

static int is_empty(const char *line, int length) {
    for (int i = 0; i < length; i++)
        if (isgraph((unsigned char)line[i])) return 0;
    return 1;
}

// The stage's own output, its first lines, as far as they fit: without empty ones, and without what would act on the
// student's terminal.
void lab_print_log(const char *log) {
    int lines = 0, more = 0;
    for (const char *line = log; *line && !more; line += *line == '\n') {
        const int length = (int)strcspn(line, "\n"), room = 80 - LAB_DETAIL - 12 - 4;
        if (!is_of_glibc(line) && !is_empty(line, length)) {
            if ((more = lines == SHOWN_LINES)) break;
            printf("%*s%s", LAB_DETAIL, "", lines++ ? "            " : "it printed: ");
            for (int i = 0; i < length && i < room; i++)
                if (line[i] != '\r') putchar((unsigned char)line[i] >= ' ' ? line[i] : '?');
            puts(length > room ? " ..." : "");
        }
        line += length;
    }
    if (more) printf("%*s ...\n", LAB_DETAIL + 11, "");
}
