// told.c: of the sentences of many claims, those that are told.
#include <stdio.h>
#include <string.h>

#include "common_cause.h"
#include "contradicted.h"
#include "crash.h"
#include "refuted.h"

enum { MOST_CHOSEN = 4 };

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

// The sentence about why, without where.
static void sentence_of(const lab_result *r, char *text, size_t size) {
    const char *end = strstr(r->diagnosis, "; wrong: ");
    const int length = begins(r->diagnosis, "wrong: ") ? 0
                       : end                           ? (int)(end - r->diagnosis)
                                                       : (int)strlen(r->diagnosis);
    snprintf(text, size, "%.*s", length, r->diagnosis);
}

// ---- One cause

typedef struct {
    char text[sizeof((lab_guesses *)0)->text[0]];
    int claims;
} chosen;

static int explains(const char *cause, const lab_held *h) {
    char own[sizeof h->r.diagnosis];
    for (int k = 0; k < h->r.guesses.n; k++)
        if (lab_same_cause(h->r.guesses.text[k], cause)) return 1;
    sentence_of(&h->r, own, sizeof own);
    return (begins(own, "matches") || begins(own, "perhaps")) && lab_same_cause(own, cause);
}

// "Perhaps" is said where nothing of the group speaks against it: every claim that fails has it.
static int is_idle(const lab_held *held, int n, const lab_held *of, const char *sentence) {
    if (!begins(sentence, "perhaps")) return 0;
    for (int i = 0; i < n; i++)
        if (lab_told_together(&held[i], of) && lab_is_wrong(&held[i]) && !explains(sentence, &held[i])) return 1;
    return 0;
}

static int is_explained(const chosen *c, int n, const lab_held *h) {
    for (int i = 0; i < n; i++)
        if (explains(c[i].text, h)) return 1;
    return 0;
}

// What has been said of all of them comes first. Among equals, what fits goes before a sign, and what says more before
// what says less.
static int is_better(const char *cause, int claims, const chosen *best) {
    if (lab_cause_was_said(cause) != lab_cause_was_said(best->text)) return lab_cause_was_said(cause);
    if (claims != best->claims) return claims > best->claims;
    if (lab_is_smaller_tile(cause, best->text)) return 1;
    if (lab_same_cause(cause, best->text)) return lab_says_more(cause, best->text);
    const int matches = begins(cause, "matches"), matched = begins(best->text, "matches");
    return matches != matched ? matches : strlen(cause) > strlen(best->text);
}

// Every number is NaN or Inf, and nothing fits: such a claim says nothing of a cause.
static int is_mute(const lab_held *h) {
    if (h->r.verdict != LAB_NOT_FINITE || h->r.cmp.not_finite < h->c.op->elements(h->c.shape, 0)) return 0;
    for (int k = 0; k < h->r.guesses.n; k++)
        if (begins(h->r.guesses.text[k], "matches")) return 0;
    return 1;
}

// The claims of the group that fail and that nothing chosen explains. With large scores one key has all the weight, and
// much looks alike: those claims count where there are no others.
static int left(const lab_held *held, int n, const lab_held *of, const chosen *c, int found, const lab_held **rest) {
    int small = 0, all = 0, speak = 0;
    for (int i = 0; i < n; i++) {
        const int fails = lab_told_together(&held[i], of) && lab_is_wrong(&held[i]);
        small |= fails && !lab_has_large_scores(&held[i].c), speak |= fails && !is_mute(&held[i]);
    }
    for (int i = 0; i < n; i++)
        if (lab_told_together(&held[i], of) && lab_is_wrong(&held[i]) && !is_explained(c, found, &held[i]) &&
            !(small && lab_has_large_scores(&held[i].c)) && !(speak && is_mute(&held[i])))
            rest[all++] = &held[i];
    return all;
}

// What explains most of them.
static chosen best_of(const lab_held *held, int n, const lab_held *const *rest, int all) {
    chosen best = {"", 0};
    for (int i = 0; i < all; i++)
        for (int k = 0; k < rest[i]->r.guesses.n; k++) {
            const char *cause = rest[i]->r.guesses.text[k];
            int claims = 0;
            if (is_idle(held, n, rest[i], cause) || lab_is_by_chance(held, n, rest[i], cause) ||
                lab_is_contradicted(held, n, rest[i], cause))
                continue;
            for (int j = 0; j < all; j++) claims += explains(cause, rest[j]);
            if (!is_better(cause, claims, &best)) continue;
            snprintf(best.text, sizeof best.text, "%s", cause), best.claims = claims;
        }
    return best;
}

