// second_look.c: a run of the same claims under simt, in the background, and what it says.
#include "second_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "checked_run.h"
#include "claims_held.h"

static struct {
    char results[40];
    pid_t pid;           // 0: none was started
    lab_verdict failed;  // here, the first that did
    int unknown;         // a claim here neither holds nor fails
    int saw;             // all hold here, and what simt finds there has been said
} look;

static void begin(const char *command) {
    strcpy(look.results, "/tmp/lab-why-XXXXXX");
    const int fd = mkstemp(look.results);
    if (fd < 0) return;
    close(fd);
    fflush(stdout);
    look.pid = fork();
    if (look.pid) return;
    setenv("LAB_WHY", look.results, 1);
    if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void lab_second_look_early(const char *command, const char *runner) {
    if (command && access(runner, X_OK) == 0) begin(command);
}

void lab_second_look_keep(const char *command, const char *runner, const lab_result *r) {
    look.unknown |= r->verdict != LAB_PASSED;
    if (!lab_claim_fails(r) || look.failed) return;
    look.failed = r->verdict;
    if (command && !look.pid && lab_is_built(runner, "looking at it on the CPU, under simt")) begin(command);
}

// A verdict about what the file computes, and not about what simt has no room, no time or no function for.
static int is_of_numbers(const char *verdict) {
    static const lab_verdict all[] = {LAB_WRONG_ANSWER, LAB_NOT_FINITE,     LAB_ILLEGAL_ACCESS,
                                      LAB_RACE,         LAB_INPUT_MODIFIED, LAB_NONDETERMINISTIC};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(verdict, lab_verdict_name(all[i])) == 0) return 1;
    return 0;
}

// What its results hold: the claims, those that fail for their numbers, and those that fail for another reason.
typedef struct {
    int claims, wrong, other;
} outcome;

static outcome count(FILE *results) {
    outcome n = {0};
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, results) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        const char *verdict = json_string_value(json_object_get(o, "verdict"));
        const int fails = verdict && strcmp(verdict, lab_verdict_name(LAB_PASSED)),
                  of_numbers = fails && is_of_numbers(verdict);
        n.claims += verdict != NULL, n.wrong += of_numbers, n.other += fails && !of_numbers;
        json_decref(o);
    }
    free(line);
    rewind(results);
    return n;
}

// What the claims have in common stands behind the first of them; notes before it are of the kernels that stand in.
static int tell(FILE *results, void (*note)(const char *, const char *), int *certain) {
    char *line = NULL;
    size_t size = 0;
    int claims = 0, said = 0;
    while (getline(&line, &size, results) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        const char *text = json_string_value(json_object_get(o, "note"));
        const char *label = json_string_value(json_object_get(o, "label"));
        claims += json_object_get(o, "name") != NULL;
        *certain |= json_is_true(json_object_get(o, "explained"));
        if (text && label && claims) note(label, text), said++;
        json_decref(o);
    }
    free(line);
    return said;
}

// All hold here. What fails there is a race that this GPU wins, or memory that happens to hold what is right.
static int tell_of_right(FILE *results, void (*note)(const char *, const char *), int *certain) {
    const outcome n = count(results);
    look.saw = n.claims && !n.other;
    if (!look.saw) return 0;
    if (n.wrong)
        note("Note",
             "all claims hold on this GPU, and some do not under simt, on the CPU, where threads come in another order "
             "and memory that nobody has set is NaN: this GPU happens to win a race, or to find what is right, which "
             "costs points all the same. Under simt:");
    return (n.wrong > 0) + tell(results, note, certain);
}

int lab_second_look_end(void (*note)(const char *label, const char *text), int *certain) {
    int status, said = 0;
    *certain = 0;
    if (look.pid <= 0 || waitpid(look.pid, &status, 0) != look.pid) return 0;
    FILE *results = fopen(look.results, "r");
    if (results && look.failed)
        said = tell(results, note, certain);
    else if (results && !look.unknown)
        said = tell_of_right(results, note, certain);
    if (results) fclose(results);
    unlink(look.results);
    look.pid = 0;
    if (said || !look.failed || !WIFEXITED(status) || WEXITSTATUS(status)) return said;
    note("Note",
         look.failed == LAB_LAUNCH_FAILURE
             ? "on the CPU, under simt, all of these claims hold: look for what this device refuses, as a block whose "
               "threads need more registers than there are: __launch_bounds__(threads) in front of a kernel's name "
               "tells the compiler how many threads its blocks have"
             : "on the CPU, under simt, all of these claims hold: look for a race, for memory that nobody has set, "
               "and for what this device refuses");
    return 1;
}

int lab_second_look_saw(void) { return look.saw; }
