#!/usr/bin/env bash
# bad_input.sh: what students really hand in, through the real command. Each submission gets its verdict, the others are
# graded as if it were not there. TAP.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
# shellcheck source=grader/tests/submissions.sh
source grader/tests/submissions.sh

# ---- submissions -----------------------------------------------------------------------------------------------------

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

plan
