// expect.h: which function does a probe miss? From a compiler's error to the line of the probe that says it.
#ifndef LAB_EXPECT_H
#define LAB_EXPECT_H

#include <stddef.h>

// log: what the compiler said about the probe. If its first error stands in an EXPECT(type, name, (arguments)) of the
// probe, writes a sentence with that signature to message and returns 1.
int lab_expected(const char *probe, const char *log, const char *source, char *message, size_t size);

#endif
