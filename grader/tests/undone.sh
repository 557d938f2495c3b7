# undone.sh: sourced by own_gaps, own_missing, own_beside, own_dropped, own_elements, own_parts, own_tiles, own_limits,
# own_skips, own_ragged, own_strides, own_lengths, own_sums, own_pairs, own_macros, own_sisters, own_walks, own_weights,
# own_offsets, own_unread, own_common, own_rounds, own_anew, own_spans, own_memory, own_misread and own_misplaced: a
# right file in $top, and a slip in it that a change undoes. `likely` is how far down the list it may stand.
# shellcheck shell=bash disable=SC2154
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# undone FILE OLD NEW [MOST]: in a file in which OLD, once, is NEW, one of the likeliest changes makes
# it right
undone() {
    local text new most=${4:-$likely}
    text=$(<"$top/$1") new=${text/"$2"/"$3"}
    [[ $text != "$new" ]] || complain "there is no $2"
    printf '%s\n' "$new" >"$top/wrong.${1#*.}"
    run build/bin/edits "$top/wrong.${1#*.}" --reaches "$top/$1" --limit 30000
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$3: change $out"
}
