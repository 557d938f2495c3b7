// tasks.c: the task table.
#include "tasks.h"

#include <stddef.h>
#include <string.h>

#include "cases.h"

// A task's claims stand in cases_taskN.c and probes_taskN.c.
#define CLAIMS(task) .todos = lab_todos_##task, .cases = lab_cases_##task
#define DECLARE(task) extern const lab_case lab_todos_##task[], lab_cases_##task[]
DECLARE(task1);
DECLARE(task2);
DECLARE(task3);
DECLARE(task4);
DECLARE(task5);
DECLARE(task6);

// clang-format off
const lab_task lab_tasks[] = {
    {"task1", "task1_reference", "reference.c", "Reference attention in C", LAB_C, CLAIMS(task1)},
    {"task2", "task2_naive", "naive.cu", "Naive attention in CUDA", LAB_CUDA, CLAIMS(task2)},
    {"task3", "task3_tiled_cpu", "tiled_cpu.c", "Tiled attention on the CPU", LAB_C_OPENMP, CLAIMS(task3)},
    {"task4", "task4_flash", "flash.cu", "Fused attention in CUDA", LAB_CUDA, CLAIMS(task4)},
    {"task5", "task5_decode", "decode.cu", "Decoding with a KV cache in CUDA", LAB_CUDA, CLAIMS(task5),
     .headers = "grader/model", .bonus = "split"},
    {"task6", "task6_pipeline", "pipeline.cu", "The pipeline: prefill, decode and a KV cache in CUDA", LAB_CUDA,
     CLAIMS(task6), .headers = "task5_decode", .parts = {"task4", "task5"}},
};
// clang-format on

const int lab_n_tasks = sizeof lab_tasks / sizeof *lab_tasks;

const lab_task *lab_task_find(const char *id) {
    for (int i = 0; i < lab_n_tasks; i++)
        if (strcmp(lab_tasks[i].id, id) == 0) return &lab_tasks[i];
    return NULL;
}
