// claims_why.c: asks, one after another, those who may know why claims fail: the file's words, a known mistake that
// matches all, a change that mends it, checked mode, and what the claims have in common.
#include "claims_why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agrees.h"
#include "backend.h"
#include "cause_layout.h"
#include "common_cause.h"
#include "computed.h"
#include "contract.h"
#include "explain.h"
#include "generate.h"
#include "given.h"
#include "hang.h"
#include "judged.h"
#include "made_of.h"
#include "mismatch.h"
#include "parts.h"
#include "repair.h"
#include "restored.h"
#include "right_lines.h"
#include "seen_rows.h"
#include "text_says.h"
#include "why_changes.h"
#include "wrong_rows.h"

// A change is going to be looked for, unless the text says it all.
void lab_why_ahead(const lab_why *why) {
    char note[LAB_NOTE], cause[LAB_NOTE];
    if (!why->ask->edits || !why->ask->source || why->ask->until) return;
    const int matches = lab_cause_matches(cause, sizeof cause);
    const lab_repair_ask repair = lab_why_ask(why, cause, matches);
    if (lab_repair_ahead_due(&repair) && lab_text_says(why, cause, note, sizeof note) != LAB_HINT_CAUSE)
        lab_repair_ahead(&repair);
}

static lab_checked_ask checked_of(const lab_ask *ask) {
    return (lab_checked_ask){.task = ask->task,
                             .source = ask->source,
                             .stage = ask->stage,
                             .runner = ask->checked_runner,
                             .seed = ask->seed,
                             .seconds = ask->seconds};
}

// A barrier of a warp, where several warps meet: that other threads have the numbers of these mends it by luck.
static int is_of_warps(const lab_why *why, char *note, size_t size) {
    const lab_checked_ask checked = checked_of(why->ask);
    return why->ask->task->language == LAB_CUDA && why->text && strstr(why->text, "__syncwarp(") &&
           lab_hint_of_warps(why->text, lab_explain_now(&checked), note, size);
}

static int can_compute(void) { return !lab_backend()->on_gpu && !lab_backend()->checked; }

// Numbers prove which work is shared out and not put together again, unless threads are in each other's way: that comes
// before what is only like the numbers, or looks odd in the text. A TODO's claims are about a few lines, so that a mistake
// that matches all of them is known.
static int note_parts(const lab_why *why, const char *cause) {
    char note[LAB_NOTE];
    if (lab_first_todo_matches() || strstr(cause, LAB_OTHER_LAYOUT)) return 0;
    const lab_checked_ask checked = checked_of(why->ask);
    const lab_repair_ask repair = lab_why_ask(why, "", 0);
    if (!can_compute() || !lab_repair_wanted() || !lab_parts_note(&repair, why->ask->seconds, note, sizeof note))
        return 0;
    const char *line = strstr(note, "line ");
    if (!lab_parts_agree(note, cause)) return 0;
    if (*lab_explain_now(&checked) || (line && why->text && lab_line_is_right(why->text, atoi(line + 5)))) return 0;
    why->note("Note", note);
    if (!strncmp(cause, "one cause", 9)) why->note("Note", cause);
    return 1;
}

// The parts alone are wrong, and a line takes the logarithm of what has not each key once: a change of that line hides it.
static int note_logs(const lab_why *why, const lab_changes *found) {
    if (lab_judged_telling() || !lab_judged_parts()) return 0;
    char note[LAB_NOTE];
    const lab_repair_ask repair = lab_why_ask(why, "", 0);
    if (!can_compute() || !lab_parts_note(&repair, why->ask->seconds, note, sizeof note)) return 0;
    const char *line = strstr(note, "line ");
    for (int i = 0; line && i < found->n; i++) {
        const char *changed = strstr(found->text[i], "line ");
        if (!changed || atoi(changed + 5) != atoi(line + 5)) return 0;
    }
    why->note("Note", note);
    return 1;
}

static char odd[LAB_NOTE];  // what the text says, if it was said

