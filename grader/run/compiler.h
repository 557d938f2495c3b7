// compiler.h: the command that compiles a stage. The one place for compiler flags of stages.
#ifndef LAB_COMPILER_H
#define LAB_COMPILER_H

#include "build.h"

enum { LAB_COMPILER_ARGS = 48 };

// The one folder that a compiler may write to: OUTPUT.room, empty before and gone afterwards.
typedef struct {
    char folder[4200], object[4300], depend[4300], exports[4300];
} lab_room;

// words: room for the arguments that are put together here; argv points into it.
void lab_compile_command(const lab_task *task, const lab_build_options *options, const lab_room *room,
                         char words[8][4400], char *argv[LAB_COMPILER_ARGS]);

#endif
