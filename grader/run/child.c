// child.c: fork, a namespace of processes, and the signal that the kernel sends when a parent dies.
#define _GNU_SOURCE
#include "child.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static pid_t starter;  // the parent's number, where the child finds it

pid_t lab_child(void) {
    starter = getpid();
    return fork();
}

// unshare() is about the next child alone, and all later ones: so we go back at once.
pid_t lab_child_apart(void) {
    const int home = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    const int apart = home >= 0 && getuid() == 0 && unshare(CLONE_NEWPID) == 0;
    const pid_t pid = lab_child();
    if (pid != 0 && apart && setns(home, CLONE_NEWPID)) perror("setns"), abort();  // no later child could start one
    if (home >= 0) close(home);
    return pid;
}

// Who is the first of a namespace has no parent in it (0). /proc is still the parent's, and knows.
static pid_t parent(void) {
    char line[128];
    int number = getppid();
    FILE *f = number ? NULL : fopen("/proc/self/status", "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "PPid: %d", &number) == 1) break;
    if (f) fclose(f);
    return number;
}

int lab_child_ends_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && parent() == starter; }

pid_t lab_child_number(void) {
    char text[32] = "";
    const ssize_t n = readlink("/proc/self", text, sizeof text - 1);
    const pid_t number = n > 0 ? atoi(text) : 0;
    return number > 0 ? number : getpid();
}
