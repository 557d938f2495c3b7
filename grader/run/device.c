// device.c: statuses, CUDA's errors and simt's reports, as verdicts.
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_tables.h"
#include "deadlock.h"
#include "memory.h"
#include "protocol.h"
#include "refused.h"
#include "text.h"

enum { capture_first = 900, capture_last = 908 };  // cudaErrorStreamCapture...
enum { cuda_launch_failure = 719 };  // a kernel's fault, or what is left of a GPU that has fallen off its bus

static const struct {
    int error;  // cudaError_t
    lab_verdict verdict;
    const char *text;
} known[] = {
    {2, LAB_OUT_OF_MEMORY, "the device has no memory left"},
    {700, LAB_ILLEGAL_ACCESS, "a kernel touched memory that is not its own (cudaErrorIllegalAddress)"},
    {702, LAB_GPU_HANG, "a kernel did not end (cudaErrorLaunchTimeout)"},
    {714, LAB_ILLEGAL_ACCESS, "a kernel's stack overflowed (cudaErrorHardwareStackError)"},
    {716, LAB_ILLEGAL_ACCESS, "a misaligned access, such as a float4 not on 16 bytes (cudaErrorMisalignedAddress)"},
    {717, LAB_ILLEGAL_ACCESS, "an address was not in the memory that it was used for (cudaErrorInvalidAddressSpace)"},
    {cuda_launch_failure, LAB_LAUNCH_FAILURE, "a kernel failed (cudaErrorLaunchFailure)"},
};

static const char slow[] = "a kernel did not end ";

// What a report of checked mode begins with, where it is not a stray access.
static const struct {
    const char *start;
    lab_verdict verdict;
} titles[] = {
    {"data race", LAB_RACE},
    {"asynchronous copy", LAB_RACE},
    {"source of an asynchronous copy", LAB_RACE},
    {"__syncthreads() in divergent code", LAB_RACE},
    {"threads wait for each other", LAB_GPU_HANG},
    {slow, LAB_GPU_HANG},
    {"shuffle from a lane that is not there", LAB_WRONG_ANSWER},
    {"managed memory used by the host", LAB_RACE},
    {"read of memory that was never written", LAB_WRONG_ANSWER},
    {"the host copies ", LAB_HOST_COMPUTES},
    {"the host asks for memory that it shares ", LAB_HOST_COMPUTES},
    {"the host leaves its work to a library ", LAB_HOST_COMPUTES},
    {"a kernel printed more than ", LAB_OUTPUT_LIMIT},
};

int lab_is_report_of_kernel(const char *verdict, const char *text) {
    if (strcmp(verdict, lab_verdict_name(LAB_ILLEGAL_ACCESS)) == 0) return 1;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strncmp(text, titles[i].start, strlen(titles[i].start)) == 0)
            return titles[i].start != slow && strcmp(verdict, lab_verdict_name(titles[i].verdict)) == 0;
    return 0;
}

// A probe's file (grader/probes), "task2.cu:31": its lines are not the student's.
static size_t place_in_probe(const char *at) {
    if (strncmp(at, "task", 4) || at[4] < '1' || at[4] > '9' || strncmp(at + 5, ".cu:", 4)) return 0;
    return 9 + strspn(at + 9, "0123456789");
}

// What a probe launches is the test's, and who of it calls the student's function tells a student nothing.
static void leave_out_probe(char *text) {
    static const char launched[] = " launched at ", called[] = "; called from ", test[] = " of the test";
    for (char *at = text; (at = strstr(at, launched)); at++) {
        char *behind = at + sizeof launched - 1;
        const size_t place = place_in_probe(behind);
        if (!place) continue;
        if (at > text && at[-1] == ',') at--;
        memmove(at + sizeof test - 1, behind + place, strlen(behind + place) + 1);  // it is shorter
        memcpy(at, test, sizeof test - 1);
    }
    for (char *at = text; (at = strstr(at, called));) {
        char *behind = at + 1;
        if (place_in_probe(at + sizeof called - 1))
            memmove(at, behind + strcspn(behind, ";"), strlen(behind + strcspn(behind, ";")) + 1);
        else
            at++;
    }
}

// The first report or message of simt in the log, on one line: without the quoted source lines, and folders of files.
static int quote(const char *log, char *text, size_t size) {
    const char *line = strstr(log, "simt: error: ");
    size_t used = 0;
    if (!line) return 0;
    line += strlen("simt: error: ");
    for (int first = 1; *line; first = 0) {
        const size_t length = strcspn(line, "\n");
        const char *bar = memchr(line, '|', length);
        if (!first && *line != ' ') break;  // a report's further lines are indented
        if (!bar || strspn(line, " 0123456789") < (size_t)(bar - line)) {
            if (!first) used += snprintf(text + used, size - used, "; ");
            for (size_t i = strspn(line, " "); i < length && used + 4 < size; i++) {
                if (line[i] == ' ' && line[i + 1] == ' ') continue;
                text[used++] = line[i];
                while (line[i] == '/' && used && text[used - 1] != ' ') used--;
            }
            text[used] = 0;
        }
        line += length + (line[length] == '\n');
        if (used + 8 >= size) break;
    }
    lab_clean_text(text);
    leave_out_probe(text);
    return 1;
}

