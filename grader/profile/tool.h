// tool.h: NVIDIA's tools: where they are, and their logs.
#ifndef LAB_PROFILE_TOOL_H
#define LAB_PROFILE_TOOL_H

#include <stddef.h>

// The tool's path: of the environment's `variable` if that is set, from PATH, or from where NVIDIA's packages put it.
// Returns 0 if it is nowhere.
int lab_tool_find(const char *name, const char *variable, char *path, size_t size);

int lab_has_gpu(void);  // the system has a device node of NVIDIA's driver

// A file's text, at most 16 MiB of it, to be freed; NULL if it cannot be read.
char *lab_read_text(const char *path);

#endif
