// alike.c: who misreads one thing misreads it wherever it is written: for K and for V, for rows and for columns, in the
// next kernel. A change is tried in all places that read alike but for a name or two, under the names that stand there.
//
//     ks[x] = K[(head * seq_q + j0) * D + x];      seq_kv in place of seq_q, in both
//     vs[x] = V[(head * seq_q + j0) * D + x];
//     x[i] = a[l][ty * 4 + i];                     ty + 16 * i, and tx + 16 * j
//     y[j] = b[l][tx * 4 + j];
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { MOST = 8, LONGEST = 12, LIKELY = 50, LATER = 6, AROUND = 3, NAMES = 3, LEAST = 2, SURE = 24 };

// A name here, and what stands for it there.
typedef struct {
    int here[NAMES], there[NAMES], n;
} other_names;

typedef struct {
    int first, place;
    other_names names;
    const char *words;  // that come here
} spot;

static bool is_field(const edits *e, int i) { return i && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")); }

// The same, or a name for a name, each for one alone.
static bool stands_for(const edits *e, int i, int k, other_names *names) {
    if (is_field(e, i) != is_field(e, k)) return false;
    if (e->u.tokens[i].kind != TOKEN_NAME || e->u.tokens[k].kind != TOKEN_NAME) return edits_same(&e->u, i, k, 1);
    for (int m = 0; m < names->n; m++)
        if (edits_same(&e->u, names->here[m], i, 1) || edits_same(&e->u, names->there[m], k, 1))
            return edits_same(&e->u, names->here[m], i, 1) && edits_same(&e->u, names->there[m], k, 1);
    if (edits_same(&e->u, i, k, 1)) return true;
    if (names->n == NAMES) return false;
    names->here[names->n] = i, names->there[names->n++] = k;
    return true;
}

// What has to agree: of a name that it is one, or a field; of all else the text.
static const int *shapes_of(edits *e) {
    int *shape = keep(&e->u, sizeof *shape * (size_t)(e->u.token_count + 1));
    for (int i = 0; i < e->u.token_count; i++) {
        const token *t = &e->u.tokens[i];
        unsigned hash = 5381;
        for (int k = 0; k < t->length; k++) hash = 33 * hash + (unsigned char)t->at[k];
        shape[i] = t->kind == TOKEN_NAME ? is_field(e, i) : (int)(hash | 2);
    }
    return shape;
}

static bool ends(const edits *e, int i) {
    return i < 0 || i >= e->u.token_count || is(&e->u, i, ";") || is(&e->u, i, "{") || is(&e->u, i, "}");
}

// Do the tokens of the change, and some around it, stand at k, too, but for a few names? Something has to be the same.
static bool reads_alike(const edits *e, const change *c, int k, other_names *names) {
    int same = 0, all = 0;
    names->n = 0;
    for (int i = c->first; i < c->end; i++)
        if (!stands_for(e, i, k + i - c->first, names)) return false;
    for (int side = -1; side <= 1; side += 2)
        for (int n = 1; n <= AROUND; n++) {
            const int i = side < 0 ? c->first - n : c->end - 1 + n, at = k + i - c->first;
            if (ends(e, i) && ends(e, at)) break;
            if (ends(e, i) || ends(e, at) || !stands_for(e, i, at, names)) return false;
        }
    for (int i = c->first - AROUND; i < c->end + AROUND; i++) {
        const int at = k + i - c->first;
        if (i < 0 || at < 0 || i >= e->u.token_count || at >= e->u.token_count) continue;
        if (e->u.tokens[i].kind == TOKEN_PUNCTUATION) continue;
        all++, same += edits_same(&e->u, i, at, 1);
    }
    return same >= LEAST && 2 * same >= all;
}

// The words that come, with the names that stand there. NULL: one of them is not known there.
static const char *words_at(edits *e, const change *c, const spot *s) {
    const char *text = "";
    for (const char *at = c->new_shown; *at;) {
        int n = 0;
        while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n && at[n] == '.')) n++;
        const int length = n && !isdigit((unsigned char)*at) ? (int)strcspn(at, ".") : n;
        const int name = length < n ? length : n;
        bool changed = false;
        for (int m = 0; m < s->names.n && name && !changed; m++) {
            const token *here = &e->u.tokens[s->names.here[m]], *there = &e->u.tokens[s->names.there[m]];
            if (here->length != name || memcmp(here->at, at, (size_t)name)) continue;
            text = format(&e->u, "%s%.*s", text, there->length, there->at), changed = true;
        }
        if (name && !changed && edits_visible(e, at, name, c->first) && !edits_visible(e, at, name, s->first))
            return NULL;
        const int taken = name ? name : 1;
        if (!changed) text = format(&e->u, "%s%.*s", text, taken, at);
        at += taken;
    }
    return text;
}

