// run_ncu.c: ncu's command line and its outcome. A metric that a chip does not have must not cost the others: when ncu
// refuses, those that it names are left out; when it names none, all but the essential ones are.
#include "run_ncu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ncu.h"
#include "process.h"
#include "text.h"
#include "tool.h"

enum { ESSENTIAL = 3, MOST_TRIES = 3, MAX_METRICS = 32 };  // the first rows of the table: time and DRAM bytes
static const double seconds = 180;                         // ncu replays each kernel several times

static void join_metrics(const int wanted[], char *list, size_t size) {
    size_t used = 0;
    list[0] = 0;
    for (int m = 0; m < lab_n_metrics; m++)
        if (wanted[m]) used += snprintf(list + used, size - used, "%s%s", used ? "," : "", lab_metrics[m].name);
}

// Fewer metrics for the next try. Returns 0 if there is nothing to leave out.
static int ask_for_less(int wanted[], const char *log) {
    int named = 0, dropped = 0;
    for (const char *line = strstr(log, "==ERROR=="); line; line = strstr(line + 1, "==ERROR=="))
        for (int m = 0; m < lab_n_metrics; m++) {
            const char *at = strstr(line, lab_metrics[m].name);
            if (wanted[m] && at && at < line + strcspn(line, "\n")) wanted[m] = 0, named = 1;
        }
    for (int m = ESSENTIAL; !named && m < lab_n_metrics; m++) dropped |= wanted[m], wanted[m] = 0;
    return named || dropped;
}

static lab_event run(const lab_ncu_options *o, const lab_experiment *point, const char *metrics, const char *log,
                     lab_process *p) {
    const attn_shape s = point->shape;
    const int numbers[] = {s.batch, s.heads, s.seq_q, s.seq_kv, s.head_dim, s.causal};
    const char *const options[][2] = {
        {"--page", "raw"},
        {"--print-units", "base"},
        {"--print-kernel-base", "mangled"},  // the compiler's names: rows of both are joined
        {"--clock-control", "none"},         // fixed clocks need more rights, and are not those of a bench
        {"--profile-from-start", "off"},
        {"--launch-count", "64"},
        {"--log-file", log},
        {"--metrics", metrics},
    };
    char text[6][16], *argv[32] = {(char *)o->ncu, "--csv"};
    int n = 2;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        argv[n++] = (char *)options[i][0], argv[n++] = (char *)options[i][1];
    argv[n++] = (char *)o->target, argv[n++] = (char *)o->stage, argv[n++] = (char *)point->op->name;
    for (int i = 0; i < 6; i++) {
        snprintf(text[i], sizeof text[i], "%d", numbers[i]);
        argv[n++] = text[i];
    }
    const lab_limits limits = {.arena = -1};
    if (!lab_process_start(p, argv, &limits)) return LAB_EXITED;
    const lab_event event = lab_process_wait(p, NULL, 0, seconds);
    lab_process_stop(p);
    return event;
}

// Says why there are no kernels. The target's own output tells more than ncu, which only says that it failed.
static void explain(lab_event event, const lab_process *p, const char *complaint, char *why, size_t size) {
    if (event == LAB_TIMED_OUT)
        snprintf(why, size, "did not end within %g s", seconds);
    else if (p->kept)
        snprintf(why, size, "%.*s", (int)strcspn(p->text, "\n"), p->text);
    else if (*complaint)
        snprintf(why, size, "ncu: %s", complaint);
    else
        snprintf(why, size, "no kernel was launched (exit status %d)", p->exit_status);
    lab_clean_text(why);
}

lab_ncu_end lab_run_ncu(const lab_ncu_options *o, const lab_experiment *point, lab_kernel kernels[LAB_MAX_KERNELS],
                        int *n, char *why, size_t size) {
    char log[4200], metrics[2048], complaint[512];
    int wanted[MAX_METRICS], denied = 0, more = 1;
    lab_process *p = malloc(sizeof *p);
    *n = 0;
    why[0] = 0;
    if (!p) return LAB_NCU_FAILED;
    for (int m = 0; m < MAX_METRICS; m++) wanted[m] = 1;
    snprintf(log, sizeof log, "%s/%s-%d.ncu", o->folder, point->task, (int)(point - lab_experiments));
    for (int i = 0; i < MOST_TRIES && more && !*n && !denied; i++) {
        remove(log);
        join_metrics(wanted, metrics, sizeof metrics);
        const lab_event event = run(o, point, metrics, log, p);
        char *text = lab_read_text(log);
        denied = lab_ncu_complaint(text ? text : p->text, complaint, sizeof complaint);
        *n = text ? lab_ncu_parse(text, kernels) : 0;
        if (!*n) explain(event, p, complaint, why, size);
        more = text && event == LAB_EXITED && strstr(text, "metric") && ask_for_less(wanted, text);
        free(text);
    }
    free(p);
    return denied ? LAB_NCU_DENIED : *n ? LAB_NCU_DONE : LAB_NCU_FAILED;
}
