#!/usr/bin/env bash
# picture.sh: make picture: the page holds what the kernel did, and a mistake is seen where it happens. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# picture NAME TASK FILE [OPTION...]: compiles the file, draws it; the page is $top/NAME.html.
picture() {
    LAB_BACKEND=simt LAB_CHECKED=1 build/bin/stagecc . "$2" "$3" "$top/$1.so" >/dev/null
    run build/bin/picture "$2" "$top/$1.so" "$3" build/bin/target_simt_checked --html "$top/$1.html" "${@:4}"
}
# The answer to task 4 with one mistake: TEXT in place of PATTERN.
mistake() {
    mkdir -p "$top/$1"
    python3 - "$top/$1/flash.cu" "$2" "$3" <<'END'
import sys
text = open("grader/solutions/task4_flash/flash.cu").read()
at = text.rindex(sys.argv[2])
open(sys.argv[1], "w").write(text[:at] + sys.argv[3] + text[at + len(sys.argv[2]):])
END
}
# holds NAME PYTHON: an expression over d, the page's data, l, its first launch, and seen, its requests as dictionaries.
holds() {
    python3 - "$top/$1.html" "$2" <<'END' || complain "$1: not so: $2"
import json, re, sys
page = open(sys.argv[1]).read()
d = json.loads(re.search(r'id=data>(.*?)</script>', page, re.S).group(1))
l = d["launches"][0]
def unpack(runs): return [runs[i] + k * runs[i + 1] for i in range(0, len(runs), 3) for k in range(runs[i + 2])]
names = ["phase", "warp", "site", "region", "taken", "least", "reported", "lanes", "words", "values", "source", "from"]
seen = [dict(zip(names, row)) for row in l["seen"]]
for s in seen:
    s.update({k: unpack(s[k]) for k in ("lanes", "words", "from")})
    s["line"], s["op"], s["bytes"] = l["sites"][s["site"]]
    s["name"] = l["regions"][s["region"]]["name"]
drawn = {a["name"]: a for a in l["drawn"]}
sys.exit(not eval("(" + sys.argv[2] + ")"))
END
}

flash=grader/solutions/task4_flash/flash.cu
picture right task4 "$flash"
exits 0
says 'm and the probabilities are right after each of the 2 tiles. So is all that'
says_not REPORTED
holds right 'len(d["launches"]) == 1 and l["kernel"] == "flash_kernel" and len(l["barriers"]) == 4'
holds right '[d["source"][line - 1].strip() for line in l["barriers"]] == ["__syncthreads();"] * 4'
holds right 'not l["faults"] and not d["reports"] and l["rows"]["wrong_output"] == -1'
claim the_answer_is_drawn_with_its_barriers_and_without_a_report

# Every element of Q, K and V is loaded once; what shared memory gets is a copy of it; tile 2 overwrites tile 1.
holds right 'all(sorted(w for s in seen if s["name"] == x and s["op"] == 0 for w in s["words"]) == list(range(64 * 32))
                 for x in "QKV")'
holds right 'set(drawn) == {"O", "Q", "K", "V", "shared: Q", "shared: K", "shared: V", "shared: computed"}'
holds right 'drawn["shared: K"]["pitch"] == 33 and drawn["shared: computed"]["pitch"] == 33'
holds right 'all(f // 32 % 32 == (w - drawn["shared: K"]["first"]) // 33 for s in seen
                 if s["source"] is not None and l["regions"][s["source"]]["name"] == "K"
                 for w, f in zip(s["words"], s["from"]))'
holds right '{s["phase"] for s in seen if s["name"] == "K"} == {0, 2}'
holds right '{s["phase"] for s in seen if s["name"] == "O"} == {4}'
holds right 'sorted(w for s in seen if s["name"] == "O" for w in s["words"]) == list(range(64 * 32))'
holds right 'all(s["taken"] == s["least"] == 4 for s in seen if s["name"] in "QKV")'
claim which_thread_loads_which_element_is_in_the_page

# m and l, from the probabilities, are those of Q and K: JSON has both.
holds right 'len(l["rows"]["tiles"]) == 2 and
             all(abs(r[0] - r[3]) < 1e-2 and abs(r[1] - r[4]) < 1e-2 * r[4]
                 for t in l["rows"]["tiles"] for r in t["row"])'
