// allowed.c: the tables. A row is a list of patterns (fnmatch); a name that no row has is refused.
#include "allowed.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { C = LAB_AS_C, OPENMP = LAB_AS_OPENMP, SIMT = LAB_AS_SIMT, NVCC = LAB_AS_NVCC };
enum { CUDA = SIMT | NVCC, ALL = C | OPENMP | CUDA };

typedef struct {
    int kinds;
    const char *patterns;  // separated by spaces
    const char *reason;
} row;

// clang-format off
// Looked at first: they explain themselves, and make holes in the patterns below.
static const row refused[] = {
    {ALL, "fork vfork clone clone3 __clone _Fork execl* execv* fexecve posix_spawn* system popen wait waitpid wait3 "
     "wait4 waitid daemon", "start a program or a process"},
    {ALL, "socket socketpair connect bind listen accept accept4 send sendto sendmsg recv recvfrom recvmsg "
     "getaddrinfo gethostby*", "use the network"},
    {ALL, "dlopen dlmopen dlsym dlvsym dladdr* dlinfo dl_iterate_phdr _dl_* __libc_dl* _r_debug link_map "
     "_GLOBAL_OFFSET_TABLE_ _DYNAMIC __ehdr_start", "look for functions in other libraries"},
    {ALL, "mmap* mprotect pkey_* mremap munmap remap_file_pages memfd_create madvise process_vm_* process_madvise "
     "brk sbrk", "map memory: use malloc, and cudaMalloc"},
    {ALL, "clock clock_gettime clock_getres clock_nanosleep time gettimeofday times getrusage omp_get_wti* ftime "
     "timespec_get timer_create timer_settime timer_gettime timerfd_* _ZNSt6chrono*",
     "read a clock: the lab measures (make bench)"},
    {ALL, "sleep usleep nanosleep pause sched_yield alarm ualarm setitimer poll ppoll select pselect epoll_* "
     "_ZNSt11this_thread*", "wait: the lab measures the time"},
    {ALL, "pthread_create thrd_create pthread_kill pthread_cancel pthread_exit pthread_atfork _ZNSt6thread* "
     "_ZNSt13__future_base* _ZNSt28__atomic_futex* sem_init sem_open sem_wait sem_post aio_* lio_listio",
     "start a thread (task 3 has OpenMP for that)"},
    {ALL, "signal sigaction sigprocmask sigaltstack sigemptyset sigfillset sigaddset sigwait* sigsuspend sigqueue "
     "sigpending pthread_sigmask bsd_signal sysv_signal __sysv_signal kill killpg raise tgkill ptrace prctl "
     "arch_prctl setjmp _setjmp __sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk getcontext setcontext "
     "makecontext swapcontext", "handle signals or jump out of its call"},
    {ALL, "syscall", "make a system call"},
    {ALL, "open open64 openat openat64 creat fopen* freopen* fdopen read pread pread64 preadv* readv write pwrite "
     "pwrite64 pwritev* writev dprintf vdprintf close dup dup2 dup3 pipe pipe2 fcntl* ioctl lseek* ftruncate* "
     "truncate* unlink unlinkat rename renameat* mkdir mkdirat rmdir opendir readdir* stat stat64 fstat fstat64 "
     "fstatat* lstat lstat64 statx access chmod chown link symlink readlink realpath tmpfile* mkstemp* fread fgets "
     "fgetc getc getchar getline getdelim scanf fscanf __isoc*_scanf __isoc*_fscanf stdin getcwd chdir shm_* "
     "__read_chk _ZNSt13basic_filebuf* _ZNSt14basic_ifstream* _ZNSt14basic_ofstream* _ZNSt13basic_fstream* "
     "_ZTTSt1?basic_*fstream* _ZTVSt1?basic_*fstream* _ZNSt12__basic_fileI* _ZNSt10filesystem* _ZNSt13random_device* "
     "_ZSt3cin", "read or write files: its arguments are all that it works on, and printf is for looking at them"},
    {ALL, "environ __environ _environ getenv secure_getenv setenv putenv unsetenv clearenv getauxval getpid getppid "
     "gettid getuid geteuid getgid getpgid getsid setuid setgid setsid setpgid setpgrp gethostname uname sysinfo "
     "setrlimit* getrlimit* prlimit* sched_setaffinity sched_setscheduler sched_setattr sched_setparam setpriority "
     "nice", "ask for, or change, where it runs"},
    {C | OPENMP | SIMT, "atexit on_exit at_quick_exit __cxa_at_quick_exit", "leave something to be run later"},
    {OPENMP, "GOMP_teams* omp_set_teams_thread_limit __kmpc_push_num_teams* __kmpc_fork_teams* __kmpc_set_thread_limit",
     "start teams: a parallel region works with the threads that it is given"},
    {OPENMP, "GOMP_parallel*_start", "start threads that go on when the call has returned"},
    {OPENMP, "omp_target_* GOMP_target* GOMP_offload* __tgt_*", "use other devices than the processor"},
    {CUDA, "cudaLaunchHostFunc* cudaStreamAddCallback cudaGraph*Host* cudaUserObject*", "run host code on a stream"},
    {CUDA, "cudaMallocHost cudaHost* cudaFreeHost cudaMallocManaged cudaMemPrefetch* cudaMemAdvise* "
     "cudaPointerGetAttributes cudaStreamAttachMemAsync __cudaRegisterManaged*",
     "use memory that host and device share: it works on device memory"},
    {CUDA, "cudaGetDriverEntryPoint* cudaGetExportTable cudaIpc* cudaImport* cudaExternal* cudaSignalExternal* "
     "cudaWaitExternal* cu[A-Z]* nvml* nvrtc*", "go past CUDA's runtime to the driver"},
    {CUDA, "cudaDeviceReset cudaThreadExit cudaDeviceSetLimit cudaCtxResetPersistingL2Cache cudaStreamSetAttribute* "
     "cudaDeviceSetMemPool cudaMemPool* cudaSetDeviceFlags cudaDeviceSetCacheConfig cudaDeviceEnablePeerAccess",
     "change the device for those who come after it"},
    {CUDA, "cudaStreamBeginCapture* cudaStreamEndCapture cudaGraph* cudaStreamGetCaptureInfo* cudaStreamIsCapturing "
     "cudaThreadExchangeStreamCaptureMode", "record graphs: the lab records its calls"},
    {ALL, "cublas* cudnn* cutlass* cusparse* cusolver* curand* cufft* cblas_* ?gemm_ openblas_*",
     "leave its work to a library"},
    {SIMT, "mempcpy __mempcpy* memccpy bcopy wmem* wcs* strcpy strncpy strcat strncat stp* __stp* __strcpy* __strncpy* "
     "__strcat* __strncat* strdup strndup strxfrm strtok* strsep strfry swab memfrob sprintf snprintf vsprintf vsnprintf "
     "__sprintf* __snprintf* __vsprintf* __vsnprintf* __memccpy* __mem*cpy_chk __memmove_chk __memset_chk sscanf "
     "__isoc* qsort bsearch setbuf setvbuf",
     "move memory by a function that counts nothing: memcpy, memmove and memset do"},
    {SIMT, "memcmp bcmp wmemcmp memchr memrchr memmem rawmemchr __rawmemchr str* __str*",
     "look through memory by a function that counts nothing: a loop does"},
    {SIMT, "nan nanf nanl ato[fil] atoll",
     "read a number from a text that was made while it runs, by a function that counts nothing"},
    {SIMT, "fe[gs]etenv feholdexcept feupdateenv fe[gs]etexceptflag *basic_streambuf* bzero",
     "move memory by a function that counts nothing: memset does, and std::cout prints"},
    {SIMT, "__cxa_demangle __cxa_guard_* pthread_once pthread_mutex_* __pthread_key_create",
     "look at memory by a function that counts nothing: a loop does"},
    {SIMT, "malloc_usable_size totalorder* is*_l to*_l isw* tow* isctype isastream isfdtype",
     "look at memory by a function that counts nothing: a loop does"},
    {SIMT, "*exception_ptr* _ZNS*errorC?EOS_ _ZNS*errorC?ERKS_ _ZNS*erroraS* _ZNSo4swap* _ZNSoC?E* _ZNSoaS* "
     "_ZNSt9basic_iosI*swapE* _ZNSt9basic_iosI*moveE* _ZNSt9basic_iosI*copyfmtE*",
     "move memory by a function that counts nothing: memcpy does"},
    {SIMT, "fwrite* fputs* fputc* putc* _IO_putc __overflow __*printf_chk __fwrite_chk fprintf vfprintf fflush_unlocked",
     "move memory by a stream that nobody sees: printf and fprintf of <stdio.h> print"},
    {SIMT, "__cxa_vec_* __cxa_init_primary_exception __cxa_*dependent_exception",
     "have a library call what it calls: it calls its own functions itself"},
    {SIMT, "fe[a-z]* rand rand_r srand random srandom [del]rand48 srand48",
     "hand numbers from thread to thread where nobody counts them"},
    {SIMT, "simt_guests simt_check_* simt_hooks* simt_fiber_* simt_stop_* simt_switch* simt_device_memory "
     "simt_shared_memory simt_stack_owner simt_memory_kind", "call what is the emulator's own"},
};

