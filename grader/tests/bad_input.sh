#!/usr/bin/env bash
# bad_input.sh: what students really hand in, through the real command. Each submission gets its verdict, the others are
# graded as if it were not there, and what was graded survives. TAP.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'umount "$top/small" 2>/dev/null || true; rm -rf "$top"' EXIT
solution=grader/solutions/task1_reference/reference.c

# A call may take 2 s; a right one takes a tenth of a second.
grade() { run grader/grade_all --no-bench --no-plots --tasks 1 --timeout 2 "$@"; }

# ---- submissions -----------------------------------------------------------------------------------------------------

# submit NAME: an empty one; what follows fills $file.
submit() {
    mkdir -p "$top/in/$1/task1_reference"
    file=$top/in/$1/task1_reference/reference.c
}

# spoil NAME CODE: the solution, whose attn_sdpa runs CODE first.
spoil() {
    submit "$1"
    {
        echo '#define _GNU_SOURCE'
        echo '#include <stdio.h>'
        echo '#include <string.h>'
        echo '#include <unistd.h>'
        echo '#define attn_sdpa solved_sdpa'
        cat "$solution"
        echo '#undef attn_sdpa'
        echo 'attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {'
        echo "    const size_t n = (size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim; (void)n;"
        echo "    $2"
        echo '    return solved_sdpa(O, Q, K, V, shape);'
        echo '}'
    } >"$file"
}

