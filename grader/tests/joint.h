// joint.h: many mutants in one file, which is compiled once.
//
// Most of a mutant's time was its compiler's, which reads and translates the same file again but for one line. Where the
// edit lies within the body of one function, the joint file has that body several times:
//
//     static void f(int x) {
//         if (joint_mutant == 3) {
//             the body with the edit of mutant 3
//         } else {
//             the body of the solution
//         }
//     }
//
// No number is a mutant's at first. A copy of the object with another first value of joint_mutant is that mutant.
#ifndef LAB_JOINT_H
#define LAB_JOINT_H

#include "mutant.h"

// Writes the joint file of those mutants i, wanted[i] != 0, whose edit it can hold, and leaves wanted[i] for them alone.
// Returns how many these are, -1 if the files cannot be read or written.
int joint_write(const mutant *mutants, int n, const char *solution, const char *target, int wanted[]);

// Writes mutant i: a copy of the joint file's object. Returns 0 if that cannot be done.
int joint_choose(const char *object, int i, const char *copy);

#endif
