// give_up.h: the system calls that a runner gives up before it loads a student's file, and those that loading it takes.
#ifndef LAB_GIVE_UP_H
#define LAB_GIVE_UP_H

// From here on this process and its threads start no program and no process, open no socket and reach no other process:
// such calls fail with EPERM. Returns 0 on failure.
int lab_give_up_calls(void);

// Later, with everything loaded: no memory becomes code, no timer or file of memory is made. CUDA's driver compiles and
// may need these, and does without this filter.
int lab_give_up_new_code(void);

#endif
