# cuda.sh: the way of a .cu file: preprocess, rewrite, compile. Sourced by simtcc.
# preprocess_side FILE OUTPUT [FLAG...]. The preprocessor's complaints (a missing header) wait in a file: simt-rewrite
# explains those about CUDA's libraries.
preprocess_side() {
    local after=()
    [[ $guest == yes ]] && after=(-include simt/guest.h)
    run "$CXX" -E -x c++ "$std" -O2 -g "${flags[@]}" -Wno-unknown-pragmas "${first[@]}" "${mode[@]}" \
        "${headers[@]}" "${begin[@]}" "${extra[@]}" "${after[@]}" "${@:3}" "$1" >"$2" 2>"$scratch/preprocess" ||
        printf '\n# simt: preprocessing failed\n' >>"$2"
}

# read_in FILE: what simt-rewrite gets, host.ii (and device.ii), and with which options. Where the student's files name
# __CUDA_ARCH__ the device has a text of its own.
read_in() {
    local file=$1 named files name
    ask=()
    [[ $checked == yes ]] && ask=(--checked)
    [[ $guest == yes ]] && ask+=(--guest "$file")
    [[ $file == - && ! -s $scratch/stdin ]] && cat >"$scratch/stdin"
    preprocess_side "$file" "$scratch/host.ii" "${depend_flags[@]}" <"$scratch/stdin"
    mapfile -t named < <(awk -F '"' '/^# [0-9]+ "[^"]+"[ 12]*$/ && !seen[$2]++ { print $2 }' "$scratch/host.ii")
    files=("$scratch/stdin")
    for name in "${named[@]}"; do  # a line marker may name a pipe, which never ends
        if [[ -f $name ]]; then files+=("$name"); fi
    done
    name=$(grep -hosE '__CUDA_ARCH__|__CUDACC__|__NVCC__|^ *(# *define .*|__host__ *)__device__' -- "${files[@]}")
    [[ $name == *CC__* && $name == *__device__* ]] && ask+=(--host-words)  # what is __device__ for nvcc alone
    if [[ $name${flags[*]} == *__CUDA_ARCH__* ]]; then
        ask+=(--device "$scratch/device.ii")
        if [[ ${begin[0]} == -fpch* ]]; then  # the two must begin with the same text
            begin=(-include cuda_runtime.h)
            preprocess_side "$file" "$scratch/host.ii" "${depend_flags[@]}" <"$scratch/stdin"
        fi
        preprocess_side "$file" "$scratch/device.ii" -D__CUDA_ARCH__=900 <"$scratch/stdin"
        [[ -s $scratch/preprocess ]] && cp "$scratch/device.ii" "$scratch/host.ii"
    fi
}

# rewrite FILE: C++ on the standard output. Where the student's files have inline PTX simt-rewrite asks for its header
# (status 3), which the others need not read. What was read for a file once is not read again for the same file.
rewrite() {
    local file=$1 key="$1: ${begin[*]}" of='' words ask=()
    [[ ! -e $scratch/read ]] || { read -r of && read -r words; } <"$scratch/read"
    if [[ $of == "$key" ]]; then eval "$words"; else read_in "$file"; fi
    "$rewriter" "${ask[@]}" "${ptx[@]}" "${shown[@]}" <"$scratch/host.ii"
    local status=$?
    if ((status == 3)); then
        ptx=(--ptx) extra=(-include simt/ptx.h)
        rewrite "$file"
        return
    fi
    printf '%s\nask=(%s) ptx=(%s)\n' "$key" "${ask[*]@Q}" "${ptx[*]@Q}" >"$scratch/read"
    return $status
}

# translate SOURCE OBJECT: as C++. What the compiler says waits in a file, too.
translate() {
    local status
    while true; do
        rewrite "$1" 2>"$scratch/refused" |
            run "$CXX" -x c++-cpp-output "$std" -O2 "${flags[@]}" "${always[@]}" "${watch[@]}" \
            "${dump[@]}" -U__SANITIZE_THREAD__ -c - -o "$2" 2>"$scratch/said"
        status=("${PIPESTATUS[@]}")
        # The prelude has its one place in memory. Should that ever be taken, the header is read.
        [[ ${begin[0]} == -fpch* && ( -s $scratch/said || -s $scratch/preprocess ) ]] || break
        grep -qE '(error|unimplemented): .*(PCH|prelude|precompiled)' "$scratch"/{said,preprocess} || break
        begin=(-include cuda_runtime.h)
    done
    ((status[0] == 0 && status[1] == 0))
}

# list_unseen SOURCE: into $scratch/all. clang++ has no such dump; but what it does not see are the same calls.
list_unseen() {
    if [[ $clang == no ]]; then
        "$rewriter" --unseen <"$scratch/dump" | sort -u >"$scratch/all"
    elif ! CXX=g++ "$here/simtcc" --checked --unseen "$std" "${flags[@]}" -x cu "$1" -o "$scratch/all" \
        <"$scratch/stdin" 2>/dev/null; then
        local said="by clang++ checked mode does not see structs that go by value, f(boxes[i]), where f is a pointer"
        echo "$1:1: warning: $said or virtual; g++, which would list these, does not compile this file" >&2
        return 1
    fi
}

stretched=":1: error: a variable as a much larger array is not for a stage: checked mode does not see what it reads"
unwatched=":1: error: an atomic without a valid order is not for a stage: checked mode does not see what it reads"

# drop OBJECT: what a compiler that failed has left. It may be /dev/null, which root could remove.
drop() { [[ ! -f $1 ]] || rm -f "$1"; }