// A change of the file that mends what fails; *said: how many sentences name lines. What looks odd in the text comes
// first, unless a change elsewhere mends all. Returns 1 if that leaves nothing to explain.
static int repair_all(const lab_why *why, char cause[LAB_NOTE], int *matched, int *said, int *changes_said) {
    static lab_changes found;
    char note[LAB_NOTE], layout[LAB_NOTE];
    *matched = lab_cause_matched(cause, LAB_NOTE);
    if (lab_text_has(why, lab_hint_of_unread, note, sizeof note)) lab_settle_reading(note, cause);
    lab_settle_run(why->text, cause);
    const lab_hint is_odd = lab_text_says(why, cause, note, sizeof note);
    found.n = found.all = 0;
    if (is_odd != LAB_HINT_CAUSE) lab_why_changes(why, cause, *matched, &found);
    if (found.n && is_of_warps(why, note, sizeof note)) {
        found.n = 0, *said = 1, *changes_said = 0;
        why->note("Note", note);
        return 1;
    }
    if (found.n && note_logs(why, &found)) {
        *said = 1, *changes_said = 0;
        return 1;
    }
    if (!found.n && !is_odd && lab_text_has(why, lab_hint_of_axes, note, sizeof note)) {
        why->note("Note", note), why->note("Note", cause);  // a loop and its places are no small change
        *said = 1, *changes_said = 0;
        return 1;
    }
    if (!found.all && is_odd != LAB_HINT_CAUSE && note_parts(why, cause)) return 1;
    const int known = is_odd && (is_odd == LAB_HINT_CAUSE || !(found.all && found.n && !lab_hint_agrees(note, &found)));
    if (known) memcpy(odd, note, sizeof odd);
    if (known && is_odd >= LAB_HINT_ALONE) found.n = 0;
    if (found.n) lab_leave_out_questions(cause);
    const int differs = found.all && found.n && !lab_cause_agrees(cause, &found);
    const int one_layout = !differs && lab_cause_layout(layout, sizeof layout);
    if (one_layout) why->note("Note", layout);
    why->note("Note", known ? note : differs || lab_text_denies(why, cause) ? "" : cause);
    for (int i = 0; i < found.n; i++) why->note("Why", found.text[i]);
    *said = known + found.n, *changes_said = found.n;
    return found.all || (known && is_odd == LAB_HINT_CAUSE) || (one_layout && !*lab_first_todo());
}

// Threads that are in each other's way may compute what is right, until they meet.
static void note_shared(const lab_why *why) {
    const lab_ask *ask = why->ask;
    char note[LAB_NOTE];
    const lab_repair_ask asked = {.task = ask->task, .source = ask->source, .edits = ask->edits};
    const int openmp = ask->task->language == LAB_C_OPENMP && why->text;
    if (openmp && lab_hint_of_pragmas(why->text, note, sizeof note)) why->note("Note", note);
    if (openmp && lab_hint_of_private(why->text, note, sizeof note)) why->note("Note", note);
    if (openmp && lab_hint_of_reductions(why->text, note, sizeof note) && !strstr(odd, note)) why->note("Note", note);
    if (ask->task->language != LAB_C_OPENMP || !ask->edits || !why->text || !strstr(why->text, "parallel")) return;
    if (!lab_is_built(ask->edits, "reading what its threads share")) return;
    if (lab_repair_shared(&asked, note, sizeof note)) why->note("Note", note);
}

static void say_altered(const lab_altered *a, char *note, size_t size) {
    snprintf(note, size,
             a->line > 0 ? "line %d is not as the handout gave it. It was:\n%s"
                         : "behind line %d a line of the handout is missing:\n%s",
             abs(a->line), a->was);
}

// No change mends, and lines are not as the handout gave them. Returns 1 if what failed holds with all of them as they
// were: it is known what is wrong.
static int note_altered(const lab_why *why) {
    static int said, together;
    char note[LAB_NOTE];
    lab_altered found[LAB_MOST_ALTERED];
    const lab_ask *ask = why->ask;
    const int n = ask->source && lab_repair_wanted() ? lab_given_altered(ask->task, ask->source, found) : 0;
    if (!n || said++) return together;
    together = ask->edits && ask->task->language == LAB_CUDA &&  // of C that has been tried
               lab_restored_together(ask->task, ask->source, ask->seed, ask->seconds, note, sizeof note);
    if (together) why->note("Note", note);
    for (int i = 0; i < n && !together; i++) {
        say_altered(&found[i], note, sizeof note);
        why->note("Note", note);
    }
    return together;
}

// A file without TODOs, and a cause without a line: those in which it can be.
static int note_places(const lab_why *why, const char *cause) {
    char note[LAB_NOTE];
    if (*lab_first_todo()) return 0;
    if (why->probe) note_altered(why);  // its steps have claims of their own: what is given may have changed
    if (why->probe || !lab_place_in_wrong_lines(why->text, cause, note, sizeof note)) return 0;
    why->note("Note", note);
    return 1;
}

// A file without TODOs, of which no change mends what fails: what stands in it and does nothing.
static void note_idle(const lab_why *why) {
    char note[LAB_NOTE];
    const lab_ask *ask = why->ask;
    const int open = why->text && strstr(why->text, "ATTN_TODO(");
    const lab_repair_ask asked = {.task = ask->task, .source = ask->source, .edits = ask->edits, .open = open};
    if (*lab_first_todo() || !ask->edits || !ask->source || !lab_repair_wanted()) return;
    if (lab_is_built(ask->edits, "reading what does nothing in it") && lab_repair_idle(&asked, note, sizeof note) &&
        (!strstr(note, "no line sets") || !strstr(odd, "no line sets")))
        why->note("Note", note);
}

