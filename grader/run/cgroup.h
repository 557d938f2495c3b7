// cgroup.h: a control group (version 2) around one untrusted program: its memory, its processes, and all of them
// stopped or killed at once. Only where this user may make one; otherwise resource limits and process groups do what
// they can.
#ifndef LAB_CGROUP_H
#define LAB_CGROUP_H

#include <stddef.h>

typedef struct {
    char path[4300];  // "": there is none
} lab_cgroup;

// Makes a group. Its limits hold where the system has delegated memory and pids, which is said by nobody else.
void lab_cgroup_open(lab_cgroup *g, size_t memory_bytes, int processes);

// In the child, before it becomes another user: from here on it and all that it starts are in the group.
void lab_cgroup_enter(const lab_cgroup *g);

// 1: all of it stands still, or goes on. 0: there is no group, or it did not within 50 ms.
int lab_cgroup_freeze(const lab_cgroup *g, int frozen);

// 1: memory ran out in it.
int lab_cgroup_ran_out(const lab_cgroup *g);

// Kills what is left in it.
void lab_cgroup_close(lab_cgroup *g);

#endif
