#!/usr/bin/env bash
# lines.sh: make lines: what each line of a kernel moves, as a table and as a page. TAP.
# shellcheck disable=SC2154 # out is what tap.sh has run
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

run env IMPL=grader/solutions make task4 lines CASE='S=128 D=128 full'
exits 0
at=$(grep -n 'tile\[r \* STRIDE(D) + d\] = r < rows' grader/solutions/task4_flash/flash.cu | cut -d: -f1)
says "$at  load        5120   32.0      4.00   4.00    83 %"
says 'tile[r * STRIDE(D) + d] = r < rows ? src[n] : 0.0f;'
says '<- bank conflicts'
says "FLOPs: 16777216 by the task's formula"
awk 'length($0) > 80 { exit 1 }' <<<"$out" || complain 'a line of more than 80 columns'
claim lines_shows_what_each_line_moves_hottest_first

page=build/lines/task4.html
grep -q "<tr id=l$at>.*r &#60; rows ? src\[n\]" <(LC_ALL=C sed "s/\xc2\xa0/ /g" $page) ||
    complain 'the code is not on the page'
grep -qE 'https?://|<script' $page && complain 'the page asks for something from outside'
grep -q "href=\"#l$at\">line $at</a> (load, 83 %)" $page || complain 'no link to the hottest line'
claim lines_writes_a_page_with_every_line

# The keys of a tile side by side: the lanes of a warp read D floats apart.
mkdir -p "$top/columns/task4_flash"
sed 's/const int r = n \/ D, d = n % D;/const int r = n % size, d = n \/ size;/; s/src\[n\]/src[r * D + d]/' \
    grader/solutions/task4_flash/flash.cu >"$top/columns/task4_flash/flash.cu"
run env IMPL="$top/columns" make task4 lines CASE='S=64 full'
exits 0
says 'S=64 full: what each line moves'
says "$at  load         768   32.0     32.00   4.00"
says '<- not coalesced'
claim lines_names_a_line_that_is_not_coalesced

run make task1 task6 lines
says 'SKIP     task1'
says 'SKIP     task6'
claim lines_says_aloud_where_there_is_nothing_to_count
plan
