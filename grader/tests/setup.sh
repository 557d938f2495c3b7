#!/usr/bin/env bash
# Tests of grader/setup (TAP). Nothing is installed: each test runs it in a world of its own, a temporary folder whose
# bin/ is the whole PATH. There the package managers, sudo, id, gcc and python3 are fakes that write their arguments to
# `calls`; "installing" a package makes the fake compiler find it.
# shellcheck disable=SC2016 # the fakes' bodies stand in single quotes: their $W, $0, $1 are their own
set -euo pipefail
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
unset SETUP CONDA_PREFIX HOMEBREW_PREFIX

# ---- the fakes -------------------------------------------------------------------------------------------------------

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

# ---- checks ----------------------------------------------------------------------------------------------------------

worlds=0 tests=0 failures=0 complaints=

exits() { [[ $status == "$1" ]] || complaints+="exit status $status, not $1"$'\n'; }
says() { [[ $out == *"$1"* ]] || complaints+="does not say: $1"$'\n'; }
silent() { [[ -z $out ]] || complaints+="is not silent"$'\n'; }
calls() { grep -qxF -- "$1" "$W/calls" || complaints+="does not call: $1"$'\n'; }
calls_no() { ! grep -qE -- "^$1" "$W/calls" || complaints+="calls: $(grep -E -- "^$1" "$W/calls")"$'\n'; }
stamp_has() { grep -qxF -- "$1" "$W/the lab/build/.setup" || complaints+="build/.setup lacks: $1"$'\n'; }

# claim NAME: closes a test.
claim() {
    tests=$((tests + 1))
    if [[ -z $complaints ]]; then echo "ok $tests - $1"; return; fi
    failures=$((failures + 1))
    echo "not ok $tests - $1"
    printf '%sstatus %s, output:\n%s\n' "$complaints" "$status" "$out" | sed 's/^/# /'
    complaints=
}

apt_all='gcc g++ binutils make libcmocka-dev libjansson-dev libseccomp-dev bubblewrap libopenblas-dev libarchive-dev '
apt_all+='libpcre2-dev tcc python3 python3-venv'
all='cc cmocka jansson seccomp bwrap openblas libarchive pcre2 tcc plots'
apt_install='apt-get install -y --no-install-recommends'
lock='-o DPkg::Lock::Timeout=120'

# ---- installing ------------------------------------------------------------------------------------------------------

world root apt-get && setup
exits 0; says "installing with apt: $apt_all"; says "all there: $all"
calls "$apt_install $apt_all $lock"; calls_no 'apt-get update'
claim apt_gets_everything_on_a_bare_machine

calls 'python3 -m venv --without-pip --clear build/venv'; calls_no 'python3 -m venv --clear'
calls 'python3 -m pip --python build/venv/bin/python install --no-compile --no-input --disable-pip-version-check '\
'matplotlib jsonschema'
stamp_has 'SETUP_PYTHON := build/venv/bin/python'
claim matplotlib_comes_in_a_virtual_environment

world root apt-get && touch "$W/have/old-pip" && setup
exits 0; says "all there: $all"; calls 'python3 -m venv --clear build/venv'
calls 'python -m pip install --no-compile --no-input --disable-pip-version-check matplotlib jsonschema'
claim an_old_pip_or_none_is_made_in_the_environment

world root apt-get && setup --no-plots
exits 0; says "all there: ${all% plots}"; calls_no 'matplotlib'; calls_no 'python3-venv'
setup
exits 0; says "all there: $all"; calls 'python3 -m venv --without-pip --clear build/venv'
claim no_plots_leaves_them_for_a_later_call

world root dnf && setup
exits 0
calls "dnf install -y --setopt=install_weak_deps=False gcc gcc-c++ binutils make libcmocka-devel jansson-devel \
libseccomp-devel bubblewrap openblas-devel libarchive-devel pcre2-devel tcc python3"
claim dnf_gets_everything

world student brew && setup
exits 0; calls 'brew install gcc binutils make cmocka jansson libseccomp bubblewrap openblas libarchive pcre2 python'
claim brew_gets_everything

world student conda && export CONDA_PREFIX=$W/have && setup
exits 0
calls "conda install --yes --channel conda-forge gcc gxx binutils make cmocka jansson libseccomp bubblewrap openblas \
libarchive pcre2 python"
claim conda_gets_everything

touch "$W/far" && rm "$W/the lab/build/.setup" && setup
exits 0; stamp_has "SETUP_CPPFLAGS := -I$W/have/include"
stamp_has "SETUP_LDFLAGS := -L$W/have/lib -Wl,-rpath,$W/have/lib"
claim flags_for_libraries_of_conda_are_handed_to_make

world student apt-get conda && export CONDA_PREFIX=$W/have && setup cc
exits 0; calls_no 'apt-get'; calls 'conda install --yes --channel conda-forge gcc gxx binutils make'
claim an_active_conda_environment_serves_who_lacks_root
unset CONDA_PREFIX