// A claim of a TODO that fails as others of it do, in numbers that could fit, and that nothing chosen explains: what fits
// the others does so by chance, as a TODO is one function.
static int is_partial(const lab_held *held, int n, const lab_held *of, const chosen *c, int found) {
    const lab_held *rest[n];
    const int all = of->c.todo ? left(held, n, of, c, found, rest) : 0;
    for (int i = 0; i < all; i++)
        if (rest[i]->r.verdict == LAB_WRONG_ANSWER) return 1;
    return 0;
}

// Most claims of the group first, if they are half of it. A second cause explains all that is left, if it is more than
// one claim, and at least half of the group: what fits some of few is chance.
static int choose(const lab_held *held, int n, const lab_held *of, chosen *c) {
    const lab_held *rest[n];
    int found = 0;
    for (; found < MOST_CHOSEN; found++) {
        const int all = left(held, n, of, c, found, rest);
        c[found] = best_of(held, n, rest, all);
        if (c[found].claims < 1 + (found > 0) || (!found && 2 * c[0].claims < all)) break;
        if (found && (c[found].claims < all || c[0].claims > all)) break;
    }
    return found;
}

// ---- What is left of a diagnosis

// What is seen, and no guess at why.
static int is_fact(const char *sentence, size_t length) {
    static const char *const seen[] = {"were never written", "was never written:", "from malloc", "a second call",
                                       "after "};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        const char *at = strstr(sentence, seen[i]);
        if (at && at < sentence + length && (i < 3 || at == sentence)) return 1;
    }
    return 0;
}

// The diagnosis: facts alone, with this in front of them.
static void tell(lab_result *r, const char *cause) {
    char text[sizeof r->diagnosis];
    int used = snprintf(text, sizeof text, "%s", cause);
    for (const char *at = r->diagnosis, *end; at && used < (int)sizeof text; at = end ? end + 2 : NULL) {
        end = strstr(at, "; ");
        const int rest = begins(at, "wrong: ");
        const size_t length = end && !rest ? (size_t)(end - at) : strlen(at);
        if (rest || is_fact(at, length))
            used += snprintf(text + used, sizeof text - used, "%s%.*s", used ? "; " : "", (int)length, at);
        if (rest) break;
    }
    memcpy(r->diagnosis, text, sizeof text);
}

// Where a change is said that mends it, what else could be done only leads astray.
static void leave_advice_out(lab_result *r) {
    static const char advice[] = LAB_UNSET_ADVICE;
    char *at = strstr(r->diagnosis, advice);
    if (at) memmove(at, at + sizeof advice - 1, strlen(at + sizeof advice - 1) + 1);
}

static int failed_in_group(const lab_held *held, int n, const lab_held *of) {
    int failed = 0;
    for (int i = 0; i < n; i++) failed += lab_told_together(&held[i], of) && lab_is_wrong(&held[i]);
    return failed;
}

// With large scores alone much fits by chance: claims with others fail, too, in numbers, and it does not fit them.
static int fits_large_alone(const lab_held *held, int n, const lab_held *of, const char *sentence) {
    if (!lab_has_large_scores(&of->c) || !begins(sentence, "matches")) return 0;
    for (int i = 0; i < n; i++)
        if (lab_told_together(&held[i], of) && held[i].r.verdict == LAB_WRONG_ANSWER && lab_is_wrong(&held[i]) &&
            !lab_has_large_scores(&held[i].c) && !explains(sentence, &held[i]))
            return 1;
    return 0;
}

// What fits some of the claims is less than what fits all: of its own words "matches" goes. Where it stands at a claim
// that it does not fit, it names the one whose numbers it has.
static const char *as_guess(const chosen *c, int all, lab_held *const *group, int in_group, const lab_held *at,
                            char *text, size_t size) {
    const char *of = NULL;
    if (c->claims >= all || !begins(c->text, "matches ")) return c->text;
    for (int g = 0; g < in_group && !of; g++)
        for (int k = 0; k < group[g]->r.guesses.n && !of; k++)
            if (strcmp(group[g]->r.guesses.text[k], c->text) == 0) of = group[g]->c.claim;
    if (!of || explains(c->text, at)) of = "";
    snprintf(text, size, "a guess, which fits %d of the %d claims%s%s: %s", c->claims, all, *of ? ", as in " : "", of,
             c->text + strlen("matches "));
    return text;
}

// A claim of what many TODOs make, one of which fails.
static int is_of_many(const lab_held *h) {
    return !h->c.todo && *lab_first_todo() && h->c.op != &lab_split_heads && h->c.op != &lab_merge_heads;
}

// A known mistake in words of its own is a guess, too, where other claims of the TODO do not have its numbers.
static const char *own_guess(const lab_held *h, lab_held *const *group, int in_group, const char *own, char *text,
                             size_t size) {
    int known = 0, fits = 0;
    for (int k = 0; k < h->r.guesses.n; k++) known |= strcmp(h->r.guesses.text[k], own) == 0;
    for (int g = 0; g < in_group; g++) fits += explains(own, group[g]);
    if (!known || fits >= in_group || !h->c.todo || begins(own, "matches")) return NULL;
    snprintf(text, size, "a guess, which fits %d of the %d claims: %.240s", fits, in_group, own);
    return text;
}

