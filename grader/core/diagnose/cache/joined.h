// joined.h: rows of [m, l, o], keys or parts, that are joined to one.
#ifndef LAB_JOINED_H
#define LAB_JOINED_H

#include "diagnose.h"

#define LAB_NO_KEYS (-100.0)  // in tasks 4 and 5: stands for -INFINITY, as what is compared must be finite

// Which of m, l and o is right, which is not, and what stands there. what: "key", "part". Returns 0 if it is not finite.
int lab_explain_joined(const lab_symptom *s, const char *what, char *text, size_t size);

// joined_factors.c. A maximum that is another one; parts (or keys) that count by another factor than exp(m - max), or, where
// the result is not finite, where that begins. part: "warp", "split", "key".
int lab_explain_maximum(const lab_symptom *s, const char *part, char *text, size_t size);
int lab_explain_factors(const lab_symptom *s, const char *part, char *text, size_t size);
int lab_explain_joined_nan(const lab_symptom *s, const char *part, char *text, size_t size);

// one_warp.c: of parts of warps, each dim from one of them, by another rule: nothing is joined.
int lab_explain_one_warp(const lab_symptom *s, char *text, size_t size);
int lab_explain_turned_parts(const lab_symptom *s, char *text, size_t size);  // or o[d][w] is read

// Of keys, one after the other: l or o that comes from another step than x = rescale * x + e * v.
int lab_explain_steps(const lab_symptom *s, char *text, size_t size);

// each_dim.c: the same, done once for each dim of the lane, as it stands inside the loop over them.
int lab_explain_each_dim(const lab_symptom *s, char *text, size_t size);

// left_parts.c: rows of m, l and o that are copied.
int lab_explain_left_parts(const lab_symptom *s, char *text, size_t size);

// log_factor.c: of rows of m and l, m + c log(l) in place of m + log(l).
int lab_explain_log_factor(const lab_symptom *s, char *text, size_t size);

#endif
