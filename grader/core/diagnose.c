// diagnose.c: what is wrong with an output, and where. What, the operation's row knows; where, locate.c.
#include "diagnose.h"

#include <stdio.h>

#include "locate.h"

void lab_diagnose(const lab_symptom *s, char *text, size_t size) {
    char where[160], why[320] = "";
    text[0] = 0;
    if (s->cmp.verdict == LAB_PASSED) return;
    if (s->cmp.unwritten) {
        lab_locate(s, 1, where, sizeof where);
        snprintf(text, size, "%zu elements were never written: %s", s->cmp.unwritten, where);
        return;
    }
    const int known = s->op->diagnose && s->op->diagnose(s, why, sizeof why);
    lab_locate(s, 0, where, sizeof where);
    snprintf(text, size, "%s%swrong: %s", why, known ? "; " : "", where);
}