static void tell_group(lab_held *held, int n, lab_held *const *group, int in_group, int certain) {
    chosen c[MOST_CHOSEN];
    const lab_held *rest[n];
    int told[MOST_CHOSEN] = {0};
    const int all = left(held, n, group[0], NULL, 0, rest);
    const int chose = choose(held, n, group[0], c), failed = failed_in_group(held, n, group[0]);
    const int partial = is_partial(held, n, group[0], c, chose), found = partial ? 0 : chose;
    for (int g = 0; g < in_group; g++) {
        lab_held *h = group[g];
        const char *say = NULL;
        for (int k = 0; k < found && !say; k++) {
            // What fits most of them stands where the reader begins.
            const int first = found == 1 && !g && !certain && begins(c[k].text, "matches");
            if (!explains(c[k].text, h) && !first) continue;
            const int follows = !h->c.todo && *lab_first_todo();  // a mistake in a TODO, whose change is known
            const int keeps = begins(c[k].text, "matches") && (h->c.todo || 2 * c[k].claims > failed) && !follows;
            say = (certain && !keeps) || told[k]++ || lab_cause_was_said(c[k].text) ? "" : c[k].text;
        }
        char guess[sizeof c->text + 120];
        // One TODO of many that make the function is wrong, and its own claim matches nothing.
        if (say && begins(say, "matches") && is_of_many(h) && !lab_first_todo_matches()) say = "";
        // Beside what is proven a guess only leads astray, and of large scores alone it is no more.
        if (say && certain && begins(say, "matches") && found == 1 &&
            (c[0].claims < all || (!h->c.todo && lab_has_large_scores(&h->c))))
            say = "";
        if (say && *say && found == 1) say = as_guess(&c[0], all, group, in_group, h, guess, sizeof guess);
        char own[sizeof h->r.diagnosis];
        sentence_of(&h->r, own, sizeof own);
        const int chance = ((partial || (!chose && c[0].claims)) && begins(own, "matches")) ||
                           (!found && fits_large_alone(held, n, h, own));
        const int drops =
            chance || (found && (begins(own, "matches") || 2 * c[0].claims > failed)) || is_idle(held, n, h, own);
        if (!say && begins(own, "matches") && is_of_many(h) && !lab_first_todo_matches()) say = "";
        if (!say && (certain || drops || lab_cause_was_said(own))) say = "";
        if (!say) say = own_guess(h, group, in_group, own, guess, sizeof guess);
        if (say) tell(&h->r, say);
        if (certain) leave_advice_out(&h->r);
    }
}

// A known mistake that another claim of the TODO, which holds, speaks against is not told of.
static void leave_refuted_out(lab_held *h) {
    char own[sizeof h->r.diagnosis];
    lab_guesses *g = &h->r.guesses;
    for (int i = 0; i < g->n; i++)
        if (lab_is_refuted(h->c.todo, g->text[i])) memmove(g->text[i], g->text[--g->n], sizeof g->text[0]), i--;
    sentence_of(&h->r, own, sizeof own);
    if (*own && lab_is_refuted(h->c.todo, own)) tell(&h->r, g->n ? g->text[0] : "");
}

void lab_choose_told(lab_held *held, int n, int some_hold, int certain) {
    lab_held *group[n > 0 ? n : 1];
    char own[sizeof held->r.diagnosis], drop[n > 0 ? n : 1];
    const char *instead[n > 0 ? n : 1];
    for (int i = 0; i < n; i++) {
        if (held[i].c.todo && lab_is_wrong(&held[i])) leave_refuted_out(&held[i]);
        sentence_of(&held[i].r, own, sizeof own);
        drop[i] = lab_is_wrong(&held[i]) &&
                  (lab_is_contradicted(held, n, &held[i], own) || lab_is_by_chance(held, n, &held[i], own) ||
                   (some_hold && begins(own, "a guess: every row is NaN")));
        instead[i] = drop[i] ? lab_said_instead(&held[i], own) : "";
    }
    for (int i = 0; i < n; i++)
        if (drop[i]) tell(&held[i].r, instead[i]);
    for (int i = 0; i < n; i++) {
        int first = 1, in_group = 0;
        for (int j = 0; j < i; j++) first &= !lab_told_together(&held[j], &held[i]);
        for (int j = i; j < n && first; j++)
            if (lab_told_together(&held[j], &held[i]) && lab_is_wrong(&held[j])) group[in_group++] = &held[j];
        if (in_group) tell_group(held, n, group, in_group, certain);
    }
}
