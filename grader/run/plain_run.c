// plain_run.c: compiled without optimisation, called once for each claim, and removed at the end.
#include "plain_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "checked_run.h"
#include "crash.h"
#include "text.h"

enum { COMPILE_SECONDS = 60, MOST_RUNS = 4, MOST_FLOPS = 20000000 };

// A file and the probe around it serve all claims of a run.
static char made[2][4200];

static void forget(void) {
    char reason[4300];
    for (int i = 0; i < 2; i++) {
        if (!*made[i]) continue;
        snprintf(reason, sizeof reason, "%.4199s.txt", made[i]);
        unlink(made[i]), unlink(reason);
    }
}

// Compiles `source`, or the probe around it, into `plain`, unless that was done for an earlier claim.
static int compile(const lab_task *task, const char *source, const char *plain, int probe) {
    char message[1024];
    const lab_build_options build = {
        .lab = ".", .source = source, .output = plain, .seconds = COMPILE_SECONDS, .plain = 1};
    if (strcmp(made[probe], plain) == 0) return access(plain, R_OK) == 0;
    if (!*made[0] && !*made[1]) atexit(forget);
    snprintf(made[probe], sizeof made[probe], "%s", plain);
    return probe ? lab_build_probe(task, build)
                 : lab_build(task, &build, message, sizeof message, NULL, 0) == LAB_PASSED;
}

lab_verdict lab_plain_run(const lab_task *task, const char *source, const lab_stage_options *options, char *runner,
                          const lab_case *c, uint64_t seed, double seconds, lab_stage *stage) {
    static lab_result second;
    char plain[4200], message[1024];
    snprintf(plain, sizeof plain, "%s.plain%s.so", options->stage, c->todo ? ".probe" : "");
    const int built = compile(task, source, plain, c->todo != NULL);
    char *const command[] = {runner, plain, NULL};
    lab_stage_options again = *options;
    again.runner = command, again.stage = plain;
    second = (lab_result){.verdict = LAB_GRADER_ERROR};
    if (built && lab_stage_open(stage, &again, message, sizeof message) == LAB_PASSED)
        lab_judge(stage, c, seed, seconds, &second);
    if (second.nan) lab_crash_locate_nan(second.nan, plain, stage->memory, sizeof stage->memory);
    lab_stage_close(stage);
    return second.verdict;
}

// A crash, what differs from call to call, and NaN that no oracle knows may come of memory that is not the stage's.
// Wrong numbers are asked about in claims that take little time without optimisation, too.
static int may_be_memory(const lab_case *c, const lab_result *r) {
    if (r->verdict == LAB_CRASH || r->verdict == LAB_NONDETERMINISTIC) return 1;
    const int outside = r->verdict == LAB_ILLEGAL_ACCESS || r->verdict == LAB_INPUT_MODIFIED;
    const int wrong = (r->verdict == LAB_NOT_FINITE || r->verdict == LAB_WRONG_ANSWER) && r->guesses.n == 0;
    return (outside || wrong) && lab_op_flops(c->op, c->shape) <= MOST_FLOPS;
}

// By which sizes of the shape is the memory as large as it is? "" where none or several are.
static void say_size(const lab_case *c, size_t floats, char *text, size_t size) {
    static const char *const name[] = {"batch", "heads", "seq_q", "head_dim", "Br", "Bc", "seq_kv"};
    const attn_shape s = c->shape;
    const int tiled = c->op == &lab_tiled;
    const size_t value[] = {s.batch,
                            s.heads,
                            s.seq_q,
                            s.head_dim,
                            tiled ? c->extra[0] : 0,
                            tiled ? c->extra[1] : 0,
                            s.seq_kv == s.seq_q ? 0 : s.seq_kv};
    int found = 0;
    text[0] = 0;
    for (unsigned set = 1; set < 1u << 7; set++) {
        size_t product = 1, used = 0;
        int counts = 1;  // a factor of 1 says nothing, nor does 0
        for (int i = 0; i < 7; i++)
            if (set >> i & 1) product *= value[i], counts &= value[i] > 1;
        if (!counts || product != floats || found++) continue;
        used = snprintf(text, size, "; that is ");
        for (int i = 0; i < 7; i++)
            if (set >> i & 1 && used < size)
                used += snprintf(text + used, size - used, "%s%s", used > 10 ? " * " : "", name[i]);
        const char *const without = value[0] > 1 && !(set & 1) && !tiled ? ", without batch" : "";
        if (used < size) snprintf(text + used, size - used, " floats%s", without);
    }
    if (found != 1) text[0] = 0;
}

