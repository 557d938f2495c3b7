// rank.h: which of two changes a student is more likely to have meant.
#ifndef LAB_REPAIR_RANK_H
#define LAB_REPAIR_RANK_H

#include "search.h"

// Less is more plausible. todo: whose claims fail, or NULL.
int lab_edit_rank(const lab_edit *e, const char *todo);

// removal.c: 1 if it alters what a `return` gives back.
int lab_is_returned(const lab_edit *e);

// removal.c. A statement that goes elsewhere under a condition; a check that nothing here fails: without it every claim
// passes, and it is meant all the same.
int lab_is_jump(const char *statement);
int lab_is_check(const char *statement);

// removal.c: 1 if e may only be another way to leave a statement out, as `removal` does: `lo > hi` where `lo >= hi` is never true.
int lab_switches_off(const lab_edit *e, const lab_edit *removal);

// removal.c: 1 if its line has a min(); if e leaves out what limits a loop or such a number.
int lab_is_limit(const lab_edit *e);
int lab_leaves_limit_out(const lab_edit *e);

// removal.c: 1 if e asks for a causal mask around the statement that goes with `removal`, or where that lifts a limit of its line.
int lab_asks_for_mask(const lab_edit *e, const lab_edit *removal);

// removal.c: 1 if an `if` goes with it: what it kept away is always done.
int lab_is_always(const lab_edit *e);

// 1 if it only takes out what ends a walk early: more work, and the same result.
int lab_only_goes_on(const lab_edit *e);

// 1 if it makes a product of a sum, or a sum of a product, or adds a sum before it has its terms.
int lab_spoils_sum(const lab_edit *e);

// 1 if it turns [ty][tx] of what is stored into [tx][ty].
int lab_reads_columns(const lab_edit *e);

// 1 if it sets other tiles than were asked for, or turns a helper round that does what its name says (with one tile for
// all many a mistake does not show), or clears a sum in some rounds of a loop alone.
int lab_hides(const lab_edit *e);

// 1 if with it a kernel is launched with fewer threads: that is seldom meant, and tells where the mistake is.
int lab_starts_fewer(const lab_edit *e);

// Hardly ever what was meant: of 100 changes that were said of mistakes made at random, none from here on was right.
enum { LAB_LAST_SAID = 90 };

// loose.c: 1 if several changes of its line mend that make a number there larger or lift a limit: any will do.
int lab_is_loose(const lab_found *f);
// Of a less likely batch the first stands in the line of which that has been said: it is one more of them, and no cure.
int lab_stays_loose(const lab_found *f, int line);
int lab_means_last(const lab_edit *e);  // the last of several, in place of the first, or where they begin
// One that only asks less, where any larger number in what is asked would do, comes first.
void lab_leave_question_out(lab_found *f);

// 1 if it puts x * y, x + y or something with that in it in place of x.
int lab_grows(const lab_edit *e);

// say.c: about the change: the line as it is, between two newlines, and what mends it.
void lab_say_edit(const lab_repair_ask *ask, const lab_edit *e, char *text, size_t size);

// reason.c: why it mends, where the text proves it; "": nothing.
void lab_say_reason(const lab_edit *e, char *text, size_t size);

#endif
