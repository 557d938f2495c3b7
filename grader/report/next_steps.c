// next_steps.c: "What to do next": per task one step: the first TODO that does not hold, the first failing claim, or
// the first missing point.
#include "block_table.h"

#include <string.h>

#include "markdown.h"
#include "results.h"
#include "verdict.h"

// What a verdict asks of the student; a verdict without a row needs no advice.
static const char *const advices[] = {
    [LAB_MISSING] = "The code is still to be written.",
    [LAB_FORBIDDEN_FILE] = "Hand in regular files only: no link, no folder, no path outside the task.",
    [LAB_COMPILE_ERROR] = "Mend the compiler's first error; later ones often follow from it.",
    [LAB_COMPILE_TIMEOUT] = "Compiling took too long: look for huge unrolled loops, tables or recursive templates.",
    [LAB_FORBIDDEN_SYMBOL] = "Call only what the task allows; the stage computes, the lab allocates, times and prints.",
    [LAB_LOAD_ERROR] =
        "The compiled file could not be loaded: a function is missing, or has another name or signature.",
    [LAB_EARLY_EXIT] = "The process ended before the stage returned: return a status, never call exit.",
    [LAB_CRASH] = "A signal ended the call: look for an index past the end, first in the last, partial tile.",
    [LAB_TIMEOUT] = "The call did not return in time: look for a loop that never ends.",
    [LAB_GPU_HANG] = "The kernel never ended: look for a loop or a barrier that some threads never reach.",
    [LAB_OUT_OF_MEMORY] = "The call asked for more memory than there is: an S×S buffer is too much in a fused kernel.",
    [LAB_ILLEGAL_ACCESS] = "An access outside a buffer: look at the index of the last row, column and block.",
    [LAB_LAUNCH_FAILURE] = "The launch was refused: check threads per block and shared memory per block.",
    [LAB_OUTPUT_LIMIT] = "The call printed too much: a stage does not print.",
    [LAB_NOT_FINITE] =
        "The output holds NaN or infinity, or was not written everywhere: subtract the row maximum, and look "
        "at rows that see no key yet.",
    [LAB_WRONG_ANSWER] = "The output differs from the oracle.",
    [LAB_NONDETERMINISTIC] = "Two runs on the same input differ: look for a race or for memory that is read unwritten.",
    [LAB_INPUT_MODIFIED] = "The call wrote into its inputs: write to the output and to your own memory only.",
    [LAB_RACE] = "Two threads touch one place without a barrier between them.",
    [LAB_HOST_COMPUTES] = "A CUDA stage computes in kernels: leave the tensors on the device.",
    [LAB_TIMING_SUSPECT] = "The time is not believable: work must be finished when the stage returns.",
    [LAB_GRADER_ERROR] =
        "The grader failed, not the submission: nothing was taken off. Grade again, or tell the instructor.",
};

static const char *advice_for(const char *name) {
    lab_verdict v = LAB_PASSED;
    lab_verdict_parse(name, &v);
    return advices[v] ? advices[v] : "";
}

// The first claim that does not hold, those of TODOs before the others.
static const json_t *first_failing(const json_t *task) {
    const json_t *cases = json_object_get(task, "cases");
    for (int of_todos = 1; of_todos >= 0; of_todos--)
        for (size_t i = 0; i < json_array_size(cases); i++) {
            const json_t *test = json_array_get(cases, i);
            if (lab_is(test, "criterion", "todo") != of_todos) continue;
            if (!lab_is(test, "verdict", "PASSED") && !lab_is(test, "verdict", "SKIPPED")) return test;
        }
    return NULL;
}

static const json_t *first_missing_points(const json_t *task) {
    const json_t *criteria = json_object_get(task, "criteria");
    for (size_t i = 0; i < json_array_size(criteria); i++) {
        const json_t *criterion = json_array_get(criteria, i);
        if (lab_num(criterion, "points") < lab_num(criterion, "max_points")) return criterion;
    }
    return NULL;
}

static void say_failing(FILE *out, const char *id, const json_t *test) {
    const char *todo = lab_str(test, "todo"), *verdict = lab_str(test, "verdict");
    const int open = lab_is(test, "verdict", "MISSING");
    if (*todo && open)
        lab_md(out, "write TODO %t; the first claim that waits for it is %t (%h). Hints: `make %s hint TODO=%t`.", todo,
               lab_str(test, "name"), json_object_get(test, "shape"), id, todo);
    else
        lab_md(out, "%s%t%s the first claim that does not hold is %t (%h), %s. %s", *todo ? "mend TODO " : "", todo,
               *todo ? ";" : "", lab_str(test, "name"), json_object_get(test, "shape"), verdict, advice_for(verdict));
    if (!open && *lab_str(test, "diagnosis")) lab_md(out, " Diagnosis: %t.", lab_str(test, "diagnosis"));
    lab_md(out, " Then `make %s test`.", id);
}

// The task's next step, if it has one. Returns 1 if it had.
static int say_step(FILE *out, const json_t *task) {
    const char *id = lab_str(task, "id"), *verdict = lab_str(task, "verdict"), *message = lab_str(task, "message");
    const json_t *test = first_failing(task), *points = first_missing_points(task);
    const int failed = strcmp(verdict, "PASSED") != 0 && strcmp(verdict, "SKIPPED") != 0;
    if (!test && !failed && !points) return 0;
    lab_md(out, "\n**%s**: ", id);
    if (test)
        say_failing(out, id, test);
    else if (failed)
        lab_md(out, "%s. %s Then `make %s test`.", verdict, advice_for(verdict), id);
    else
        lab_md(out, "correct; points are left in %t (%t). Measure with `make %s bench`.", lab_str(points, "name"),
               lab_str(points, "why"), id);
    if (strchr(message, '\n'))
        lab_md(out, "\n\n%k", message);  // the compiler's lines keep their shape
    else
        lab_md(out, "%s%t\n", *message ? " Message: " : "", message);
    return 1;
}

void lab_say_next_steps(FILE *out, const lab_view *view) {
    json_t *task;
    int steps = 0;
    for (size_t i = 0; (task = lab_next_task(view, &i));) steps += say_step(out, task);
    if (!steps)
        lab_md(out, json_array_size(json_object_get(view->root, "tasks"))
                        ? "\nNothing: every graded task passed with all its points.\n"
                        : "\nGrade a task: none was.\n");
}
