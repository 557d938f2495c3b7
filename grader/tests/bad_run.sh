#!/usr/bin/env bash
# bad_run.sh: what befalls a run: wrong usage, ^C, a deadline, a clock that jumps, folders that change, no sandbox, a
# full disk. What was graded survives, and nobody is blamed for it. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'umount "$top/small" 2>/dev/null || true; rm -rf "$top"' EXIT
# shellcheck source=grader/tests/submissions.sh
source grader/tests/submissions.sh

submit good && cp "$solution" "$file"
submit no_file
submit empty && : >"$file"
spoil loop 'for (volatile int i = 0;; i++) continue;'
tar -C grader/solutions -czf "$top/in/archived.tar.gz" task1_reference

# ---- the run itself --------------------------------------------------------------------------------------------------

for name in no_such_submission ''; do
    grade --out "$top/out2" ${name:+"$top/$name"}
    exits "$([[ $name ]] && echo 1 || echo 2)"
done
says 'usage:'
claim a_submission_that_is_not_there_cannot_be_graded

run grader/grade_all --out "$top/out2" && exits 2 && says 'no submission'
run grader/grade_all --frobnicate "$top/in/good" && exits 2 && says 'usage:'
run grader/grade_all --tasks 9 "$top/in/good" && exits 2 && says 'no such task'
run grader/grade_all --tasks 1,9 "$top/in/good" && exits 2 && says 'no such task'
run grader/grade_all --jobs 0 "$top/in/good" && exits 2 && says '--jobs needs a number'
run grader/grade_all --jobs 2x "$top/in/good" && exits 2 && says '--jobs needs a number'
run grader/grade_all --secret-seed x "$top/in/good" && exits 2 && says '--secret-seed needs a number'
run grader/grade_all --rescore --resume "$top/in/good" && exits 2 && says '--resume for what is not'
run grader/grade_all --backend cuda "$top/in/good" && exits 2 && says cuda
run grader/grade_all --out "$solution/x" "$top/in/good" && exits 2 && says 'cannot make'
run grader/grade_all --help && exits 0 && says '--resume'
claim wrong_usage_says_what_is_right

