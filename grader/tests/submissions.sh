# submissions.sh: sourced by suites that grade submissions of task 1: how they are made, and what their results say.
# shellcheck shell=bash disable=SC2034
# $top: the suite's scratch folder; submissions lie in $top/in.
solution=grader/solutions/task1_reference/reference.c

# A call may take 2 s; a right one takes a tenth of a second.
grade() { run grader/grade_all --no-bench --no-plots --tasks 1 --timeout 2 "$@"; }

# submit NAME: an empty one; what follows fills $file.
submit() {
    mkdir -p "$top/in/$1/task1_reference"
    file=$top/in/$1/task1_reference/reference.c
}

# spoil NAME CODE: the solution, whose attn_sdpa runs CODE first.
spoil() {
    submit "$1"
    {
        echo '#define _GNU_SOURCE'
        echo '#include <stdio.h>'
        echo '#include <string.h>'
        echo '#include <unistd.h>'
        echo '#define attn_sdpa solved_sdpa'
        cat "$solution"
        echo '#undef attn_sdpa'
        echo 'attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {'
        echo "    const size_t n = (size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim; (void)n;"
        echo "    $2"
        echo '    return solved_sdpa(O, Q, K, V, shape);'
        echo '}'
    } >"$file"
}

# field FOLDER PYTHON: an expression over r, the results of that submission, and t, its task.
field() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1])); t = r["tasks"][0]; cases = {c["name"]: c for c in t["cases"]}
print(eval(sys.argv[2]))' "$top/out/$1/results.json" "$2" 2>&1
}
is() { [[ $(field "$1" "$2") == "$3" ]] || complain "$1: $2 is $(field "$1" "$2"), not $3"; }
has() { [[ $(field "$1" "$2") == *"$3"* ]] || complain "$1: $2 is $(field "$1" "$2"), without $3"; }
