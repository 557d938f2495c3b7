// source_leaving.c: threads that return before a barrier, and what they leave undone.
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_leaving.h"
#include "source_lines.h"

enum { MOST_LOOKS = 500, DEEP = 5 };  // names that one is made of by way of others

// Looks through a whole text, of one hint: a file may be a megabyte of the words that a hint looks for.
static int looks;

// From a kernel's `return;` on: the barrier behind it; NULL: it sends nobody away from one.
static const char *barrier_behind(const char *text, const char *kernel, const char *leave) {
    const char *barrier = leave ? strstr(leave, "__syncthreads") : NULL, *end = leave ? strstr(leave, "\n}") : NULL;
    if (!barrier || (end && end < barrier)) return NULL;  // behind the kernel begins a class, which is no function
    return lab_function_of(text, leave) == kernel && lab_function_of(text, barrier) == kernel ? barrier : NULL;
}

// Behind what a name is set to: "a = f(x, y), b = 2;" sets two.
static const char *behind_value(const char *at) {
    for (int deep = 0; *at && *at != ';' && *at != '\n' && (deep || *at != ','); at++)
        deep += *at == '(', deep -= *at == ')';
    return at;
}

// Does what stands there depend on the thread, by the lines of the kernel that set its names?
static int differs_by_thread(const char *kernel, const char *from, const char *to, int depth) {
    static const char *const own[] = {"threadIdx", "thread_rank", "meta_group_rank"};  // of cooperative groups, too
    for (const char *c = from; c < to; c++) {
        char made[40];
        const size_t n = strspn(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        for (int i = 0; i < 3; i++)
            if (n == strlen(own[i]) && strncmp(c, own[i], n) == 0) return 1;
        snprintf(made, sizeof made, " %.*s = ", n < 32 ? (int)n : 0, c);
        const int is_member = c > kernel && (c[-1] == '.' || (c[-1] == '>' && c[-2] == '-'));  // blockIdx.y is no y
        const char *line = n && depth && !is_member && looks++ < MOST_LOOKS ? strstr(kernel, made) : NULL;
        if (line && line < from && differs_by_thread(kernel, line + n + 4, behind_value(line + n + 4), depth - 1))
            return 1;
        c += n ? n - 1 : 0;
    }
    return 0;
}

int lab_differs_by_thread(const char *kernel, const char *from, const char *to) {
    looks = 0;
    return differs_by_thread(kernel, from, to, DEEP);
}

// The kernel that a report names, where it says that some of its threads have returned before.
static const char *kernel_left(const char *text, const char *report) {
    char name[LAB_LONGEST_WORD];
    const char *at = strstr(report, "had returned from the kernel before") ? strstr(report, "kernel ") : NULL;
    if (!at || sscanf(at, "kernel %47[A-Za-z0-9_]", name) != 1) return NULL;
    for (at = text; (at = strstr(at, name)); at += strlen(name)) {
        const char *function = lab_function_of(text, at), *global = strstr(function, "__global__");
        if (lab_is_word_at(text, at, name) && at[strlen(name)] == '(' && global && global < at) return function;
    }
    return NULL;
}

// Threads that leave before a barrier do not load their share. Where it is some of a block that leave, that is the mistake;
// a whole block does no harm.
lab_hint lab_hint_of_leaving_early(const char *text, const char *report, char *sentence, size_t size) {
    int line[1];
    if (strncmp(report, "read of memory that was never written: shared", 45) || !lab_lines_of(report, line, 1))
        return LAB_HINT_NONE;
    const char *at = lab_line_at(text, line[0]), *kernel = at ? lab_function_of(text, at) : NULL;
    const char *leave = kernel ? strstr(kernel, "return;") : NULL;
    const char *barrier = barrier_behind(text, kernel, leave), *global = kernel ? strstr(kernel, "__global__") : NULL;
    if (kernel && !(global && global < at)) {  // a function of the kernel reads it
        kernel = kernel_left(text, report), leave = kernel ? strstr(kernel, "return;") : NULL;
        barrier = barrier_behind(text, kernel, leave);
    } else if (leave > at)
        return LAB_HINT_NONE;
    if (!barrier) return LAB_HINT_NONE;
    const char *condition = leave;
    while (condition > kernel && strncmp(condition, "if (", 4)) condition--;
    looks = 0;
    const int differs = differs_by_thread(kernel, condition, leave, 3);
    if (!differs && !strstr(report, "had returned from the kernel before")) return LAB_HINT_NONE;
    snprintf(sentence, size,
             "threads that line %d sends away load no share of what the block loads before the __syncthreads() of line "
             "%d: let them stay, and guard what they store",
             lab_line_of(text, leave), lab_line_of(text, barrier));
    return differs ? LAB_HINT_FIRST : LAB_HINT_BESIDE;
}

// A loop around the barrier that a report names, whose end differs from thread to thread: for (...; k < stop; ...).
int lab_hint_of_bound(const char *text, const char *report, char *sentence, size_t size) {
    const char *waits = strstr(report, "waits thread");
    int line[1];
    if (!strstr(report, "__syncthreads() in divergent code") || !waits || !lab_lines_of(waits, line, 1)) return 0;
    const char *barrier = lab_line_at(text, line[0]), *kernel = barrier ? lab_function_of(text, barrier) : text;
    looks = 0;
    for (const char *loop = kernel; looks++ < MOST_LOOKS && (loop = strstr(loop, "for (")) && loop < barrier; loop++) {
        const char *close = lab_behind_bracket(loop + 4), *body = close + strspn(close, " \n");
        const char *condition = strchr(loop, ';'), *end = condition ? strchr(condition + 1, ';') : NULL;
        if (*body != '{' || lab_behind_bracket(body) < barrier || !end || end > close) continue;
        const char *bound = end;
        while (lab_is_word(bound[-1])) bound--;
        char made[LAB_LONGEST_WORD + 4], name[LAB_LONGEST_WORD];
        if (!strchr("<=", bound[-1 - (bound[-1] == ' ')]) || !lab_copy_word(bound, end, name)) continue;
        snprintf(made, sizeof made, " %s = ", name);
        const char *set = strstr(kernel, made), *value = set ? set + strlen(made) : NULL;
        if (!set || set > loop || !differs_by_thread(kernel, value, behind_value(value), 3)) continue;
        snprintf(sentence, size,
                 "the loop of line %d ends at %s, which line %d makes of the thread's own number: some threads leave "
                 "it before others, and the barrier in line %d waits for all. Let it end at the same for the whole "
                 "block, and guard the work in it",
                 lab_line_of(text, loop), name, lab_line_of(text, set + 1), line[0]);
        return 1;
    }
    return 0;
}

const char *lab_exit_in(const char *kernel, const char *loop, const char *end) {
    static const char *const exits[] = {"break;", "continue;", "return;"};
    for (const char *at = loop; at < end; at++) {
        for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
            if (strncmp(at, exits[i], strlen(exits[i])) || lab_is_word(at[-1])) continue;
            const char *condition = at;
            while (condition > loop && strncmp(condition, "if (", 4)) condition--;
            if (condition > loop && !memchr(condition, ';', (size_t)(at - condition)) && looks++ < MOST_LOOKS &&
                differs_by_thread(kernel, condition, at, DEEP))
                return at;
        }
    }
    return NULL;
}

