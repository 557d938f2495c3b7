// steps.h: tiled attention, seen after each tile of keys (probes_steps.c).
#ifndef LAB_STEPS_H
#define LAB_STEPS_H

#include "diagnose.h"

enum { LAB_STEPS = 16 };  // tiles that are looked at: STEPS of grader/probes/probe.h

enum { LAB_FLASH_BR = 16, LAB_FLASH_BC = 24 };  // task 4: the tiles of its probe, grader/probes/task4.cu

extern const lab_op lab_steps;

#endif
