// judged.h: the claims that have been judged (lab_repair_keep).
#ifndef LAB_REPAIR_JUDGED_H
#define LAB_REPAIR_JUDGED_H

#include "search.h"

// Claims of that TODO; NULL: of the whole file. Those of other TODOs that hold are to go on doing so.
void lab_judged_choose(const lab_repair_ask *ask, const char *todo, char *const runner[], double share, lab_subject *s);

// Tries that change on the TODOs that fail: claims of other TODOs may build on this one.
void lab_judged_note_mended(const lab_repair_ask *ask, lab_attempts *a, const lab_edit *edit);

// What was asked for with malloc is written beyond its end: no race is needed to explain a crash.
int lab_judged_damaged(void);
int lab_judged_room(void);  // the line of the malloc behind whose end something was written; 0: nothing was

int lab_judged_unset(void);      // 1 if a claim reads memory of malloc that nobody has written
int lab_judged_unwritten(void);  // 1 if a claim has elements that nobody wrote

// 1 if every claim that fails is a launch that was refused for its shared memory.
int lab_judged_refused(void);

// 1 if every claim that fails says that a call is refused, or is not: no number is wrong.
int lab_judged_statuses(void);

// Of a head, in the smallest claim of the whole file that fails; 0: none does.
int lab_judged_dim(void);

// Of the claims of the whole file whose output is wrong the one that tells most; NULL: there is none.
const lab_case *lab_judged_telling(void);
// One of this function whose output is wrong; NULL: there is none.
const lab_case *lab_judged_of(const lab_op *op);
// Of decoding by splits one whose output is right, and whose parts in workspace do not make it; NULL: there is none.
const lab_case *lab_judged_parts(void);

int lab_judged_whole(void);  // 1 if there are claims of the whole file

// The task's functions whose claims fail, or all of whose claims hold, with commas between.
void lab_judged_functions(int failing, char *list, size_t size);

// Adds those of which no claim has been judged yet: as if they held.
void lab_judged_add_rest(const lab_task *task, char *list, size_t size);

// Does a claim of another TODO fail with that change, too? Then claims of the whole that hold may hold by chance.
int lab_judged_others_fail(const lab_repair_ask *ask, lab_attempts *a, const char *todo, const lab_edit *edit);

// The first TODO behind `after` that fails, and that no change which was found mends; NULL: there is none.
const char *lab_judged_next_todo(const char *after);
int lab_judged_later(
    void);  // the last one was not the first: a claim of the whole may hold since both cancel each other
int lab_judged_calls_others(const char *todo);  // 1: it puts whole functions together, with claims of their own

#endif
