// prose.c: blocks in sentences: the headline, the demo, how it was measured.
#include "block_table.h"

#include <string.h>

#include "markdown.h"
#include "results.h"

// Which tasks' texts were judged before in this run. Whose they were, no page says.
static void say_same_texts(FILE *out, const json_t *root) {
    json_t *task;
    size_t i;
    int n = 0;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        if (json_is_true(json_object_get(task, "same_text"))) lab_md(out, "%s%t", n++ ? ", " : "", lab_str(task, "id"));
    }
    if (n) lab_md(out, ": judged once in this run for everyone who hands in the same text.\n");
}

void lab_say_headline(FILE *out, const lab_view *view) {
    const json_t *root = view->root, *machine = json_object_get(root, "machine");
    const char *gpu = lab_str(machine, "gpu");
    if (view->where == LAB_IN_DETAILS) {
        lab_md(out, "# Attention Lab: details of %t\n\nThe page is [Results.md](Results.md).\n",
               lab_str(root, "submission"));
        return;
    }
    lab_md(out, "# Attention Lab: results of %t\n\n**Score: %P of %P**", lab_str(root, "submission"),
           lab_num(root, "score"), lab_num(root, "max_score"));
    if (lab_num(root, "bonus") > 0) lab_md(out, ", bonus %P", lab_num(root, "bonus"));
    const json_t *manual = json_object_get(root, "manual");
    if (manual)
        lab_md(out, "; with what was added by hand%s: **%P**", lab_num(manual, "penalty") > 0 ? " and taken off" : "",
               lab_num(manual, "total"));
    lab_md(out,
           "\n\nGraded %t on %t%s%t, backend %t. Every claim, every timing and how it was measured: "
           "[details.md](details.md).\n",
           lab_str(root, "created"), *gpu ? gpu : lab_str(machine, "cpu"), *gpu ? " beside " : "",
           *gpu ? lab_str(machine, "cpu") : "", lab_str(root, "backend"));
    if (json_is_false(json_object_get(root, "sandboxed")))
        lab_md(out, "Compiled and run **without a sandbox**: the files could reach all that the grader could.\n");
    say_same_texts(out, root);
    if (json_object_get(root, "rescored"))
        lab_md(out, "The points were counted again from these measurements on %t.\n",
               lab_str(json_object_get(root, "rescored"), "at"));
}

static void say_demo_of(FILE *out, const json_t *task, const json_t *demo) {
    const char *yours = lab_str(demo, "text"), *reference = lab_str(demo, "reference_text");
    const json_t *recall = json_object_get(demo, "recall");
    const int same = strcmp(yours, reference) == 0;
    lab_md(out, "\nA language model that runs on the kernels of %s. The prompt:\n\n%q", lab_str(task, "id"),
           lab_str(demo, "prompt"));
    if (*yours)
        lab_md(out, "\nIts answer with yours%s:\n\n%q", same ? ", and the same with the reference kernels" : "", yours);
    else
        lab_md(out, "\nWith yours it gave no answer.\n");
    if (*reference && !same) lab_md(out, "\nWith the reference kernels it answers:\n\n%q", reference);
    if (recall)
        lab_md(out, "\nRecall on fresh random books: yours **%D of %D**, reference %D of %D.\n",
               lab_num(recall, "yours"), lab_num(recall, "asked"), lab_num(recall, "reference"),
               lab_num(recall, "asked"));
}

void lab_say_demo(FILE *out, const lab_view *view) {
    json_t *task;
    int demos = 0;
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        if (!json_object_get(task, "demo")) continue;
        say_demo_of(out, task, json_object_get(task, "demo"));
        demos++;
    }
    if (!demos && !view->brief) lab_md(out, "\nNo demo in these results: it runs with task 6.\n");
}

void lab_say_method(FILE *out, const lab_view *view) {
    static const char *const always[] = {
        "**Correct** means: every element written and finite, max_err below the tolerance against a float64 oracle, "
        "rms "
        "error below 1 % of the output's rms, inputs unchanged, nothing written outside the output, two runs equal.",
        "**Time** is the median of the runs after warm-up, on fresh inputs, by the grader's clock; the spread is the "
        "distance between the quartiles (IQR) in percent of the median. Baselines ran in the same session.",
        "**FLOPs** are 4 B H Sq Sk D, for a causal mask 4 B H D times the visible pairs, counted exactly. **Bytes** "
        "are "
        "the model's: each tensor once, and four passes over S×S where an implementation stores the scores.",
        "**Ceilings** were measured on this machine, not looked up; a time stands under those of its own number of "
        "threads. A rate above a ceiling is an error, not a record, and is flagged.",
        "**Working memory** is the growth of the process's peak resident set during the call.",
    };
    fputs("\n", out);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) lab_md(out, "- %s\n", always[i]);
    if (lab_is(view->root, "backend", "simt"))
        lab_md(out,
               "- **No GPU was used**: CUDA files ran on the CPU (simt). Their performance points come from counted "
               "memory traffic; a time on the CPU is no kernel's speed and none is shown.\n");
    if (lab_is(view->root, "backend", "cuda"))
        lab_md(out,
               "- **On the GPU** tasks stand under the GPU's ceilings, on the CPU under the CPU's. A kernel above the "
               "bandwidth line but below the peak was served by a cache in part; the L2 cache is flushed before each "
               "run, not between the kernels of a chain.\n");
}
