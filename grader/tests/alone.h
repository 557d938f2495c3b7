// alone.h: a scratch folder that several unit programs use; check runs them side by side.
#ifndef LAB_ALONE_H
#define LAB_ALONE_H

#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>

// Waits until no other program is in the folder, which is this one's until it ends.
static inline void alone_in(const char *folder) {
    static int lock = -1;
    char path[256];
    snprintf(path, sizeof path, "%s.lock", folder);
    if (lock < 0) lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_true(lock >= 0);
    assert_int_equal(flock(lock, LOCK_EX), 0);
}

#endif
