// tool.h: run one of the lab's own programs (trusted) and wait for it.
#ifndef LAB_TOOL_H
#define LAB_TOOL_H

#include <jansson.h>
#include <stdint.h>

// argv[0] is a path or found in PATH. Standard output and error output are appended to the file `log`. Returns the exit
// status, or -1 when it could not be run or was killed.
int lab_tool(char *const argv[], const char *log);

// The same for a program with the option --seed-fd 3. A seed on a command line could be read by a stage, in /proc.
int lab_tool_with_seed(char *const argv[], const char *log, uint64_t seed);

// The JSON documents that such a program has written to a file, one behind the other. Empty when there is no such file.
json_t *lab_read_lines(const char *path);

#endif