world student apt-get && fake bin sudo '[[ $1 == -n ]] && shift; exec "$@"' && setup cc
exits 0; calls "sudo -n env DEBIAN_FRONTEND=noninteractive NONINTERACTIVE=1 $apt_install gcc g++ binutils make $lock"
claim sudo_is_used_when_it_asks_no_password

world root apt-get && furnish && rm "$W/have/libjansson.so" && setup
exits 0; calls "$apt_install libjansson-dev $lock"
claim only_what_is_missing_is_installed

world root apt-get dnf && export SETUP=dnf && setup cc
exits 0; calls_no 'apt-get'; calls 'dnf install -y --setopt=install_weak_deps=False gcc gcc-c++ binutils make'
claim SETUP_chooses_the_manager
unset SETUP

world root apt-get && touch "$W/stale" && setup cc
exits 0; calls 'apt-get update'; says "refreshing apt's package lists"
claim stale_package_lists_are_refreshed_and_the_install_tried_again

world root apt-get && furnish && rm "$W/have/libjansson.so"
row='zlib | library zlib.h -lz -DZLIB_CONST=1 | zlib1g-dev | - | - | -'
sed -i "s/^plots .*/$row\\n&/" "$W/the lab/grader/setup" && setup zlib
exits 1; says 'gcc finds no <zlib.h> with -lz (package: zlib1g-dev)'; calls "$apt_install zlib1g-dev $lock"
touch "$W/have/libz.so" && setup zlib
exits 0; says 'all there: cc zlib'
claim a_capability_is_added_by_one_row

# ---- not installing --------------------------------------------------------------------------------------------------

world root apt-get && export SETUP=no && setup
exits 1; says 'SETUP=no'; says '(package: libcmocka-dev)'; says "    $apt_install ${apt_all/tcc }"
says 'python3 -m venv build/venv && build/venv/bin/python -m pip install matplotlib'; calls_no 'apt-get'
claim SETUP_no_installs_nothing_and_names_packages_and_commands
unset SETUP

setup --check
exits 1; says '(package: libcmocka-dev)'; says "    $apt_install ${apt_all/tcc }"; calls_no 'apt-get'
[[ ! -e "$W/the lab/build" ]] || complaints+='build/ was made'$'\n'
claim check_reports_and_changes_nothing

world student apt-get && setup jansson
exits 1; says 'this takes root'; says '(package: libjansson-dev)'
says "    $apt_install gcc g++ binutils make libjansson-dev"
calls_no 'apt-get'
claim without_rights_package_and_command_are_named

world student apt-get && fake bin sudo 'exit 1' && setup jansson
exits 1; says "    sudo apt-get update"; says "    sudo $apt_install gcc g++ binutils make libjansson-dev"
calls 'sudo -n true'; calls_no 'sudo [^-]'; calls_no 'apt-get'
claim sudo_never_asks_where_nobody_can_answer

world root brew && setup cc
exits 1; says 'does not run as root'; says 'brew install gcc'; calls_no 'brew'
claim brew_is_not_run_as_root

world student conda && setup cc
exits 1; says 'no active environment'; says 'conda install --yes --channel conda-forge gcc'; calls_no 'conda'
claim conda_does_not_install_into_no_environment

# no_pip: the system's python3 makes environments, but its pip reaches nothing.
no_pip() {
    furnish && touch "$W/have/venv" && rm "$W/have/python3-matplotlib"
    sed -i 's/.*"pip.* install".*/*"pip"*" install"*) echo "ERROR: no network"; exit 1 ;;/' "$W/bin/python3"
}
world root apt-get && no_pip && setup
exits 0; says '| ERROR: no network'; calls "$apt_install python3-matplotlib python3-jsonschema $lock"
stamp_has 'SETUP_PYTHON := '"$W/bin/python3"
claim where_pip_fails_the_system_package_serves

world student apt-get && no_pip && setup
exits 0; says 'there will be no plots'; calls_no 'apt-get'; stamp_has 'SETUP_LDFLAGS :='
setup --quiet
exits 0; silent; calls_no '.'
setup plots
exits 1; says '| ERROR: no network'
says '    python3 -m venv build/venv && build/venv/bin/python -m pip install matplotlib'
claim without_pip_and_rights_there_are_no_plots_and_all_else_works

