#!/usr/bin/env bash
# own_skips.sh: a row that skips the tiles behind its last key, in a C file of a student's own, sees no key behind that
# one in other tiles; a question that ends a walk does not become one that is never true (grader/repair/edits:
# skipped_tile, ranking/oftener). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=40

# Who is skipped where a tile begins behind the last key sees no key behind that one in another tile.
cat >"$top/skips.c" <<'END_C'
typedef struct { int causal, gap, nk; } head;
static int least(int a, int b) { return a < b ? a : b; }
static void score(float *s, int n);
void left(const head *h, float *s, int row0, int rows, int size) {
    for (int j0 = 0; j0 < h->nk; j0 += size)
        for (int r = 0; r < rows; r++) {
            const int last = row0 + r + h->gap;
            const int n = least(size, (h->causal ? last + 1 : h->nk) - j0);
            if (h->causal && j0 > last) continue;
            score(s, n);
        }
}
void end(const head *h, float *s, int causal, int row0, int rows, int size) {
    for (int from = 0; from < h->nk; from += size)
        for (int r = 0; r < rows; r++) {
            const int seen = row0 + r + h->gap + 1;
            if (causal && from >= seen) continue;
            for (int j = from; j < least(from + size, (causal ? seen : h->nk)); j++) score(s, j);
        }
}
void each(const head *h, float *s, int row0, int rows, int size) {
    for (int from = 0; from < h->nk; from += size)
        for (int r = 0; r < rows; r++) {
            if (h->causal && row0 + r < from) continue;
            for (int c = 0; c < size && from + c < (h->causal ? row0 + r + 1 : h->nk); c++) score(s, c);
        }
}
END_C
undone skips.c '(h->causal ? last + 1 : h->nk) - j0' 'h->nk - j0'
undone skips.c '(causal ? seen : h->nk)' 'h->nk'
undone skips.c '(h->causal ? row0 + r + 1 : h->nk); c++' 'h->nk; c++'
cat >"$top/named.c" <<'END_C'
void named(const head *h, float *s, int row0, int rows, int size) {
    for (int from = 0; from < h->nk; from += size) {
        const int to = least(from + size, h->nk);
        for (int r = 0; r < rows; r++) {
            const int last = row0 + r + h->gap, stop = (h->causal && last + 1 < to ? last + 1 : to);
            if (h->causal && from > last) continue;
            for (int j = from; j < stop; j++) score(s, j);
        }
    }
}
void told(const head *h, float *s, int row0, int rows, int size) {
    for (int j0 = 0; j0 < h->nk; j0 += size)
        for (int r = 0; r < rows; r++) {
            if (h->causal && row0 + r < j0) continue;
            const int n = (h->causal && row0 + r + 1 - j0 < (j0 + size <= h->nk ? size : h->nk - j0)
                ? row0 + r + 1 - j0 : (j0 + size <= h->nk ? size : h->nk - j0));
            score(s, n);
        }
}
END_C
sed -n '1,3p' "$top/skips.c" | cat - "$top/named.c" >"$top/both.c"
undone both.c '(h->causal && last + 1 < to ? last + 1 : to);' 'to;'
undone both.c '(h->causal && row0 + r + 1 - j0 < (j0 + size <= h->nk ? size : h->nk - j0)
                ? row0 + r + 1 - j0 : (j0 + size <= h->nk ? size : h->nk - j0));' \
    'j0 + size <= h->nk ? size : h->nk - j0;'
build/bin/edits "$top/skips.c" "$top/out.c" "$top/table.tsv" --limit 30000
again=$(awk -F'\t' '$6 == "own end" && $7 == "size"' "$top/table.tsv")
[[ ! $again ]] || complain "a size is no end: $again"
claim who_is_skipped_behind_the_last_key_sees_none_behind_it

cat >"$top/rounds.c" <<'END_C'
void walk(float *s, int causal, int n, int bc, int i0) {
    for (int j0 = 0; j0 < n; j0 += bc) {
        if (causal && j0 / bc > i0 / bc) break;
        s[j0 / bc] = n / bc;
    }
}
END_C
build/bin/edits "$top/rounds.c" "$top/out.c" "$top/table.tsv" --limit 30000
zero=$(awk -F'\t' '$10 ~ /j0 % bc/ && $6 == "operator" && $7 == "/"' "$top/table.tsv")
flag=$(awk -F'\t' '$10 ~ /causal \/ bc/' "$top/table.tsv")
[[ ! $flag ]] || complain "a flag is no number: $flag"
[[ ! $zero && $(<"$top/table.tsv") == *'n % bc'* ]] || complain "always 0: $zero"
claim what_goes_on_by_a_step_is_not_taken_modulo_the_step
plan
