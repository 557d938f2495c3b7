# flags.sh: what the host's compiler is told. Sourced by simtcc.
# Each kernel thread is a fiber with a small stack, and reports show where it stood: hence the frame pointers, and no
# tail calls or merged code. float4 is loaded as one access through a vector type.
# In version 5 of the debug information binutils names the first file where the line is of one that it includes.
always=(-gdwarf-4 "$debug" -fPIC -fno-semantic-interposition -fno-omit-frame-pointer -fno-optimize-sibling-calls
        -fstack-clash-protection -fno-strict-aliasing -fno-math-errno -fno-trapping-math -Wno-unknown-pragmas
        -Wuninitialized -fno-threadsafe-statics)
# Every access of memory becomes a call (__tsan_read4 ...) that the checker answers; -O1 keeps one call per source
# access. memcpy and memset stay calls, which cuda_runtime.h redirects, or they would vanish into moves.
# So do their relatives, which a stage may not call.
watch=(-O1 -fsanitize=thread)
for name in memcpy memmove memset memcmp mempcpy bcopy bcmp bzero strcpy strncpy stpcpy stpncpy strcat strncat \
    strcmp strncmp; do
    watch+=("-fno-builtin-$name")
done
objcopy=${OBJCOPY:-objcopy}
[[ $CXX == *-g++ && -z ${OBJCOPY:-} ]] && objcopy=${CXX%g++}objcopy  # a cross compiler's own
clang=no
if [[ ${CXX##*/} != g++ ]] && "$CXX" --version | grep -q clang; then clang=yes; fi
if [[ $clang == yes ]]; then
    always+=(-ferror-limit=20 -Wno-pass-failed -Wno-unused-command-line-argument -Wno-unknown-warning-option)
    watch+=(-fsanitize=array-bounds -fno-vectorize -fno-slp-vectorize -mllvm -tsan-instrument-read-before-write=1
            -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-distinguish-volatile=1)
    # A pointer that has left the local array it was taken from: a trap. Guests are counted and judged by g++.
    [[ $guest == yes ]] || watch+=(-fsanitize=local-bounds)
else
    [[ " ${flags[*]}" == *" -fmax-errors="* ]] || always+=(-fmax-errors=20)
    always+=(-fno-crossjumping -fno-ipa-icf -Wno-psabi -Wno-class-memaccess)
    watch+=(-fsanitize=bounds,object-size -fno-ipa-sra -fno-aggressive-loop-optimizations
            --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1)
fi
# A guest's calls through pointers go by way of check/thunks, which look where they lead.
machine=$HOSTTYPE
[[ $guest == no || $CXX == g++ ]] || machine=$("$CXX" -dumpmachine)
if [[ $guest == yes && $machine == x86_64* ]]; then
    if [[ $clang == yes ]]; then
        watch+=(-fno-jump-tables)
    else
        watch+=(-fno-jump-tables -fcf-protection=none -mindirect-branch=thunk-extern -mindirect-branch-register)
    fi
fi
[[ $guest == yes && $clang == no ]] && watch+=(-fsanitize=bounds-strict)  # the last array of a struct, too
# What nobody wrote of a local array is no plausible number. Not in a guest, whose traffic is counted.
if [[ $checked == yes && $guest == no ]]; then
    version=$("$CXX" -dumpversion)
    ((${version%%.*} < 12)) || watch+=(-ftrivial-auto-var-init=pattern)
fi
[[ $checked == yes ]] || watch=()
headers=(-isystem "$here/include")

# GCC reads cuda_runtime.h, two thirds of the work of a small file, as it was compiled once: prelude-O2.h.gch
# (Makefile.inc). Its flags must be the same; where they are not, GCC reads the header without a word. So it does after
# a header was edited.
# __CET__: some compilers guard jumps unless told otherwise, and a guest that is checked has no guards.
first=(-D__SIMT_REWRITE__ -U__CET__) begin=(-include cuda_runtime.h) level=-O2
if [[ $clang == no ]]; then
    # Nobody saw __SANITIZE_THREAD__ while these were no flags of this step.
    first+=("${always[@]}" "${watch[@]}" -U__SANITIZE_THREAD__)
    for word in "${flags[@]}" "${watch[@]}"; do [[ $word == -O* ]] && level=$word; done
    ahead=$libraries/prelude$level.h
    if [[ ${#sources[@]} != 0 && -e $ahead ]] && [[ -z $stop$prelude || $stop == -c ]]; then
        begin=(-fpch-preprocess -include "$ahead")
        for file in "$here"/include/{,*/,*/*/}*.h "$here"/runtime/*.h; do
            [[ $file -nt $ahead ]] && begin=(-include cuda_runtime.h)
        done
    fi
fi