// Nobody knows why, or in which line: which ones are right. known: a cause explains all. cause: what has been said.
static void note_computed(const lab_why *why, int known, const char *cause) {
    char note[LAB_NOTE];
    const lab_repair_ask repair = lab_why_ask(why, "", 0);
    if (!can_compute()) return;
    if (!lab_computed_note(&repair, why->ask->seconds, cause, note, sizeof note)) return;
    if (known) lab_computed_leave_line_out(note);
    if (*note) why->note("Note", note);
}

// A TODO of which nothing is known: its function is asked, input by input, what its output is made of.
static int note_made_of(const lab_why *why) {
    char note[LAB_NOTE];
    if (!can_compute() || !lab_repair_wanted() || *lab_explain_report()) return 0;
    const int calls = why->ask->task->language == LAB_CUDA ? 450 : 3000;  // a block of many threads takes milliseconds
    if (!lab_made_of(why->ask->seed, why->ask->seconds, calls, note, sizeof note)) return 0;
    why->note("Note", note);
    return 1;
}

// Threads that wait for each other do so in the lines of a mistake, unless what they ask is a race. Nothing that is like the
// numbers says more.
static int note_apart(const lab_why *why) {
    const lab_checked_ask checked = checked_of(why->ask);
    const char *report = *lab_hang_apart() ? lab_explain_now(&checked) : "";
    if (!*lab_hang_apart() || (*report && !strstr(report, "deadlock"))) return 0;
    why->note("Note", lab_hang_apart());
    return 1;
}

static int explain_failures(const lab_why *why) {
    const lab_ask *ask = why->ask;
    char note[LAB_NOTE], cause[LAB_NOTE];
    int matched, placed = 0, mended = 0, known;  // placed: a line is named; known: it is one cause
    const lab_checked_ask checked = checked_of(ask);
    if (why->text && ask->task->language == LAB_CUDA && lab_breaks_contract(why->text, note, sizeof note))
        why->note("Note", note);
    if (ask->source && ask->edits && lab_repair_wanted() &&
        lab_restored_note(ask->task, ask->source, ask->seed, ask->seconds, note, sizeof note)) {
        why->note("Why", note);
        return 1;
    }
    const int explained = repair_all(why, cause, &matched, &placed, &mended);
    if (mended && *lab_first_todo() && lab_restored_moved(ask->task, ask->source, note, sizeof note))
        why->note("Note", note);
    known = strncmp(cause, "one cause", 9) == 0;
    if (!placed && matched) placed = note_places(why, cause);
    if (explained) return 1;
    if (note_apart(why)) return 1;
    const int todo = *lab_first_todo() != 0;  // it has a place, and claims of its own
    const lab_repair_ask repair = lab_why_ask(why, "", 0);
    if (!mended && !known && (!todo || (!placed && !matched)) && can_compute()) lab_computed_ahead(&repair);
    note_idle(why);
    for (int i = 0; lab_explain(i, &checked, note, sizeof note); i++) {
        known |= strncmp(note, "one cause", 9) == 0 || strstr(note, "exp overflows") != NULL;
        if (strstr(note, "computed from what the output held") && lab_repair_wanted() && why->text)
            lab_hint_of_adding(why->text, 1, 1 << 20, note, sizeof note);  // in whatever function it is
        if (!strstr(odd, note)) why->note("Note", note);                   // a report may lead to the same
        if (!placed) placed = note_places(why, note);
    }
    if (!mended && note_altered(why)) return 1;
    const int vague = !matched || strstr(cause, "in the wrong places: which axis") != NULL;
    const int made = todo && !mended && !known && !placed && vague && note_made_of(why);
    if (!made && !mended && !known && !*lab_explain_report() && (!todo || (!placed && !matched)))
        note_computed(why, matched, cause);
    lab_why_reported(why);
    if (!mended) lab_why_failing(why);
    if (!mended && !known && !matched && !todo && can_compute() && !*lab_explain_report() &&
        lab_seen_rows(ask->seed, ask->seconds, note, sizeof note))
        why->note("Note", note);
    if (why->probe && !matched && !lab_cause_known() && !lab_backend()->on_gpu && !lab_backend()->checked &&
        lab_mismatch(ask->task, why->probe, ask->seed, ask->seconds, note, sizeof note))
        why->note("Note", note);
    return lab_explain_is_certain();
}

// Right numbers do not show that each thread does the work of all.
static void note_shares(const lab_why *why) {
    char note[LAB_NOTE];
    if (why->ask->task->language == LAB_CUDA && why->text && lab_hint_of_shares(why->text, note, sizeof note))
        why->note("Note", note);
}

// No claim fails, and the file does not ask whether a call did.
static void note_statuses(const lab_why *why) {
    char note[LAB_NOTE];
    if (!lab_cause_failures() && !*lab_first_todo() && why->text && lab_hint_of_statuses(why->text, note, sizeof note))
        why->note("Note", note);
}

int lab_say_why(const lab_why *why) {
    const int known = explain_failures(why);
    note_statuses(why);
    note_shared(why);
    if (!known) note_shares(why);
    lab_repair_ahead_end();
    lab_checked_drop();
    lab_computed_drop();
    return known;
}
