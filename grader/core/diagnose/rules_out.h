// rules_out.h: changes of a file that mend its numbers and leave the mistake in it. A cause says which they are; beside it
// such a change is not said (claims/why_changes.c).
#ifndef LAB_RULES_OUT_H
#define LAB_RULES_OUT_H

enum {
    LAB_ANY_CHANGE = 1,     // the step is another one altogether: what mends it differs in two places or more
    LAB_FEWER_KEYS = 2,     // batch or heads as a length: so small that no group, tile or window has an end
    LAB_OTHER_LAUNCH = 4,   // a block for each: nothing is carried from one to the next
    LAB_SET_FOR_ADDED = 8,  // = for +=: a thread with one column needs no sum at all
    LAB_PIECES_OF_1 = 16,   // 1 for a length: such pieces neither overlap nor leave gaps
    LAB_ONE_PIECE = 32,  // a condition, or a quotient, that is turned round: all is in one piece, with nothing to join
    LAB_NO_LOOP = 64,    // without a loop: another one does its work
    // A length times another: rounds beyond all that there is, and the end is still the wrong one.
    LAB_LONGER_LOOP = 128
};

// What such causes begin with, or have in them.
#define LAB_BEHIND_GROUPS "behind the last whole group"
#define LAB_GROUPED "matches scores that are computed"
#define LAB_GROUPS_ARE_RIGHT "of each row whole groups of"
#define LAB_PIECES_DIVIDED "matches pieces of a row that are divided by their own sums"
#define LAB_EVEN_TILES                                                                                                 \
    "matches tiles of keys that are all as wide, the keys by the number of tiles, rounded down: what is left over is " \
    "in none. A tile has Bc keys, and the last one what is left"
#define LAB_PIECES_APART "matches pieces of the numbers,"
#define LAB_WINDOW "matches a window of"
#define LAB_WALK_ENDS "matches a walk over the keys that ends "
#define LAB_FIRST_PARTS_O "matches O of the first part over the l of all"
#define LAB_PLAIN_MEAN "matches the plain mean of the parts"
#define LAB_SUM_RUNS_ON "matches a row sum that goes on from"

unsigned lab_cause_rules_out(const char *cause);

#endif
