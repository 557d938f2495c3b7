# setup_world.sh: sourced by setup.sh: a machine on which nothing is installed, in a temporary folder whose bin/ is the
# whole PATH. There the package managers, sudo, id, gcc and python3 are fakes that write their arguments to `calls`;
# "installing" a package makes the fake compiler find it.
# shellcheck shell=bash disable=SC2016 # the fakes' bodies stand in single quotes: their $W, $0, $1 are their own
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
top=$(mktemp -d)
worlds=0
trap 'rm -rf "$top"' EXIT
unset SETUP CONDA_PREFIX HOMEBREW_PREFIX

# world USER MANAGER...: a bare machine of that user ("root" or another) with these package managers.
world() {
    export W=$top/$((++worlds))
    local tool user=$1
    shift
    mkdir -p "$W/bin" "$W/later" "$W/have" "$W/the lab/grader"
    cp "$repo/grader/setup" "$W/the lab/grader/"
    for tool in bash env cat cp chmod touch mkdir mktemp rm mv tail sed dirname true; do
        ln -s "$(type -P "$tool")" "$W/bin/$tool"
    done
    fake bin uname 'echo Linux'
    fake bin id "$([[ $user == root ]] && echo 'echo 0' || echo 'echo 1000')"
    fake later make true
    fake later bwrap true
    fake later tcc true
    cp "$W/later/make" "$W/later/addr2line"
    cp "$W/later/make" "$W/later/objcopy"
    # Links against what is in have/; with the file `far`, only when told to look in $CONDA_PREFIX.
    fake later gcc 'for word; do
        case $word in -l*) lib=$W/have/lib${word#-l}.so; [[ -e $lib ]] || exit 1; echo "$lib" ;; esac; done
        [[ ! -e $W/far || -z ${lib-} || " $* " == *" -L$CONDA_PREFIX/lib "* ]]'
    cp "$W/later/gcc" "$W/later/g++"
    # The system's python3 and the one in build/venv, told apart by their names.
    fake later python3 'have=$W/have/${0##*/}-matplotlib
        case "$*" in
        *"import jsonschema, matplotlib"*) [[ -e $have ]] && echo "$have" ;;
        *"import venv"*) [[ -e $W/have/venv ]] ;;
        *"--version"*) [[ ! -e $W/have/old-pip ]] ;;
        *"pip --python build/venv/bin/python install"*) : >"$W/have/python-matplotlib" ;;
        *"pip install"*) : >"$have" ;;
        *"-m venv"*) mkdir -p build/venv/bin && cp "$0" build/venv/bin/python ;;
        esac'
    for tool; do
        fake bin "$tool" '[[ $1 == update ]] && rm -f "$W/stale"
        if [[ -e $W/broken || -e $W/stale ]]; then echo "E: no such mirror"; exit 100; fi
        for word; do case $word in
            gcc) cp "$W"/later/{gcc,g++,make,addr2line,objcopy} "$W/bin" ;;
            python3-matplotlib) touch "$W/have/python3-matplotlib" ;;
            python3 | python) cp "$W/later/python3" "$W/bin"; touch "$W/have/venv" ;;
            libcmocka* | cmocka) touch "$W/have/libcmocka.so" ;;
            *jansson*) touch "$W/have/libjansson.so" ;;
            libseccomp*) touch "$W/have/libseccomp.so" ;;
            bubblewrap) cp "$W/later/bwrap" "$W/bin" ;;
            *openblas*) touch "$W/have/libopenblas.so" ;;
            tcc) [[ -e $W/no_tcc ]] && exit 100; cp "$W/later/tcc" "$W/bin" ;;
            libarchive*) touch "$W/have/libarchive.so" ;;
            libpcre2* | pcre2*) touch "$W/have/libpcre2-8.so" ;;
        esac; done'
    done
}

# fake FOLDER NAME BODY: a command of that name that records itself in calls, then runs BODY.
fake() {
    printf '#!/usr/bin/env bash\necho "${0##*/} $*" >>"$W/calls"\n%s\n' "$3" >"$W/$1/$2"
    chmod +x "$W/$1/$2"
}

# All that the lab needs is there.
furnish() {
    cp "$W"/later/* "$W/bin"
    touch "$W"/have/{libcmocka,libjansson,libseccomp,libopenblas,libarchive,libpcre2-8}.so "$W/have/python3-matplotlib"
}

# setup ARGUMENT...: runs it in the world; sets status and out (both streams).
setup() {
    : >"$W/calls"
    status=0
    out=$(PATH=$W/bin${more_path-} "$W/the lab/grader/setup" "$@" 2>&1 </dev/null) || status=$?
}

silent() { [[ -z $out ]] || complain 'is not silent'; }
calls() { grep -qxF -- "$1" "$W/calls" || complain "does not call: $1"; }
calls_no() { ! grep -qE -- "^$1" "$W/calls" || complain "calls: $(grep -E -- "^$1" "$W/calls")"; }
stamp_has() { grep -qxF -- "$1" "$W/the lab/build/.setup" || complain "build/.setup lacks: $1"; }
