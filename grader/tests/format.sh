#!/usr/bin/env bash
# format.sh (TAP): C and CUDA sources have the format of .clang-format, and no line of a makefile or script is over 120.
# clang-format differs from version to version: 14 is the one, from the PATH or, by pip, from an environment of its own.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

tool=
for name in clang-format clang-format-14; do
    if type -P $name >/dev/null && [[ $($name --version) == *' 14.'* ]]; then tool=$name; fi
done
venv=build/tests/format
if [[ -z $tool ]]; then
    tool=$venv/bin/clang-format
    [[ -x $tool ]] || { mkdir -p build/tests && python3 -m venv "$venv" &&
        "$venv/bin/pip" install -q clang-format==14.0.6; } >&2
fi

# Not ours to format: programs that stand for other people's, and what is wrong on purpose.
mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' |
    grep -vE '^grader/(simt/tests|tests/fuzz|solutions/marked)/')
if ! type -P "$tool" >/dev/null; then
    echo "ok 1 - sources_have_the_format # SKIP no clang-format 14, and pip brings none"
elif out=$("$tool" --dry-run -Werror "${sources[@]}" 2>&1); then
    echo "ok 1 - sources_have_the_format"
else
    echo "not ok 1 - sources_have_the_format"
    grep -m 20 -oE '^[^:]+:[0-9]+' <<<"$out" | sed 's/^/# /'
    echo "# $(grep -oE '^[^: ]+\.(c|h|cu|cuh|cpp)' <<<"$out" | sort -u | wc -l) files; clang-format -i mends them"
fi

long=$(git ls-files Makefile '*.mk' '*.inc' '*.sh' grader/setup grader/grade_all |
    xargs awk 'length > 120 {print FILENAME ":" FNR}')
if [[ -z $long ]]; then
    echo "ok 2 - no_line_of_a_makefile_is_over_120"
else
    echo "not ok 2 - no_line_of_a_makefile_is_over_120"
    sed 's/^/# /' <<<"$long"
fi
echo 1..2
