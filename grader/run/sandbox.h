// sandbox.h: an untrusted program in namespaces of its own. It sees the files that it is given and nothing else: no
// home, no lab, no network, no other process, an empty /tmp; whatever it starts dies with it.
//
// bubblewrap (bwrap) makes the namespaces. Root never runs it as root: the program gets a user of its own first.
#ifndef LAB_SANDBOX_H
#define LAB_SANDBOX_H

#include <stddef.h>

enum { LAB_MAX_SHOWN = 40 };

typedef struct {
    const char *shown[LAB_MAX_SHOWN];  // files and folders that it may read, at the paths that they have here
    int n_shown;
    const char *written;  // the one folder that it may write to; NULL: none
    int gpu;              // 1: the NVIDIA device is there that CUDA_VISIBLE_DEVICES names, or all are
} lab_sandbox;

// Adds a path, if there is such a file. Relative paths stay relative to the current folder, which stays the same.
void lab_sandbox_show(lab_sandbox *s, const char *path);

// 1: untrusted programs run in a sandbox. grade_all says so, to the programs that it starts too; students' own `make
// test` does without.
int lab_sandbox_wanted(void);
void lab_sandbox_want(int wanted);

// 0 if sandboxes work on this machine, otherwise why they do not, and what to do.
int lab_sandbox_missing(char *why, size_t size);

// 1: these begin as the words of bwrap, and it cannot make this sandbox for a program of the system's either. A program in it
// can say such words, too.
int lab_sandbox_failed(const lab_sandbox *s, const char *said);

// Between fork and exec, with all descriptors above the program's own closed: goes on as argv in the sandbox. Returns
// only on failure, with errno set.
void lab_sandbox_exec(const lab_sandbox *s, char *const argv[]);

#endif