right='if (solved_sdpa(O, Q, K, V, shape)) return 1;'
submit good && cp "$solution" "$file"
submit no_file
submit empty && : >"$file"
submit folder && mkdir "$file"
submit link && ln -s /etc/passwd "$file"
submit syntax && sed 's/return ATTN_OK;/return ATTN_OK/' "$solution" >"$file"
submit latin1 && printf '#error caf\xe9 | <b>*x*\n' >"$file"
spoil crash '*(volatile int *)8 = 1;'
spoil loop 'for (volatile int i = 0;; i++) continue;'
spoil exit0 "$right exit(0);"
spoil printing 'extern int puts(const char *); for (;;) puts("1 of 1 claims hold. \033[31m");'
spoil unwritten 'return ATTN_OK;'
spoil nan "$right O[n - 1] = NAN; return 0;"
spoil inputs "$right ((float *)K)[0] = 0; return 0;"
spoil past_the_end "$right O[n] = 1; return 0;"
# Looks for the secret seed in the command lines and environments of its ancestors.
seed=70000007
spoil nosy "for (int p = getppid(), up = 0; p > 1 && up < 6; up++) {
        char path[64]; static char text[1 << 16]; size_t k; FILE *f;
        for (int e = 0; e < 2; e++) {
            snprintf(path, sizeof path, e ? \"/proc/%d/environ\" : \"/proc/%d/cmdline\", p);
            if (!(f = fopen(path, \"r\"))) continue;
            k = fread(text, 1, sizeof text, f); fclose(f);
            if (memmem(text, k, \"$seed\", 8)) *(volatile int *)8 = 1;
        }
        snprintf(path, sizeof path, \"/proc/%d/stat\", p);
        if (!(f = fopen(path, \"r\")) || fscanf(f, \"%*d %*s %*c %d\", &p) != 1) break;
        fclose(f);
    }"
odd=$' a "b" \'c\' $(touch pwned)\n|<i>\\'
submit "$odd" && cp "$solution" "$file"
submit $'caf\xe9' && cp "$solution" "$file"
submit "-rf" && cp "$solution" "$file"
submit archived
cp "$solution" "$top/in/just.c"
mkdir "$top/in/gradebook.csv" && cp -r "$top/in/good/task1_reference" "$top/in/gradebook.csv"

mkdir "$top/evil"
tar -C "$root/grader/solutions" -czf "$top/in/dots.tar.gz" --transform 's,^task1,../task1,' -P task1_reference
ln -s /etc/passwd "$top/evil/reference.c"
tar -C "$top/evil" -czf "$top/in/links.tar.gz" --transform 's,^,task1_reference/,' reference.c
tar -C "$root/grader/solutions" -czf "$top/in/archived.tar.gz" task1_reference
tar -C "$root/grader/solutions" -cf "$top/cut.tar" task1_reference && head -c 2000 "$top/cut.tar" >"$top/in/cut.tar"
for kind in gz bz2 xz; do tar -caf "$top/cut.tar.$kind" -C "$root/grader/solutions" task1_reference; done
python3 -c 'import shutil, sys; shutil.make_archive(*sys.argv[1:])' "$top/cut" zip grader/solutions task1_reference
for kind in tar.gz tar.bz2 tar.xz zip; do head -c 1500 "$top/cut.$kind" >"$top/in/cut_${kind#tar.}.$kind"; done

# ---- a class of them, graded in one run ------------------------------------------------------------------------------

# field FOLDER PYTHON: an expression over r, the results of that submission, and t, its task.
field() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1])); t = r["tasks"][0]; cases = {c["name"]: c for c in t["cases"]}
print(eval(sys.argv[2]))' "$top/out/$1/results.json" "$2" 2>&1
}
is() { [[ $(field "$1" "$2") == "$3" ]] || complain "$1: $2 is $(field "$1" "$2"), not $3"; }
has() { [[ $(field "$1" "$2") == *"$3"* ]] || complain "$1: $2 is $(field "$1" "$2"), without $3"; }
# verdict FOLDER VERDICT: in results.json, on the page and in the gradebook.
verdict() {
    is "$1" 't["verdict"]' "$2"
    grep -q "$2" "$top/out/$1/Results.md" 2>/dev/null || complain "$1/Results.md does not say $2"
    grep -q "$2" "$top/out/gradebook.csv" || complain "gradebook.csv does not say $2"
}

class=("$top"/in/*)
grade --jobs 3 --secret-seed "$seed" --out "$top/out" -- "${class[@]}"
class_status=$status class_out=$out

verdict good PASSED && is good 'r["score"] == r["max_score"] == 2' True
claim a_right_submission_gets_full_points_among_wrong_ones

verdict no_file MISSING && has no_file 't["message"]' 'there is no task1_reference/reference.c'
claim no_file_is_missing

verdict empty MISSING && has empty 't["message"]' 'is empty'
claim an_empty_file_is_missing

verdict folder FORBIDDEN_FILE && has folder 't["message"]' 'a folder'
claim a_folder_in_place_of_the_file_is_forbidden

verdict link FORBIDDEN_FILE && has link 't["message"]' 'links are not followed'
claim a_link_in_place_of_the_file_is_forbidden

verdict syntax COMPILE_ERROR && has syntax 't["message"]' "error: expected ';'"
line=$(grep -n -m1 'return ATTN_OK$' "$top/in/syntax/task1_reference/reference.c" | cut -d: -f1)
has syntax 't["message"]' "reference.c:$line:"
grep -q "reference.c:$line:" "$top/out/syntax/Results.md" || complain 'Results.md does not show the line'
claim a_syntax_error_is_shown_with_the_students_line

verdict latin1 COMPILE_ERROR && has latin1 't["message"]' 'caf?'
claim bytes_that_are_not_utf8_do_not_break_the_results

diagnosis='cases["one_head_of_64_keys"]["diagnosis"]'
verdict crash CRASH && has crash "$diagnosis" 'Segmentation fault at reference.c:'
line=$(grep -n 'volatile int' "$top/in/crash/task1_reference/reference.c" | cut -d: -f1)
has crash "$diagnosis" "reference.c:$line in attn_sdpa"
is crash 'cases["attention_of_a_secret_shape"]["verdict"]' CRASH
is crash 'cases["multi_head_of_a_secret_shape"]["verdict"]' PASSED
claim a_crash_has_its_signal_and_line_and_the_next_cases_run

verdict nosy FORBIDDEN_SYMBOL && has nosy 't["message"]' getppid
claim a_stage_that_looks_for_the_seed_in_its_ancestors_is_refused

verdict loop TIMEOUT &&
    has loop 'cases["attention_to_one_key_returns_its_value"]["diagnosis"]' 'of processor time, at reference.c:'
is loop 'cases["attention_of_a_secret_shape"]["verdict"]' SKIPPED
is loop 'cases["multi_head_of_a_secret_shape"]["verdict"]' PASSED
is loop '[c["points"] for c in t["criteria"]][:2]' '[0.5, 0.25]'
claim an_endless_loop_is_killed_and_does_not_hold_up_the_class

verdict exit0 EARLY_EXIT && is exit0 'cases["causal_mask_hides_later_keys"]["verdict"]' EARLY_EXIT
is exit0 'r["score"]' 1.25
claim an_exit_0_is_no_pass

verdict printing OUTPUT_LIMIT
! grep -q $'\x1b' "$top/out/printing/Results.md" || complain 'Results.md holds an escape'
claim printing_without_end_is_stopped

verdict unwritten WRONG_ANSWER && has unwritten "$diagnosis" 'never written: every element'
claim an_output_that_is_not_written_is_wrong

verdict nan NOT_FINITE && claim a_nan_is_not_finite
verdict inputs INPUT_MODIFIED && has inputs "$diagnosis" 'input K'
claim overwritten_inputs_are_seen
verdict past_the_end ILLEGAL_ACCESS && has past_the_end "$diagnosis" 'past the end of O'
claim one_element_past_the_end_is_seen

verdict dots MISSING && has dots 't["message"]' 'leaves the archive: ../task1_reference'
[[ ! -e $top/out/task1_reference && ! -e $top/task1_reference ]] || complain 'something was unpacked outside'
claim an_archive_that_climbs_out_is_not_followed

verdict links FORBIDDEN_FILE
! grep -rq root: "$top/out/links" || complain '/etc/passwd was copied'
claim links_in_an_archive_are_forbidden

verdict archived MISSING && verdict archived-2 PASSED && is archived-2 'r["submission"]' archived
claim an_archive_is_as_good_as_a_folder_and_one_of_the_same_name_gets_its_own

[[ $class_out == *'just.c'*'could not be graded: neither a folder nor an archive'* ]] ||
    complain 'a file of C was graded'
is gradebook.csv_ 't["verdict"]' PASSED
[[ -f $top/out/gradebook.csv ]] || complain 'a submission took the place of the gradebook'
claim a_file_is_no_submission_and_no_name_takes_the_labs_place

[[ ! -e $top/out/cut/results.json && $class_out == *'could not be graded'* ]] || complain 'a cut archive was graded'
[[ $class_status == 1 ]] || complain "exit status $class_status, not 1"
grep -q '<bdi>cut</bdi>: <span class="what">could not be graded' "$top/out/class.html" ||
    complain 'class.html does not list it'
claim a_broken_archive_is_reported_and_the_others_are_graded

for name in cut cut_gz cut_bz2 cut_xz cut_zip; do
    [[ $class_out =~ $name\ +could\ not\ be\ graded:\ an\ archive\ that\ ends\ too\ early ]] ||
        complain "of $name it says: $(grep "^ *$name " <<<"$class_out")"
done
claim a_cut_archive_is_told_from_what_is_none

folder=${odd//$'\n'/_}
is "$folder" 't["verdict"]' PASSED
is "$folder" "r[\"submission\"] == $(python3 -c 'import sys; print(repr(sys.argv[1]))' "$odd")" True
[[ -s $top/out/$folder/Results.md ]] || complain 'no Results.md'
[[ ! -e pwned && -z $(find "$top" -name pwned) ]] || complain 'the name was run'
[[ $class_out != *$'c\' $(touch pwned)\n'* ]] || complain 'a line break of a name reached the terminal'
claim a_name_with_spaces_quotes_and_line_breaks_is_a_name

is "caf_" 't["verdict"]' PASSED && is "-rf" 't["verdict"]' PASSED
claim names_that_are_not_utf8_or_look_like_options_are_names

rows=$(python3 -c 'import csv, sys
print(len(list(csv.reader(open(sys.argv[1], newline="")))) - 1)' "$top/out/gradebook.csv")
[[ $rows == "${#class[@]}" ]] || complain "$rows rows for ${#class[@]} submissions"
[[ -z $(find "$top/out" -name '.work' -o -name '*.new') ]] || complain 'scratch was left'
claim a_class_gets_a_gradebook_with_a_row_for_each

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

# A first build takes minutes: a line says so before it ends, and none is said where nothing is built. In a root of its
# own, whose makefile waits until it has been said.
mkdir -p "$top/root/grader" "$top/root/build/bin" && touch "$top/root/build/.setup"
cp grader/grade_all "$top/root/grader" && cp grader/building "$top/root/grader" 2>/dev/null || true
for stub in grader/setup build/bin/grade_all; do
    printf '#!/bin/sh\n' >"$top/root/$stub" && chmod +x "$top/root/$stub"
done
cat >"$top/root/Makefile" <<END
grade-tools:
	@echo '  CC       a.c'; for i in \$\$(seq 50); do grep -q 'once' "$top/said" && exit; sleep 0.1; done; exit 1
END
status=0
"$top/root/grader/grade_all" >"$top/said" 2>&1 || status=$?
out=$(<"$top/said")
exits 0 && says 'the lab builds what this needs, once' && says_not 'CC'
printf 'grade-tools:\n\t@echo nothing to do\n' >"$top/root/Makefile"
run "$top/root/grader/grade_all" && exits 0 && [[ ! $out ]] || complain "it says: $out"
printf "grade-tools:\n\t@echo '  CC       a.c'; echo why it fails; exit 1\n" >"$top/root/Makefile"
run "$top/root/grader/grade_all" && exits 2 && says 'does not build' && says 'why it fails'
claim a_first_build_is_not_silent

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

# The points of such a submission mean nothing yet; they are none for what nobody has tried.
spoil slow 'for (volatile long i = 0; i < 400000000; i++) continue;'
run grader/grade_all --no-bench --no-plots --tasks 1 --timeout 20 --deadline 6 --out "$top/late" "$top/in/slow"
exits 1 && says 'the 6 s for this submission are over' && is ../late/slow 't["verdict"]' GRADER_ERROR
is ../late/slow 'cases["attention_of_a_secret_shape"]["verdict"]' GRADER_ERROR
is ../late/slow '[c["points"] for c in t["criteria"] if c["name"] == "attention"]' '[0.0]'
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
        --deadline 100 --jobs 2 --out "$top/jumped" "$top"/jump/*
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
