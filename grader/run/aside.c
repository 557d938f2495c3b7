// aside.c: a fork. What it changes in memory is its own, so that all goes on as if it had not been begun.
#define _GNU_SOURCE
#include "aside.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

int lab_aside_begin(int (*work)(void *of), void *of) {
    fflush(NULL);  // or both would print it
    const pid_t pid = lab_child();
    if (pid == 0) {
        _exit(lab_child_ends_with_parent() ? work(of) : 126);
    }
    return pid > 0 ? pid : 0;
}

int lab_aside_end(int begun) {
    int status = 0;
    return begun > 0 && waitpid(begun, &status, 0) == begun && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int lab_aside_runs(int begun) {
    siginfo_t end = {0};
    return begun > 0 && waitid(P_PID, begun, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && !end.si_pid;
}

void lab_aside_drop(int begun) {
    if (begun > 0) kill(begun, SIGKILL);  // its runner ends with it
    lab_aside_end(begun);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at) {
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

void lab_aside_clear(const char *folder) { nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }
