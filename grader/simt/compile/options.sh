# options.sh: the command line, which is nvcc's. Sourced by simtcc.
checked=no once=no guest=no lint=no unseen=no stop= shared=no prelude= output= std=-std=c++17 language= debug=-g
flags=()     # for compiling
depend=()    # for dependency files
links=()     # for linking, in order
sources=() kinds=()

add_source() {
    local kind=${language:-${1##*.}}
    [[ $kind == c++ ]] && kind=cpp
    sources+=("$1"); kinds+=("$kind")
    links+=("source:$((${#sources[@]} - 1))")
}

add_library() {
    case $1 in
        cudart | cudart_static | cudadevrt | cuda | cublas | cublasLt | curand | nvToolsExt | pthread | dl | m | rt) ;;
        cublas* | cudnn* | curand* | cufft* | cusparse* | cusolver* | nccl* | nvrtc* | nvidia-ml)
            die "-l$1 is not available on the CPU: put what uses it under #ifdef __CUDACC__," \
                "and link it with nvcc only" ;;
        *) links+=("-l$1") ;;
    esac
}

add_compiler_flags() {
    local list part
    IFS=, read -r -a list <<<"$1"
    for part in "${list[@]}"; do
        case $part in
            -Wl*) links+=("$part") ;;
            -fopenmp) flags+=("$part"); links+=("$part") ;;
            *) flags+=("$part") ;;
        esac
    done
}

while (($#)); do
    argument=$1; shift
    need() { (($#)) || die "$argument needs a value"; value=$1; }
    case $argument in
        --checked) checked=yes ;;
        --guest) guest=yes ;;
        --once) once=yes ;;
        --lint) lint=yes ;;
        --unseen) unseen=yes stop=-c ;;
        --prelude) need "$@"; prelude=$value; shift ;;
        -h | --help) usage; exit 0 ;;
        --version | -V) "$CXX" --version; exit ;;
        -o | --output-file) need "$@"; output=$value; shift ;;
        -c | -dc | --compile | --device-c) stop=-c ;;
        -E | --preprocess) stop=-E ;;
        -shared | --shared) shared=yes ;;
        -x) need "$@"; language=$value; shift ;;
        -x*) language=${argument#-x} ;;
        -std=* | --std=*)
            std=-std=${argument#*=}
            [[ $std =~ (03|11|14)$ ]] && std=-std=c++17 ;;  # the headers need 17
        -std | --std) need "$@"; std=-std=$value; shift ;;
        -ccbin | --compiler-bindir) need "$@"; CXX=$value; shift ;;
        -ccbin=*) CXX=${argument#*=} ;;
        -I | -D | -U | -isystem | -include | -iquote) need "$@"; flags+=("$argument" "$value"); shift ;;
        --include-path) need "$@"; flags+=(-I "$value"); shift ;;
        --define-macro) need "$@"; flags+=(-D "$value"); shift ;;
        -L | --library-path) need "$@"; links+=(-L "$value"); shift ;;
        -L* | -Wl,* | -static-libstdc++ | -static-libgcc | -rdynamic | -nodefaultlibs) links+=("$argument") ;;
        -Xcompiler | --compiler-options) need "$@"; add_compiler_flags "$value"; shift ;;
        -Xcompiler=* | --compiler-options=*) add_compiler_flags "${argument#*=}" ;;
        -Xlinker | --linker-options) need "$@"; links+=(-Xlinker "$value"); shift ;;
        -Xlinker=*) links+=(-Xlinker "${argument#*=}") ;;
        -MMD | -MD | -MP | -MM | -M) depend+=("$argument") ;;
        -MF | -MT | -MQ) need "$@"; depend+=("$argument" "$value"); shift ;;
        -O | --optimize) need "$@"; flags+=("-O$value"); shift ;;
        -G | --device-debug) flags+=(-O0) ;;
        -g | -g[0-9]) debug=$argument ;;
        # What only nvcc has, with its value in the next word ...
        -arch | --gpu-architecture | -gencode | --generate-code | -code | --gpu-code | -Xptxas | --ptxas-options | \
            -Xnvlink | -Xfatbin | -maxrregcount | --maxrregcount | -t | --threads | -cudart | --cudart | \
            -diag-suppress | --diag-suppress | --default-stream | -default-stream | --Werror | \
            -Werror-cross-execution-space)
            need "$@"; shift ;;
        # ... or alone: nothing on a CPU answers to it.
        -arch=* | -arch-list | --gpu-architecture=* | -gencode=* | --generate-code=* | -code=* | --gpu-code=* | \
            -Xptxas=* | --ptxas-options=* | -Xnvlink=* | -Xfatbin=* | -maxrregcount=* | --maxrregcount=* | \
            --threads=* | -t=* | -cudart=* | --cudart=* | -diag-suppress=* | --diag-suppress=* | \
            --default-stream=* | -default-stream=* | --use_fast_math | -use_fast_math | -lineinfo | \
            --generate-line-info | --expt-* | -expt-* | --extended-lambda | -extended-lambda | -rdc=* | \
            --relocatable-device-code=* | -ftz=* | --ftz=* | -prec-div=* | --prec-div=* | -prec-sqrt=* | \
            --prec-sqrt=* | -fmad=* | --fmad=* | -res-usage | --resource-usage | -keep | --keep | \
            -Wno-deprecated-gpu-targets | -restrict | --restrict | -v | --verbose | -m64 | --machine=* | -cubin | \
            -ptx | -lto | -dlto) ;;
        -l | --library) need "$@"; add_library "$value"; shift ;;
        -l*) add_library "${argument#-l}" ;;
        -) add_source - ;;
        -*) flags+=("$argument") ;;
        *.cu | *.c | *.cc | *.cpp | *.cxx | *.C) add_source "$argument" ;;
        *.o | *.a | *.so | *.so.*) links+=("$argument") ;;
        *)
            [[ -n $language ]] && add_source "$argument" ||
                die "$argument: unknown kind of file (expected .cu .c .cpp .o .a .so, or -x cu)" ;;
    esac
done

[[ ${#sources[@]} -gt 0 || ${#links[@]} -gt 0 || -n $prelude ]] || die "no input files (simtcc --help)"
[[ $stop == -c && -n $output && ${#sources[@]} -gt 1 ]] && die "-c with -o takes one source file, not ${#sources[@]}"
for source in "${sources[@]}"; do
    [[ $source == - || -r $source ]] || die "$source: no such file"
done
