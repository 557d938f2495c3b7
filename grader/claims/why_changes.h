// why_changes.h: changes of the student's file that mend it, for claims_why.
#ifndef LAB_WHY_CHANGES_H
#define LAB_WHY_CHANGES_H

#include "claims_why.h"
#include "explain.h"
#include "repair.h"

enum { LAB_MOST_CHANGES = 4 };

typedef struct {
    char text[LAB_MOST_CHANGES][LAB_NOTE];
    int n, all;  // all: nothing that fails is left
} lab_changes;

// What a search is asked with. matched: a known mistake, the cause, matches.
lab_repair_ask lab_why_ask(const lab_why *why, const char *cause, int matched);

// Those of the whole file, or of its TODOs, but for what hides the cause or stands in another line than it names.
void lab_why_changes(const lab_why *why, const char *cause, int matched, lab_changes *found);

// The change mends what fails, and is not what the cause asks for.
int lab_change_is_by_luck(const char *cause, const char *change);

// Of a change that leaves out the line in which some threads leave a kernel before a barrier: what they leave undone.
void lab_say_who_leaves(const char *text, char change[LAB_NOTE]);

// Cuts off the reading that the text speaks against: unread, of lab_hint_of_unread.
void lab_settle_reading(const char *unread, char *cause);

// Of a prompt that is stored as one run, by one of two mistakes: the one that the file's line has.
void lab_settle_run(const char *text, char *cause);

// Says the change after which checked mode has nothing to report, where every claim holds; and, where a claim fails, one
// of the lines that its report names.
void lab_why_reported(const lab_why *why);
void lab_why_failing(const lab_why *why);

// A change is said that mends it: what a cause asks about besides is no question any more.
void lab_leave_out_questions(char *cause);

#endif
