// task6_kernels.h: which kernels of tasks 4 and 5 a pipeline is made of: the student's where they are right, otherwise
// the lab's.
#ifndef LAB_TASK6_KERNELS_H
#define LAB_TASK6_KERNELS_H

#include <stddef.h>

// What the runner of task 6 takes after its stage (runner.c): the model's driver, task 4, task 5, and the model.
typedef struct {
    char driver[512], flash[512], decode[512];
    int split;          // decode_split is solved, too, and is used
    char note[2][256];  // of a task whose kernels are not the student's: which, and why; otherwise ""
} lab_kernels;

// own: the student's stages of tasks 4 and 5, or NULL; some of their claims are tried, with inputs from `seed`. Without
// them, or where a claim fails, the lab's solution stands in, or grader/model/fallback_kernels.cu where there are none.
void lab_kernels_choose(lab_kernels *k, const char *build, const char *const own[2], unsigned long long seed);

// The lab's own alone.
void lab_kernels_reference(lab_kernels *k, const char *build);

// The runner's command line: runner STAGE.so DRIVER.so TASK4.so TASK5.so MODEL [unsplit]
void lab_kernels_command(const lab_kernels *k, const char *runner, const char *stage, const char *model,
                         char *command[8]);

#endif
