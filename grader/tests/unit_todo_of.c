// unit_todo_of.c: sentences of the diagnosis and the TODOs that they are about. grader/claims/todo_of.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics.h"
#include "todo_of.h"

static const struct {
    const char *task, *sentence, *todo;
} known[] = {
    {"task3", "matches O that is not rescaled by exp(m_old - m_new)", "3.4"},
    {"task4", "matches O that is not rescaled by exp(m_old - m_new)", "4.5"},
    {"task5", "matches O that is not rescaled by exp(m_old - m_new)", "5.5"},
    {"task1", "matches attention without the causal mask: query i sees keys 0 ..", "1.7"},
    {"task6", "decode step 1 (past = 4) is refused, although", "6.2"},
    {"task6", "matches decode over the prompt alone: is the new token appended", "6.6"},
    {"task6", "matches decode over the padding, too: lengths[b] is count[b], not S", "6.4"},
    {"task6", "matches K and V swapped where the prompt is stored", "6.3"},
    {"task3", "every row is 0.9 times the right one", NULL},
};

static void a_sentence_has_the_todo_of_its_task(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *todo = lab_todo_of(lab_task_find(known[i].task), known[i].sentence);
        assert_string_equal(todo ? todo : "none", known[i].todo ? known[i].todo : "none");
    }
}

// A TODO that is named is one that students find: claims or text of its task speak of it.
static void every_todo_that_is_named_is_there(void **state) {
    (void)state;
    for (int m = 1; m < LAB_W_TRANSPOSED; m++)
        for (int t = 0; t < lab_n_tasks; t++) {
            const char *todo = lab_todo_of(&lab_tasks[t], lab_attention_mistakes[m]);
            char command[300];
            if (!todo) continue;
            snprintf(command, sizeof command, "grep -qF 'TODO %s:' %s/%s", todo, lab_tasks[t].folder,
                     lab_tasks[t].file);
            assert_int_equal(system(command), 0);
        }
}

// Most of attention's mistakes are in a TODO of task 3.
static void most_sentences_name_one(void **state) {
    (void)state;
    int named = 0;
    for (int m = 1; m < LAB_W_TRANSPOSED; m++)
        named += lab_todo_of(lab_task_find("task3"), lab_attention_mistakes[m]) != NULL;
    assert_in_range(named, 15, LAB_W_TRANSPOSED);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_sentence_has_the_todo_of_its_task),
        CLAIM(every_todo_that_is_named_is_there),
        CLAIM(most_sentences_name_one),
    };
    return cmocka_run_group_tests_name("todo_of", claims, NULL, NULL);
}
