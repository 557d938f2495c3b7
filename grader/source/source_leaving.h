// source_leaving.h: what differs from thread to thread, and where threads leave a loop. For source_*.c.
#ifndef LAB_SOURCE_LEAVING_H
#define LAB_SOURCE_LEAVING_H

#include <stddef.h>

// Does what stands between these places depend on the thread, by the lines of the kernel that set its names?
int lab_differs_by_thread(const char *kernel, const char *from, const char *to);

// The first break, continue or return of the loop behind a condition that differs from thread to thread; NULL: none.
const char *lab_exit_in(const char *kernel, const char *loop, const char *end);

// What is said of it, and of the barrier of that line in the loop.
int lab_say_exit(const char *text, const char *leave, int barrier, char *sentence, size_t size);

#endif
