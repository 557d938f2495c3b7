// why_changes.c: changes of the file that mend what fails, or what checked mode reports: who is asked for them, and which
// of them are said beside a cause.
#include "why_changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common_cause.h"
#include "explain.h"
#include "repair.h"
#include "rules_out.h"
#include "source_hints.h"
#include "source_lines.h"
#include "todo_calls.h"

lab_repair_ask lab_why_ask(const lab_why *why, const char *cause, int matched) {
    const lab_ask *ask = why->ask;
    lab_repair_ask repair = {.task = ask->task,
                             .source = ask->source,
                             .edits = ask->edits,
                             .stage = ask->stage,
                             .runner = why->runner,
                             .checked_runner = ask->checked_runner,
                             .seed = ask->seed,
                             .known = matched && !strstr(cause, "matches memory outside"),  // whose memory says nothing
                             .line_only = ask->line_only};
    char lines[sizeof repair.at] = "";
    if (matched && why->text && !*lab_first_todo()) lab_lines_of_cause(why->text, cause, lines, sizeof lines);
    memcpy(repair.at, lines, sizeof lines);
    return repair;
}

void lab_why_reported(const lab_why *why) {
    char note[LAB_NOTE];
    const lab_case *held;
    const char *report;
    const lab_repair_ask repair = lab_why_ask(why, "", 0);
    const int n = why->ask->source ? lab_explain_reported(&held, &report) : 0;
    if (n && lab_repair_reported(&repair, held, n, report, note, sizeof note)) why->note("Why", note);
}

void lab_why_failing(const lab_why *why) {
    char note[LAB_NOTE], lines[64] = "";
    const lab_repair_ask repair = lab_why_ask(why, "", 0);
    if (!why->text || !why->ask->edits || *lab_first_todo() || !*lab_explain_report()) return;
    lab_lines_of_report(lab_explain_report(), why->text, lines, sizeof lines);
    if (lab_repair_at_lines(&repair, lines, note, sizeof note)) why->note("Why", note);
}

// The cause names the line of a call that gets something wrong, "(line 66)", and the change is in another one: it hides the
// mistake. What a call finds in the cache was left there by another line.
static int is_elsewhere(const char *cause, const char *change) {
    if (strstr(cause, " slot ") || strstr(cause, "its cache")) return 0;
    const char *there = strstr(cause, "(line "), *here = strstr(change, "line");
    const int line = here ? atoi(here + strcspn(here, "0123456789\n")) : 0;
    return there && line && atoi(there + 6) && atoi(there + 6) != line;
}

// 0 / 0 where there are no keys: a sum that begins with 1 only makes 0 / 1 of it.
static int only_hides(const char *change) {
    return lab_cause_is_no_keys() && strstr(change, " in place of 0") && strstr(change, "With 1");
}

// With a / b in place of b / a.
static int turns_quotient(const char *change) {
    char a[2][32], b[2][32];
    const char *with = strstr(change, "With ");
    return with &&
           sscanf(with, "With %31[A-Za-z0-9_.] / %31[A-Za-z0-9_.] in place of %31[A-Za-z0-9_.] / %31[A-Za-z0-9_.]",
                  a[0], a[1], b[0], b[1]) == 4 &&
           !strcmp(a[0], b[1]) && !strcmp(a[1], b[0]);
}

// With a * b in place of a, in the head of a loop.
static int multiplies_end(const char *change) {
    char a[2][32], b[32];
    const char *with = strstr(change, "With ");
    return with && strstr(change, "for (") &&
           sscanf(with, "With %31[A-Za-z0-9_.] * %31[A-Za-z0-9_.] in place of %31[A-Za-z0-9_.]", a[0], b, a[1]) == 3 &&
           (!strcmp(a[0], a[1]) || !strcmp(b, a[1]));
}

// Which of those that a cause can rule out is the change?
static unsigned kind_of(const char *change) {
    unsigned kind = LAB_ANY_CHANGE;
    if (strstr(change, "With batch in place") || strstr(change, "With head in place") ||
        strstr(change, "With heads in place"))
        kind |= LAB_FEWER_KEYS;
    if (strstr(change, "With 1 in place of")) kind |= LAB_PIECES_OF_1;
    if (strstr(change, "With !") || turns_quotient(change)) kind |= LAB_ONE_PIECE;
    if (strstr(change, "Without the loop,") || strstr(change, "Without for (")) kind |= LAB_NO_LOOP;
    if (strstr(change, "<<<")) kind |= LAB_OTHER_LAUNCH;
    if (multiplies_end(change)) kind |= LAB_LONGER_LOOP;
    return strstr(change, "With = in place of") ? kind | LAB_SET_FOR_ADDED : kind;
}

