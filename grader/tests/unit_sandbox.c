// unit_sandbox.c: what a stage can reach in the sandbox: itself, its arena, and nothing else. grader/run: sandbox, give_up.
#define _GNU_SOURCE
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial.h"

// The stage tries something, and answers rightly only where that has failed: PASSED means that it was held.
#define TRIES(what) "if ((" what ") == -1) right();"
#define INCLUDES                                                                                                       \
    "#include <fcntl.h>\n#include <unistd.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <dirent.h>\n"          \
    "#include <signal.h>\n#include <sys/socket.h>\n#include <sys/ptrace.h>\n#include <sys/mount.h>\n"                  \
    "#include <sys/stat.h>\n#include <sys/mman.h>\n#include <sys/shm.h>\n#include <sys/inotify.h>\n"                   \
    "#include <sys/prctl.h>\n#include <sys/syscall.h>\n#include <sys/resource.h>\n#include <sched.h>\n"                \
    "#include <dlfcn.h>\n#include <time.h>\n#include <errno.h>\n#include <string.h>\n#include <pthread.h>\n"

static const char *stage_of(const char *name, const char *body) {
    const trial_source source = {name, INCLUDES, body};
    return trial_build(&source);
}

static void holds(const char *name, const char *stage) {
    const lab_result r = trial_run_built(stage, NULL);
    if (r.verdict != LAB_PASSED) fail_msg("%s: %s, %s", name, lab_verdict_name(r.verdict), r.diagnosis);
}

static void held(const char *name, const char *body) { holds(name, stage_of(name, body)); }

// Each of these succeeds without a sandbox: otherwise the claim above would claim nothing.
static void held_only_inside(const char *name, const char *body) {
    const char *const stage = stage_of(name, body);
    holds(name, stage);
    lab_sandbox_want(0);
    const lab_result r = trial_run_built(stage, NULL);
    lab_sandbox_want(1);
    if (r.verdict == LAB_PASSED) fail_msg("%s fails without a sandbox, too", name);
}

static void the_labs_files_are_not_there(void **state) {
    (void)state;
    held_only_inside("opens_oracle", TRIES("open(\"grader/core/oracle.c\", O_RDONLY)"));
    held_only_inside("opens_rubric", TRIES("open(\"grader/rubric.json\", O_RDONLY)"));
    held_only_inside("opens_answers", TRIES("access(\"grader/solutions\", F_OK)"));
    held_only_inside("opens_shadow", TRIES("open(\"/etc/passwd\", O_RDONLY)"));
    held_only_inside("opens_home", TRIES("access(\"/home\", F_OK)"));
}

static void nothing_can_be_written(void **state) {
    (void)state;
    held_only_inside("writes_here", TRIES("open(\"build/tests/stages/left\", O_CREAT | O_WRONLY, 0666)"));
    held("writes_usr", TRIES("open(\"/usr/left\", O_CREAT | O_WRONLY, 0666)"));
    held("writes_root", TRIES("open(\"/left\", O_CREAT | O_WRONLY, 0666)"));
    held("writes_itself", TRIES("open(\"build/tests/stages/unit_sandbox.sandbox/writes_itself.so\", O_WRONLY)"));
    held("writes_runner", TRIES("open(\"build/bin/runner\", O_WRONLY)"));
    unlink("build/tests/stages/left");  // of the run without a sandbox
}

// bwrap is process 1, the stage another: there is no third.
static void no_other_process_is_seen(void **state) {
    (void)state;
    held_only_inside("counts_processes", "int n = 0; DIR *d = opendir(\"/proc\"); struct dirent *e;\n"
                                         "while (d && (e = readdir(d))) n += atoi(e->d_name) > 0;\n"
                                         "if (n <= 3) right();");
    char body[200];
    snprintf(body, sizeof body, TRIES("kill(%d, 0)"), (int)getpid());
    held("signals_checker", body);
    snprintf(body, sizeof body, "char path[64]; snprintf(path, 64, \"/proc/%d/mem\"); " TRIES("open(path, O_RDWR)"),
             (int)getpid());
    held("opens_memory_of_checker", body);
}

static void no_program_and_no_process_is_started(void **state) {
    (void)state;
    held("forks", TRIES("fork()"));
    held("runs_shell", "if (system(\"true\") != 0) right();");
    held("leaves_group", TRIES("setpgid(0, 0)"));
    held("leaves_session", TRIES("setsid()"));
    held("traces", TRIES("ptrace(PTRACE_TRACEME, 0, 0, 0)"));
    held("mounts", TRIES("mount(\"none\", \"/tmp\", \"tmpfs\", 0, 0)"));
}

static void no_memory_becomes_code(void **state) {
    (void)state;
    held("maps_code", TRIES("(long)mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)"));
    held("makes_code", "static char page[8192] __attribute__((aligned(4096)));\n" TRIES("mprotect(page, 4096, 7)"));
    held("loads_more", "if (!dlopen(\"libresolv.so.2\", RTLD_NOW)) right();");
    held("names_a_file_of_memory", TRIES("memfd_create(\"x\", 0)"));
    held("shares_memory", TRIES("shmget(IPC_PRIVATE, 4096, 0600)"));
}

