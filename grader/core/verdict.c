// verdict.c: verdicts and their names.
#include "verdict.h"

#include <string.h>

static const char *const names[] = {
#define LAB_VERDICT_NAME(name) #name,
    LAB_VERDICTS(LAB_VERDICT_NAME)
#undef LAB_VERDICT_NAME
};

enum { N_VERDICTS = sizeof names / sizeof *names };

const char *lab_verdict_name(lab_verdict v) { return (unsigned)v < N_VERDICTS ? names[v] : "GRADER_ERROR"; }

int lab_verdict_parse(const char *name, lab_verdict *v) {
    for (int i = 0; i < N_VERDICTS; i++)
        if (strcmp(name, names[i]) == 0) {
            *v = (lab_verdict)i;
            return 1;
        }
    return 0;
}
