// picture_arrays.c: what lies where. A store to shared memory whose bits this thread has just loaded from global memory
// is a copy; so dynamic shared memory, which has no names, is told apart by what its words hold.
#include <stdlib.h>
#include <string.h>

#include "picture.h"

enum { RING = 8, NOTHING = -1, COMPUTED = -2, ZERO = -3, MOST_PARTS = 8 };

typedef struct {
    int region;
    uint32_t word, bits;
} loaded;

// ---- Copies

static void remember(loaded ring[RING], int *next, const lab_seen *s, int k, int bytes) {
    for (int w = 0; w < (bytes + 3) / 4; w++)
        ring[(*next)++ % RING] = (loaded){s->region, s->offset[k] / 4 + w, s->word[k][w]};
}

void lab_find_sources(lab_launch *l) {
    static const loaded none = {LAB_NO_REGION, 0, 0};
    const int threads = 1024;
    loaded(*ring)[RING] = malloc(threads * sizeof *ring);
    int *next = calloc(threads, sizeof *next);
    for (int t = 0; ring && t < threads; t++)
        for (int i = 0; i < RING; i++) ring[t][i] = none;
    for (int i = 0; ring && next && i < l->n_seen; i++) {
        lab_seen *s = &l->seen[i];
        const lab_site *at = &l->site[s->site];
        for (int k = 0; k < s->n; k++) {
            const int t = (s->warp * LAB_LANES + s->lane[k]) % threads;
            if (!l->region[s->region].shared && at->op == LAB_SAW_LOAD) remember(ring[t], &next[t], s, k, at->bytes);
            if (!l->region[s->region].shared || at->op == LAB_SAW_LOAD || !s->word[k][0]) continue;
            for (int back = 1; back <= RING && s->source[k] == LAB_NO_REGION; back++) {
                const loaded *x = &ring[t][(next[t] + RING - back) % RING];
                if (x->region != LAB_NO_REGION && x->bits == s->word[k][0])
                    s->source[k] = x->region, s->source_word[k] = x->word;
            }
        }
    }
    free(ring), free(next);
}

// ---- Shared memory without names

// holds[w]: the region of which word w holds a copy, COMPUTED, ZERO or NOTHING; from[w]: the word there.
static void find_holdings(const lab_launch *l, int region, int *holds, int *from) {
    for (int w = 0; w < l->region[region].words; w++) holds[w] = NOTHING;
    for (int i = 0; i < l->n_seen; i++) {
        const lab_seen *s = &l->seen[i];
        const lab_site *at = &l->site[s->site];
        if (s->region != region || at->op == LAB_SAW_LOAD) continue;
        for (int k = 0; k < s->n; k++)
            for (int b = 0; b < (at->bytes + 3) / 4; b++) {
                const int w = (int)s->offset[k] / 4 + b;
                if (w >= l->region[region].words || (holds[w] != NOTHING && holds[w] != ZERO)) continue;
                holds[w] = s->source[k] != LAB_NO_REGION ? s->source[k] : s->word[k][b] ? COMPUTED : ZERO;
                from[w] = (int)s->source_word[k] + b;
            }
    }
}

// The distance between words of neighbouring rows of what is copied there; either way round.
static int pitch_of_copy(const lab_launch *l, const lab_drawn *d, const int *holds, const int *from, int source) {
    const int columns = l->region[source].columns, end = d->first + d->words;
    int down = 0, right = 0;
    for (int w = d->first; w < end && columns; w++) {
        if (holds[w] != source) continue;
        for (int v = w + 1; v < end && v < w + 600; v++) {
            if (holds[v] != source) continue;
            if (!down && from[v] == from[w] + columns) down = v - w;
            if (!right && from[v] == from[w] + 1 && from[v] % columns) right = v - w;
        }
        if (down && right) break;
    }
    return down > right ? down : right;
}

// Computed words: a word that nobody writes is the padding at the end of a row.
static int pitch_of_gaps(const lab_drawn *d, const int *holds) {
    int w = d->first;
    const int end = d->first + d->words;
    while (w < end && holds[w] != NOTHING) w++;
    while (w < end && holds[w] == NOTHING) w++;
    return w < end ? w - d->first : 0;
}