claim m_and_l_of_each_row_are_seen

mistake race '        __syncthreads();' '        // nothing'
picture race task4 "$top/race/flash.cu"
exits 0
says 'race, shared: K['
says '<- REPORTED'
holds race 'len(l["barriers"]) == 2 and {f["kind"] for f in l["faults"]} == {"race"} and d["reports"]'
holds race 'any(s["reported"] and s["op"] == 0 and "Ks[" in d["source"][s["line"] - 1] for s in seen)'
claim a_missing_barrier_is_red_at_the_element_and_the_line

mistake unscaled '    row->l *= alpha;' '    ;'
picture unscaled task4 "$top/unscaled/flash.cu"
says 'look at what lies in registers'
holds unscaled 'l["rows"]["wrong_output"] == 32 and not any(r[5] for t in l["rows"]["tiles"] for r in t["row"])'
mistake unwritten 'n < size * D; n += THREADS' 'n < size * D - 64; n += THREADS'
picture unwritten task4 "$top/unwritten/flash.cu"
says 'uninitialised read, shared: '
holds unwritten 'all(f["seen"] for f in l["faults"]) and any(s["reported"] for s in seen)'
claim a_wrong_row_is_named_with_what_is_right_and_a_read_of_nothing_is_red

picture ragged task4 "$flash" --case ragged
says 'right after each of the 2 tiles'
holds ragged 'max(w for s in seen if s["name"] == "K" for w in s["words"]) == 56 * 32 - 1'
picture chain task2 grader/solutions/task2_naive/naive.cu
holds chain '[x["kernel"] for x in d["launches"]][0::2] == ["gemm_nt", "softmax"] and drawn["As"]["pitch"] == 33'
picture decode task5 grader/solutions/task5_decode/decode.cu
holds decode '{s["name"] for s in seen} > {"O", "Q", "K_cache", "V_cache", "lengths"}'
claim other_shapes_and_tasks_are_drawn

# A row holds exponentials before they are divided: what is stored last counts.
picture softmax task2 grader/solutions/task2_naive/naive.cu --case softmax
exits 0 && says 'softmax: block (63,0,0)' && says_not 'is wrong'
sed 's/ p\[c\] \/= l;/ ;/' grader/solutions/task2_naive/naive.cu >"$top/naive.cu"
picture undivided task2 "$top/naive.cu" --case softmax
says 'Row 63 of what the block stored is wrong.'
claim what_is_stored_last_is_judged

picture todo task4 task4_flash/flash.cu
exits 1
says 'TODO 4.1 is still open'
picture far task4 "$flash" --block 7
says 'there is no block 7: this launch has one, BLOCK=0' && says 'and 2 more, which the page shows'
picture beyond task2 grader/solutions/task2_naive/naive.cu --case softmax --block 64
says 'there is no block 64: BLOCK=0 to BLOCK=63; here is 63'
picture word task2 grader/solutions/task2_naive/naive.cu --case softmax --block 1,0
says 'there is no block 1,0: BLOCK=0 to BLOCK=63; here is 1'
picture within task2 grader/solutions/task2_naive/naive.cu --case softmax --block 63
says_not 'there is no block'
claim a_block_that_is_not_there_and_what_is_left_out_have_words

picture none task4 "$flash" --case nothing
exits 2
says 'CASE="ragged S=56"'
claim an_open_todo_and_an_unknown_case_are_said

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ $browser ]]; then
    dom() {
        run "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$top/profile" \
            --virtual-time-budget=5000 --dump-dom "file://$top/$1"
    }
    dom 'right.html#k=0&step=5&warp=1'
    says 'step 6 of '
    line=$(grep -n 'src\[n\]' grader/solutions/task4_flash/flash.cu | cut -d: -f1) # where load_tile stores
    says "line $line: threads 32..63 write shared: Q["
    says 'm and the probabilities are right'
    dom race.html
    says 'race: shared: K['
    says 'class="at wrong"'
    claim the_page_plays_in_a_browser
else
    skip the_page_plays_in_a_browser 'no Chromium here'
fi
plan
