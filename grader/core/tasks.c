// tasks.c: the task table.
#include "tasks.h"

#include <stddef.h>
#include <string.h>

const lab_task lab_tasks[] = {
    {"task1", "task1_reference", "reference.c", "Reference attention in C", .language = LAB_C},
    {"task2", "task2_naive", "naive.cu", "Naive attention in CUDA", .language = LAB_CUDA},
    {"task3", "task3_tiled_cpu", "tiled_cpu.c", "Tiled attention on the CPU", .language = LAB_C_OPENMP},
    {"task4", "task4_flash", "flash.cu", "Fused attention in CUDA", .language = LAB_CUDA},
    {"task5", "task5_decode", "decode.cu", "Decoding with a KV cache in CUDA", .language = LAB_CUDA,
     .headers = "grader/model"},
    {"task6", "task6_pipeline", "pipeline.cu", "The pipeline: prefill, decode and a KV cache in CUDA",
     .language = LAB_CUDA, .headers = "task5_decode", .parts = {"task4", "task5"}},
};

const int lab_n_tasks = sizeof lab_tasks / sizeof *lab_tasks;

const lab_task *lab_task_find(const char *id) {
    for (int i = 0; i < lab_n_tasks; i++)
        if (strcmp(lab_tasks[i].id, id) == 0) return &lab_tasks[i];
    return NULL;
}