# no_tcc: nothing but tcc is missing, and once more nothing is said of it. A name is an order.
no_tcc() {
    exits 0; says "there is no tcc: $1"; stamp_has '# tcc -none'; stamp_has 'SETUP_LDFLAGS :='
    [[ $out != *'all there'*tcc* ]] || complaints+='tcc is there'$'\n'
    setup --quiet --tcc cc
    exits 0; silent; calls_no '.'
}
make_asks=(--quiet --tcc cc cmocka jansson seccomp)
world student apt-get && furnish && rm "$W/bin/tcc" && setup
calls_no 'apt-get'; no_tcc 'installing it takes root'
setup tcc
exits 1; says 'this takes root'; says "    $apt_install tcc"
world student apt-get && furnish && rm "$W/bin/tcc" && fake bin sudo 'exit 1' && setup "${make_asks[@]}"
calls_no 'sudo [^-]'; no_tcc 'installing it takes root'
world student && furnish && rm "$W/bin/tcc" && setup "${make_asks[@]}"
no_tcc 'none of apt-get'
setup
exits 0; says "all there: ${all/tcc }"
[[ $out != *'no tcc'* ]] || complaints+='tells it twice'$'\n'
world student brew && furnish && rm "$W/bin/tcc" && setup
calls_no brew; no_tcc 'brew has no package'
world student brew && setup
no_tcc 'brew has no package'
export SETUP=no
world root apt-get && furnish && rm "$W/bin/tcc" && setup
calls_no 'apt-get'; no_tcc 'SETUP=no'
unset SETUP
world root apt-get && furnish && rm "$W/bin/tcc" && setup --check
exits 0; says 'there is no tcc: --check'; calls_no 'apt-get'
claim who_cannot_have_tcc_is_told_once_and_goes_on

world root apt-get && furnish && rm "$W/bin/tcc" && setup "${make_asks[@]}"
exits 0; calls "$apt_install tcc $lock"
setup cc tcc
exits 0; says 'all there: cc tcc'
claim tcc_is_installed_where_that_can_be_done

world root dnf && touch "$W/no_tcc" && setup
no_tcc 'dnf could not install it'
world root apt-get && furnish && rm "$W/bin/tcc" && touch "$W/no_tcc" && setup "${make_asks[@]}"
no_tcc 'apt could not install it'
world root apt-get && touch "$W/no_tcc" && setup tcc
exits 1; says 'apt could not install tcc'
claim a_system_without_a_package_of_tcc_gets_all_else

world student apt-get && rm -f "$W/bin/tcc" && setup
exits 1; says '(package: libcmocka-dev)'
[[ $out != *tcc* ]] || complaints+='tcc is asked for'$'\n'
claim what_stops_a_student_is_not_tcc

world root apt-get && furnish && rm "$W/have/libjansson.so" "$W/have/libcmocka.so" && fake bin apt-get \
    'touch "$W/have/libcmocka.so"; exit 100' && setup
exits 1; says 'jansson '
[[ $out != *'    cmocka '* ]] || complaints+='names what has been installed by then'$'\n'
claim the_list_of_what_is_missing_is_made_after_installing

world root && setup cc
exits 1; says 'none of apt-get, dnf, brew, conda'; says '(package: gcc g++ binutils make)'
claim a_machine_without_a_manager_is_told_the_packages

world root apt-get && touch "$W/broken" && setup jansson
exits 1; says 'apt could not install'; says '| E: no such mirror'
says "    $apt_install gcc g++ binutils make libjansson-dev"
[[ ! -e "$W/the lab/build/.setup" ]] || complaints+='build/.setup was written'$'\n'
claim a_failed_install_shows_the_end_of_the_log

world root apt-get && furnish && rm "$W/have/libjansson.so" && fake bin apt-get true && setup jansson
exits 1; says 'still not found'
claim an_install_that_brings_nothing_is_not_believed

world root apt-get && fake bin uname 'echo Darwin' && setup --check
exits 1; says 'Linux container'
claim macos_is_told_the_truth

# ---- all there -------------------------------------------------------------------------------------------------------

world student apt-get && furnish && setup
exits 0; calls_no 'apt-get'
[[ $out == "setup: all there: $all" ]] || complaints+='more than one line'$'\n'
claim all_there_is_one_line

setup --quiet
exits 0; silent; calls_no '.'
claim the_second_call_runs_no_program_and_quiet_is_silent

rm "$W/have/libcmocka.so" && setup --quiet cc jansson
exits 0; calls_no 'apt-get'
setup --quiet cmocka
exits 1; says 'cmocka '
claim a_library_that_has_gone_is_noticed

touch "$W/have/libcmocka.so" && setup --quiet && more_path=:/elsewhere setup --quiet
exits 0; grep -q gcc "$W/calls" || complaints+='the stamp of another PATH was believed'$'\n'
claim another_PATH_looks_again

setup --quiet && touch -d '1 second' "$W/the lab/grader/setup" && setup --quiet
exits 0; grep -q gcc "$W/calls" || complaints+='the old stamp was believed'$'\n'
claim a_newer_setup_looks_again

setup cobol
exits 2; says "no capability 'cobol'"
setup --chekc
exits 2; says 'usage:'
claim an_unknown_word_is_wrong_usage

echo "1..$tests"
[[ $failures == 0 ]]
