// text_says.c: the hints of a file's text, one after another, in the lines of the function that fails.
#include "text_says.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common_cause.h"
#include "explain.h"
#include "region.h"
#include "repair.h"
#include "right_lines.h"
#include "source_lines.h"
#include "todo.h"

static int line_in(const char *sentence) {
    const char *at = strstr(sentence, "line ");
    return at ? atoi(at + strlen("line ")) : 0;
}

static lab_hint is_between(const lab_why *why, lab_sign *hint_of, int from, int to, const char *before, char *note,
                           size_t size) {
    const char *todo = lab_first_todo();
    char hint[LAB_NOTE - 100];
    lab_hint h;
    for (int line = 0;; from = line + 1) {
        h = (lab_hint)hint_of(why->text, from, to, hint, sizeof hint);
        if (!h) return LAB_HINT_NONE;
        line = line_in(hint);
        if (*todo || hint_of == lab_hint_of_owners || !lab_line_is_right(why->text, line))
            break;  // two that are right alone
        if (line < from) return LAB_HINT_NONE;
    }
    snprintf(note, size, "%s%s%s%s%s", *todo ? "TODO " : "", todo, *todo ? ": " : "", before, hint);
    return h;
}

static lab_hint is_seen(const lab_why *why, lab_sign *hint_of, const char *before, char *note, size_t size) {
    const char *todo = lab_first_todo();
    int from = 1, to = 1 << 20;
    if (!why->text || !lab_repair_wanted()) return LAB_HINT_NONE;
    if (*todo && !lab_region_of(why->ask->source, why->ask->task->id, todo, &from, &to)) return LAB_HINT_NONE;
    return is_between(why, hint_of, from, to, before, note, size);
}

// A function that a TODO calls may hold its own claim, whose probe has one thread in a block.
static lab_hint is_in_file(const lab_why *why, lab_sign *hint_of, char *note, size_t size) {
    return why->text && lab_repair_wanted() ? is_between(why, hint_of, 1, 1 << 20, "", note, size) : LAB_HINT_NONE;
}

static const char *commented;  // the file's text with its comments

static int hint_of_named(const char *text, int from, int to, char *sentence, size_t size) {
    return lab_hint_of_named(commented, text, from, to, sentence, size);
}

static lab_hint is_named(const lab_why *why, char *note, size_t size) {
    char *text = lab_todo_text(why->ask->source);
    commented = text;
    const lab_hint h = text ? is_seen(why, hint_of_named, "", note, size) : LAB_HINT_NONE;
    free(text);
    return h;
}

// A directive above a loop of these lines that does not say what the loop does.
static int hint_of_lanes(const char *text, int from, int to, char *sentence, size_t size) {
    if (!lab_hint_of_reductions(text, sentence, size) || !strstr(sentence, "it is reduction(")) return LAB_HINT_NONE;
    return line_in(sentence) >= from && line_in(sentence) <= to ? LAB_HINT_CAUSE : LAB_HINT_NONE;
}

lab_hint lab_text_has(const lab_why *why, lab_sign *hint_of, char *note, size_t size) {
    return is_seen(why, hint_of, "", note, size);
}

lab_hint lab_text_says(const lab_why *why, const char *cause, char *note, size_t size) {
    lab_hint h = LAB_HINT_NONE;
    if (why->ask->task->language == LAB_C_OPENMP) h = is_seen(why, hint_of_lanes, "", note, size);
    for (size_t i = *lab_first_todo() ? 0 : LAB_SIGNS_OF_TODOS; lab_signs[i] && !h; i++)
        h = is_seen(why, lab_signs[i], "", note, size);
    if (!h && *lab_first_todo()) h = is_in_file(why, lab_hint_of_one_thread, note, size);
    if (!h && *lab_first_todo())  // of a file without TODOs it is said at the end: note_idle
        h = is_seen(why, lab_hint_of_uncalled, "", note, size);
    if (!h && *lab_first_todo() && !strstr(cause, "matches")) h = is_named(why, note, size);
    if (!h && !strstr(cause, "matches")) h = is_seen(why, lab_hint_of_unread, "", note, size);
    if (!h && strstr(cause, "is in the sum: add with +="))  // which the file does
        h = is_seen(why, lab_hint_of_clearing, "only the last term is in the sum: ", note, size);
    if (!h && strstr(cause, "scaled once more with every tile"))
        h = is_seen(why, lab_hint_of_rescaled, "scores are scaled once more with every tile: ", note, size);
    return h;
}

static int calls_softmax(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    const char *call = start ? strstr(start, "softmax_batched(") : NULL;
    snprintf(sentence, size, "it is called");
    return call && (!end || call < end);
}

static int calls_exp(const char *text, int from, int to, char *sentence, size_t size) {
    static const char *const names[] = {"expf", "exp", "__expf", "exp2f", "exp_of", NULL};
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    snprintf(sentence, size, "it is called");
    for (int i = 0; start && names[i]; i++)
        if (lab_has_word(start, end ? end : start + strlen(start), names[i])) return 1;
    return 0;
}

int lab_text_denies(const lab_why *why, const char *cause) {
    char note[LAB_NOTE];
    if (strstr(cause, "call expf") && is_seen(why, calls_exp, "", note, sizeof note)) return 1;
    return strstr(cause, "there is no softmax") && is_seen(why, calls_softmax, "", note, sizeof note);
}
