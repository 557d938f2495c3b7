// sandbox.h: what a runner or a compiler may not do. The one place for restrictions on untrusted processes.
#ifndef LAB_SANDBOX_H
#define LAB_SANDBOX_H

#include "process.h"

// Called in the child between fork and exec. Returns 0 if a restriction cannot be had; the child must not go on then.
int lab_sandbox_enter(const lab_limits *limits);

#endif
