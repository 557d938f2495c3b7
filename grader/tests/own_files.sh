# own_files.sh: sourced by suites own_*: one mistake in a student's file that keeps nothing of the skeleton
# (grader/tests/repair/own_*), the changes that are tried, and what is said.
# shellcheck shell=bash disable=SC2034
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
# What is looked for within so many seconds of a processor is to be found on a slow or busy machine, too.
export LAB_BACKEND=simt LAB_SLOWNESS=2
unset IMPL BACKEND MAKEFLAGS MAKELEVEL LAB_CHECKED

# plant FILE OLD NEW: wrong is a copy of it in which OLD, once, is NEW
plant() {
    local text new
    right=grader/tests/repair/$1 text=$(<"grader/tests/repair/$1")
    wrong=$top/$1
    [[ $text == *"$2"* ]] || complain "there is no $2"
    new=${text/"$2"/"$3"}
    printf '%s\n' "$new" >"$wrong"
}
# reached FILE OLD NEW [OPTION...]: of a file's likeliest changes, as many as the lab tries of a kernel that takes long
# (or most), one undoes this
reached() {
    local most=${most:-900}
    [[ $1 == *.cu ]] || most=1500
    plant "${@:1:3}"
    run build/bin/edits "$wrong" --reaches "$right" --limit "$most" "${@:4}"
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$3: change $out"
}
# reached_in_two FILE OLD NEW OLD NEW: the same of one that is made twice
reached_in_two() {
    local text most=${most:-900}
    plant "${@:1:3}"
    text=$(<"$wrong")
    [[ $text == *"$4"* ]] || complain "there is no $4"
    printf '%s\n' "${text/"$4"/"$5"}" >"$wrong"
    run build/bin/edits "$wrong" --reaches "$right" --limit "$most"
    ((${out%% *} > 0)) || complain "$3 and $5: change $out"
}
# tried FILE OLD NEW CHANGE: this change is among them, by its new text
tried() {
    plant "${@:1:3}"
    build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 700
    [[ $(cut -f 8 "$top/table.tsv") == *"$4"* ]] || complain "$3: not tried: $4"
}
# told TASK FILE OLD NEW SENTENCE; with checked, in checked mode, too; only=CLAIM: where the other claims add nothing;
# search=(): by the numbers alone
checked=()
search=(--edits build/bin/edits)
told() {
    local task=$1 sentence=$5 runner=build/bin/runner_simt
    shift
    plant "${@:1:3}"
    [[ $wrong == *.cu ]] || runner=build/bin/runner
    build/bin/stagecc --quick . "$task" "$wrong" "$top/stage.so" >"$top/log" 2>&1 || complain "$(<"$top/log")"
    run build/bin/claims "$task" --stage "$top/stage.so" --source "$wrong" --runner "$runner" \
        "${search[@]}" "${checked[@]}" --only "${only-}"
    [[ -z $(compgen -G "$top/stage*ahead*") ]] || complain 'what was made ahead is still there'
    [[ -z $(compgen -G "$top/stage*beside*") ]] || complain 'what was made beside is still there'
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
    says "$sentence"
}
# found TASK FILE OLD NEW SENTENCE: with FULL=yes told. Otherwise one of the file's likeliest changes (of as many as for
# reached) undoes this, in a thirtieth of the time; that nobody heard the sentence is a skip.
found() {
    if [[ ${FULL-} ]]; then
        told "$@"
        return
    fi
    local likeliest=1500
    [[ $2 == *.c ]] || likeliest=900
    plant "${@:2:3}"
    run build/bin/edits "$wrong" --reaches "$right" --limit "${most:-$likeliest}"
    ((${out%% *} > 0 && ${out%% *} <= ${most:-$likeliest})) || complain "$4: change $out"
    skip "what is said of $2 where $3 is ${4:-left out}" 'FULL=yes runs its test'
}
