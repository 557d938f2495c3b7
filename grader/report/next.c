// next.c: "What to do next". Per task one step: the first open TODO, the first failing claim, or the first missing
// point.
#include "page.h"

#include "markdown.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

// What a verdict asks of the student. A verdict that is not listed needs no advice.
static const struct {
    const char *verdict;
    const char *advice;
} advices[] = {
    {"MISSING", "The code is still to be written."},
    {"FORBIDDEN_FILE", "Hand in regular files only: no link, no folder, no path outside the task."},
    {"COMPILE_ERROR", "Mend the compiler's first error; later ones often follow from it."},
    {"COMPILE_TIMEOUT", "Compiling took too long: look for huge unrolled loops, tables or recursive templates."},
    {"FORBIDDEN_SYMBOL", "Call only what the task allows; the stage computes, the lab allocates, times and prints."},
    {"LOAD_ERROR",
     "The compiled file could not be loaded: a function is not defined, or has another name or signature."},
    {"EARLY_EXIT", "The process ended before the stage returned: return a status, never call exit."},
    {"CRASH", "A signal ended the call: look for an index past the end, first in the last, partial tile."},
    {"TIMEOUT", "The call did not return in time: look for a loop that never ends."},
    {"GPU_HANG", "The kernel never ended: look for a loop or a barrier that some threads never reach."},
    {"OUT_OF_MEMORY", "The call asked for more memory than there is: an S×S buffer is too much in a fused kernel."},
    {"ILLEGAL_ACCESS", "An access outside a buffer: look at the index of the last row, column and block."},
    {"LAUNCH_FAILURE", "The launch was refused: check threads per block and shared memory per block."},
    {"OUTPUT_LIMIT", "The call printed too much: a stage does not print."},
    {"NOT_FINITE",
     "The output holds NaN or infinity, or was not written everywhere: subtract the row maximum, and look "
     "at rows that see no key yet."},
    {"WRONG_ANSWER", "The output differs from the oracle."},
    {"NONDETERMINISTIC",
     "Two runs on the same input differ: look for a race or for memory that is read before it is written."},
    {"INPUT_MODIFIED", "The call wrote into its inputs: write to the output and to your own memory only."},
    {"RACE", "Two threads touch one place without a barrier between them."},
    {"TIMING_SUSPECT", "The time is not believable: work must be finished when the stage returns."},
    {"GRADER_ERROR",
     "The grader failed, not the submission: nothing was taken off. Grade again, or tell the instructor."},
};

static const char *advice_for(const char *verdict) {
    for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++) {
        if (strcmp(advices[i].verdict, verdict) == 0) {
            return advices[i].advice;
        }
    }
    return "";
}

static const json_t *first_failing_case(const json_t *task) {
    const json_t *cases = json_object_get(task, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *test = json_array_get(cases, i);
        if (!results_has_verdict(test, "PASSED") && !results_has_verdict(test, "SKIPPED")) {
            return test;
        }
    }
    return NULL;
}

static const json_t *first_missing_points(const json_t *task) {
    const json_t *criteria = json_object_get(task, "criteria");
    for (size_t i = 0; i < json_array_size(criteria); i++) {
        const json_t *criterion = json_array_get(criteria, i);
        if (results_number(criterion, "points") < results_number(criterion, "max_points")) {
            return criterion;
        }
    }
    return NULL;
}

// The compiler's lines keep their shape; one line needs no block.
static void print_message(const json_t *task) {
    const char *message = results_text(task, "message");
    if (message && strchr(message, '\n')) {
        printf("\n");
        md_block(message);
    } else if (message) {
        printf(" Message: ");
        md_text(message);
        printf("\n");
    } else {
        printf("\n");
    }
}

static void claim(const json_t *test) {
    md_text(results_text(test, "name"));
    printf(" (");
    md_shape(json_object_get(test, "shape"));
    printf(")");
}

static void failing_case_step(const char *id, const json_t *test) {
    const char *todo = results_text(test, "todo"), *diagnosis = results_text(test, "diagnosis");
    const char *verdict = results_text(test, "verdict");
    if (todo) {
        printf("write TODO %s; the first claim that waits for it is ", todo);
        claim(test);
        printf(". Hints: `make %s hint TODO=%s`.", id, todo);
    } else {
        printf("the first failing claim is ");
        claim(test);
        printf(", %s. %s", verdict, advice_for(verdict));
    }
    if (diagnosis) {
        printf(" Diagnosis: ");
        md_text(diagnosis);
        printf(".");
    }
    printf(" Then `make %s test`.", id);
}

// Prints the task's next step, if it has one. Returns whether it had.
static bool next_step(const json_t *task) {
    const char *id = results_text(task, "id");
    const char *verdict = results_text(task, "verdict");
    const json_t *test = first_failing_case(task);
    const json_t *points = first_missing_points(task);
    bool failed = strcmp(verdict, "PASSED") != 0 && strcmp(verdict, "SKIPPED") != 0;
    if (test) {
        printf("\n**%s**: ", id);
        failing_case_step(id, test);
    } else if (failed) {
        printf("\n**%s**: %s. %s Then `make %s test`.", id, verdict, advice_for(verdict), id);
    } else if (points) {
        printf("\n**%s**: correct; points are left in ", id);
        md_text(results_text(points, "name"));
        printf(" (");
        md_text(results_text(points, "why"));
        printf("). Measure with `make %s bench`.", id);
    } else {
        return false;
    }
    print_message(task);
    return true;
}

void page_next(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t steps = 0;
    printf("\n## What to do next\n");
    for (size_t i = 0; i < json_array_size(tasks); i++) {
        steps += next_step(json_array_get(tasks, i));
    }
    if (steps == 0) {
        printf(json_array_size(tasks) ? "\nNothing: every graded task passed with all its points.\n"
                                      : "\nGrade a task: none was.\n");
    }
}
