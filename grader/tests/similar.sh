#!/usr/bin/env bash
# similar.sh: what submissions have in common beyond the skeleton. grader/grade/similar.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir -p "$top"/bin && ln -s "$(type -P bash)" "$top/bin/bash"
run env PATH="$top/bin" bash -c \
    "readlink() { echo x; }; export -f readlink; grader/grade/similar '$top' '$top/out.csv'"
exits 1
says 'not compared: no sim_c'
claim without_the_tool_nothing_is_compared_and_that_is_said
if ! type -P sim_c >/dev/null; then
    skip copies_are_found_whatever_their_names "no sim_c: grader/setup similarity"
    plan
    exit 0
fi
hand_in() { # NAME FOLDER
    mkdir -p "$top/texts/$1"
    cp -r "$2" "$top/texts/$1/"
}
hand_in ada grader/solutions/task4_flash
hand_in '=bob, "b"' grader/solutions/task4_flash
sed -i 's/\bkv_head\b/elements/g; s/\bm_old\b/before/g; s/    /\t/g; s/$/ \/\/ mine/' "$top/texts/=bob, \"b\""/*/*
hand_in cem task4_flash
hand_in dan task4_flash
hand_in eve grader/ladder/4_async_copies/task4_flash
run grader/grade/similar "$top/texts" "$top/out.csv"
exits 0
[[ $(wc -l <"$top/out.csv") == 2 ]] || complain "pairs: $(cat "$top/out.csv")"
grep -qE '^"task4",("ada","'\''=bob, ""b"""|"'\''=bob, ""b""","ada"),(9[0-9]|100)' "$top/out.csv" ||
    complain "$(cat "$top/out.csv")"
claim copies_are_found_whatever_their_names_and_skeletons_and_other_answers_are_no_pair
plan
