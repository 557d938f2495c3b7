// demo.c: task 6's demo: what a language model answers with the submission's kernels, and its recall.
#include "page.h"

#include "markdown.h"
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 20 };

// The text's lines as a quotation. Unlike a code block it is escaped, so that it can stand in a student's report too.
static void quote(const char *text) {
    printf("\n");
    for (int i = 0; i < LINES && *text; i++) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        printf("> ");
        md_text(line);
        free(line);
        text += length + (text[length] == '\n');
        printf(*text && i + 1 < LINES ? "\\\n" : "\n");
    }
}

static void recall_line(const json_t *recall) {
    double asked = results_number(recall, "asked");
    printf("\nRecall on fresh random books: yours **%.0f of %.0f**, reference %.0f of %.0f.\n",
           results_number(recall, "yours"), asked, results_number(recall, "reference"), asked);
}

static void demo_of_task(const json_t *task, const json_t *demo) {
    const char *yours = results_text(demo, "text"), *reference = results_text(demo, "reference_text");
    printf("\n## Demo\n\nA language model that runs on the kernels of %s. The prompt:\n", results_text(task, "id"));
    quote(results_text(demo, "prompt"));
    if (!yours || !*yours) {
        printf("\nWith yours it gave no answer.\n");
    } else {
        printf("\nIts answer with yours%s:\n",
               reference && strcmp(yours, reference) == 0 ? ", and the same with the reference kernels" : "");
        quote(yours);
    }
    if (reference && (!yours || strcmp(yours, reference) != 0)) {
        printf("\nWith the reference kernels it answers:\n");
        quote(reference);
    }
    if (json_object_get(demo, "recall")) {
        recall_line(json_object_get(demo, "recall"));
    }
}

void page_demo(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t), *demo = json_object_get(task, "demo");
        if (demo) {
            demo_of_task(task, demo);
        }
    }
}
