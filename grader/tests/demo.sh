#!/usr/bin/env bash
# demo.sh: the demo of task 6 on the CPU (simt): right, wrong, unsolved and hostile stages, bad models.
# TAP.
# shellcheck disable=SC2154 # status and out are tap.sh's
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
B=${B:-build}
export LAB_BACKEND=simt OMP_WAIT_POLICY=passive # threads of the oracle that wait take no processor from others
unset LAB_CHECKED
solution=grader/solutions/task6_pipeline/pipeline.cu

stage() { # TASK FILE: prints the stage's path
    local so
    so=$top/${2//\//+}.so
    "$B/bin/stagecc" . "$1" "$2" "$so" >&2 && echo "$so"
}
mutant() { # NAME SED-COMMAND
    mkdir -p "$top/$1"
    sed "$2" "$solution" >"$top/$1/pipeline.cu"
    ! cmp -s "$solution" "$top/$1/pipeline.cu" || { echo "the mutant $1 is the solution" >&2 && return 1; }
    stage task6 "$top/$1/pipeline.cu"
}
# A stage in C that writes what it likes to the pipe of answers: forge(token, step) is the token of a step.
hostile() { # NAME BODY
    {
        echo '#include <unistd.h>'
        echo '#include "protocol.h"'
        echo 'static void forge(int token, int step) {'
        echo '    lab_reply r = {.magic = LAB_MAGIC, .serial = 2, .sets = step, .more = 1, .token = {token}};'
        echo '    if (write(LAB_FD_DONE, &r, sizeof r) < 0) _exit(7);'
        echo '}'
        echo "int attn_layer_forward(void) { $2 return 0; }"
    } >"$top/$1.c"
    gcc -shared -fPIC -Igrader/core -Igrader/run -o "$top/$1.so" "$top/$1.c"
}
seeded() { "$B/bin/demo" "${limit[@]}" "$@" --seed-fd 3 3<<<2024; }
limit=()
demo() { run seeded --stage "$@"; }
json() { # EXPRESSION: true of the results' demo object d
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))["demo"]; sys.exit(not eval(sys.argv[2]))' \
        "$top/demo.json" "$1" || complain "not so: $1: $(cat "$top/demo.json")"
}

# ---- right and wrong kernels -----------------------------------------------------------------------------------------

right=$(stage task6 "$solution")
demo "$right" --recall 3 --json "$top/demo.json" # 20 in grader/cheats/task6.cheats
exits 0
says 'yours 3/3, reference 3/3'
says 'times of an emulation'
says_not 'The texts differ'
json 'd["text"] == d["reference_text"] and d["text"][:4].isdigit() and len(d["text"]) == 32'
json 'd["recall"] == {"asked": 3, "yours": 3, "reference": 3}'
json 'd["prompt"].endswith("? ") and d["prompt"].count("\n") == 17'
json 'd["prompt"].split(d["prompt"].split("\n")[-1][:-2] + " ")[1][:4] == d["text"][:4]' # as the book says
claim the_solution_answers_and_recalls_all

first=$out
demo "$right" --recall 0
answered() { grep -A 3 -m 1 '^  yours' <<<"$1"; }
[[ $(answered "$out") == "$(answered "$first")" ]] ||
    complain "$out"
run "$B/bin/demo" --stage "$right" --recall 0 --tokens 4
other=$out
run "$B/bin/demo" --stage "$right" --recall 0 --tokens 4
[[ $(grep question <<<"$out") != $(grep question <<<"$other") ]] || complain 'the same book twice'
claim a_seed_makes_the_book_and_without_one_it_is_fresh

demo "$right" --recall 2 --part "$(stage task4 task4_flash/flash.cu)" \
    --part "$(stage task5 grader/solutions/task5_decode/decode.cu)"
exits 0
says "stand in for task4 (TODO 4.1 is open)"
says_not 'stand in for task5'
says 'yours 2/2, reference 2/2'
claim what_is_unsolved_is_replaced_and_said

forgetful=$(mutant forgetful '/TRY(call->append(/d')
demo "$forgetful" --recall 2 --json "$top/demo.json"
exits 1
says 'The texts differ'
json 'd["recall"]["yours"] < 2 and d["recall"]["reference"] == 2'
json 'd["text"] != d["reference_text"]'
claim without_append_recall_is_below_the_references

leaky=$(mutant leaky 's/lengths\[b\] = count\[b\]/lengths[b] = count[0]/')
demo "$leaky" --recall 5 --json "$top/demo.json"
exits 1
json 'd["text"] == d["reference_text"] and d["recall"]["yours"] < d["recall"]["reference"]'
claim the_batch_of_prompts_of_different_lengths_finds_what_one_prompt_does_not

demo "$(stage task6 task6_pipeline/pipeline.cu)" --recall 2 --json "$top/demo.json"
exits 1
says 'TODO 6.1 in task6_pipeline/pipeline.cu is open'
says 'reference 2/2'
says_not 'The texts differ'
json 'd["text"] == "" and len(d["reference_text"]) == 32 and d["recall"]["yours"] == 0'
claim an_open_todo_is_named_and_the_reference_speaks_alone

# ---- prompts and models ----------------------------------------------------------------------------------------------