# The second submission never ends, so the run is interrupted in it, on any machine. The terminal sends ^C to the whole
# group; a background job has one of its own under `set -m`.
mkdir "$top/class"
cp -r "$top/in/good" "$top/class/a" && cp -r "$top/in/loop" "$top/class/b" && cp -r "$top/in/good" "$top/class/c"
set -m
# Who runs these tests may ignore ^C, and that is inherited.
env --default-signal=INT grader/grade_all --no-bench --no-plots --tasks 1 --timeout 1000 --out "$top/out3" \
    "$top"/class/* >"$top/log" 2>&1 &
job=$!
set +m
until [[ -e $top/out3/b/log.txt ]] || ! kill -0 "$job"; do sleep 0.1; done
kill -INT -- "-$job"
wait "$job" 2>/dev/null || true
[[ -s $top/out3/a/results.json && -s $top/out3/a/Results.md ]] || complain 'what was graded is gone'
[[ ! -e $top/out3/b/results.json && ! -e $top/out3/c/results.json ]] || complain 'it was not interrupted'
grep -q -- '--resume --out' "$top/log" || complain "it does not say how to go on: $(cat "$top/log")"
before=$(stat -c %Y%i "$top/out3/a/results.json")
grade --timeout 1 --resume --out "$top/out3" "$top"/class/*
exits 0 && says 'already graded'
[[ $(stat -c %Y%i "$top/out3/a/results.json") == "$before" ]] || complain 'a was graded again'
[[ -s $top/out3/b/results.json && -s $top/out3/c/Results.md ]] || complain 'it did not go on'
[[ $(wc -l <"$top/out3/gradebook.csv") == 4 ]] || complain 'the gradebook lacks a row'
claim an_interrupted_run_keeps_what_was_graded_and_resume_goes_on

# The points of such a submission mean nothing yet; they are none for what nobody has tried. Its first claims hold, then
# one never ends, so the deadline falls into it on any machine.
spoil slow 'for (volatile int i = 0; shape.seq_q > 16; i++) continue;'
run grader/grade_all --no-bench --no-plots --tasks 1 --timeout 20 --deadline 6 --out "$top/out" "$top/in/slow"
exits 1 && says 'the 6 s for this submission are over' && is slow 't["verdict"]' GRADER_ERROR
is slow 'cases["attention_of_a_secret_shape"]["verdict"]' GRADER_ERROR
is slow '[c["points"] for c in t["criteria"] if c["name"] == "attention"]' '[0.0]'
claim what_the_lab_did_not_come_to_gives_no_points

# A class has an end, too: six tasks of which each takes its 900 s are 90 minutes, of each submission.
run grader/grade_all --no-bench --no-plots --out "$top/short" "$top/in/empty" "$top/in/no_file"
grep -q '"deadline":900[.,]' "$top/short/.journal" || complain 'a submission of a class may take longer'
run grader/grade_all --no-bench --no-plots --out "$top/alone" "$top/in/empty"
grep -q '"deadline":5400[.,]' "$top/alone/.journal" || complain 'one alone has not 900 s for each task'
claim a_submission_of_a_class_has_900_seconds_in_all

# A page does not need its plots.
run env LAB_PYTHON=/bin/false grader/grade_all --no-bench --tasks 1 --out "$top/undrawn" "$top/in/good"
exits 0
[[ -s $top/undrawn/good/Results.md ]] || complain 'no page without plots'
claim plots_that_cannot_be_drawn_cost_no_page

# Whoever asks for the time of day gets one that is a year later or earlier than the one before.
cat >"$top/jump.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long year(void) {
    static unsigned n;
    return (++n % 2 ? 31536000 : -31536000);
}
int clock_gettime(clockid_t id, struct timespec *t) {
    const int status = (int)syscall(SYS_clock_gettime, id, t);
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) t->tv_sec += year();
    return status;
}
int gettimeofday(struct timeval *t, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    return t->tv_sec = now.tv_sec, t->tv_usec = now.tv_nsec / 1000, 0;
}
time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return to ? *to = now.tv_sec : now.tv_sec;
}
END
if "${CC:-cc}" -shared -fPIC -o "$top/jump.so" "$top/jump.c"; then
    run env LD_PRELOAD="$top/jump.so" date +%Y && [[ $out != $(date +%Y) ]] || complain 'the clock does not jump'
    mkdir "$top/jump" && cp -r "$top/in/good" "$top/jump/a" && cp -r "$top/in/loop" "$top/jump/b"
    cp -r "$top/in/good" "$top/jump/c" && echo '// c' >>"$top/jump/c/task1_reference/reference.c"
    run env LD_PRELOAD="$top/jump.so" LAB_ROOT="$PWD" build/bin/grade_all --no-bench --no-plots --tasks 1 --timeout 2 \
        --deadline 10000 --jobs 2 --out "$top/jumped" "$top"/jump/*
    exits 0
    for name in a b c; do
        [[ $name == b ]] && expected=TIMEOUT || expected=PASSED
        grep -q "\"task1\".*\"verdict\":\"$expected\"" "$top/jumped/.journal" && grep -q "$expected" \
            "$top/jumped/$name/Results.md" || complain "$name is not $expected"
    done
    ! grep -q GRADER_ERROR "$top"/jumped/*/results.json || complain 'a deadline was missed'
    claim a_clock_that_jumps_changes_nothing
else
    skip a_clock_that_jumps_changes_nothing 'there is no compiler for the clock'
fi

# ---- a folder that is not what it seems, or does not stay what it is -------------------------------------------------

ends() { grade --out "$top/odd" "$top/odd_in"; }
odd=$top/odd_in/task1_reference
mkdir -p "$odd" "$top/private"
mkfifo "$odd/reference.c" && ends && exits 0
grep -q 'a special file' "$top/odd/odd_in/Results.md" || complain 'a FIFO'
rm "$odd/reference.c" && cp --sparse=always "$solution" "$odd/reference.c" && truncate -s 900K "$odd/reference.c"
ends && exits 0
! grep -q GRADER_ERROR "$top/odd/odd_in/Results.md" || complain 'a sparse file'
rm "$odd/reference.c" && truncate -s 1T "$odd/reference.c" && ends && exits 0
grep -q 'is larger than 1024 KiB' "$top/odd/odd_in/Results.md" || complain 'a file with a hole of a terabyte'
rm "$odd/reference.c" && cp "$solution" "$odd/Reference.c" && mkdir "$top/odd_in/Task1_Reference"
cp "$solution" "$top/odd_in/Task1_Reference/reference.c" && ends && exits 0
grep -q 'there is no task1_reference/reference.c' "$top/odd/odd_in/Results.md" || complain 'names in another case'
rm -r "$odd/Reference.c" "$top/odd_in/Task1_Reference"
claim pipes_holes_and_names_in_another_case_get_a_line