// All that read alike, in the order of the text; 0: they are too many to be one slip.
static int find(edits *e, const change *c, const int *shape, spot *list) {
    const int n = c->end - c->first, last = c->end < e->u.token_count ? c->end : c->end - 1;
    int found = 0;
    for (int i = 1; i + n < e->u.token_count; i++) {
        spot s = {.first = i};
        if (shape[i] != shape[c->first] || shape[i - 1] != shape[c->first - 1] || shape[i + n] != shape[last]) continue;
        if (i > c->first - n && i < c->first + n && i != c->first) continue;
        if (i != c->first && !reads_alike(e, c, i, &s.names)) continue;
        if ((s.place = edits_place_of(e, i, i + n)) < 0) continue;
        if (found == MOST) return 0;
        list[found++] = s;
        if (i != c->first) i += n - 1;
    }
    return found;
}

// Those of them within these tokens, with the words that come there.
static int within(edits *e, const change *c, const spot *all, int n, int from, int to, spot *list) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        spot s = all[i];
        if (s.first < from || s.first >= to) continue;
        s.words = s.first == c->first ? c->new_shown : words_at(e, c, &s);
        if (s.words) list[found++] = s;
    }
    return found;
}

// Tokens [at, end) of a place with the new words at all of its spots.
static const char *text_of(edits *e, const spot *list, int n, int place, int at, int end, int length) {
    const char *text = "";
    for (int i = 0; i < n; i++) {
        if (list[i].place != place) continue;
        text = format(&e->u, "%s%s %s ", text, edits_text(e, at, list[i].first), list[i].words);
        at = list[i].first + length;
    }
    while (*text == ' ') text++;
    return format(&e->u, "%s%s", text, edits_text(e, at, end));
}

static const char *whole(edits *e, const spot *list, int n, int place, int length) {
    return text_of(e, list, n, place, e->places[place].first, e->places[place].end, length);
}

// Of two the words are shown in both, of more where they are the same. In one place the text is shown from the first to
// the last.
static bool show(edits *e, change *c, const spot *list, int n) {
    const int length = c->end - c->first, end = list[n - 1].first + length;
    bool same = true, one_place = true, several = false;
    for (int i = 1; i < n; i++) {
        same &= !strcmp(list[i].words, list[0].words);
        for (int k = 0; k < length; k++) same &= edits_same(&e->u, list[0].first + k, list[i].first + k, 1);
        one_place &= list[i].place == list[0].place, several |= list[i].place == list[i - 1].place;
    }
    if (one_place) {
        const char *text = text_of(e, list, n, c->place, c->first, end, length);
        int left = (int)strlen(text);
        while (left && text[left - 1] == ' ') left--;
        c->old_shown = edits_text(e, c->first, end), c->new_shown = format(&e->u, "%.*s", left, text);
        return true;
    }
    if (same || several) return same;
    if (n > 2) return false;
    c->old_shown = format(&e->u, "%s ... %s", c->old_shown, edits_text(e, list[1].first, end));
    c->new_shown = format(&e->u, "%s ... %s", c->new_shown, list[1].words);
    return true;
}

static bool is_new(const spot *list, int n) {
    for (int i = 0; i < n; i++)
        if (list[i].names.n) return true;
    return false;
}

static void add(edits *e, const change *c, const spot *list, int n) {
    change all = *c;
    if (n < 2 || list[0].first != c->first || !show(e, &all, list, n)) return;
    place_text *more = keep(&e->u, sizeof *more * MOST);
    all.more = more, all.rank += LATER, all.text = whole(e, list, n, c->place, c->end - c->first);
    for (int i = 1; i < n; i++) {
        bool known = list[i].place == c->place;
        for (int k = 0; k < all.n_more; k++) known |= more[k].place == list[i].place;
        if (!known)
            more[all.n_more++] = (place_text){list[i].place, whole(e, list, n, list[i].place, c->end - c->first)};
    }
    int first[MOST];
    for (int i = 0; i < n; i++) first[i] = list[i].first;
    const int told = edits_told_by_words(e, first, n, c->end - c->first);
    const bool both = all.n_more && !told && n == 2 &&
                      edits_tell_both(e, &all, first, c->end - c->first, list[0].words, list[1].words);
    all.each = !all.n_more || both ? 0 : told == 2 ? 1 : told ? 0 : 2;
    *EDITS_ADD(e, changes, n_changes) = all;
}

void edits_change_alike(edits *e, int all) {
    const int *shape = shapes_of(e);
    spot found[MOST];
    int first = -1, end = -1, n = 0;  // of what was found last
    for (int i = 0; i < all; i++) {
        const change c = e->changes[i];
        if (c.place < 0 || c.of || c.n_more || c.insert >= 0 || c.remove >= 0 || c.rank > LIKELY ||
            c.end - c.first > LONGEST || c.first < 1 ||
            (!strcmp(c.kind, "habit") && c.rank > SURE))  // of those there are many
            continue;
        if (c.first != first || c.end != end) n = find(e, &c, shape, found), first = c.first, end = c.end;
        const function *f = &e->functions[e->statements[e->places[c.place].statement].function];
        spot here[MOST], anywhere[MOST];
        const int few = within(e, &c, found, n, f->body, f->end, here),
                  more = within(e, &c, found, n, 0, e->u.token_count, anywhere);
        if (is_new(here, few)) add(e, &c, here, few);
        if (more > few && is_new(anywhere, more)) add(e, &c, anywhere, more);
        for (int k = 1; k < few && few > 2; k++) {  // some of them may be right
            const spot two[] = {here[0], here[k]};
            add(e, &c, two, 2);
        }
    }
}
