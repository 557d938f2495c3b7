// tool.h: run one of the lab's own programs (trusted) and wait for it, not forever.
#ifndef LAB_TOOL_H
#define LAB_TOOL_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

// ---- The deadline of the submission that this process grades. Without one, programs have all the time in the world.

void lab_deadline_in(double seconds);     // it is so far off, from now
void lab_deadline_later(double seconds);  // we have waited for other submissions: that time is not this one's
int lab_deadline_passed(void);

// ---- Programs. All run in a process group of their own, which is killed when the program ends, when its time is over,
// and when we die.

// argv[0] is a path or found in PATH. Standard output and error output are appended to the file `log`. Returns the exit
// status, or -1 when it could not be run, was killed, or the deadline has passed.
int lab_tool(char *const argv[], const char *log);

// The same within so many seconds, whatever the deadline: for what must be done after it, too.
int lab_tool_within(double seconds, char *const argv[], const char *log);

// lab_tool for a program with the option --seed-fd 3. A seed on a command line could be read by a stage, in /proc.
int lab_tool_with_seed(char *const argv[], const char *log, uint64_t seed);

// What a program prints within ten seconds, and its first line. Return 0, and "", when there is none.
int lab_tool_text(char *const argv[], char *text, size_t size);
int lab_tool_line(char *const argv[], char *line, size_t size);

// The JSON documents that such a program has written to a file, one behind the other. Empty when there is no such file.
json_t *lab_read_lines(const char *path);

#endif