// In place of what is said about the heap, or of what the numbers seem to say: they are those of memory.
static void say(lab_result *r, const char *start, const char *what) {
    static char text[sizeof r->diagnosis];
    char *const heap = strstr(r->diagnosis, "the heap is damaged");
    const char *const where = lab_where_wrong(r->diagnosis);
    char *const again = strstr(r->diagnosis, "; a second call on the same inputs gave another result");
    if (again) *again = 0;
    if (heap)
        snprintf(text, sizeof text, "%.*s%s%s", (int)(heap - r->diagnosis), r->diagnosis, start, what);
    else
        snprintf(text, sizeof text, "%s%s%s%s", start, what, where ? "; " : "", where ? where : "");
    memcpy(r->diagnosis, text, sizeof text);
    r->guesses.n = 0;
    lab_clean_text(r->diagnosis);
}

// Of a tensor: what was said stays, and has its line.
static void say_of_tensor(lab_result *r, const char *what) {
    static char text[2 * sizeof r->diagnosis + 2];
    const int wrong = r->verdict == LAB_NOT_FINITE || r->verdict == LAB_WRONG_ANSWER;
    const char *const first = wrong ? what : r->diagnosis, *const then = wrong ? r->diagnosis : what;
    snprintf(text, sizeof text, "%s%s%s", first, *first && *then ? "; " : "", then);
    snprintf(r->diagnosis, sizeof r->diagnosis, "%.*s", (int)sizeof r->diagnosis - 1, text);
    lab_clean_text(r->diagnosis);
}

static int is_of_heap(const lab_result *r) { return strstr(r->diagnosis, "the heap is damaged") != NULL; }

void lab_memory_seen(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                     uint64_t seed, lab_result *r) {
    static lab_stage stage;
    static int runs;
    static const char *found;  // the claim of which it is known: the others have the same cause
    static int of_heap;
    char runner[4200];
    const char *const slash = strrchr(options->runner[0], '/');
    if (task->language == LAB_CUDA || !source || !slash || !may_be_memory(c, r)) return;
    const int outside = r->verdict == LAB_ILLEGAL_ACCESS || r->verdict == LAB_INPUT_MODIFIED;
    if (found && !outside && of_heap == is_of_heap(r))
        say(r, of_heap ? "the heap is damaged, as in " : "after ", found);
    if ((found && !outside) || runs++ >= MOST_RUNS) return;
    snprintf(runner, sizeof runner, "%.*s/guarded_runner", (int)(slash - options->runner[0]), options->runner[0]);
    if (!lab_is_built(runner, "looking at its memory once more")) return;
    memset(&stage, 0, sizeof stage);
    lab_plain_run(task, source, options, runner, c, seed, options->load_seconds, &stage);
    if (!*stage.memory) return;
    if (!stage.memory_bytes && strncmp(stage.memory, "line ", 5) == 0) return say_of_tensor(r, stage.memory);
    of_heap = is_of_heap(r), found = c->claim;
    char sized[sizeof stage.memory + 80];
    const int used = snprintf(sized, sizeof sized, "%s", stage.memory);
    say_size(c, stage.memory_bytes / sizeof(float), sized + used, sizeof sized - used);
    say(r, "", sized);
}
