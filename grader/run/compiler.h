// compiler.h: the command that compiles a stage. The one place for compiler flags of stages.
#ifndef LAB_COMPILER_H
#define LAB_COMPILER_H

#include "build.h"

enum { LAB_COMPILER_ARGS = 56, LAB_COMPILER_WORDS = 8 };

// Asks once, for all programs that this one starts, for which GPU CUDA C is to be compiled (CUDA_ARCH).
void lab_compiler_know_gpu(void);

// The one folder that a compiler may write to: OUTPUT.room, empty before and gone afterwards.
typedef struct {
    char folder[4200], object[4300], stage[4300], depend[4300], exports[4300];
} lab_room;

// From the source to an object, and from that to a stage. words: room for the arguments that are put together here;
// argv points into it.
void lab_compile_command(const lab_task *task, const lab_build_options *options, const lab_room *room,
                         char words[LAB_COMPILER_WORDS][4400], char *argv[LAB_COMPILER_ARGS]);
void lab_link_command(const lab_task *task, const lab_build_options *options, const lab_room *room,
                      char words[LAB_COMPILER_WORDS][4400], char *argv[LAB_COMPILER_ARGS]);

#endif