# show_structs SOURCE OBJECT: once more, where the compiler left structs by value unseen (rewrite/unseen.c). The lines
# that this spoils are left as they were, and the user is told what checked mode does not see.
show_structs() {
    local shown=(--shown "$scratch/unseen") dump=() kept=$scratch/kept.o
    list_unseen "$1" || return 0
    # Headers of simt's hand on what a launch gets, on the host; precompiled, they are not written anew. Each kernel
    # with a struct among its parameters would be compiled twice for them.
    grep -Ev ':(stretched|unwatched)$|/simt/include/[^:]*:[0-9]+:[0-9]+$' "$scratch/all" >"$scratch/unseen"
    if [[ $guest == yes ]] &&
        sed -n "s/:stretched$/$stretched/p; s/:unwatched$/$unwatched/p" "$scratch/all" | grep . >&2; then
        drop "$2"
        return 1
    fi
    [[ -s $scratch/unseen ]] || return 0
    mv "$2" "$kept"
    : >"$scratch/left"
    if ! translate "$1" "$2"; then
        [[ -n ${SIMT_VERBOSE:-} ]] && cat "$scratch/said" >&2
        sed -n 's/^\(.*:[0-9]*\):[0-9]*: error: .*/^\1:/p' "$scratch/said" >"$scratch/spoiled"
        cp "$scratch/unseen" "$scratch/all"
        grep -f "$scratch/spoiled" "$scratch/all" >"$scratch/left"
        grep -vf "$scratch/spoiled" "$scratch/all" >"$scratch/unseen"
        translate "$1" "$2" || { mv "$kept" "$2"; cp "$scratch/all" "$scratch/left"; }
    fi
    local said='checked mode may not see the struct that this call takes by value: copy it first'
    sed "s/:[0-9]*\$/: warning: $said, Box b = boxes[i]; f(b)/" "$scratch/left" >&2
    cat "$scratch/refused" >&2
}

# say_what_counts FILE: the compiler's words, but for
#   a value that only a group's leader sets, and shuffles, may be uninitialised in the others: no word of it (a pragma
#   would do, if GCC kept it in a precompiled header)
#   a name that looks like one of CUDA's and that no header has: it may be simt that lacks it
#   a __shared__ array of a size that only the kernel knows: in words of CUDA's
say_what_counts() {
    local name='(cu[A-Z]|cu(da|blas|rand|fft|sparse|solver|dnn)|CU(DA|BLAS|RAND)?_|nvtx|__)[A-Z_a-z0-9]*'
    local lacks="‘$name’ (was not|does not name|has not)|(undeclared identifier|unknown type name) '$name'"
    awk -v lacks="$lacks" -v README=grader/simt/runtime/README.md '
         / error: .*shared_variable</ {
             sub(/ error: .*/, " error: a __shared__ array needs a size that the compiler knows; one that the launch " \
                 "decides is extern __shared__ T name[], with its bytes as the third number in <<< >>>")
         }
         / error: / && $0 ~ lacks { $0 = $0 " (simt has no such name: " README " lists what it supports)" }
         /: (warning|error|note):/ {
             if (!(/: note:/ && dropped)) dropped = /include\/simt\/warp\.h:.*\[-Wmaybe-uninitialized\]$/
             if (!dropped) printf "%s%s\n", context, $0
             context = ""
             next
         }
         /^In |^ +inlined from |^ +from |^[^ ].*: In / { context = context $0 "\n"; next }
         !dropped { printf "%s%s\n", context, $0; context = "" }' "$1"
}

compile_cuda() {
    local mode=() ptx=() extra=() shown=() dump=()
    [[ $checked == yes ]] && mode=(-DSIMT_CHECKED=1)
    [[ $checked == yes && $once == no && $clang == no ]] && dump=("-fdump-tree-tsan-lineno=$scratch/dump")
    translate "$1" "$2"
    local failed=$?
    [[ -s $scratch/refused ]] && cat "$scratch/refused" >&2
    [[ -s $scratch/said ]] && say_what_counts "$scratch/said" >&2
    [[ -s $scratch/preprocess ]] && "$rewriter" --explain <"$scratch/preprocess"
    if ((failed)); then
        drop "$2"
        return 1
    fi
    [[ $checked == yes ]] || return 0
    if [[ $unseen == yes ]]; then
        list_unseen "$1" && mv "$scratch/all" "$2"
        return
    fi
    [[ $once == yes ]] || show_structs "$1" "$2" || return 1
    # No header redirects __builtin_memcpy, that of std::copy, or those into which clang turns copies of structs.
    local rename=(memcpy=simt_memcpy memmove=simt_memmove memset=simt_memset)
    [[ $guest == yes ]] ||  # operator new and delete: kernels have a heap of their own
        rename+=(_Znwm=simt_new _Znam=simt_new_array _ZdlPv=simt_delete _ZdlPvm=simt_delete_sized
                 _ZdaPv=simt_delete_array _ZdaPvm=simt_delete_array_sized)
    run "$objcopy" "${rename[@]/#/--redefine-sym=}" "$2"
}

compile() {
    local kind=$1 source=$2 object=$3 depend_flags=()
    if ((${#depend[@]})); then
        depend_flags=("${depend[@]}")
        [[ " ${depend[*]} " == *" -MF "* ]] || depend_flags+=(-MF "${object%.o}.d")
        [[ " ${depend[*]} " == *" -MT "* || " ${depend[*]} " == *" -MQ "* ]] || depend_flags+=(-MT "$object")
    fi
    case $kind in
        cu) compile_cuda "$source" "$object" ;;
        c) run "$CC" -O2 -g -fPIC "${flags[@]}" "${depend_flags[@]}" "${headers[@]}" -c "$source" -o "$object" ;;
        *) run "$CXX" -x c++ "$std" -O2 "${flags[@]}" "${depend_flags[@]}" "${always[@]}" "${headers[@]}" \
            -c "$source" -o "$object" ;;
    esac
}
