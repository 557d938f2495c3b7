// stage_end.c: a runner that has ended, or had to be ended: a verdict and a sentence.
#include "stage.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "crash.h"
#include "device.h"
#include "memory.h"
#include "text.h"

void lab_say_late(char *text, size_t size, double seconds, const char *where, int waits) {
    snprintf(text, size, "no answer within %.2g s of processor time%s%s: %s", seconds * lab_slowness(),
             *where ? ", at " : "", where,
             waits ? "it waits for something that does not come" : "an endless loop, or far too slow");
    lab_clean_text(text);
}

// It does not end, or waits for what does not come: where?
static lab_verdict judge_late(lab_stage *s, double seconds, char *why, size_t size) {
    const int waits = s->process.idle > s->process.used;
    lab_process_ask_where(&s->process);
    lab_crash_locate(s->process.text, s->options.stage, s->where, sizeof s->where);
    lab_say_late(why, size, seconds, s->where, waits);
    return LAB_TIMEOUT;
}

// What glibc says when malloc or free finds its lists damaged.
static int heap_is_damaged(const char *log) {
    static const char *const said[] = {"double free or corruption",
                                       "free(): ",
                                       "malloc(): ",
                                       "corrupted size",
                                       "munmap_chunk(): invalid",
                                       "realloc(): invalid",
                                       "corrupted double-linked"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strstr(log, said[i])) return 1;
    return 0;
}

// So the loader speaks of a program whose libraries are gone, and so a file can speak while it is loaded.
static const char cannot_start[] = ": error while loading shared libraries:";

static int cannot(const lab_process *p) { return p->exit_status == 127 && strstr(p->text, cannot_start) != NULL; }

// Is it the lab's trouble? Then the runner does not start without the student's file, either.
static int cannot_start_alone(const lab_stage *s) {
    static lab_process alone;
    const lab_limits limits = {.arena = -1, .cpu_seconds = 5};
    char *command[8] = {NULL};
    for (int i = 0; i < 7 && s->options.runner[i]; i++) command[i] = i == 1 ? "" : s->options.runner[i];
    if (!lab_process_start(&alone, command, &limits)) return 0;
    const lab_event event = lab_process_wait(&alone, NULL, 0, 5);
    lab_process_stop(&alone);
    return event == LAB_EXITED && cannot(&alone);
}

// The runner has ended or is killed: its verdict and a sentence.
lab_verdict lab_judge_end(lab_stage *s, lab_event event, double seconds, char *why, size_t size) {
    const lab_process *p = &s->process;
    char where[256];
    s->alive = 0;
    if (s->options.trying) return event == LAB_TIMED_OUT ? LAB_TIMEOUT : LAB_CRASH;
    switch (event) {
    case LAB_TIMED_OUT: return judge_late(s, seconds, why, size);
    case LAB_STARVED:
        snprintf(why, size, LAB_TOO_BUSY ": the call got %.2g s of a processor within %.0f s. Try again later", p->used,
                 LAB_PATIENCE * seconds * lab_slowness());
        return LAB_GRADER_ERROR;
    case LAB_FLOODED:
        snprintf(why, size, "printed more than %d KiB: a stage never prints", LAB_LOG_LIMIT >> 10);
        return LAB_OUTPUT_LIMIT;
    case LAB_SIGNALLED:
        if (p->signal_number == SIGXCPU) {
            snprintf(why, size, "used up its processor time");
            return LAB_TIMEOUT;
        }
        if (p->signal_number == SIGKILL) {
            snprintf(why, size,
                     p->ran_out ? "took more memory than a stage may"
                                : "killed by the system, as it does when memory runs out");
            return LAB_OUT_OF_MEMORY;
        }
        s->memory_bytes = lab_crash_locate_memory(s->process.text, s->options.stage, s->memory, sizeof s->memory);
        lab_crash_locate(s->process.text, s->options.stage, where, sizeof where);
        snprintf(why, size, "%s%s%s%s", strsignal(p->signal_number), *where ? " at " : "", where,
                 heap_is_damaged(p->text)
                     ? ": the heap is damaged, by a write past the end (or before the start) of memory "
                       "from malloc, here or earlier"
                     : "");
        lab_clean_text(why);
        return LAB_CRASH;
    default:
        if (!s->serial && cannot(p) && cannot_start_alone(s)) {
            snprintf(why, size, "the lab's own program does not start; make clean, and test again:%.300s",
                     strstr(p->text, cannot_start) + strlen(cannot_start));
            lab_clean_text(why);
            return LAB_GRADER_ERROR;
        }
        if (lab_simt_ended_it(p->exit_status, p->text))
            return lab_judge_device(LAB_CHECK_REPORT, "", p->text, why, size);
        snprintf(why, size, "the process ended (exit status %d) before the call returned: a stage never exits",
                 p->exit_status);
        return LAB_EARLY_EXIT;
    }
}
