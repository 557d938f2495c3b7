#!/usr/bin/env bash
# own_anew.sh: what begins once before a loop and has to begin anew in each of its rounds: a maximum, a sum, a walk, an
# array of sums (grader/repair/edits: restart, anew). What has its value and is made all the same (recomputed). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh

# What is declared before a loop, changed in its rounds and read nowhere behind it: it begins anew in each of them.
cat >"$top/begun.c" <<'END'
float all(float *P, const float *S, const float *W, int rows, int cols) {
    float top = -1e30f, sum = 0.0f;
    float total = 0.0f;
    const float *row = W;
    int at = 0, to = cols;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) top = S[at] > top ? S[at] : top, at++;
        for (int c = 0; c < cols; c++) sum += S[c] - top;
        while (row < W + to) total += *row++;
        P[r] = sum;
    }
    return total + at;
}
void each(float *P, const float *S, int heads, int rows) {
    int seen = rows - 1;
    for (int h = 0; h < heads; h++)
        for (int r = 0; r < rows; r++) {
            P[r] = S[seen];
            seen++;
        }
}
END
build/bin/edits "$top/begun.c" "$top/out.c" "$top/table.tsv" --limit 30000
begun=$(awk -F'\t' '$6 == "restart" { printf "%s: %s ", $3, $8 }' "$top/table.tsv")
[[ $begun == *'7: top = -1e30f; sum = 0.0f; row = W; '* ]] || complain "together: $begun"
[[ $begun == *'7: row = W; '* && $begun != *'total ='* && $begun != *'at ='* ]] || complain "one of them: $begun"
[[ $begun == *'18: seen = rows - 1; '* ]] || complain "in the loop within: $begun"
claim what_is_declared_before_a_loop_begins_anew_in_its_rounds

# The largest one so far, which begins with the first number of all rows: in a later row that may be too large.
cat >"$top/first.c" <<'END'
#define AT(s, r, c) ((s)[(r) * 8 + (c)])
void rows(float *P, const float *S, int rows, int cols) {
    float top = AT(S, 0, 0);
    double z = 0.0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            if (AT(S, r, c) > top) top = AT(S, r, c);
        for (int c = 0; c < cols; c++) z += AT(S, r, c) - top;
        P[r] = z;
    }
}
float last(float *P, const float *S, int rows, int cols) {
    float kept = *S;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) kept = S[r * cols + c];
    return 0;
}
END
build/bin/edits "$top/first.c" "$top/out.c" "$top/table.tsv" --limit 30000
begun=$(awk -F'\t' '$6 == "restart" { printf "%s: %s ", $3, $8 }' "$top/table.tsv")
[[ $begun == *'6: top = -INFINITY; z = 0.0; '* ]] || complain "$begun"
[[ $begun != *'kept = -INFINITY'* ]] || complain "no maximum: $begun"
claim a_maximum_that_begins_with_the_first_number_of_all_begins_with_minus_infinity

# An array of sums that is set to 0 once, and to which each round of a loop adds.
cat >"$top/tile.cu" <<'END'
static __global__ void f(float *O, const float *K, int n) {
    float s[4][2] = {}, o[4] = {}, top[4] = {0};
    float each[4][2];
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 2; b++) each[a][b] = 0.0f;
    for (int j = 0; j < n; j++) {
        for (int a = 0; a < 4; a++) s[a][0] += K[j + a], each[a][1] += K[j];
        for (int a = 0; a < 4; a++) s[a][0] = j > 2 ? 0.0f : 2 * s[a][0];
        for (int a = 0; a < 4; a++) top[a] = s[a][0], top[a] += each[a][1];
        for (int a = 0; a < 4; a++) o[a] += top[a];
    }
    for (int a = 0; a < 4; a++) O[a] = o[a];
}
END
build/bin/edits "$top/tile.cu" "$top/out.c" "$top/table.tsv" --limit 30000
anew=$(awk -F'\t' '$3 == 7 && $2 < 10 && $8 ~ /^for .* = 0.0f;$/ { printf "%s: %s ", $2, $8 }' "$top/table.tsv")
for s in 's[i][j]' 'o[i]'; do [[ $anew == *" $s = 0.0f;"* ]] || complain "$s begins anew: $anew"; done
[[ $anew != *' top['* ]] || complain "is set in each round: $anew"
moved=$(awk -F'\t' '$3 == 4 && $6 == "before line 7" { print $7 }' "$top/table.tsv")
[[ $moved == *' each[a][b] = 0.0f;' ]] || complain "moved: $moved"
claim an_array_that_a_round_adds_to_begins_with_zeros_in_each

# A run of lines that makes anew what has its value: all of them go. Not where they store something else, or add to it.
cat >"$top/given.cu" <<'END'
__device__ float normalise(float *p, float l, row_state *row, int cols) {
    const int t = threadIdx.x;
    float m = block_max(p[t]), sum = 0.0f;
    l = 0.0f;
    for (int c = t; c < cols; c += 256) l += p[c];
    m = p[0];
    for (int c = 1; c < cols; c++)
        if (p[c] > m) m = p[c];
    row->l = 0.0f;
    for (int c = 0; c < cols; c++) row->l += p[c];
    row->l = row_sum(row->l);
    sum = 0.0f;
    for (int c = 0; c < cols; c++) sum += p[c], p[c] /= l;
    sum = sum + 1.0f;
    for (int c = 0; c < cols; c++) sum += p[c];
    return sum + m;
}
END
build/bin/edits "$top/given.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
runs=$(awk -F'\t' '$6 == "recomputed" { printf "%s,%s ", $3, $11 }' "$top/table.tsv")
[[ $runs == '4,5 6,7 9,10,11 ' ]] || complain "runs: $runs"
claim a_run_of_lines_that_makes_anew_what_has_its_value_goes
plan
