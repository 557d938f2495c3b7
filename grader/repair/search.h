// search.h: which changes mend claims that fail and leave those that hold.
#ifndef LAB_REPAIR_SEARCH_H
#define LAB_REPAIR_SEARCH_H

#include "attempt.h"
#include "candidates.h"

enum { LAB_MOST_KEPT = 160, LAB_MOST_FOUND = 10 };

typedef struct {
    lab_case c;
    int failed, in_numbers;  // in_numbers: its output was compared, and is what is wrong
    int mended;              // it holds with a change that was found
    int compared;            // with what is right
    int skipped;             // it was not run, as another one did not end: taken for one that failed
} lab_kept;

// Claims that one object answers: the probe's or the stage's.
typedef struct {
    const char *todo;                // whose claims have failed; NULL: of the whole file
    lab_kept *claim[LAB_MOST_KEPT];  // those that failed, the smallest first; then those that held
    int n, failed, cuda, threads;    // threads: of the processor, which may race
    int dim;                         // of a head: claims have no other one; 0: they have
    lab_attempts attempts;
} lab_subject;

typedef struct {
    const lab_edit *edit;
    int mended;  // claims that failed and hold with it
    int more;    // of the whole file, when it was found by a TODO's claims
} lab_mend;

typedef struct {
    lab_mend mend[LAB_MOST_FOUND];  // the most plausible first
    int n;
    int tried;          // claims that failed, the smallest first: time does not suffice for all of them
    int left;           // claims that held, of the TODO or of the whole file, and were not tried again
    int all;            // each mends all that failed of the subject
    int chance;         // 1: here nothing fails of what failed, without any change
    int ends;           // 1: with the first, every claim of the whole file holds
    int twice;          // 1: with the first, two blocks store the same elements
    const char *fails;  // a claim of the whole file that fails with the first one; NULL: none is known
} lab_found;

typedef struct {
    const lab_edit *edit;
    int mended, out, passed;  // passed: by, as a likelier one holds
} lab_trying;

typedef struct lab_narrowing lab_narrowing;  // narrow.h

// dozens.c: the same as search.c does one by one, in a limit of so many seconds for each. Goes on until time is up; those
// that it did not come to are out. Returns 0 if that cannot be done with this claim: then nothing was. narrow: NULL: none is
// passed by.
int lab_search_dozens(lab_attempts *a, const lab_prepared *p, lab_trying *all, int n, double limit, int must,
                      lab_narrowing *narrow);

// Of changes that are data: those that the smallest claims let through, at most so many, the likeliest first. What was passed
// by is left for later (lab_candidates_rest).
int lab_search_sieve(lab_candidates *c, lab_subject *s, uint64_t seed, int *ids, int most);

// Tries every change on what failed.
void lab_search(const lab_candidates *c, lab_subject *s, uint64_t seed, lab_found *found);

// harmless.c: out goes what spoils a claim that held, of the TODO above all in whose code it stands, or races.
void lab_search_harmless(lab_subject *s, uint64_t seed, lab_found *found);

// Another claim like claim k, which fails, as small as it goes: the first is to be tried with every change. 0: there is
// none.
int lab_search_smaller(lab_subject *s, int k, uint64_t seed, lab_case *c);

// sieve.c: C, where tcc is there: of the changes from number `from` up to `most`, by how likely they are, only those are left
// with which the small claims hold. Returns 0 if that cannot be done; c is what it was then.
int lab_sieve_there(void);  // tcc is
int lab_sieve(const lab_repair_ask *ask, lab_candidates *c, const char *todo, char *runner[8], int from, int most);

// The first may be another one in disguise, which then comes first.
void lab_search_undisguise(lab_found *found, const char *todo);

// Tries what was found on the whole file, too: out goes what spoils a claim there, and what mends less than another.
void lab_search_whole(lab_subject *whole, uint64_t seed, lab_found *found);

// checked.c: out goes what leaves a race, a stray access or a read of what nobody wrote: it mends by chance. One that
// does not is enough: it comes first. check_ahead: what that needs is begun, and goes on beside what follows; check_drop:
// nobody needs it.
void lab_search_check_ahead(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, const lab_found *found);
void lab_search_check_drop(void);
void lab_search_checked(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, lab_found *found);

// What checked mode says of that claim with that change of the object's, in so many seconds; NULL: it could not be tried.
const lab_result *lab_check(const lab_stage_options *plain, const char *runner, const char *object, const lab_case *c,
                            uint64_t seed, int edit, double seconds);

int lab_is_report(const lab_result *r);  // a race, a stray access, ...: not a wrong number, or being slow

// prove.c: tries the first one on all that was not tried; one that fails a claim goes, and the next one comes first.
void lab_search_prove(lab_subject *s, uint64_t seed, lab_found *found);

// unseen.c: out goes what fails a shape of the task's that was drawn for this alone.
void lab_search_unseen(lab_subject *s, uint64_t seed, lab_found *found);
int lab_odd_shape(int i, lab_case *c);  // odd.c: the i-th that is tried there beside them; 0: there are no more

// threads.c: 1 if what failed fails with two threads of the processor, and never with one. Of the unchanged file.
int lab_threads_race(lab_subject *s, uint64_t seed);

// The sentence about it: what they share, or how the work is divided among them.
void lab_threads_say(const lab_repair_ask *ask, char *text, size_t size);

// What these threads share and set, by the file's text: a sentence; "" if the text does not say it.
void lab_threads_shared(const lab_repair_ask *ask, char *text, size_t size);

// Do the rounds of a parallel loop go on from each other, in memory of all threads? By the file's text.
int lab_threads_carry(const lab_repair_ask *ask);

// 1: all threads work in memory that is allocated before their region.
int lab_threads_in_memory(const lab_repair_ask *ask);

// pragmas.c: another loop of the nest is to be shared out, with which every claim holds. Returns 0 if none is.
int lab_threads_other_loop(const lab_repair_ask *ask, char *text, size_t size);

// say.c: the sentence about what was found. loose: of the line alone.
void lab_say_found(const lab_repair_ask *ask, const lab_found *f, const lab_subject *s, char *text, size_t size);
void lab_say_loose(const lab_repair_ask *ask, const lab_found *f, char *text, size_t size);

#endif