demo "$right" --prompt 'tefo 6992\nzeveni 6426\n\nzeveni? ' --tokens 4
exits 0
says 'yours      6426'
says 'reference  6426'
says_not recall
demo "$right" --prompt 'tefo 6992\nzeveni 6426\n\nzeveni? ' --tokens 12 --temperature 8 --top-k 9 --seed 3
exits 0
says_not 'The texts differ'
drawn=$out
demo "$right" --prompt 'tefo 6992\nzeveni 6426\n\nzeveni? ' --tokens 12 --temperature 8 --top-k 9 --seed 4
[[ $(grep '^  yours' <<<"$out") != $(grep '^  yours' <<<"$drawn") ]] || complain 'another seed draws the same'
claim a_prompt_is_answered_and_a_seed_draws

demo "$right" --prompt "$(printf 'na %.0s' {1..400})"
exits 2
says 'the prompt has 1201 tokens, and the model has room for 1023'
demo "$right" --prompt $'\xff'
exits 2
says 'UTF-8'
demo "$right" --prompt "$(printf 'na %.0s' {1..340})" --tokens 100
exits 0
says 'median of 2)' # 1021 tokens of 1024
claim a_prompt_must_fit

model=task6_pipeline/demo/model
demo "$right" --model "$top/nowhere" --prompt x
exits 2
[[ $(wc -l <<<"$out") == 1 ]] || complain "$out"
says 'nowhere/config.json: cannot be opened'
cp -r "$model" "$top/model"
head -c 100000 "$model/model.safetensors" >"$top/model/model.safetensors"
demo "$right" --model "$top/model" --prompt x
exits 2
[[ $(wc -l <<<"$out") == 1 ]] || complain "$out"
says 'model.safetensors: '
cp "$model/model.safetensors" "$top/model/"
demo "$right" --model "$top/model" --prompt '<|endoftext|>bodo 9034

bodo? ' --tokens 4
exits 0
says 'yours      9034'
says 'a prompt of 18 tokens' # <|endoftext|> is one of them
demo "$right" --model "$top/model" --prompt bo --tokens 1
says 'a prompt of 2 tokens' # as it was given
demo "$right" --prompt bo --tokens 1
says 'a prompt of 3 tokens' # the demo's documents begin with <|endoftext|>
claim a_checkpoint_is_a_folder_and_a_bad_one_is_one_line

demo "$right" --tokens 0
exits 2
demo "$right" --model "$model"
exits 2
says 'needs --prompt'
demo "$right" --frobnicate
exits 2
run "$B/bin/demo"
exits 2
says '--stage is missing'
[[ $(wc -L <<<"$out") -le 80 ]] || complain "a line is longer than 80 columns: $out"
claim wrong_usage_is_said

# ---- hostile stages --------------------------------------------------------------------------------------------------

limit=(--timeout 10)
hostile garbage 'forge(1 << 30, 0);'
demo "$top/garbage.so" --recall 2
exits 1
says 'WRONG_ANSWER: token 0 of sequence 0 is 1073741824: the vocabulary has 0 to 256'
says 'yours 0/2, reference 2/2'
hostile negative 'forge(-1, 0);'
demo "$top/negative.so" --recall 0
says 'is -1: the vocabulary'
hostile out_of_turn 'forge(65, 3);'
demo "$top/out_of_turn.so" --recall 0
says 'sent token 3 when token 0 was due'
claim ids_are_checked_before_they_are_text

hostile flood 'for (int i = 0;; i++) forge(65, i);'
demo "$top/flood.so" --recall 0 --tokens 8
exits 1
says 'bbbbbbbb'
says_not 'bbbbbbbbb'
says 'sent more than the 8 tokens'
hostile few 'forge(65, 0); lab_reply r = {LAB_MAGIC, 2}; if (write(LAB_FD_DONE, &r, sizeof r) < 0) _exit(7);
    for (;;) pause();'
demo "$top/few.so" --recall 0 --tokens 8
exits 1
says 'sent 1 of the 8 tokens'
hostile ends 'for (int i = 0; i < 8; i++) forge(i < 2 ? 65 : 256, i);
    lab_reply r = {LAB_MAGIC, 2}; if (write(LAB_FD_DONE, &r, sizeof r) < 0) _exit(7);
    for (;;) pause();'
demo "$top/ends.so" --recall 0 --tokens 8
exits 0
says 'yours      bb'
says_not 'yours      bbb'
says 'median of 2)' # what follows <|endoftext|> costs nothing, and is not timed
claim as_many_tokens_as_were_asked_for_or_an_end_of_text

hostile endless 'for (;;) pause();'
limit=(--timeout 1)
demo "$top/endless.so" --recall 0
exits 1
says 'TIMEOUT: no answer within 1 s'
hostile exits '_exit(0);'
demo "$top/exits.so" --recall 0
says 'EARLY_EXIT: '
hostile crashes '*(volatile int *)0 = 1;'
demo "$top/crashes.so" --recall 0
says 'CRASH: Segmentation fault'
echo 'no object' >"$top/text.so"
demo "$top/text.so" --recall 0
exits 1
says 'LOAD_ERROR: '
says 'reference  '
claim an_end_has_a_verdict

plan
