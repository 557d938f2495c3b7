// source_hints.h: what a student's file says about a report of checked mode, or about results that change from call to call.
#ifndef LAB_SOURCE_HINTS_H
#define LAB_SOURCE_HINTS_H

#include <stddef.h>

#include "tasks.h"

// What a sentence is beside others.
typedef enum {
    LAB_HINT_NONE,
    LAB_HINT_BESIDE,  // it is one of several
    LAB_HINT_FIRST,   // the advice of the report leads away from it: it comes before, and the report without its advice
    LAB_HINT_ALONE,   // no change of the file is a cure beside it: it may hold for this block's size alone
    LAB_HINT_CAUSE,   // it is wrong whatever the numbers are: nothing else is looked for
} lab_hint;

// text: the file without comments (todo.h). report: checked mode's, with lines of the file. host_pointers: the function is
// given some. Each writes a sentence if it knows something; those that are an int return 1 then, LAB_HINT_BESIDE.
lab_hint lab_hint_of_report(const char *text, const char *report, int host_pointers, char *sentence, size_t size);
// A kernel of another task's file that a layer has called touches memory that is not its own. file: the layer's own. No
// file but those of the tasks that it is built from is said not to be to blame: the layer's may have any name.
int lab_hint_of_part(const char *report, const lab_task *task, const char *file, char *sentence, size_t size);
int lab_hint_of_leaving(const char *text, char *sentence, size_t size);  // a kernel that returns before a barrier
int lab_hint_of_state(const char *text, char *sentence, size_t size);    // a variable that outlives a call

// Lines from .. to: is there a loop or a condition whose braces are missing, or that a ; ends (LAB_HINT_CAUSE)?
int lab_hint_of_braces(const char *text, int from, int to, char *sentence, size_t size);
// Or does one end so where a report is? Asked by lab_hint_of_report.
int lab_hint_of_emptied(const char *text, const char *report, char *sentence, size_t size);

// Of shared memory that was never written: have threads left that should have loaded it? Asked by lab_hint_of_report.
lab_hint lab_hint_of_leaving_early(const char *text, const char *report, char *sentence, size_t size);
// Or do some threads alone call what shares its work out among all? Asked by lab_hint_of_report: source_halves.c.
int lab_hint_of_halves(const char *text, const char *report, char *sentence, size_t size);
// Or does each thread load one number of a tile that is larger than the block? Asked by lab_hint_of_report: source_single.c.
int lab_hint_of_single(const char *text, const char *report, char *sentence, size_t size);
// Or into rows of which the block has too few threads? Asked by lab_hint_of_report: source_few.c.
int lab_hint_of_few(const char *text, const char *report, char *sentence, size_t size);
// Of two threads that store the same: is a tile stored transposed, in rows as long as those of the other way round?
int lab_hint_of_transposing(const char *text, const char *report, char *sentence, size_t size);
// Of a race between two blocks: which of them store the same, or count what others read? Asked by lab_hint_of_report.
int lab_hint_of_blocks(const char *text, const char *report, char *sentence, size_t size);
// Of a race in shared memory: do groups of threads store numbers of their own at one place? Asked by lab_hint_of_report.
int lab_hint_of_groups(const char *text, const char *report, char *sentence, size_t size);
// Of a race between warps: is the place that is stored to the same for all of them? Asked by lab_hint_of_warps.
int lab_warps_share_a_place(const char *text, const char *report, char *sentence, size_t size);
// A sum is set to 0 again where it is added to, so that one term remains: source_sums.c.
int lab_hint_of_clearing(const char *text, int from, int to, char *sentence, size_t size);
// What is kept over a loop is multiplied by the same number in each of its rounds: source_rescaled.c.
int lab_hint_of_rescaled(const char *text, int from, int to, char *sentence, size_t size);
// A sum is multiplied in each round by an exponential that is made before the loop: source_rescaled.c.
int lab_hint_of_rescaling(const char *text, int from, int to, char *sentence, size_t size);

