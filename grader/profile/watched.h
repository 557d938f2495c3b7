// watched.h: one call of a stage, in simt's checked mode, by target.cu in a process of its own.
#ifndef LAB_PROFILE_WATCHED_H
#define LAB_PROFILE_WATCHED_H

#include "ops.h"
#include "process.h"

// Runs target on stage. simt writes its report to the file `report`. How the process ended; p->text is what it printed.
lab_event lab_watched_call(lab_process *p, const char *target, const char *stage, const lab_op *op, attn_shape shape,
                           const char *report);

#endif
