#!/usr/bin/env bash
# own_hooks.sh: changes of a CUDA file that are data (grader/repair/hooks): each does what the compiler makes of its
# text, and so many are tried that a mistake far down the list is found. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

cat >"$top/mix.cu" <<'END'
#include <math.h>
#define EACH(k, n) for (int k = 0; k < (n); k++)
struct Pair {
    int first;
    float second;
};
struct View {
    const float *at;
    int n;
    float read(int i) const { return at[i + n]; }
};
template <int N> static float scaled(const float *x, int i, float by, const float *more) { return x[i] * by + N; }
extern "C" float mix(const float *x, float *y, int n, unsigned u, double d, Pair p) {
    float sum = 0, high = -INFINITY;
    int last = n - 1;
    bool odd = n % 2 == 1;
    for (int i = 0; i < n; i++) {
        float v = x[i] * p.second;
        high = fmaxf(high, v);
        if (i > p.first && !odd)
            sum += v / (i + 1);
        else
            sum = sum * expf(v - high) - x[last - i];
        y[i + last * n] = sum;
    }
    EACH(k, n) y[k * n] += x[k + last] * u;
    EACH(k, last) {
        const float part = x[k] - y[k + n];
        sum += part * k;
    }
    size_t at = (size_t)n * u + last / 2 % 3;
    y[at] -= (float)d;
    sum *= sqrtf((float)d + (u - n) % 3);
    const float4 *const four = (const float4 *)y;
    float4 *rest = reinterpret_cast<float4 *>(y + 64);
    rest[last] = 4 * last + 4 < n * 2 ? reinterpret_cast<const float4 *>(x + n)[last] : four[n];
    sum += static_cast<float>(n - last) + ((const float4 *)(x + n))[last].z;
    const View view = {x, last};
    y[last + 1] += scaled<4 / 2>(x, last - n / 2, p.second, 0) - high * sum;
    for (int i = 0; i < last; i++) sum += view.read(i + last * 2) * (i < n / 2 ? p.second : high);
    return sum > 1e6f ? high : sum;
}
END
cat >"$top/mix.h" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
struct Pair {
    int first;
    float second;
};
typedef float mix(const float *, float *, int, unsigned, double, Pair);
static float x[4096], y[2][4096];
END
cat >"$top/both.cu" <<'END'
#include "mix.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static void run(void *h, int id, float *y, float *out) {
    ((void (*)(int))dlsym(h, "lab_set_edit"))(id);
    for (int i = 0; i < 4096; i++) x[i] = 0.01f * (i % 97) - 0.3f, y[i] = (float)i;
    for (int k = 0; k < 3; k++) out[k] = ((mix *)dlsym(h, "mix"))(x + 2048, y + 2048, 4 + k, 3 + 2 * k, 6.5, {1, 0.7f});
}
int main(int, char **v) {
    void *text = dlopen(v[1], RTLD_NOW | RTLD_LOCAL), *data = dlopen(v[2], RTLD_NOW | RTLD_LOCAL);
    int *done = (int *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int alike = 0, id;
    while (text && data && scanf("%d", &id) == 1) {
        *done = 0;
        if (fork() == 0) {
            float a[3], b[3];
            itimerval soon = {{0, 0}, {0, 100000}}, late = {{0, 0}, {60, 0}};
            setitimer(ITIMER_REAL, &soon, NULL);  // the change makes a loop endless, or reads where nothing is
            run(text, id, y[0], a);
            *done = 1;
            setitimer(ITIMER_REAL, &late, NULL);
            run(data, id, y[1], b);
            _exit(memcmp(a, b, sizeof a) != 0 || memcmp(y[0], y[1], sizeof y[0]) != 0);
        }
        int status;
        wait(&status);
        if (*done && status) printf("%d ", id);
        alike += *done && !status;
    }
    printf("%d alike\n", alike);
}
END
build/bin/edits "$top/mix.cu" "$top/text.cu" "$top/table.tsv" --limit 1500 --hooks "$top/data.cu"
compile=(grader/simt/simtcc -Og -w -shared -fPIC) drop=()
for _ in 1 2 3 4; do
    "${compile[@]}" -fmax-errors=0 "${drop[@]}" -o "$top/text.so" "$top/text.cu" 2>"$top/log" && break
    mapfile -t -O "${#drop[@]}" drop < <(sed -n 's/^edit-\([0-9]*\):.* error: .*/-DDROP_\1/p' "$top/log" | sort -u)
done
"${compile[@]}" -o "$top/data.so" "$top/data.cu" build/bin/edits_hooks.o || complain 'no hooks'
grader/simt/simtcc -Og -w -o "$top/both" "$top/both.cu"
awk -F '\t' '$14 == 1 { print $1 }' "$top/table.tsv" | grep -vxFf <(printf '%s\n' "${drop[@]#-DDROP_}" .) >"$top/ids"
out=$("$top/both" "$top/text.so" "$top/data.so" <"$top/ids")
[[ $out =~ ^[0-9]+' alike'$ ]] || complain "not as the compiler has it: $out"
((${out%% *} > 400)) || complain "$out"
for line in 28 31 36 37; do
    awk -F '\t' -v l="$line" '$14 == 1 && $3 == l { n++ } END { exit n < 30 }' "$top/table.tsv" || complain "line $line"
done
for line in 39 40; do  # a call of the file's own is code, and the other parts of its line are data
    awk -F '\t' -v l="$line" '$14 == 1 && $3 == l { n++ } END { exit n < 20 }' "$top/table.tsv" || complain "line $line"
done
claim a_change_that_is_data_does_what_the_compiler_makes_of_its_text

# With an odd n one branch is not taken: a change of it alters nothing, as its hook is not met. One that is met may.
cat >"$top/idle.cu" <<'END'
#include "mix.h"
int main(int, char **v) {
    void *h = dlopen(v[1], RTLD_NOW | RTLD_LOCAL);
    void (*const choose)(int) = (void (*)(int))dlsym(h, "lab_set_edit");
    int (*const idle)(int) = (int (*)(int))dlsym(h, "lab_edit_idle");
    mix *const f = (mix *)dlsym(h, "mix");
    int id, n = 0, met = 0;
    for (int i = 0; i < 4096; i++) x[i] = 0.01f * (i % 97) - 0.3f;
    while (scanf("%d", &id) == 1) {
        memset(y, 0, sizeof y);
        choose(0);
        const float a = f(x + 2048, y[0] + 2048, 5, 3, 6.5, {1, 0.7f});
        met += !idle(id);
        if (!idle(id)) continue;
        choose(id);
        const float b = f(x + 2048, y[1] + 2048, 5, 3, 6.5, {1, 0.7f});
        if (memcmp(&a, &b, sizeof a) || memcmp(y[0], y[1], sizeof y[0])) printf("%d ", id);
        n++;
    }
    printf("%d idle, %d met\n", n, met);
}
END
grader/simt/simtcc -Og -w -o "$top/idle" "$top/idle.cu"
out=$("$top/idle" "$top/data.so" <"$top/ids")
[[ $out =~ ^[0-9]+' idle, '[0-9]+' met'$ ]] || complain "not as the file: $out"
read -r idle _ met _ <<<"$out"
((idle > 20 && met > 200)) || complain "$out"
claim a_change_that_is_not_met_alters_nothing

# Far down the list. Beside other work it takes longer to come to it, and the time for a search is no part of the claim.
deep() {
    plant own_strided.cu "$1" "$2"
    run build/bin/edits "$wrong" --reaches "$right" --limit 8000
    ((${out%% *} > 700)) || complain "$2: change $out"
    LAB_SLOWNESS=3 told task2 own_strided.cu "$1" "$2" "$3"
}

# A file with structs that go by value is compiled twice for checked mode; of a change that is not looked for.
mkdir "$top/bin"
printf '#!/bin/sh\necho "$*" >>%q\nexec g++ "$@"\n' "$top/calls" >"$top/bin/g++"
chmod +x "$top/bin/g++"
compiled=
for how in '' --once; do
    : >"$top/calls"
    CXX=$top/bin/g++ grader/simt/simtcc --checked $how -w -c -o "$top/once.o" grader/simt/tests/zoo/handed.cu
    compiled+=" $(grep -c c++-cpp-output "$top/calls")"
done
[[ $compiled == ' 2 1' ]] || complain "compiled so often:$compiled"
claim a_change_is_compiled_once_for_checked_mode

only=ragged deep 'if (row < left.rows' 'if (row < left.cols' 'With rows in place of the first cols, every claim passes.'
claim of_thousands_the_one_is_found
if full of_thousands_another_one_is_found; then
    only=ragged deep 'left.rows * right.cols;' 'left.cols * right.cols;' \
        'With rows in place of the first cols, every claim passes.'
    claim of_thousands_another_one_is_found
fi

# More than 8000 threads meet it, once each: that is no loop without end.
only=split told task5 own_decode.cu 'min(split, extra)' 'extra' 'With min(split, extra) in place of the first extra'
claim what_each_of_many_threads_does_is_no_endless_loop
plan