// Of memory with several numbers a row, memset sets one a row to 0: source_cleared.c. LAB_HINT_CAUSE
int lab_hint_of_cleared(const char *text, int from, int to, char *sentence, size_t size);

// A kernel adds to its output in device memory, and nothing sets it first: source_added.c. LAB_HINT_CAUSE
int lab_hint_of_adding(const char *text, int from, int to, char *sentence, size_t size);

// These lines set fields of a struct of this file, and one field of it, which is read, is set nowhere: source_fields.c.
int lab_hint_of_fields(const char *text, int from, int to, char *sentence, size_t size);

// Of a race in shared memory: do its two lines have other lengths of a row? Asked by lab_hint_of_report.
int lab_hint_of_rows(const char *text, const char *report, char *sentence, size_t size);

// A loop that all threads of a block walk through one by one, each from its own number on: source_shares.c.
int lab_hint_of_shares(const char *text, char *sentence, size_t size);
// Pieces of several numbers that begin one number apart.
int lab_hint_of_pieces(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_CAUSE

// A loop from a thread's number on that goes on by something else than the number of those that share it, within these
// lines, or around one that a race's report names: source_steps.c.
int lab_hint_of_steps(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_ALONE
lab_hint lab_hint_of_race(const char *text, const char *report, char *sentence, size_t size);

// Of a race between two functions that a kernel calls: which barrier is missing? Asked by lab_hint_of_report.
int lab_hint_of_meeting(const char *text, const char *report, char *sentence, size_t size);
// Is there a barrier in some rounds alone?
int lab_hint_of_some_rounds(const char *text, const char *report, char *sentence, size_t size);

// Of a race between warps: does a barrier of a warp stand between the two lines? Asked by lab_hint_of_report.
int lab_hint_of_warps(const char *text, const char *report, char *sentence, size_t size);

// Of a race: does a line add to an element, or make it anew of what another line has stored? Asked by lab_hint_of_report.
int lab_hint_of_updates(const char *text, const char *report, char *sentence, size_t size);

// Of a stray access: is the length of a row rounded up to whole tiles? Asked by lab_hint_of_report: source_portions.c.
int lab_hint_of_padding(const char *text, const char *report, char *sentence, size_t size);
// Or is a place within a tile compared with a size of the whole matrix? Asked by lab_hint_of_report: source_limits.c.
int lab_hint_of_limits(const char *text, const char *report, char *sentence, size_t size);
// Of a stray read: is it one of a tile that is loaded and of which nothing is asked? Asked by lab_hint_of_report.
int lab_hint_of_unasked(const char *text, const char *report, char *sentence, size_t size);
// Of a stray read: is what is read multiplied by a truth value? Asked by lab_hint_of_report: source_infinity.c.
int lab_hint_of_factor(const char *text, const char *report, char *sentence, size_t size);
// A grid that does not fit its kernel: source_grid.c.
int lab_hint_of_grid(const char *text, int from, int to, char *sentence, size_t size);

// Rows from this number on are wrong: a kernel has as many threads, and each takes one row. For source_places.c.
int lab_say_few_threads(const char *text, long threads, char *sentence, size_t size);
// Each thread goes on with its own maximum, or sum: the line that takes it. For source_places.c: source_unjoined.c.
int lab_say_unjoined(const char *text, int sum, char *sentence, size_t size);
// A report of a barrier that not all reach: does the loop around it end at other places for other threads?
int lab_hint_of_bound(const char *text, const char *report, char *sentence, size_t size);
// Or do some threads leave it, or a round of it?
int lab_hint_of_exit(const char *text, const char *report, char *sentence, size_t size);

// What the text of a TODO names, and no line below it reads: source_named.c. LAB_HINT_BESIDE. commented: with comments
int lab_hint_of_named(const char *commented, const char *text, int from, int to, char *sentence, size_t size);

// What a function is given and does not read, and a loop that ends at something else: source_unread.c.
int lab_hint_of_unread(const char *text, int from, int to, char *sentence, size_t size);

// A function of the task's header that never reads how many sequences, or heads, its shape has: source_axes.c.
int lab_hint_of_axes(const char *text, int from, int to, char *sentence, size_t size);

// A directive of OpenMP that there is not: source_pragmas.c.
int lab_hint_of_pragmas(const char *text, char *sentence, size_t size);
// A number that is private in a parallel region, and read behind it.
int lab_hint_of_private(const char *text, char *sentence, size_t size);

// A reduction of OpenMP that is not what its loop does, or that is missing: source_reductions.c.
int lab_hint_of_reductions(const char *text, char *sentence, size_t size);

// Of a "host pointer in a kernel": does its launch ask for no dynamic shared memory? Asked by lab_hint_of_report.
int lab_hint_of_launch(const char *text, const char *report, char *sentence, size_t size);

// Memory that is asked for before a loop, and given back in each of its rounds: source_freed.c. LAB_HINT_CAUSE
int lab_hint_of_freeing(const char *text, int from, int to, char *sentence, size_t size);

// A number that is declared whole and gets a float, or the result of a root or an exponential: source_types.c.
int lab_hint_of_types(const char *text, int from, int to, char *sentence, size_t size);

// A float that a function takes, or gives back, as a whole number: source_cut.c.
int lab_hint_of_cutting(const char *text, int from, int to, char *sentence, size_t size);

// An unsigned number that is asked whether it is below 0, behind a difference: source_unsigned.c.
int lab_hint_of_unsigned(const char *text, int from, int to, char *sentence, size_t size);

// A status that is overwritten or thrown away, and that nobody has read: source_statuses.c.
int lab_hint_of_statuses(const char *text, char *sentence, size_t size);

// A function that has a value, and no return: source_returns.c.
int lab_hint_of_returns(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_CAUSE

// A loop that ends in its first round: source_rounds.c.
int lab_hint_of_rounds(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_CAUSE

// A declaration that hides the variable that is meant: source_shadow.c.
int lab_hint_of_shadow(const char *text, int from, int to, char *sentence, size_t size);

// exp(m - m_new) behind m = m_new, a result that goes nowhere: source_idle.c.
int lab_hint_of_idle(const char *text, int from, int to, char *sentence, size_t size);

// A number that is added to before it has a value: source_unset.c.
int lab_hint_of_unset(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_CAUSE

// A score that is hidden by a product of a truth value with INFINITY: source_infinity.c. LAB_HINT_CAUSE
int lab_hint_of_infinity(const char *text, int from, int to, char *sentence, size_t size);

// A product or a copy whose output is one of its inputs: source_overwritten.c. LAB_HINT_CAUSE
int lab_hint_of_overwriting(const char *text, int from, int to, char *sentence, size_t size);

// Lanes that do not come where those of their warp exchange numbers, by the names of the handout: source_lanes.c. LAB_HINT_CAUSE
int lab_hint_of_lanes(const char *text, int from, int to, char *sentence, size_t size);

// Shuffles over a distance of 32 and more, and masks that are a number of lanes: source_shuffles.c. LAB_HINT_CAUSE
int lab_hint_of_shuffles(const char *text, int from, int to, char *sentence, size_t size);

// Two buffers of shared memory that take turns: a step reads the one that it stores to: source_buffers.c. LAB_HINT_CAUSE
int lab_hint_of_buffers(const char *text, int from, int to, char *sentence, size_t size);

// The next round's numbers are fetched into the array that this round is still to read: source_ahead.c. LAB_HINT_CAUSE
int lab_hint_of_fetching(const char *text, int from, int to, char *sentence, size_t size);

// Half of the threads call a function that shares its work among all: source_crews.c. LAB_HINT_CAUSE
int lab_hint_of_crews(const char *text, int from, int to, char *sentence, size_t size);

// A thread adds up the whole row, and then the sums of all threads are added: source_whole.c. LAB_HINT_CAUSE
int lab_hint_of_whole(const char *text, int from, int to, char *sentence, size_t size);

// Too few dims for each thread: source_few_dims.c. LAB_HINT_CAUSE
int lab_hint_of_few_dims(const char *text, int from, int to, char *sentence, size_t size);

// Parts of the same size, rounded down, and nobody who has the rest: source_uneven.c. LAB_HINT_CAUSE
int lab_hint_of_uneven(const char *text, int from, int to, char *sentence, size_t size);

// A tree of halves over a number that is no power of 2.
int lab_hint_of_halving(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_CAUSE

// A maximum that is asked of neighbours: source_neighbour.c. LAB_HINT_CAUSE
int lab_hint_of_neighbour(const char *text, int from, int to, char *sentence, size_t size);

// A token that is counted before anybody asks whether there is room: source_counted.c. LAB_HINT_CAUSE
int lab_hint_of_counting(const char *text, int from, int to, char *sentence, size_t size);

// An array of a thread's own, of which it takes only some elements: source_private.c. LAB_HINT_CAUSE
int lab_hint_of_own_array(const char *text, int from, int to, char *sentence, size_t size);

// A row for each thread, of which it takes its share of the columns alone: source_dealt.c. LAB_HINT_CAUSE
int lab_hint_of_dealing(const char *text, int from, int to, char *sentence, size_t size);

// Threads share the same elements by two rules, with no barrier between: source_owners.c. LAB_HINT_CAUSE
int lab_hint_of_owners(const char *text, int from, int to, char *sentence, size_t size);

// Shared memory in which all threads store their own numbers at the same places: source_same_place.c. LAB_HINT_CAUSE
int lab_hint_of_same_place(const char *text, int from, int to, char *sentence, size_t size);

// Shared memory is cut into tiles, and one has longer rows than it was given room for: source_carved.c. LAB_HINT_CAUSE
int lab_hint_of_carving(const char *text, int from, int to, char *sentence, size_t size);

// What a loop adds in each round, and does not depend on the round: source_nested.c. LAB_HINT_CAUSE
int lab_hint_of_nesting(const char *text, int from, int to, char *sentence, size_t size);

// A function that adds to all rows is called in each round of a loop over them: source_every.c. LAB_HINT_CAUSE
int lab_hint_of_every(const char *text, int from, int to, char *sentence, size_t size);

// A loop in another one that goes on where it ended in the round before: source_kept.c. LAB_HINT_CAUSE
int lab_hint_of_keeping(const char *text, int from, int to, char *sentence, size_t size);

// One thread sets a variable of its own, and all read theirs: source_alone.c. LAB_HINT_CAUSE
int lab_hint_of_one_thread(const char *text, int from, int to, char *sentence, size_t size);

// A float4 by a number that counts floats: source_fours.c. LAB_HINT_CAUSE
int lab_hint_of_fours(const char *text, int from, int to, char *sentence, size_t size);

// Whole groups, and nobody who does the rest: source_rest.c. LAB_HINT_CAUSE
int lab_hint_of_rest(const char *text, int from, int to, char *sentence, size_t size);

// Exponentials that are stored with the maximum so far: source_running.c. LAB_HINT_CAUSE
int lab_hint_of_running(const char *text, int from, int to, char *sentence, size_t size);

// Sums of exponentials that go on when the maximum grows: source_unscaled.c.
int lab_hint_of_unscaled(const char *text, int from, int to, char *sentence, size_t size);

// Sums that are divided in each round by the sum of the weights so far: source_averaged.c. LAB_HINT_CAUSE
int lab_hint_of_averaging(const char *text, int from, int to, char *sentence, size_t size);

// An average that is divided by the weights once more: source_divided.c. LAB_HINT_CAUSE
int lab_hint_of_dividing(const char *text, int from, int to, char *sentence, size_t size);

// What is made once, and should be made in each round: source_anew.c. LAB_HINT_CAUSE
int lab_hint_of_anew(const char *text, int from, int to, char *sentence, size_t size);

// Parts of a row that are rounded up and that nothing keeps below its end: source_portions.c. LAB_HINT_CAUSE
int lab_hint_of_portions(const char *text, int from, int to, char *sentence, size_t size);

// What each round sets to 0 again and adds to, so that the last one's is left: source_zeroed.c. LAB_HINT_CAUSE
int lab_hint_of_zeroing(const char *text, int from, int to, char *sentence, size_t size);
// A sum that is stored in each round before its part is added: source_early.c. LAB_HINT_CAUSE
int lab_hint_of_storing_early(const char *text, int from, int to, char *sentence, size_t size);

// Sums that are rescaled behind what the round has added with its new maximum: source_late.c. LAB_HINT_CAUSE
int lab_hint_of_late(const char *text, int from, int to, char *sentence, size_t size);

// A sum of three of a float4's components, of which no line takes the fourth: source_components.c. LAB_HINT_CAUSE
int lab_hint_of_components(const char *text, int from, int to, char *sentence, size_t size);
// Two numbers of a thread that are stored side by side in one line and half an array apart in another: source_pairs.c.
int lab_hint_of_pairs(const char *text, int from, int to, char *sentence, size_t size);  // LAB_HINT_CAUSE

// Two parts that are joined, of which one is not brought to the maximum of both: source_joined.c. LAB_HINT_CAUSE
int lab_hint_of_joining(const char *text, int from, int to, char *sentence, size_t size);

// What each round stores over the one before: source_lost.c. LAB_HINT_CAUSE
int lab_hint_of_losing(const char *text, int from, int to, char *sentence, size_t size);

// Rows of one array that are longer in one line than in another: source_strides.c.
int lab_hint_of_strides(const char *text, int from, int to, char *sentence, size_t size);

// A barrier that some threads of the block do not reach: source_barriers.c.
int lab_hint_of_barriers(const char *text, int from, int to, char *sentence, size_t size);

// A loop that nothing in it ends: source_endless.c. LAB_HINT_CAUSE
int lab_hint_of_endless(const char *text, int from, int to, char *sentence, size_t size);

// Two parts of one piece of memory that begin at the same place: source_overlaid.c. LAB_HINT_CAUSE
int lab_hint_of_overlaying(const char *text, int from, int to, char *sentence, size_t size);

// A function stores rows of what it is handed closer together than its caller reads them: source_handed.c.
int lab_hint_of_handing(const char *text, int from, int to, char *sentence, size_t size);

// s[r, c], x =+ y, __syncthreads without (), if (x = 1): source_reads.c.
int lab_hint_of_reading(const char *text, int from, int to, char *sentence, size_t size);

// A kernel that no line launches, or a function that no line calls: source_uncalled.c. LAB_HINT_BESIDE
int lab_hint_of_uncalled(const char *text, int from, int to, char *sentence, size_t size);

// source_places.c: the lines of a file of one's own in which a cause that numbers prove can be.
int lab_place_of_cause(const char *text, const char *cause, char *sentence, size_t size);

// source_behind.c: of a mask that comes too late, the line that applies it behind the softmax
int lab_say_behind_softmax(const char *text, char *sentence, size_t size);

// The numbers of these lines, with commas between: a change is looked for there first. "": none is known.
void lab_lines_of_cause(const char *text, const char *cause, char *list, size_t size);

// signs.c: what a file's text alone may show, with no report, in the order in which it is asked; NULL ends them. The first
// LAB_SIGNS_OF_TODOS know names of the handout, which a file without its TODOs uses for something else.
typedef int lab_sign(const char *text, int from, int to, char *sentence, size_t size);
extern lab_sign *const lab_signs[];
enum { LAB_SIGNS_OF_TODOS = 2 };

#endif