int lab_simt_ended_it(int exit_status, const char *log) {
    return exit_status == LAB_CHECK_REPORT && strstr(log, "simt: error: ");
}

int lab_device_may_be_lost(attn_status status) {
    if (status < LAB_DEVICE || status >= LAB_DEVICE + 1000) return 0;
    const int error = status - LAB_DEVICE;
    if (error >= capture_first && error <= capture_last) return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].error == error) return error == cuda_launch_failure;
    return error != LAB_CHECK_REPORT;
}

// Of a probe's function, "lab_probe_load_tile", the part that the student knows.
static const char *known_name(const char *symbol) {
    static const char probe[] = "lab_probe_";
    return symbol + (strncmp(symbol, probe, sizeof probe - 1) ? 0 : sizeof probe - 1);
}

lab_verdict lab_judge_device(int error, const char *symbol, const char *log, char *text, size_t size) {
    symbol = known_name(symbol);
    char report[900] = "";
    const int reported = quote(log, report, sizeof report);
    if (error == LAB_CHECK_REPORT) {
        snprintf(text, size, "%s", reported ? report : "checked mode has reported an error");
        for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
            if (strncmp(report, titles[i].start, strlen(titles[i].start)) == 0) return titles[i].verdict;
        return LAB_ILLEGAL_ACCESS;
    }
    if (error >= capture_first && error <= capture_last) {
        snprintf(
            text, size,
            "%s cannot be recorded in a CUDA graph: all of its work goes on `stream`. Look for a launch, a copy or "
            "a memset on the default stream, 0, or on another one, and for calls that wait or allocate",
            symbol);
        return LAB_LAUNCH_FAILURE;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].error == error) {
            snprintf(text, size, "%s: %s%s%s", symbol, known[i].text, reported ? "; " : "", report);
            if (strstr(report, "deadlock")) lab_explain_deadlock(report, text, size);
            return known[i].verdict;
        }
    snprintf(text, size, "%s: CUDA error %d%s%s", symbol, error, reported ? "; " : "", report);
    return LAB_LAUNCH_FAILURE;
}

// simt says why it has refused a launch.
static lab_verdict judge_cuda_error(const char *symbol, const char *log, char *text, size_t size) {
    char said[600] = "";
    const int quoted = quote(log, said, sizeof said);
    char *quotient =
        strcmp(symbol, "attn_decode_split") ? NULL : strstr(said, ": is a quotient rounded down, or is what");
    if (quotient)
        snprintf(
            quotient, sizeof said - (size_t)(quotient - said),
            ": n_splits = 0 asks for a number of splits of your own, which is to be set before anything is made of "
            "n_splits; or is a quotient rounded down?");
    snprintf(text, size, "%s returned ATTN_CUDA_ERROR%s%s", symbol, quoted ? ": " : "", said);
    return LAB_LAUNCH_FAILURE;
}

static const char *const function[LAB_N_PASSED_ON] = {"attn_flash", "attn_cache_append", "attn_decode",
                                                      "linear",     "split_qkv",         "merge_heads"};

static lab_verdict judge_refused_late(int status, const char *symbol, char *text, size_t size) {
    if (status < LAB_REFUSED_AND_COUNTED)
        snprintf(text, size,
                 "%s returns ATTN_CACHE_FULL after %s was already queued: ask for room first, so that a refused call "
                 "queues nothing",
                 symbol, function[status - LAB_REFUSED_LATE]);
    else
        snprintf(text, size,
                 "%s returns ATTN_CACHE_FULL, and %s changed: a refused call leaves cache and lengths as "
                 "they are",
                 symbol, status == LAB_REFUSED_AND_COUNTED ? "lengths have" : "the cache has");
    return LAB_WRONG_ANSWER;
}

static lab_verdict judge_not_passed_on(int which, int other, const char *symbol, char *text, size_t size) {
    snprintf(
        text, size,
        other ? "when %s fails, %s returns another status: it returns the first that is not ATTN_OK"
              : "the status of %s is thrown away: when it fails, %s has to return what it returned (TRY passes it on)",
        function[which], symbol);
    return LAB_WRONG_ANSWER;
}

enum { LARGEST_STATUS = 1000000 };  // a stage's own are small; a larger one is what a register happened to hold

