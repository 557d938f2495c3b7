#!/usr/bin/env bash
# setup.sh: grader/setup, each time in a world of its own (setup_world.sh), in which nothing is really installed. TAP.
# shellcheck disable=SC2016 # the fakes' bodies stand in single quotes: their $W, $0, $1 are their own
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
source "$(dirname "${BASH_SOURCE[0]}")/tap.sh"
# shellcheck source=grader/tests/setup_world.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup_world.sh"

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
[[ ! -e "$W/the lab/build" ]] || complain 'build/ was made'
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
    [[ $out != *'all there'*tcc* ]] || complain 'tcc is there'
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
[[ $out != *'no tcc'* ]] || complain 'tells it twice'
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
[[ $out != *tcc* ]] || complain 'tcc is asked for'
claim what_stops_a_student_is_not_tcc

world root apt-get && furnish && rm "$W/have/libjansson.so" "$W/have/libcmocka.so" && fake bin apt-get \
    'touch "$W/have/libcmocka.so"; exit 100' && setup
exits 1; says 'jansson '
[[ $out != *'    cmocka '* ]] || complain 'names what has been installed by then'
claim the_list_of_what_is_missing_is_made_after_installing

world root && setup cc
exits 1; says 'none of apt-get, dnf, brew, conda'; says '(package: gcc g++ binutils make)'
claim a_machine_without_a_manager_is_told_the_packages

world root apt-get && touch "$W/broken" && setup jansson
exits 1; says 'apt could not install'; says '| E: no such mirror'
says "    $apt_install gcc g++ binutils make libjansson-dev"
[[ ! -e "$W/the lab/build/.setup" ]] || complain 'build/.setup was written'
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
[[ $out == "setup: all there: $all" ]] || complain 'more than one line'
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
exits 0; grep -q gcc "$W/calls" || complain 'the stamp of another PATH was believed'
claim another_PATH_looks_again

setup --quiet && touch -d '1 second' "$W/the lab/grader/setup" && setup --quiet
exits 0; grep -q gcc "$W/calls" || complain 'the old stamp was believed'
claim a_newer_setup_looks_again

setup cobol
exits 2; says "no capability 'cobol'"
setup --chekc
exits 2; says 'usage:'
claim an_unknown_word_is_wrong_usage

plan
