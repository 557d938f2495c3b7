// show.c: lines below an answer.
#include "show.h"

#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "stream.h"

void demo_show_failure(lab_verdict v, const char *why, const char *todo) {
    if (*todo)
        printf("TODO %s in task6_pipeline/pipeline.cu is open\n             stuck? make task6 hint TODO=%s\n", todo,
               todo);
    else
        printf("%s: %s\n", lab_verdict_name(v), why);
}

static const char *unit(double seconds, double *x) {
    *x = seconds < 1e-3 ? 1e6 * seconds : seconds < 1 ? 1e3 * seconds : seconds;
    return seconds < 1e-3 ? "us" : seconds < 1 ? "ms" : "s";
}

void demo_show_times(const lab_answer *a, int prompt) {
    const lab_token_times t = lab_times_of(a);
    double ttft, tbt, p99;
    const char *u = unit(t.ttft, &ttft), *v = unit(t.tbt, &tbt), *w = unit(t.tbt_p99, &p99);
    printf("TTFT %.3g %s after a prompt of %d tokens", ttft, u, prompt);
    putchar('\n');
    const int margin = DEMO_MARGIN - 2;
    if (a->steps > 1)
        printf("  %-*sTBT %.3g %s (median of %d), %.3g %s (p99)\n", margin, "", tbt, v, a->steps - 1, p99, w);
    if (!lab_backend()->on_gpu)
        printf("  %-*stimes of an emulation on the CPU, which say nothing about a GPU\n", margin, "");
}
