// child.h: processes that end with the one that started them, whenever that is killed.
#ifndef LAB_CHILD_H
#define LAB_CHILD_H

#include <sys/types.h>

// As fork().
pid_t lab_child(void);

// As fork(), and the child is the first of a namespace of processes: the kernel ends with it whatever it has started. bwrap's
// own --die-with-parent comes too late for a parent that dies while the sandbox is being made. Only root may make such
// a namespace here; for others it is lab_child().
pid_t lab_child_apart(void);

// In the child: from now on it is killed when its parent dies. Returns 0 if that has died already. To be called again
// after a change of the user, which clears it.
int lab_child_ends_with_parent(void);

// In the child: its number as the parent sees it.
pid_t lab_child_number(void);

#endif