cp "$solution" "$top/private/file" && ln "$top/private/file" "$odd/reference.c" && ends
exits 0 && says '2 of 2 points'
if chown 12345 "$top/private/file" 2>/dev/null; then
    ends && exits 0 && says '0 of 2 points'
    grep -q 'a hard link to a file of another user' "$top/odd/odd_in/Results.md" || complain 'a hard link'
    claim hard_links_to_files_of_others_are_not_read
else
    skip hard_links_to_files_of_others_are_not_read 'giving a file away takes root'
fi

# While it is read the folder becomes a link to a private one, and the file a longer one, again and again.
rm "$odd/reference.c" && cp "$solution" "$odd/reference.c" && echo '#error private_text' >"$top/private/reference.c"
while :; do
    mv "$odd" "$top/odd_in/away" && ln -s "$top/private" "$odd" && rm "$odd" && mv "$top/odd_in/away" "$odd"
    cat "$solution" "$solution" >"$odd/new" && mv "$odd/new" "$odd/reference.c" && : >"$odd/reference.c"
    cp "$solution" "$odd/reference.c"
done 2>/dev/null &
changer=$!
for _ in 1 2 3 4 5 6; do
    ends
    [[ -s $top/odd/odd_in/results.json ]] || complain "no result: $out"
    ! grep -rqE 'private_text|GRADER_ERROR' "$top/odd/odd_in" || complain 'what it was not to read'
done
kill "$changer" && wait "$changer" 2>/dev/null || true
claim a_folder_that_changes_while_it_is_read_harms_nobody

# ---- without a sandbox -----------------------------------------------------------------------------------------------

chmod 755 "$top" && mkdir "$top/bin" && printf '#!/bin/sh\nexit 1\n' >"$top/bin/bwrap" && chmod +x "$top/bin/bwrap"
run env PATH="$top/bin:$PATH" grader/grade_all --no-bench --no-plots --tasks 1 --out "$top/out4" "$top/in/good"
exits 2 && says '--unsafe-no-sandbox'
[[ ! -e $top/out4/good ]] || complain 'it was graded'
claim strangers_code_is_refused_where_there_is_no_sandbox

run env PATH="$top/bin:$PATH" grader/grade_all --no-bench --no-plots --tasks 1 --out "$top/out4" --unsafe-no-sandbox \
    "$top/in/good"
exits 0 && says 'No sandbox'
grep -q 'without a sandbox' "$top/out4/good/Results.md" || complain 'the page does not say so'
claim who_does_without_a_sandbox_is_told_so_on_every_page

# A disk with so much room: nothing, then too little for a stage.
full_disk() {
    mkdir -p "$top/small"
    mount -t tmpfs -o size="$1" tmpfs "$top/small" 2>/dev/null || return 1
    grade --out "$top/small" "$top/in/good" "$top/in/archived.tar.gz"
    exits 1 && says 'could not be graded' && says 'No space left'
    ! grep -qE 'COMPILE_ERROR|MISSING|WRONG' "$top"/small/*/results.json 2>/dev/null || complain 'students were blamed'
    mount -o remount,size=64m "$top/small"
    grade --resume --out "$top/small" "$top/in/good" "$top/in/archived.tar.gz"
    exits 0 && says '2 of 2 points'
    umount "$top/small"
}
if full_disk 4k; then
    full_disk 32k
    full_disk 100k
    claim a_full_disk_is_an_error_and_not_a_zero_and_resume_grades_the_rest
else
    skip a_full_disk_is_an_error_and_not_a_zero_and_resume_grades_the_rest 'mounting a small disk takes root'
fi

plan