#define LIBM(f) f " " f "f " f "l "
static const row allowed[] = {
    // memory and strings, of C and its fortified forms
    {ALL, "malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign malloc_usable_size mem* "
     "__mem*_chk str* __str*_chk wmem* wcs* bcopy bzero bcmp __rawmemchr", 0},
    // printing, for a student who looks for a mistake
    {ALL, "printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf puts putchar putc fputc fputs fwrite "
     "fflush perror stdout stderr _IO_putc putchar_unlocked fputc_unlocked fwrite_unlocked __overflow setbuf setvbuf "
     "__printf_chk __fprintf_chk __sprintf_chk __snprintf_chk __vprintf_chk __vfprintf_chk __vsprintf_chk "
     "__vsnprintf_chk __fwrite_chk", 0},
    // the end: it has verdicts of its own
    {ALL, "abort exit _exit _Exit __assert_fail __assert_perror_fail __stack_chk_fail __chk_fail", 0},
    // small things of C
    {ALL, "qsort bsearch abs labs llabs div ldiv lldiv atoi atol atoll atof rand srand rand_r random srandom drand48 "
     "srand48 sscanf __isoc*_sscanf __isoc*_strto* __errno_location __ctype_*_loc is[a-z]* to[a-z]* sysconf "
     "sched_getcpu", 0},
    // mathematics, and the vectors of it
    {ALL, LIBM("acos") LIBM("acosh") LIBM("asin") LIBM("asinh") LIBM("atan") LIBM("atan2") LIBM("atanh") LIBM("cbrt")
          LIBM("ceil") LIBM("copysign") LIBM("cos") LIBM("cosh") LIBM("erf") LIBM("erfc") LIBM("exp") LIBM("exp2")
          LIBM("exp10") LIBM("expm1") LIBM("fabs") LIBM("fdim") LIBM("floor") LIBM("fma") LIBM("fmax") LIBM("fmin"), 0},
    {ALL, LIBM("fmod") LIBM("frexp") LIBM("hypot") LIBM("ilogb") LIBM("ldexp") LIBM("lgamma") LIBM("llrint")
          LIBM("llround") LIBM("log") LIBM("log10") LIBM("log1p") LIBM("log2") LIBM("logb") LIBM("lrint") LIBM("lround")
          LIBM("modf") LIBM("nan") LIBM("nearbyint") LIBM("nextafter") LIBM("pow") LIBM("pow10") LIBM("remainder")
          LIBM("remquo"), 0},
    {ALL, LIBM("rint") LIBM("round") LIBM("roundeven") LIBM("scalbln") LIBM("scalbn") LIBM("sin") LIBM("sincos")
          LIBM("sinh") LIBM("sqrt") LIBM("tan") LIBM("tanh") LIBM("tgamma") LIBM("trunc") LIBM("finite") LIBM("isnan")
          LIBM("isinf") LIBM("j0") LIBM("j1") LIBM("y0") LIBM("y1") LIBM("rsqrt"), 0},
    {ALL, "__*_finite __isnan* __isinf* __finite* __signbit* __fpclassify* _ZGV* signgam fegetround fesetround "
     "feclearexcept fegetenv fesetenv feholdexcept feupdateenv fetestexcept feraiseexcept", 0},
    // what compilers call: libgcc
    {ALL, "__*[sdt]i[234] __*[hsdtx][fc][234] __float* __fix* __extend* __trunc* __bswap* __popcount* __clz* __ctz* "
     "__ffs* __aarch64_* __cpu_model __cpu_features2 __cpu_indicator_init __tls_get_addr __emutls_get_address", 0},
    {OPENMP, "GOMP_* omp_* __kmpc_*", 0},
    // C++ of CUDA
    {CUDA, "_Zn[aw]* _Zd[al]* __cxa_* __gxx_personality_v0 _Unwind_Resume* __dso_handle _ZSt*__throw_* _ZSt4cout "
     "_ZSt4cerr _ZSt4clog _ZSt4endl* _ZSt5flush* _ZSt16__ostream_insert* _ZStls* _ZSt7nothrow _ZSt9terminatev _ZNSo* "
     "_ZNSt8ios_base4Init* _ZNSt9basic_iosI* _ZNKSt5ctypeIcE13_M_widen_init* _ZNSt*exception* _ZNSt*error* _ZNKSt*error* "
     "_ZNSt9bad_alloc* _ZTVN10__cxxabiv1* _ZT[ISV][a-z] _ZT[ISV]P* _ZTI* _ZTS* DW.ref.* pthread_mutex_lock "
     "pthread_mutex_unlock pthread_once __pthread_key_create", 0},
    {NVCC, "_ZSt* _ZNSt* _ZNKSt* _ZNSi* _ZNSs* _ZNKSs* _ZT[ISV]St* _ZTTSt* _ZGVNSt*", 0},
    // CUDA's runtime
    {CUDA, "cudaMalloc cudaMallocAsync cudaMallocPitch cudaFree cudaFreeAsync cudaMemcpy cudaMemcpyAsync "
     "cudaMemcpy2D* cudaMemset cudaMemsetAsync cudaMemset2D* cudaMemcpyToSymbol* cudaMemcpyFromSymbol* "
     "cudaGetSymbol* cudaMemGetInfo cudaGetLastError cudaPeekAtLastError cudaGetErrorString cudaGetErrorName "
     "cudaDeviceSynchronize cudaThreadSynchronize cudaDeviceGetAttribute cudaDeviceGetLimit cudaGetDevice "
     "cudaGetDeviceCount cudaSetDevice cudaGetDeviceProperties* cudaRuntimeGetVersion cudaDriverGetVersion", 0},
    {CUDA, "cudaStreamCreate* cudaStreamDestroy cudaStreamSynchronize cudaStreamQuery cudaStreamWaitEvent "
     "cudaStreamGetFlags cudaStreamGetPriority cudaDeviceGetStreamPriorityRange cudaEventCreate* cudaEventDestroy "
     "cudaEventRecord* cudaEventSynchronize cudaEventQuery cudaEventElapsedTime* cudaFuncSetAttribute "
     "cudaFuncGetAttributes cudaFuncSetCacheConfig cudaFuncSetSharedMemConfig cudaDeviceSetSharedMemConfig "
     "cudaOccupancy* cudaLaunchKernel* cudaLaunchCooperativeKernel cudaProfilerStart cudaProfilerStop", 0},
    {NVCC, "__cuda* atexit", 0},
    {SIMT, "simt_* __tsan_* __ubsan_handle_* __x86_indirect_thunk_*", 0},
};