static void the_kernel_does_nothing_on_its_behalf(void **state) {
    (void)state;
    held("sets_a_timer", "timer_t t;\n" TRIES("timer_create(CLOCK_REALTIME, 0, &t)"));
    held("watches_files", TRIES("inotify_init()"));
    held("pairs_sockets", "int two[2];\n" TRIES("socketpair(AF_UNIX, SOCK_STREAM, 0, two)"));
    held("makes_namespaces", TRIES("unshare(CLONE_NEWUSER)"));
    held("drops_the_death_signal", TRIES("prctl(PR_SET_PDEATHSIG, 0)"));
    held("lifts_its_filter", TRIES("syscall(SYS_seccomp, 0, 0, 0)"));
    held("clones", TRIES("syscall(SYS_clone, 17, 0, 0, 0, 0)"));
    held("clones_anew", "if (syscall(SYS_clone3, 0, 0) == -1 && errno == ENOSYS) right();");
#if defined(__x86_64__)
    static const trial_source old = {"old_numbers", INCLUDES,
                                     "long r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"0\"(20)); right();"};
    assert_int_equal(trial_run(&old, NULL).verdict, LAB_CRASH);  // getpid of 32 bits
    static const trial_source x32 = {"x32_numbers", INCLUDES, "syscall(0x40000000 + 39); right();"};
    assert_int_equal(trial_run(&x32, NULL).verdict, LAB_CRASH);
#endif
}

static void there_is_no_network(void **state) {
    (void)state;
    held("opens_socket", TRIES("socket(AF_INET, SOCK_STREAM, 0)"));
    held("opens_unix_socket", TRIES("socket(AF_UNIX, SOCK_STREAM, 0)"));
}

static void what_it_takes_of_the_machine_has_a_limit(void **state) {
    (void)state;
    held("hoards_memory", "size_t sum = 0; while (sum < 2048ul << 30 && malloc(1 << 30)) sum += 1 << 30;\n"
                          "if (sum < 1024ul << 30) right();");
    held_only_inside("fills_tmp",
                     "static char b[1 << 20]; int f, n = 0, files = 0; char path[32]; signal(SIGXFSZ, SIG_IGN);\n"
                     "for (; files < 4; files++) {\n"
                     "    sprintf(path, \"/tmp/big%d\", files); f = open(path, O_CREAT | O_WRONLY, 0600);\n"
                     "    while (n < 300 && write(f, b, sizeof b) == sizeof b) n++;\n"
                     "    unlink(path); }\n"
                     "if (n < 100) right();");
    if (getuid() == 0)
        held_only_inside("starts_threads",
                         "pthread_t t; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 65536);\n"
                         "int n = 0; while (n < 5000 && !pthread_create(&t, &a, (void *(*)(void *))pause, 0)) n++;\n"
                         "if (n < 4000) right();");
}

// Processes of this machine whose command line has the word.
static int count_with(const char *word) {
    int n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[300], line[512] = "";
        snprintf(path, sizeof path, "/proc/%.20s/cmdline", e->d_name);
        FILE *f = atoi(e->d_name) > 0 && atoi(e->d_name) != getpid() ? fopen(path, "r") : NULL;
        const size_t got = f ? fread(line, 1, sizeof line - 1, f) : 0;
        if (f) fclose(f);
        n += got && memmem(line, got, word, strlen(word)) != NULL;
    }
    if (d) closedir(d);
    return n;
}

// A shell may do what a stage may not: leave the group and the session, stop a child, ignore signals.
static void everything_ends_with_the_sandbox(void **state) {
    (void)state;
    static lab_process p;
    char script[512], word[32];
    snprintf(word, sizeof word, "98%d", (int)getpid());
    snprintf(script, sizeof script,
             "(setsid sleep %s &) ; (trap '' TERM HUP INT; setsid sleep %s & ) ; sleep %s & kill -STOP $!\n"
             "echo started; wait",
             word, word, word);
    char *const argv[] = {"sh", "-c", script, NULL};
    const lab_sandbox empty = {.n_shown = 0};
    const lab_limits limits = {.arena = -1, .sandbox = &empty};
    const struct timespec pause = {0, 20000000};
    assert_int_equal(lab_process_start(&p, argv, &limits), 1);
    for (int i = 0; i < 3000 && !strstr(p.text, "started"); i++) lab_process_wait(&p, NULL, 0, 0.02);
    assert_says(p.text, "started");
    for (int i = 0; i < 3000 && count_with(word) < 3; i++) nanosleep(&pause, NULL);  // until all had their turn
    assert_true(count_with(word) >= 3);
    if (*p.group.path) {  // processes that have left the group of processes are still in this one
        int frozen = 0;   // on a busy machine one attempt may be too short
        for (int i = 0; i < 600 && !frozen; i++) frozen = lab_cgroup_freeze(&p.group, 1);
        assert_true(frozen);
        for (int i = 0; i < 600 && frozen; i++) frozen = !lab_cgroup_freeze(&p.group, 0);
        assert_false(frozen);
    }
    lab_process_stop(&p);
    for (int i = 0; i < 3000 && count_with(word); i++) nanosleep(&pause, NULL);
    assert_int_equal(count_with(word), 0);
}

