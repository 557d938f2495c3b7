// agrees.c: beside a change after which every claim passes a sentence is said that explains it, and none that speaks of
// something else.
#include "agrees.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "source_lines.h"

static int is_near(const char *hint, const char *change) {
    for (const char *at = hint; (at = strstr(at, "line ")); at++)
        for (const char *here = change; (here = strstr(here, "line")); here++)
            if (abs(atoi(at + 5) - atoi(here + strcspn(here, "0123456789"))) <= 1) return 1;
    return 0;
}

// "With n_splits in place of WARPS, every claim passes.": has the hint one of these names? Of a statement that comes, goes
// or moves it may speak in other words.
static int has_its_names(const char *hint, const char *change) {
    const char *with = strstr(change, "With "), *end = with ? strstr(with, ", every claim") : NULL;
    if (!with || !end || !strstr(with, " in place of ")) return 1;
    for (const char *at = with + strlen("With "); at < end;) {
        char name[64];
        size_t n = 0;
        while (at + n < end && n < sizeof name - 1 && (isalnum((unsigned char)at[n]) || at[n] == '_')) n++;
        memcpy(name, at, n), name[n] = 0;
        const int is_word = strcmp(name, "in") == 0 || strcmp(name, "place") == 0 || strcmp(name, "of") == 0;
        if (n && !is_word && lab_has_word(hint, hint + strlen(hint), name)) return 1;
        at += n ? n : 1;
    }
    return 0;
}

int lab_hint_agrees(const char *hint, const lab_changes *found) {
    for (int i = 0; i < found->n; i++)
        if (is_near(hint, found->text[i]) && has_its_names(hint, found->text[i])) return 1;
    return 0;
}

// "With < in place of <=": a counter or a loop ends elsewhere, and every index is right.
static int only_compares(const char *change) {
    const char *with = strstr(change, "With "), *sign = with ? with + strlen("With ") : "";
    const char *other = sign + strspn(sign, "<>=");
    return other > sign && !strncmp(other, " in place of ", 13) && strspn(other + 13, "<>=") > 0;
}

// "matches X as [S, B, H, D]: it is [B, S, H, D]"
static int is_of_a_layout(const char *cause) {
    const char *as = strstr(cause, " as [");
    return as && strstr(cause, "matches ") && strstr(as, "]: it is [");
}

int lab_cause_agrees(const char *cause, const lab_changes *found) {
    static const struct {
        const char *cause, *change;
    } another[] = {
        {"whole group of", "for ("},     // a loop that ends elsewhere goes on by one, and not by groups
        {"make several tiles", "dim3"},  // another grid, and the blocks make what they made
        {"make several tiles", "<<<"},
        {"loops whose ends are exchanged", "for ("},  // one of them ends elsewhere, and the other one is right
    };
    for (int i = 0; i < found->n && is_of_a_layout(cause); i++)
        if (only_compares(found->text[i])) return 0;
    for (size_t k = 0; k < sizeof another / sizeof *another; k++)
        for (int i = 0; i < found->n; i++)
            if (strstr(cause, another[k].cause) && strstr(found->text[i], another[k].change) &&
                strstr(found->text[i], " in place of "))
                return 0;
    return 1;
}

int lab_parts_agree(const char *note, const char *cause) {
    return strncmp(cause, "one cause", 9) || !strstr(cause, "divided by l after every tile") ||
           !strstr(note, "belongs to different maxima");
}
