# tap.sh: sourced by the shell suites: claims as TAP. A check that does not hold adds a complaint to its claim.
# shellcheck shell=bash disable=SC2034
tests=0 failures=0 complaints='' status=0 out=''

complain() { complaints+="$1"$'\n'; }

# With LAB_TIMES=yes: seconds of a processor that the suite, and all that it waited for, has taken until here.
seconds() {
    local file
    file=$(mktemp)
    times >"$file" # not in a subshell, which has taken none
    awk -F '[ms ]+' '{ s += 60 * ($1 + $3) + $2 + $4 } END { printf "# %.1f s until here\n", s }' "$file"
    rm -f "$file"
}

# claim NAME: closes the claim that consists of the checks since the last one.
claim() {
    tests=$((tests + 1))
    if [[ -z $complaints ]]; then
        echo "ok $tests - $1"
    else
        failures=$((failures + 1))
        echo "not ok $tests - $1"
        sed 's/^/# /' <<<"${complaints%$'\n'}"
    fi
    complaints=
    [[ ! ${LAB_TIMES-} ]] || seconds
}

skip() { # NAME REASON
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

# full NAME: is what repeats other claims (with another compiler, of another task) asked for? If not, the skip is said.
full() {
    [[ ${FULL-} ]] || skip "$1" 'FULL=yes runs it'
    [[ ${FULL-} ]]
}

# in_vain COMMAND...: where a change is looked for and none is to be found, or the text alone says it, a search ends as
# it ends for a student; without FULL=yes, after a quarter of that.
in_vain() {
    local -x LAB_SLOWNESS=1 LAB_SEARCH=0.25
    [[ ! ${FULL-} ]] || LAB_SEARCH=1
    "$@"
}

# run COMMAND...: sets status and out (both streams).
run() {
    status=0
    out=$("$@" 2>&1 </dev/null) || status=$?
}
exits() { [[ $status == "$1" ]] || complain "exit status $status, not $1; output: $out"; }
says() { [[ $out == *"$1"* ]] || complain "does not say: $1; output: $out"; }
says_not() { [[ $out != *"$1"* ]] || complain "says: $1"; }

# copy_build FOLDER: what was built, with its times. Other suites write into build/ meanwhile: their scratch stays here,
# and a file that changes or goes while it is read (status 1) is none of what is wanted.
copy_build() {
    mkdir -p "$1"
    { tar -C build --format=posix --exclude=./{venv,stage,log,tests,simt/tests,mutants,.lost_gpu,autolab} \
        --exclude='./*.'{zip,tar.gz} -c . 2>/dev/null || [[ $? == 1 ]]; } | tar -C "$1" -xp
}

# Closes the suite.
plan() {
    echo "1..$tests"
    [[ $failures == 0 ]]
}
