// place.h: from an address in a compiled file to a line of the student's. What a tool of binutils is asked about comes
// from a student, debug information included: the tool runs with limits, and in the sandbox where there is one.
#ifndef LAB_PLACE_H
#define LAB_PLACE_H

#include <stddef.h>

#include "object.h"
#include "process.h"

// Runs a tool on a file, which is all that it sees of the lab's. 1: it ended well, and its output is in p->text.
int lab_ask_tool(char *const argv[], const char *file, lab_process *p);

// "reference.c:42 in attn_sdpa", by the debug information of a file; "" when it is not known. section: the name of the
// one that the offset is in; NULL: it is of the whole file. A hint for people, never a verdict.
void lab_place_at(const char *file, const char *section, size_t offset, char *text, size_t size);

// "flash.cu:31": by debug information; otherwise the first line of the source that has the word; otherwise "flash.cu".
// section: its number, 0: none is known.
void lab_place_of(const lab_object *o, const char *file, const char *source, size_t section, size_t offset,
                  const char *word, char *text, size_t size);

// What people call a symbol: std::thread::join() for _ZNSt6thread4joinEv.
void lab_readable_name(const char *symbol, char *text, size_t size);

#endif