lab_verdict lab_judge_status(attn_status status, const char *symbol, const char *log, char todo[16], char *text,
                             size_t size) {
    symbol = known_name(symbol);
    if (todo) *todo = 0;
    if (status < 0 && status > ATTN_TODO(10, 0)) {
        if (todo) snprintf(todo, 16, "%d.%d", -status / 100, -status % 100);
        snprintf(text, size, "TODO %d.%d is not written yet", -status / 100, -status % 100);
        return LAB_MISSING;
    }
    if (status >= LAB_DEVICE && status < LAB_DEVICE + 1000)
        return lab_judge_device(status - LAB_DEVICE, symbol, log, text, size);
    const int lost = (int)status - LAB_NOT_PASSED_ON;
    if (lost >= 0 && lost < 2 * LAB_N_PASSED_ON) return judge_not_passed_on(lost / 2, lost % 2, symbol, text, size);
    if (status >= LAB_REFUSED_CALL && status < LAB_REFUSED_CALL + 100000) {
        const int past = status - LAB_REFUSED_CALL;
        snprintf(text, size,
                 past ? "%s refuses, with ATTN_BAD_SHAPE, a decode: seq = 1 and past[0] = %d, and no sequence is empty"
                      : "%s refuses, with ATTN_BAD_SHAPE, a prefill: past[b] = %d for every sequence, whatever seq is",
                 symbol, past);
        return LAB_WRONG_ANSWER;
    }
    if (status >= LAB_ROOM_ASKED && status < LAB_ROOM_ASKED + LAB_N_ROOM_ASKED) {
        if (!lab_say_room(status - LAB_ROOM_ASKED, text, size))
            snprintf(
                text, size,
                "%s refuses a call, with ATTN_CACHE_FULL, for which there is room, or takes one for which there is "
                "none",
                symbol);
        return LAB_WRONG_ANSWER;
    }
    if (status >= LAB_KINDS_ASKED) {
        if (!lab_say_kinds(status - LAB_KINDS_ASKED, text, size))
            snprintf(text, size,
                     "%s refuses a call, with ATTN_BAD_SHAPE, that it has to take, or takes one that is neither",
                     symbol);
        return LAB_WRONG_ANSWER;
    }
    if (status >= LAB_REFUSED_LATE && status <= LAB_REFUSED_AND_STORED)
        return judge_refused_late(status, symbol, text, size);
    if (status == LAB_REFUSED_BY_FLASH) {
        snprintf(text, size,
                 "flash returned ATTN_BAD_SHAPE to %s, for the shape that it was given in a prefill: seq_q and seq_kv "
                 "are both S, the rows of this call's work.Q, work.K and work.V",
                 symbol);
        return LAB_WRONG_ANSWER;
    }
    if (status >= LAB_NEITHER_REFUSED && status < LAB_NEITHER_REFUSED + LAB_N_NEITHER) {
        snprintf(
            text, size, "%s did not refuse, with ATTN_BAD_SHAPE, a call that is neither prefill nor decode: %s", symbol,
            status == LAB_NEITHER_REFUSED ? "every sequence has a past, and S = 2: decode has S = 1, whatever count is"
                                          : "S = 1, sequence 0 has no past and the others have: a prefill has "
                                            "none in any sequence, decode has one in all");
        return LAB_WRONG_ANSWER;
    }
    if (status >= LAB_FULL_NOT_REFUSED && status < LAB_FULL_NOT_REFUSED + LAB_MAX_STREAMS) {
        const int b = status - LAB_FULL_NOT_REFUSED;
        snprintf(text, size,
                 "%s did not refuse, with ATTN_CACHE_FULL, a new token for which sequence %d alone has no room: one "
                 "such sequence is enough, wherever it stands in the batch",
                 symbol, b);
        return LAB_WRONG_ANSWER;
    }
    if (lab_refused_name(status)) {
        snprintf(text, size, "%s does not refuse %s: it has to return ATTN_BAD_SHAPE, and launch nothing", symbol,
                 lab_refused_name(status));
        return LAB_WRONG_ANSWER;
    }
    switch (status) {
    case LAB_NO_SYMBOL:
        snprintf(text, size, "the file does not define %s, as its task's header asks", symbol);
        return LAB_MISSING;
    case ATTN_NO_MEMORY: snprintf(text, size, "%s returned ATTN_NO_MEMORY", symbol); return LAB_OUT_OF_MEMORY;
    case ATTN_CACHE_FULL:
        snprintf(text, size, "%s returned ATTN_CACHE_FULL, although there is room", symbol);
        return LAB_WRONG_ANSWER;
    case ATTN_BAD_SHAPE:
        snprintf(text, size, "%s returned ATTN_BAD_SHAPE for arguments that keep to the contract%s", symbol,
                 strcmp(symbol, "attn_layer_forward") ? "" : "; what does not fit into the cache is ATTN_CACHE_FULL");
        return LAB_WRONG_ANSWER;
    case ATTN_CUDA_ERROR: return judge_cuda_error(symbol, log, text, size);
    default:
        if (abs(status) > LARGEST_STATUS)
            snprintf(text, size, "%s returned a number that is no status: does a function end without a `return`?",
                     symbol);
        else
            snprintf(text, size, "%s returned status %d for arguments that keep to the contract", symbol, status);
        return LAB_WRONG_ANSWER;
    }
}
