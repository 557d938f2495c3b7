// claims.h: CMocka tests that are rows of the case table. What a task's test program is made of.
//
//     int main(void)
//     {
//         const struct CMUnitTest claims[] = {CLAIM(softmax_of_one_score_is_one), ...};
//         return RUN_CLAIMS("task1", claims);
//     }
//
// The program reads its stage from LAB_STAGE (a shared object) and calls it through LAB_RUNNER, in another process.
// LAB_SEED: the seed of the inputs (default 1, public). LAB_TIMEOUT: seconds a call may take (default 10).
// LAB_RESULTS: a file that receives one JSON object per claim. LAB_XML: a file for CMocka's own report (JUnit XML).
// LAB_ONLY: run the claims whose name contains this text.
#ifndef LAB_CLAIMS_H
#define LAB_CLAIMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void lab_claim(void **state);  // *state: the claim's name

#define CLAIM(name)                                                                                                    \
    { #name, lab_claim, NULL, NULL, (void *)#name }
#define RUN_CLAIMS(task, claims) lab_run_claims(task, claims, sizeof claims / sizeof *claims)

int lab_run_claims(const char *task, const struct CMUnitTest *claims, size_t n);  // exit status: 0 when all hold

#endif
