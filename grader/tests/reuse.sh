#!/usr/bin/env bash
# reuse: in a class each text of a file is compiled and judged once, and gets the verdict that it gets alone.
# shellcheck disable=SC2154
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. grader/tests/tap.sh
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
chmod 755 "$T"
answers=grader/solutions
[[ -d $answers ]] || { skip reuse 'the answers are not in this tree'; plan; exit; }
have_sandbox=1
bwrap --unshare-all --ro-bind / / true 2>/dev/null || have_sandbox=0

# Every compiler of a submission is started by bwrap; here that is a script which counts them.
mkdir -p "$T/bin"
real=$(command -v bwrap || echo /bin/false)
printf '#!/bin/sh\ncase "$*" in *" -- gcc "*) echo x >>%s;; esac\nexec %s "$@"\n' \
    "$T/compilers" "$real" >"$T/bin/bwrap"
chmod 755 "$T/bin/bwrap"
compilers() { wc -l <"$T/compilers"; }
forget_compilers() { : >"$T/compilers" && chmod 666 "$T/compilers"; }

options=(--tasks 1 --secret-seed 7 --scored --no-bench --no-plots --jobs 2)
grade() { # OUT OPTION... SUBMISSION...
    run env PATH="$T/bin:$PATH" CC=gcc grader/grade_all --out "$T/$1" "${@:2}"
}
hand_in() { # NAME FILE
    mkdir -p "$T/in/$1/task1_reference" && cp "$2" "$T/in/$1/task1_reference/reference.c"
}
# What was found out; the numbers follow from inputs that each submission has of its own.
verdict() { # OUT NAME
    python3 - "$T/$1/$2/results.json" <<'EOF'
import json, sys
task = json.load(open(sys.argv[1]))["tasks"][0]
print(task["verdict"], task["criteria"], [(case["name"], case["verdict"]) for case in task["cases"]])
EOF
}

for name in first_adams second_baker third_clark; do hand_in "$name" $answers/task1_reference/reference.c; done
for name in fourth_davis fifth_evans sixth_frank; do hand_in "$name" task1_reference/reference.c; done

forget_compilers
for name in second_baker fifth_evans; do
    grade "alone_$name" "${options[@]}" "$T/in/$name"
    exits 0
done
two_texts=$(compilers)
forget_compilers
grade class "${options[@]}" "$T"/in/*
exits 0
((have_sandbox == 0 || ($(compilers) == two_texts && two_texts > 0))) || complain "$(compilers), not $two_texts"
[[ $(wc -l <"$T/class/gradebook.csv") == 7 ]] || complain "not six rows: $(cat "$T/class/gradebook.csv")"
claim six_files_of_two_texts_are_compiled_as_two

for name in first_adams second_baker third_clark; do
    [[ $(verdict class $name) == "$(verdict alone_second_baker second_baker)" ]] || complain "$name: another verdict"
done
for name in fourth_davis fifth_evans sixth_frank; do
    [[ $(verdict class $name) == "$(verdict alone_fifth_evans fifth_evans)" ]] || complain "$name: another verdict"
done
claim the_verdict_is_that_of_the_text_alone

n=0
for one in "$T"/in/*; do
    for other in "$T"/in/*; do
        [[ $one == "$other" ]] && continue
        grep -rqs "${other##*/}" "$T/class/${one##*/}" && complain "${one##*/} reads of ${other##*/}"
    done
    grep -qs 'judged once' "$T/class/${one##*/}/Results.md" && n=$((n + 1))
done
[[ $n == 4 ]] || complain "$n pages say that the text was judged once, not 4"
claim pages_say_it_and_name_nobody_else

forget_compilers
cp -r "$T/in/first_adams" "$T/seventh_green"
grade class --resume "$T/seventh_green"
exits 0
[[ $(compilers) == 0 ]] || complain "$(compilers) compilers ran"
[[ $(verdict class seventh_green) == "$(verdict class first_adams)" ]] || complain 'another verdict'
claim a_resumed_run_still_knows_the_verdicts

# As a grader leaves it that was killed while it judged: the text is there, the verdict is not.
rm "$T"/class/.same/*/task.json
cp -r "$T/in/first_adams" "$T/eighth_hall"
grade class --resume "$T/eighth_hall"
exits 0
((have_sandbox == 0 || $(compilers) == two_texts / 2)) || complain "$(compilers) compilers ran, not $((two_texts / 2))"
claim what_a_killed_grader_left_is_judged_again

# Of a file with a large array the object is large, too: a class of them would fill the disk.
mkdir -p "$T/ninth_ives/task1_reference"
{
    cat $answers/task1_reference/reference.c
    echo 'char large[20 << 20] = {1}, *volatile kept = large;'
} >"$T/ninth_ives/task1_reference/reference.c"
grade class --resume "$T/ninth_ives"
exits 0 && says '2 of 2 points'
[[ -z $(find "$T/class/.same" -size +8M) ]] || complain 'a large object is kept'
[[ -n $(find "$T/class/.same" -name stage.so) ]] || complain 'no object is kept'
claim large_objects_are_not_kept

forget_compilers
grade class --anew "${options[@]}" "$T"/in/*
exits 0
((have_sandbox == 0 || $(compilers) == two_texts)) || complain "$(compilers) compilers ran, not $two_texts"
claim a_new_run_judges_anew
plan
