// tool.c: posix_spawn with redirections, and what the program leaves.
#define _GNU_SOURCE
#include "tool.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int run(char *const argv[], const char *log, int seed) {
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (seed >= 0) posix_spawn_file_actions_adddup2(&actions, seed, 3);
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0) {
        int s;
        if (waitpid(pid, &s, 0) == pid && WIFEXITED(s)) status = WEXITSTATUS(s);
    }
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

int lab_tool(char *const argv[], const char *log) { return run(argv, log, -1); }

int lab_tool_with_seed(char *const argv[], const char *log, uint64_t seed) {
    const int fd = memfd_create("seed", MFD_CLOEXEC);
    if (fd < 0 || dprintf(fd, "%llu", (unsigned long long)seed) < 0 || lseek(fd, 0, SEEK_SET)) return -1;
    const int status = run(argv, log, fd);
    close(fd);
    return status;
}

json_t *lab_read_lines(const char *path) {
    json_t *array = json_array(), *o;
    FILE *f = fopen(path, "r");
    while (f && (o = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) json_array_append_new(array, o);
    if (f) fclose(f);
    return array;
}