static void finish_part(lab_launch *l, lab_drawn *d, int end, const int *holds, const int *from) {
    const int class = holds[d->first];
    int then = class;
    d->words = end - d->first;
    for (int w = d->first; w < end; w++)
        if (holds[w] >= 0 && holds[w] != class) then = holds[w];
    d->pitch = class >= 0 ? pitch_of_copy(l, d, holds, from, class) : pitch_of_gaps(d, holds);
    if (!d->pitch) d->pitch = class >= 0 && l->region[class].columns ? l->region[class].columns : 32;
    if (class < 0)
        snprintf(d->name, sizeof d->name, "shared: computed");
    else if (then != class)
        snprintf(d->name, sizeof d->name, "shared: %.20s, %.20s", l->region[class].name, l->region[then].name);
    else
        snprintf(d->name, sizeof d->name, "shared: %.40s", l->region[class].name);
}

static void draw_parts(lab_launch *l, int region) {
    const int words = l->region[region].words, first = l->n_drawn;
    int *holds = malloc((words + 1) * sizeof *holds), *from = calloc(words + 1, sizeof *from);
    if (holds && from) find_holdings(l, region, holds, from);
    lab_drawn *part = NULL;
    int class = NOTHING, last = 0;
    for (int w = 0; holds && from && w < words; w++) {
        if (holds[w] == NOTHING) continue;
        last = w + 1;
        if (holds[w] == ZERO || holds[w] == class) continue;
        if (part) finish_part(l, part, w, holds, from);
        if (l->n_drawn - first == MOST_PARTS || l->n_drawn == LAB_MOST_DRAWN) break;
        class = holds[w];
        part = &l->drawn[l->n_drawn++];
        *part = (lab_drawn){.region = region, .first = w};
    }
    if (part) finish_part(l, part, last, holds, from);
    if (!part || l->n_drawn - first == MOST_PARTS || l->n_drawn == LAB_MOST_DRAWN) {  // as it lies there
        l->n_drawn = first;
        lab_drawn whole = {.region = region, .words = words, .pitch = 32};
        snprintf(whole.name, sizeof whole.name, "shared memory");
        l->drawn[l->n_drawn++] = whole;
    }
    free(holds), free(from);
}

// "tile[16][17]": the last number is a row.
static void draw_named(lab_launch *l, int region) {
    const lab_region *r = &l->region[region];
    const char *bracket = strchr(r->name, '['), *last = strrchr(r->name, '[');
    lab_drawn *d = &l->drawn[l->n_drawn++];
    *d = (lab_drawn){.region = region, .words = r->words, .pitch = r->columns ? r->columns : 32};
    snprintf(d->name, sizeof d->name, "%.*s", bracket ? (int)(bracket - r->name) : 63, r->name);
    if (last && last != bracket && atoi(last + 1) > 0) d->pitch = atoi(last + 1);
    if (d->pitch > d->words && d->words) d->pitch = d->words;
}

static int touched(const lab_launch *l, int region) {
    for (int i = 0; i < l->n_seen; i++)
        if (l->seen[i].region == region) return 1;
    return 0;
}

// Global memory first. What the block does not touch is not drawn.
void lab_find_arrays(lab_launch *l) {
    for (int shared = 0; shared < 2; shared++)
        for (int r = 0; r < l->n_regions && l->n_drawn < LAB_MOST_DRAWN - 1; r++) {
            if (l->region[r].shared != shared || !touched(l, r)) continue;
            if (shared && !strchr(l->region[r].name, '['))
                draw_parts(l, r);
            else
                draw_named(l, r);
        }
}

const lab_drawn *lab_drawn_at(const lab_launch *l, int region, int word) {
    for (int i = 0; i < l->n_drawn; i++) {
        const lab_drawn *d = &l->drawn[i];
        if (d->region == region && word >= d->first && word < d->first + d->words) return d;
    }
    return NULL;
}
