// sandbox.c: what the sandbox shows, as whom the program runs, and the command line of bwrap.
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

enum { MAX_ARGS = 320, FIRST_USER = 60000, USERS = 5000, MOST_GPUS = 16 };

// clang-format off
// Variables that reach the program; all others, and with them every secret, stay behind.
static const char *const variables[] = {
    "PATH", "LD_LIBRARY_PATH", "LC_ALL", "CONDA_PREFIX", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_WAIT_POLICY",
    "OPENBLAS_NUM_THREADS", "SIMT_TIMEOUT", "SIMT_THREADS", "SIMT_ORDER", "SIMT_TRYING",
    "CUDA_VISIBLE_DEVICES", "CUDA_ARCH", "NVCC_APPEND_FLAGS",
};
// The system: toolchain, libraries, CUDA. Nothing in them is secret, and a link stays a link.
static const char *const system_folders[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
};
static const char *const gpu_devices[] = {
    "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps", "/dev/dxg",
};
// clang-format on

void lab_sandbox_show(lab_sandbox *s, const char *path) {
    if (s->n_shown < LAB_MAX_SHOWN && access(path, F_OK) == 0) s->shown[s->n_shown++] = path;
}

int lab_sandbox_wanted(void) {
    const char *wanted = getenv("LAB_SANDBOX");
    return wanted && strcmp(wanted, "yes") == 0;
}

void lab_sandbox_want(int wanted) { setenv("LAB_SANDBOX", wanted ? "yes" : "no", 1); }

// ---- the command line of bwrap

typedef struct {
    char *argv[MAX_ARGS];
    int n;
    int staged;  // 1: STAGE holds a mount for each path that the program's own user may be unable to reach
} command;

static void add(command *c, const char *word) {
    if (c->n < MAX_ARGS - 1) c->argv[c->n++] = strdup(word);
}

static void add3(command *c, const char *option, const char *from, const char *to) {
    add(c, option), add(c, from), add(c, to);
}

// The lab may stand in a folder that only root may enter. In mounts of our own, which end with us, each path gets a
// second name that everybody may follow.
static const char STAGE[] = "/run/lab-sandbox";

static void open_stage(command *c) {
    c->staged = getuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
                mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                (mkdir(STAGE, 0755) == 0 || errno == EEXIST) &&
                mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") == 0;
}

static void show(command *c, const char *option, const char *path) {
    char full[PATH_MAX], second[96];
    struct stat st;
    if (!realpath(path, full) || stat(full, &st)) return;
    if (c->staged) {
        snprintf(second, sizeof second, "%s/%d", STAGE, c->n);
        const int made = S_ISDIR(st.st_mode) ? mkdir(second, 0755) : mknod(second, S_IFREG | 0644, 0);
        if (made == 0 && mount(full, second, NULL, MS_BIND | MS_REC, NULL) == 0) {
            add3(c, option, second, full);
            return;
        }
    }
    add3(c, option, full, full);
}

static void show_system(command *c, int compiles) {
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        char target[PATH_MAX];
        const ssize_t n = readlink(system_folders[i], target, sizeof target - 1);
        if (n > 0) {
            target[n] = 0;
            add3(c, "--symlink", target, system_folders[i]);
        } else
            add3(c, "--ro-bind-try", system_folders[i], system_folders[i]);
    }
    add(c, "--proc"), add(c, "/proc");
    add(c, "--dev"), add(c, "/dev");
    // A compiler keeps its temporary files in /tmp; what a stage leaves there is memory that no limit counts.
    add(c, "--size"), add(c, compiles ? "1073741824" : "67108864"), add(c, "--tmpfs"), add(c, "/tmp");
    add(c, "--size"), add(c, "67108864"), add(c, "--tmpfs"), add(c, "/dev/shm");
}

// Which /dev/nvidiaN is the GPU of this identity ("GPU-8932f937-...")? The driver says. -1: not known.
static int number_of(const char *identity) {
    char line[256], uuid[128] = "", *at;
    int number, found = -1;
    glob_t all = {0};
    if (strncmp(identity, "GPU-", 4) == 0) glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &all);
    for (size_t i = 0; i < all.gl_pathc; i++) {
        FILE *f = fopen(all.gl_pathv[i], "r");
        *uuid = 0;
        while (f && fgets(line, sizeof line, f)) {
            sscanf(line, "GPU UUID: %127s", uuid);
            at = strstr(line, "Device Minor:");
            if (at && sscanf(at, "Device Minor: %d", &number) == 1 && strcmp(uuid, identity) == 0) found = number;
        }
        if (f) fclose(f);
    }
    globfree(&all);
    return found;
}