int lab_say_exit(const char *text, const char *leave, int barrier, char *sentence, size_t size) {
    return snprintf(sentence, size,
                    "line %d sends some threads %s (%.*s), and the barrier in line %d, in that loop, waits for all of "
                    "the block: let all of them make every round, and put the work alone under a condition",
                    lab_line_of(text, leave), *leave == 'c' ? "into the next round" : "out of the loop",
                    (int)strcspn(leave, ";"), leave, barrier) > 0;
}

// Threads that leave a loop, or a round of it, while the others wait for them at a barrier in it.
int lab_hint_of_exit(const char *text, const char *report, char *sentence, size_t size) {
    int line[8];
    const char *waits = strstr(report, "waits thread");
    const int n = strstr(report, "__syncthreads() in divergent code") && waits ? lab_lines_of(waits, line, 8) : 0;
    looks = 0;
    for (int i = 0; i < n; i++) {
        const char *barrier = lab_line_at(text, line[i]), *kernel = barrier ? lab_function_of(text, barrier) : text;
        for (const char *loop = kernel; barrier && loop < barrier && looks++ < MOST_LOOKS; loop++) {
            const char *next_for = strstr(loop, "for ("), *next_while = strstr(loop, "while (");
            loop = !next_for || (next_while && next_while < next_for) ? next_while : next_for;
            if (!loop || loop > barrier) break;
            const char *close = lab_behind_bracket(strchr(loop, '(')), *body = close + strspn(close, " \n");
            if (*body != '{' || lab_behind_bracket(body) < barrier) continue;
            const char *leave = lab_exit_in(kernel, body, lab_behind_bracket(body));
            if (!leave) continue;
            return lab_say_exit(text, leave, line[i], sentence, size);
        }
    }
    return 0;
}

int lab_hint_of_leaving(const char *text, char *sentence, size_t size) {
    looks = 0;
    for (const char *leave = text; looks++ < MOST_LOOKS && (leave = strstr(leave, "return;")); leave++) {
        const char *kernel = lab_function_of(text, leave), *barrier = barrier_behind(text, kernel, leave);
        const char *global = strstr(kernel, "__global__");
        if (!barrier || !global || global > kernel + strcspn(kernel, "\n")) continue;
        const char *condition = leave;
        while (condition > text && condition[-1] != '\n') condition--;
        if (!differs_by_thread(kernel, condition, leave, 3)) continue;  // the whole block leaves
        snprintf(
            sentence, size,
            "line %d sends threads away, and behind it, in line %d, the block waits for all of them: do they still "
            "load a share of what others read, there or in the loop's next round? Let them stay, and guard what "
            "they store",
            lab_line_of(text, leave), lab_line_of(text, barrier));
        return 1;
    }
    return 0;
}
