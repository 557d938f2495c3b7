// verdict.h: every answer that the lab can give, and its one spelling.
#ifndef LAB_VERDICT_H
#define LAB_VERDICT_H

#define LAB_VERDICTS(X)                                                                                                \
    X(PASSED)         /* right, within both tolerances */                                                              \
    X(MISSING)        /* no file, no function, or a TODO still open */                                                 \
    X(FORBIDDEN_FILE) /* a folder, link or path that a submission may not hold */                                      \
    X(COMPILE_ERROR)                                                                                                   \
    X(COMPILE_TIMEOUT)                                                                                                 \
    X(FORBIDDEN_SYMBOL) /* calls something that the task excludes */                                                   \
    X(LOAD_ERROR)       /* compiled, but cannot be loaded */                                                           \
    X(EARLY_EXIT)       /* the process ended, or left the protocol, before the call was done */                        \
    X(CRASH)            /* killed by a signal */                                                                       \
    X(TIMEOUT)                                                                                                         \
    X(GPU_HANG)                                                                                                        \
    X(OUT_OF_MEMORY)                                                                                                   \
    X(ILLEGAL_ACCESS) /* touched memory outside its tensors */                                                         \
    X(LAUNCH_FAILURE)                                                                                                  \
    X(OUTPUT_LIMIT) /* printed without end */                                                                          \
    X(NOT_FINITE)   /* NaN or Inf in the output */                                                                     \
    X(WRONG_ANSWER)                                                                                                    \
    X(NONDETERMINISTIC) /* two runs on the same inputs disagree */                                                     \
    X(INPUT_MODIFIED)                                                                                                  \
    X(RACE)                                                                                                            \
    X(HOST_COMPUTES) /* a CUDA stage did its work on the host */                                                       \
    X(TIMING_SUSPECT)                                                                                                  \
    X(SKIPPED)      /* not run; the reason is said */                                                                  \
    X(GRADER_ERROR) /* the lab's fault: never costs points */

typedef enum {
#define LAB_VERDICT_ENUM(name) LAB_##name,
    LAB_VERDICTS(LAB_VERDICT_ENUM)
#undef LAB_VERDICT_ENUM
} lab_verdict;

const char *lab_verdict_name(lab_verdict v);              // "WRONG_ANSWER"
int lab_verdict_parse(const char *name, lab_verdict *v);  // 1 if the name is known

// Of a file that is MISSING, what a message says behind "there is no FOLDER/FILE" if something lies in its place.
#define LAB_THERE_IS "; there is "

#endif