int lab_change_is_by_luck(const char *cause, const char *change) {
    return (lab_cause_rules_out(cause) & kind_of(change)) != 0;
}

// Of two readings with the same numbers, the text has one: what the function is given and reads nowhere.
void lab_settle_reading(const char *unread, char *cause) {
    char given[32];
    const char *without = strstr(cause, "offsets without ");
    char *other = without ? strstr(cause, ". Or the ") : NULL;
    if (!other) return;
    snprintf(given, sizeof given, " is given %c (", without[strlen("offsets without ")]);
    if (strstr(unread, given)) *other = 0;
}

static int line_of(const char *sentence) {
    const char *at = strstr(sentence, "line ");
    return at ? atoi(at + strlen("line ")) : 0;
}

// Without `if (row >= rows) return;` all is right: what the threads that leave there leave undone is the reason.
// A condition with which fewer of them leave says the same in other words.
void lab_say_who_leaves(const char *text, char change[LAB_NOTE]) {
    char hint[LAB_NOTE];
    const size_t used = strlen(change);
    if (!strstr(change, "return;") || !lab_hint_of_leaving(text, hint, sizeof hint) || line_of(hint) != line_of(change))
        return;
    static const char *const fewer[] = {"With && in place of ||", "With > in place of >=", "With < in place of <="};
    for (size_t i = 0; i < sizeof fewer / sizeof *fewer; i++)
        if (strstr(change, fewer[i])) snprintf(change, LAB_NOTE, "%s", hint);
    if (!strstr(change, "Without it")) return;
    const char *barrier = strstr(hint, "in line ");
    snprintf(change + used, LAB_NOTE - used,
             " The threads that leave there load no share of what the block has loaded by the barrier of line %d: let "
             "them stay, and guard what they store.",
             barrier ? line_of(barrier) : 0);
}

void lab_why_changes(const lab_why *why, const char *cause, int matched, lab_changes *found) {
    const lab_ask *ask = why->ask;
    char note[LAB_NOTE];
    int hides = 0;
    found->n = found->all = 0;
    const lab_repair_ask repair = lab_why_ask(why, cause, matched);
    if (!ask->edits || !ask->source || !lab_repair_wanted()) return;
    if (!lab_is_built(ask->edits, "looking for one change that mends it")) return;
    for (int i = 0; lab_repair(&repair, i, note, sizeof note); i++) {
        const int luck = matched && lab_change_is_by_luck(cause, note);
        hides |= only_hides(note) || luck;
        if (*note && !is_elsewhere(cause, note) && !only_hides(note) && !luck && found->n < LAB_MOST_CHANGES)
            snprintf(found->text[found->n++], LAB_NOTE, "%s", note);
    }
    for (int i = 0; i < found->n && why->text; i++) lab_say_who_leaves(why->text, found->text[i]);
    for (int i = 0; i < found->n && why->probe && !*lab_first_todo(); i++)
        lab_todo_of_change(ask->source, ask->task->id, found->text[i], LAB_NOTE);
    found->all = lab_repair_explains_all() && !hides;
}

void lab_leave_out_questions(char *cause) {
    char *question = strchr(cause, '?'), *last = NULL;
    for (char *at = cause; question && (at = strstr(at, ": ")) && at < question; at++) last = at;
    if (last && strstr(cause, "matches") && strstr(cause, "matches") < last) *last = 0;
}

// "X_cache[...] = X[...]": does what stands in the first bracket count heads, or tokens of a prompt?
void lab_settle_run(const char *text, char *cause) {
    static const char of_tokens[] = "X and X_cache taken for [B, S, H, D] and [B, max_seq, H, D]", or_heads[] = ", or ",
                      apart[] = "heads that begin count * D numbers apart in both";
    char *first = strstr(cause, of_tokens), *second = first ? strstr(first, apart) : NULL;
    char *colon = second ? strstr(second, ": head bh") : NULL;
    const char *open = text && colon ? strstr(text, "X_cache[") : NULL;
    const char *close = open ? open + strcspn(open, "]") : NULL;
    if (!close || !*close) return;
    const int heads = lab_has_word(open, close, "heads"), packed = lab_has_word(open, close, "count");
    if (heads && !packed) memmove(first + strlen(of_tokens), colon, strlen(colon) + 1);
    if (packed && !heads && second == first + strlen(of_tokens) + strlen(or_heads))
        memmove(first, second, strlen(second) + 1);
}
