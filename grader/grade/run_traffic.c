// run_traffic.c: the program that counts.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"
#include "tool.h"

enum { FOUND_SOMETHING = 1 };  // count's exit status

json_t *lab_count_traffic(const lab_graded *s, const lab_task *t, const char *source) {
    char stage[4600], results[4400], message[1024];
    int status = -1;
    snprintf(results, sizeof results, "%s/%s.counts", s->work, t->id);
    const char *usual = lab_enter_checked_mode();
    const lab_verdict built = lab_build_checked(s, t, source, stage, message, sizeof message);
    if (built == LAB_PASSED) {
        char *const scored = s->g->full ? NULL : "--scored";
        char *const argv[] = {"build/bin/count", (char *)t->id, stage,  "--json", results,
                              "--seed-fd",       "3",           scored, NULL};
        status = lab_tool_with_seed(argv, s->log, lab_seed_of(s, t));
    }
    lab_leave_checked_mode(usual);

    json_t *counts = lab_read_lines(results);
    const char *const says = *message ? message : "its memory traffic could not be counted: see log.txt";
    // A file that is compiled, but not for counting, is as one that refuses to be timed.
    const lab_verdict verdict = built == LAB_PASSED ? LAB_GRADER_ERROR : built;
    if (status != 0 && status != FOUND_SOMETHING)
        json_array_append_new(
            counts, json_pack("{s:s, s:s, s:s}", "case", "all", "verdict", lab_verdict_name(verdict), "finding", says));
    return counts;
}

static void say(const json_t *row, char *message, size_t size) {
    const char *name = json_string_value(json_object_get(row, "case"));
    const size_t used = strlen(message);
    const int all = strcmp(name, "all") == 0;
    snprintf(message + used, size - used, "%smemory traffic: %s%s%s", used ? "; " : "", all ? "" : name,
             all ? "" : ": ", json_string_value(json_object_get(row, "finding")));
}

json_t *lab_take_findings(json_t *counts, char *message, size_t size) {
    json_t *findings = json_array();
    int said = 0;
    for (size_t i = 0; i < json_array_size(counts);) {
        json_t *row = json_array_get(counts, i);
        const char *verdict = json_string_value(json_object_get(row, "verdict"));
        if (!json_object_get(row, "finding")) {
            i++;
            continue;
        }
        if (strcmp(verdict, lab_verdict_name(LAB_MISSING)) && !said++) say(row, message, size);
        json_array_append(findings, row);
        json_array_remove(counts, i);
    }
    return findings;
}
