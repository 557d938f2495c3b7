# page_of.sh: sourced by suites that ask what is said of one file, with the change that mends it.
# shellcheck shell=bash disable=SC2034
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
# What is looked for within so many seconds of a processor is to be found on a slow or busy machine, too.
export LAB_BACKEND=simt LAB_SLOWNESS=2
unset IMPL BACKEND MAKEFLAGS MAKELEVEL LAB_CHECKED

# copied FILE [OLD NEW]...: file is a copy in which each OLD, once, is NEW
copied() {
    local text new
    file=$top/${1##*/} text=$(<"$1")
    shift
    while (($#)); do
        [[ $text == *"$1"* ]] || complain "there is no $1"
        new=${text/"$1"/"$2"} text=$new
        shift 2
    done
    printf '%s\n' "$text" >"$file"
}
# wrong FILE [OLD NEW]...: of a right file in a style of its own
wrong() { copied "grader/tests/repair/$1" "${@:2}"; }
# tests TASK [OPTION...]: out is what is said of it, a sentence a line. A text that has just been compiled is not
# compiled again for other options.
compiled=
tests() {
    local task=$1 runner=build/bin/runner probe=() now
    shift
    now="$task $file $(sha1sum <"$file")"
    [[ $file == *.c ]] || runner=build/bin/runner_simt
    [[ $compiled == "$now" ]] ||
        build/bin/stagecc --quick . "$task" "$file" "$top/stage.so" >"$top/log" 2>&1 || complain "$(<"$top/log")"
    if grep -q TODO "$file"; then
        [[ $compiled == "$now" ]] ||
            build/bin/stagecc --quick --probe . "$task" "$file" "$top/probe.so" || complain 'no probe'
        probe=(--probe "$top/probe.so")
    fi
    compiled=$now
    run build/bin/claims "$task" --stage "$top/stage.so" "${probe[@]}" --source "$file" --runner "$runner" \
        --edits build/bin/edits "$@"
    [[ $(wc -L <<<"$out") -le 80 ]] || complain 'a line is longer than 80 columns'
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
}
line_of() { grep -m 1 -nF -- "$1" "$file" | cut -d : -f 1; }
