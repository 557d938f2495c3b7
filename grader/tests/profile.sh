#!/usr/bin/env bash
# profile.sh: make profile and make sanitize without a GPU: programs that stand in for ncu and compute-sanitizer print
# what those print, and run the real driver on the CPU (simt) under a real stage. TAP.
# shellcheck disable=SC2016,SC2154 # what is written into the stand-ins is expanded there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
samples=grader/profile/samples
flash=grader/ladder/4_async_copies/task4_flash/flash.cu
no_tools=$top/empty

# A build folder of our own, with target as simtcc compiles it, and a stage for it.
mkdir -p "$top/build/bin" "$top/logs" "$no_tools"
includes=(-Igrader/core -Igrader/run)
for folder in task[1-6]_*/; do includes+=("-I${folder%/}"); done
grader/simt/simtcc -O1 -o "$top/build/bin/target" grader/profile/target.cu build/liblab.a "${includes[@]}" -rdynamic \
    -lgomp
LAB_BACKEND=simt build/bin/stagecc . task4 "$flash" "$top/task4.so"
export LAB_BUILD=$top/build

# stand_in NAME: a program; its text comes from the standard input. $log is the file after --log-file, "$@" the program
# that it is to run, $asked all of its arguments.
stand_in() {
    {
        echo '#!/usr/bin/env bash'
        echo 'asked="$*" log= tool='
        echo 'while [[ $1 == -* ]]; do case $1 in --log-file) log=$2 ;; --tool) tool=$2 ;; esac'
        echo 'case $1 in --csv) shift ;; *) shift 2 ;; esac; done'
        echo 'samples='"$samples top=$top"
        cat
    } >"$top/$1"
    chmod +x "$top/$1"
}

# ---- profile ---------------------------------------------------------------------------------------------------------