static const row defined[] = {
    {SIMT, "simt_* __tsan_* __ubsan_* _ZN4simt*", "replace what belongs to the emulator"},
    {CUDA, "cuda[A-Z]* cu[A-Z]*", "replace what belongs to CUDA"},
    {OPENMP, "GOMP_* omp_* __kmpc_*", "replace what belongs to OpenMP"},
};

static const row sections[] = {
    {ALL, ".text .text.* .data .data.* .bss .bss.* .rodata .rodata.* .tdata .tdata.* .tbss .tbss.* .eh_frame "
     ".eh_frame_hdr .gcc_except_table .gcc_except_table.* .comment .note.GNU-stack .note.gnu.property .debug_* "
     ".group .symtab .symtab_shndx .strtab .shstrtab .rel.* .rela.* .init_array .init_array.* .llvm_addrsig", 0},
    {SIMT, "simt_device .relasimt_device .relsimt_device", 0},  // its __device__ variables
    {NVCC, ".nv_fatbin .nvFatBinSegment __nv_module_id __nv_relfatbin .nvHRDE .nvHRKE .nvHRCE .nvHRKI .nvHRDI "
     ".nvHRCI", 0},
};

static const row loaded[] = {
    {CUDA, "_GLOBAL__sub_I_* _GLOBAL__I_*", 0},
    {SIMT, "_sub_I_00099_* tsan.module_ctor __cxx_global_var_init*", 0},
    {NVCC, "_ZL24__sti____cudaRegisterAll* __cuda_module_ctor", 0},
};
// clang-format on