// grade_all gives each submission one GPU by its identity, and the others are not there.
static void show_gpus(command *c) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    const int own = visible ? number_of(visible) : -1;
    char path[32];
    for (size_t i = 0; i < sizeof gpu_devices / sizeof *gpu_devices; i++)
        add3(c, "--dev-bind-try", gpu_devices[i], gpu_devices[i]);
    for (int i = 0; i < MOST_GPUS; i++) {
        snprintf(path, sizeof path, "/dev/nvidia%d", i);
        if (own < 0 || own == i) add3(c, "--dev-bind-try", path, path);
    }
}

static void build(command *c, const lab_sandbox *s, char *const argv[]) {
    char here[PATH_MAX], program[PATH_MAX];
    open_stage(c);
    add(c, "bwrap"), add(c, "--unshare-all"), add(c, "--die-with-parent"), add(c, "--clearenv");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i])) add3(c, "--setenv", variables[i], getenv(variables[i]));
    // A compiler behind ccache asks for its home, and finds no cache.
    add3(c, "--setenv", "HOME", "/tmp"), add3(c, "--setenv", "CCACHE_DISABLE", "1");
    show_system(c, s->written != NULL);
    // The lab may stand in a folder that is shown or can be written, as /tmp: here is only what we show.
    const int here_known = getcwd(here, sizeof here) != NULL;
    if (here_known) add(c, "--tmpfs"), add(c, here);
    if (getenv("CONDA_PREFIX")) show(c, "--ro-bind", getenv("CONDA_PREFIX"));
    if (s->gpu) show_gpus(c);
    for (int i = 0; i < s->n_shown; i++) show(c, "--ro-bind", s->shown[i]);
    if (s->written) show(c, "--bind", s->written);
    if (strchr(argv[0], '/') && realpath(argv[0], program)) show(c, "--ro-bind", program);
    if (here_known) add(c, "--remount-ro"), add(c, here), add(c, "--chdir"), add(c, here);
    add(c, "--remount-ro"), add(c, "/");
    add(c, "--");
    for (int i = 0; argv[i]; i++) add(c, argv[i]);
    c->argv[c->n] = NULL;
}

// A user that owns nothing, as a rule another one for each of the programs that run side by side.
static int become_nobody(const lab_sandbox *s) {
    const uid_t user = FIRST_USER + lab_child_number() % USERS;
    if (getuid() != 0) return 1;
    if (s->written && chown(s->written, user, user)) return 0;
    return setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
}

void lab_sandbox_exec(const lab_sandbox *s, char *const argv[]) {
    static command c;
    build(&c, s, argv);
    if (c.n >= MAX_ARGS - 1) {
        errno = E2BIG;
        return;
    }
    // Changing the user clears the signal that ends us with our parent.
    if (become_nobody(s) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && lab_child_ends_with_parent())
        execvp(c.argv[0], c.argv);
}

// The exit status of `true` in this sandbox: 0 if one can be made; 127 where bwrap is missing.
static int try_it(const lab_sandbox *s) {
    char *const argv[] = {"true", NULL};
    int status = 0;
    const pid_t pid = lab_child_apart();
    if (pid == 0) {
        const int null = open("/dev/null", O_RDWR);
        dup2(null, 1), dup2(null, 2);
        lab_sandbox_exec(s, argv);
        _exit(errno == ENOENT ? 127 : 126);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

int lab_sandbox_failed(const lab_sandbox *s, const char *said) {
    return strncmp(said, "bwrap: ", 7) == 0 && try_it(s) != 0;
}

int lab_sandbox_missing(char *why, size_t size) {
    const lab_sandbox empty = {.n_shown = 0};
    const int status = try_it(&empty);
    if (status == 0) return 0;
    if (status == 127)
        snprintf(why, size, "bubblewrap is not installed (the program bwrap): run grader/setup");
    else
        snprintf(why, size,
                 "bubblewrap cannot make namespaces here: a container needs --security-opt seccomp=unconfined "
                 "(or --privileged), a host kernel.unprivileged_userns_clone=1");
    return 1;
}