# A folder where nvcc is all that there is: it says what a compiler of -Xptxas -v says.
mkdir -p "$top/nvcc"
${CC:-cc} -c -x c -o "$top/object.o" - <<<'int nothing;'
cat >"$top/nvcc/nvcc" <<END
#!/bin/bash
what=$top/task4.so
[[ " \$* " == *" -c "* ]] && what=$top/object.o say=yes
while [[ \$# -gt 0 ]]; do [[ \$1 == -o ]] && cp "\$what" "\$2"; shift; done
[[ \$say && \$NVCC_APPEND_FLAGS == *-Xptxas*-v* ]] && /bin/cat $samples/ptxas.txt
exit 0
END
chmod +x "$top/nvcc/nvcc"
ln -s "$(command -v cp)" "$top/nvcc/cp"
profile() { run env PATH="$top/nvcc" CUDA_ARCH=sm_90 "$@" build/bin/profile task4 "$flash" --json "$top/rows"; }
# A note is one line again, so that its words are found; before that it fits.
fits() {
    [[ $(wc -L <<<"$out") -le 80 ]] || complain "over 80 columns: $out"
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
}
rows() { [[ $(grep -c "$1" "$top/rows") == "$2" ]] || complain "not $2 rows with $1: $(cat "$top/rows")"; }

run env PATH="$no_tools" LAB_NVCC="$no_tools/nvcc" build/bin/profile task4 "$flash" --json "$top/rows"
exits 0
fits
says 'No nvcc here'
says 'make task4 bench BACKEND=simt'
rows profile_note 1
claim without_nvcc_it_says_so_and_what_there_is_instead

if [[ -e /dev/nvidia0 || -e /dev/dxg ]]; then
    skip without_a_gpu_registers_and_spills_are_shown 'there is a GPU'
else
    profile A=1
    exits 0
    says 'compiled for sm_90'
    says 'crowded<true, 64>'
    says '1140 B'
    says 'No GPU here'
    fits
    rows '"source":"ptxas"' 2
    rows '"spill_bytes":1140' 1
    rows profile_note 1
    claim without_a_gpu_registers_and_spills_are_shown
fi

stand_in ncu <<'END'
printf '%s\n' "$asked" >>"$top/asked"
sed 's/_Z4gemm[^"]*/_ZN40_GLOBAL__N__d633c7a1_8_spill_cu_09d379b97crowdedILb1ELi64EEEvPfi/' "$samples/ncu.csv" >"$log"
END
: >"$top/asked"
profile LAB_NCU="$top/ncu" PATH="$top/nvcc:$PATH" LAB_PROFILE_LOGS="$top/logs"
exits 0
says 'causal S=1024'
says 'softmax'
says '1048.6' # GB/s: 41,943,040 bytes in 40 us
rows '"source":"ncu"' 6
rows '"seconds":4e-5,"dram_bytes":41943040,"memory_pct":34.0,"sm_pct":61.25' 3
rows '"causal":true' 2
rows '"registers":121,"spill_bytes":1140,"shared_bytes":34000' 3 # the compiler's word, joined
rows profile_note 0
grep -q -- '--clock-control none' "$top/asked" || complain 'clocks are controlled'
grep -q -- "$top/build/bin/target $top/logs/task4.so flash 1 8 4096 4096 64 0" "$top/asked" ||
    complain "$(cat "$top/asked")"
compgen -G "$top/logs/task4-*.ncu" >/dev/null || complain 'the logs are not kept'
claim counters_become_a_table_and_rows

stand_in ncu <<'END'
cp "$samples/ncu-denied.txt" "$log"; exit 1
END
profile LAB_NCU="$top/ncu" PATH="$top/nvcc:$PATH"
exits 0
fits
says 'ERR_NVGPUCTRPERM'
says 'NVreg_RestrictProfilingToAdminUsers=0'
says 'crowded<true, 64>'
rows profile_note 1
rows '"source":"ncu"' 0
claim without_permission_it_says_who_gives_it

profile LAB_NCU="$top/nowhere"
exits 0
says 'No ncu here'
claim without_ncu_it_says_so

stand_in ncu <<'END'
if [[ $asked == *sm__warps_active* ]]; then
    echo '==ERROR== Failed to find metric sm__warps_active.avg.pct_of_peak_sustained_active' >"$log"; exit 1
fi
[[ $asked == *gpu__time_duration*ffma* ]] || exit 1
cp "$samples/ncu.csv" "$log"
END
profile LAB_NCU="$top/ncu" PATH="$top/nvcc:$PATH"
exits 0
rows '"source":"ncu"' 6
stand_in ncu <<'END'
[[ $asked == *ffma* ]] && { echo '==ERROR== some metrics are not known here' >"$log"; exit 1; }
cp "$samples/ncu.csv" "$log"
END
profile LAB_NCU="$top/ncu" PATH="$top/nvcc:$PATH"
exits 0
rows '"source":"ncu"' 6
claim a_metric_that_the_chip_does_not_have_costs_no_other

# The real driver under a stand-in that only runs it: the skeleton has no kernel yet.
stand_in ncu <<'END'
: >"$log"; "$@"; echo "==ERROR== The application returned an error code ($?)." >>"$log"
END
LAB_BACKEND=simt build/bin/stagecc . task4 task4_flash/flash.cu "$top/todo.so"
cp "$top/task4.so" "$top/solved.so"
cp "$top/todo.so" "$top/task4.so"
profile LAB_NCU="$top/ncu" PATH="$top/nvcc:$PATH"
cp "$top/solved.so" "$top/task4.so"
exits 1
says 'full S=1024: attn_flash: TODO 4.'
rows profile_note 1
claim an_open_todo_is_not_profiled

# ---- sanitize --------------------------------------------------------------------------------------------------------

sanitize() {
    run env LAB_SANITIZER="$top/compute-sanitizer" "${only[@]}" build/bin/sanitize task4 "${stage:-$top/task4.so}" "$@"
}
only=(LAB_ONLY=mask)

stand_in compute-sanitizer <<'END'
"$@"; status=$?
if [[ $tool == racecheck ]]; then cp "$samples/clean-racecheck.txt" "$log"; else cp "$samples/clean.txt" "$log"; fi
exit $status
END
sanitize
exits 0
says 'claims under compute-sanitizer: 2'
for tool in memcheck racecheck initcheck synccheck; do says "$tool"; done
[[ $(grep -c 'PASSED  *2 calls' <<<"$out") == 4 ]] || complain "$out"
claim a_clean_stage_passes_every_tool

only=(LAB_ONLY=)
sanitize memcheck
exits 0
says 'large shapes, left out: 1'
says_not racecheck
claim all_claims_but_the_large_ones_run

# Task 6: its layer, beside the driver and the lab's kernels; no whole model.
mkdir -p "$top/build/model"
ln -s "$PWD"/build/model/{model,fallback}_simt.so "$top/build/model/"
LAB_BACKEND=simt build/bin/stagecc . task6 grader/solutions/task6_pipeline/pipeline.cu "$top/task6.so"
for only in padding_takes_no_slots a_batch_of_prompts_is_answered; do
    run env LAB_BACKEND=simt LAB_SANITIZER="$top/compute-sanitizer" LAB_ONLY=$only build/bin/sanitize task6 \
        "$top/task6.so" memcheck
    if [[ $only == padding* ]]; then exits 0 && says '1 calls'; else exits 2 && says 'no claim named like'; fi
done
claim the_layer_of_task_6_is_checked_by_itself

# A layer that refuses a prompt of one token: the claims of other prompts are watched all the same.
mkdir -p "$top/refusing"
sed 's/if (fresh == B) return PREFILL/if (fresh == B \&\& tokens.seq > 1) return PREFILL/' \
    grader/solutions/task6_pipeline/pipeline.cu >"$top/refusing/pipeline.cu"
LAB_BACKEND=simt build/bin/stagecc . task6 "$top/refusing/pipeline.cu" "$top/task6.so"
for only in a_prompt_of_one_token a_; do
    run env LAB_BACKEND=simt LAB_SANITIZER="$top/compute-sanitizer" LAB_ONLY=$only build/bin/sanitize task6 \
        "$top/task6.so" memcheck
    if [[ $only == a_ ]]; then
        exits 0 && says '6 calls, 3 that returned an error: make task6 test says why'
    else
        exits 2 && says 'a_prompt_of_one_token: the layer breaks its contract: make task6 test says how'
    fi
done
claim a_call_that_fails_its_claim_leaves_the_others_to_be_watched

only=(LAB_ONLY=mask)
stand_in compute-sanitizer <<'END'
"$@"
cp "$samples/clean.txt" "$log"
if [[ $tool == racecheck && $asked == *bottom_right* ]]; then cp "$samples/racecheck.txt" "$log"; fi
END
sanitize
exits 1
says 'RACE '
says 'causal_mask_is_aligned_bottom_right: a race in shared memory: a write at flash.cu:141 and a read at flash.cu:151'
[[ $(grep -c PASSED <<<"$out") == 3 ]] || complain "$out"
[[ -s $top/build/log/task4-racecheck.log ]] || complain 'the log is not kept'
claim a_report_is_told_with_the_claim_that_has_it_and_the_other_tools_run

stand_in compute-sanitizer <<'END'
cp "$samples/unsupported.txt" "$log"; exit 1
END
sanitize memcheck
exits 2
says 'Device not supported'
says_not PASSED
stand_in compute-sanitizer <<'END'
"$@"; echo '========= COMPUTE-SANITIZER' >"$log"; kill -9 $$
END
sanitize memcheck
exits 2
says_not PASSED
stand_in compute-sanitizer <<'END'
"$@"; echo '========= COMPUTE-SANITIZER' >"$log"
END
sanitize memcheck
exits 2
says_not PASSED
stand_in compute-sanitizer <<'END'
cp "$samples/clean.txt" "$log"
END
sanitize memcheck # the driver has not run
exits 2
says_not PASSED
stand_in compute-sanitizer <<'END'
cp "$samples/clean.txt" "$log"; sleep 1000
END
only=(LAB_ONLY=mask LAB_TIMEOUT=1)
sanitize memcheck
only=(LAB_ONLY=mask)
exits 2
says 'not done after 1 s'
says_not PASSED
claim what_was_not_checked_to_its_end_has_not_passed

stand_in compute-sanitizer <<'END'
"$@"; status=$?; cp "$samples/clean.txt" "$log"; exit $status
END
stage=$top/todo.so
sanitize memcheck
stage=
exits 2
says 'TODO 4.'
says_not PASSED
claim an_open_todo_has_not_passed

run env LAB_SANITIZER="$top/nowhere" build/bin/sanitize task4 "$top/task4.so"
exits 2
says 'make task4 sanitize BACKEND=simt'
run build/bin/sanitize task1 x.so
exits 2
run build/bin/profile
exits 2
says usage
run build/bin/profile task1 grader/solutions/task1_reference/reference.c
exits 0
says SKIP
claim wrong_usage_and_missing_tools_are_said

plan