// The first row for this kind of which a pattern matches, or NULL.
static const row *find(const row *rows, size_t n, const char *name, int kind) {
    for (size_t i = 0; i < n; i++) {
        if (!(rows[i].kinds & kind)) continue;
        for (const char *p = rows[i].patterns; *p;) {
            char pattern[64];
            const int length = (int)strcspn(p, " ");
            snprintf(pattern, sizeof pattern, "%.*s", length, p);
            if (length && fnmatch(pattern, name, 0) == 0) return &rows[i];
            p += length + strspn(p + length, " ");
        }
    }
    return NULL;
}
#define FIND(rows) find(rows, sizeof rows / sizeof *rows, name, kind)

lab_name_kind lab_name(const char *name, int kind, const char **reason) {
    const row *r = FIND(refused);
    *reason = r ? r->reason : "call what is in no list of the lab's: it computes, and the lab does the rest";
    return r ? LAB_NAME_REFUSED : FIND(allowed) ? LAB_NAME_ALLOWED : LAB_NAME_UNKNOWN;
}

lab_name_kind lab_defined_name(const char *name, int kind, const char **reason) {
    const row *r = FIND(defined);
    *reason = r ? r->reason : "";
    return r ? LAB_NAME_REFUSED : LAB_NAME_ALLOWED;
}

int lab_section_is_usual(const char *name, int kind) { return FIND(sections) != NULL; }

int lab_runs_when_loaded(const char *name, int kind) { return FIND(loaded) != NULL; }
