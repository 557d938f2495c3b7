// mismatch.c: the smallest claim with a wrong output, tile by tile.
#include "mismatch.h"

#include <stdio.h>
#include <string.h>

#include "claims.h"
#include "steps.h"

enum { USUAL_TILE = 64, MOST_ELEMENTS = 4 << 20 };

static struct {
    lab_case c;
    int any;
    char todo[8];  // the first whose claims fail
} kept;

// A tile of one key shows little.
static double weight(const lab_case *c) { return lab_ask_weight(c) * (c->extra[1] == 1 ? 1e6 : 1); }

void lab_mismatch_keep(const lab_case *c, const lab_result *r) {
    if (c->todo && !*kept.todo && r->compared && r->verdict != LAB_PASSED)
        snprintf(kept.todo, sizeof kept.todo, "%s", c->todo);
    if (c->todo || !r->compared || r->verdict == LAB_PASSED || (c->op != &lab_tiled && c->op != &lab_flash)) return;
    if (lab_steps.elements(c->shape, 0) > MOST_ELEMENTS) return;
    if (!kept.any++ || weight(c) < weight(&kept.c)) kept.c = *c;
}

void lab_mismatch_forget(void) { memset(&kept, 0, sizeof kept); }

// The tiles of task 4's probe are its own.
static lab_case steps_of(const lab_case *c) {
    lab_case steps = *c;
    const int flash = c->op == &lab_flash;
    steps.op = &lab_steps;
    steps.extra[0] = flash ? LAB_FLASH_BR : c->extra[0] ? c->extra[0] : USUAL_TILE;
    steps.extra[1] = flash ? LAB_FLASH_BC : c->extra[1] ? c->extra[1] : USUAL_TILE;
    return steps;
}

// Which TODOs make what goes wrong, by the words of the diagnosis.
static const struct {
    const char *words;
    int first;  // 1: after the first tile, 0: after a later one
    const char *what;
    const char *todo[2];  // tasks 3 and 4
} makers[] = {
    {"m wrong", 1, "m comes from the scores, the mask and the row max", {"3.1", "4.2"}},
    {"m wrong", 0, "m comes from the scores, the mask and the row max of all tiles so far", {"3.3", "4.4"}},
    {"m right, l right", 1, "P V is added to O", {"3.6", "4.7"}},
    {"m right, l right", 0, "O is rescaled, then P V is added to it", {"3.4", "4.5"}},
    {"m right, l wrong", 1, "l is the sum of exp(s - m) over the keys that are seen", {"3.5", "4.6"}},
    {"m right, l wrong, O right", 0, "l is rescaled, then the tile's sum is added to it", {"3.4", "4.5"}},
    {"m right, l wrong", 0, "l and O are rescaled and added to, over the keys that the row sees", {"3.4", "4.5"}},
};

// A TODO whose own claims fail is more likely than what makes m, l and O in general.
static void say(const lab_task *task, const char *claim, const char *where, char *note, size_t size) {
    const int first = strstr(where, "key tile 1 ") != NULL, cuda = task->language == LAB_CUDA;
    const size_t n = sizeof makers / sizeof *makers;
    size_t i = 0;
    while (i < n && (makers[i].first != first || !strstr(where, makers[i].words))) i++;
    if (i == n) return;
    snprintf(note, size, "tile by tile, in %s, it goes wrong first in %s; %s: make %s hint TODO=%s", claim, where,
             *kept.todo ? "mend the first TODO that fails" : makers[i].what, task->id,
             *kept.todo ? kept.todo : makers[i].todo[cuda]);
}

static void say_right(const lab_task *task, const lab_case *steps, char *note, size_t size) {
    if (steps->shape.seq_kv > LAB_STEPS * steps->extra[1] || *kept.todo) return;  // a TODO that fails is said already
    snprintf(note, size,
             "tile by tile, in %s, m, l and O of every row are right: what is around the tiles is wrong, %s",
             steps->claim,
             task->language == LAB_CUDA
                 ? "the division (TODO 4.8), the walk and its barriers (4.9, 4.10) or register tiles (4.11)"
                 : "the walk (TODO 3.7), the division (3.8) or the threads (3.9)");
}

static int judge(const lab_case *steps, const lab_stage_options *probe, uint64_t seed, double seconds, lab_result *r) {
    lab_stage stage;
    lab_stage_options options = *probe;
    options.arena_bytes = lab_layout_of(steps->op, steps->shape, 1).bytes;
    const int opened = lab_stage_open(&stage, &options, r->diagnosis, sizeof r->diagnosis) == LAB_PASSED;
    if (opened) lab_judge(&stage, steps, seed, seconds, r);
    lab_stage_close(&stage);
    return opened;
}

int lab_mismatch(const lab_task *task, const lab_stage_options *probe, uint64_t seed, double seconds, char *note,
                 size_t size) {
    static lab_result r;
    note[0] = 0;
    if (!kept.any) return 0;
    const lab_case steps = steps_of(&kept.c);
    if (!judge(&steps, probe, seed, seconds, &r)) return 0;
    if (r.verdict == LAB_PASSED)
        say_right(task, &steps, note, size);
    else if (r.compared && strncmp(r.diagnosis, "row ", 4) == 0)
        say(task, kept.c.claim, r.diagnosis, note, size);
    return *note != 0;
}