// bwrap asks to end with its parent late: a grader that is killed before has to take it along all the same.
static void a_killed_grader_leaves_no_sandbox(void **state) {
    (void)state;
    static lab_process p;
    char word[32];
    snprintf(word, sizeof word, "97%d", (int)getpid());
    char *const argv[] = {"sleep", word, NULL};
    const lab_sandbox empty = {.n_shown = 0};
    const lab_limits limits = {.arena = -1, .sandbox = &empty};
    if (getuid() != 0) skip();  // only root may make the namespace that ends with it
    for (int i = 0; i < 25; i++) {
        const pid_t grader = fork();
        if (grader == 0) _exit(lab_process_start(&p, argv, &limits) ? pause() : 1);
        usleep(2000 * (1 + i));  // while it forks, while bwrap makes namespaces and mounts, while the program runs
        kill(grader, SIGKILL), waitpid(grader, NULL, 0);
    }
    const struct timespec moment = {0, 20000000};
    sleep(1);  // who has been left behind would have begun by now
    for (int i = 0; i < 500 && count_with(word); i++) nanosleep(&moment, NULL);
    assert_int_equal(count_with(word), 0);
}

static char state_of(pid_t pid) {
    char path[64], word = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*d %*s %c", &word) != 1) word = 0;
    if (f) fclose(f);
    return word;
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

// A group of a busy machine freezes too late: the process is stopped by a signal. It has to go on all the same.
static void a_process_that_was_stopped_goes_on(void **state) {
    (void)state;
    static lab_process p;
    char *const argv[] = {"sleep", "1000", NULL};
    const lab_limits limits = {.arena = -1};
    assert_int_equal(lab_process_start(&p, argv, &limits), 1);
    const lab_cgroup own = p.group;
    mkdir("build/tests/group", 0777);
    write_file("build/tests/group/cgroup.freeze", "");
    write_file("build/tests/group/cgroup.events", "populated 1\nfrozen 0\n");
    snprintf(p.group.path, sizeof p.group.path, "build/tests/group");
    lab_process_freeze(&p, 1);
    for (int i = 0; i < 60000 && state_of(p.pid) != 'T'; i++) usleep(1000);
    assert_int_equal(state_of(p.pid), 'T');
    lab_process_freeze(&p, 0);
    for (int i = 0; i < 60000 && state_of(p.pid) == 'T'; i++) usleep(1000);
    assert_int_not_equal(state_of(p.pid), 'T');
    p.group = own;
    lab_process_stop(&p);
}

static void the_environment_is_clean(void **state) {
    (void)state;
    setenv("LAB_SECRET_OF_THE_TEST", "1", 1);
    held_only_inside("reads_environment_of_test", "if (!getenv(\"LAB_SECRET_OF_THE_TEST\")) right();");
}

// What make profile asks of nvcc, in the sandbox of a graded file's compiler, too.
static void flags_for_nvcc_come_in(void **state) {
    (void)state;
    setenv("NVCC_APPEND_FLAGS", "-Xptxas -v", 1);
    const lab_result r = trial_run_built(stage_of("reads_flags", "if (getenv(\"NVCC_APPEND_FLAGS\")) right();"), NULL);
    unsetenv("NVCC_APPEND_FLAGS");
    assert_int_equal(r.verdict, LAB_PASSED);
}

int main(void) {
    char why[512];
    if (lab_sandbox_missing(why, sizeof why)) {
        printf("ok 1 - sandbox # SKIP %s\n1..1\n", why);
        return 0;
    }
    lab_sandbox_want(1);
    const struct CMUnitTest claims[] = {
        CLAIM(the_labs_files_are_not_there),
        CLAIM(nothing_can_be_written),
        CLAIM(no_other_process_is_seen),
        CLAIM(no_memory_becomes_code),
        CLAIM(the_kernel_does_nothing_on_its_behalf),
        CLAIM(there_is_no_network),
        CLAIM(no_program_and_no_process_is_started),
        CLAIM(what_it_takes_of_the_machine_has_a_limit),
        CLAIM(everything_ends_with_the_sandbox),
        CLAIM(a_killed_grader_leaves_no_sandbox),
        CLAIM(a_process_that_was_stopped_goes_on),
        CLAIM(the_environment_is_clean),
        CLAIM(flags_for_nvcc_come_in),
    };
    return cmocka_run_group_tests_name("sandbox", claims, NULL, NULL);
}
