#!/usr/bin/env bash
# first_build.sh: a first build takes minutes: a line says so before it ends, and none is said where nothing is built.
# In a root of its own, whose makefile waits until it has been said. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

mkdir -p "$top/root/grader" "$top/root/build/bin" && touch "$top/root/build/.setup"
cp grader/grade_all "$top/root/grader" && cp grader/building "$top/root/grader"
for stub in grader/setup build/bin/grade_all; do
    printf '#!/bin/sh\n' >"$top/root/$stub" && chmod +x "$top/root/$stub"
done
cat >"$top/root/Makefile" <<END
grade-tools:
	@echo '  CC       a.c'; for i in \$\$(seq 600); do grep -q 'once' "$top/said" && exit; sleep 0.1; done; exit 1
END
status=0
"$top/root/grader/grade_all" >"$top/said" 2>&1 || status=$?
out=$(<"$top/said")
exits 0 && says 'the lab builds what this needs, once' && says_not 'CC'
printf 'grade-tools checked-tools:\n\t@echo nothing to do\n' >"$top/root/Makefile"
run "$top/root/grader/grade_all" && exits 0 && [[ ! $out ]] || complain "it says: $out"
printf "grade-tools:\n\t@echo '  CC       a.c'; echo why it fails; exit 1\n" >"$top/root/Makefile"
run "$top/root/grader/grade_all" && exits 2 && says 'does not build' && says 'why it fails'
claim a_first_build_is_not_silent

out=$(printf "make[2]: 'build/bin/claims' is up to date.\n  why\n" | grader/building)
[[ $out == '  why' ]] || complain "it says: $out"
claim what_another_make_has_built_meanwhile_is_not_spoken_of
out=$(printf '  CC       a.c\n  CC       b.c\nan error\n' | grader/building)
[[ $out == *$'once\nan error' ]] || complain "it says: $out"
claim an_error_begins_a_line

# What a command builds for itself alone is counted in that line, too.
mv build/bin/profile "$top/profile"
out=$(make SETUP=no IMPL=grader/solutions task2 profile 2>&1) || complain 'it failed'
says 'the lab builds what this needs, once' && says_not '  LINK'
out=$(make SETUP=no IMPL=grader/solutions task1 profile 2>&1) || complain 'it failed'
[[ $out == '  SKIP     task1 is C: profile is for the CUDA tasks' ]] || complain "it says: $out"
claim what_profile_needs_is_built_in_one_line_and_only_for_CUDA

plan
