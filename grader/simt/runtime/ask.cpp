// ask.cpp: an addr2line that stays open per module; and a clerk, a process that holds them for one that may start none.
//
//     program --"module address"--> clerk --address--> addr2line -e module
#include "ask.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

namespace simt {

struct Tool {
    int in = -1;
    FILE *out = nullptr;
};

static int clerk = -1;  // our end of a socket to it

// A socket and not a pipe: a tool that has died must not kill us by SIGPIPE.
static Tool start(const std::string &module) {
    Tool t;
    int ends[2];
    const char *program = getenv("SIMT_ADDR2LINE");
    if (!program) program = "addr2line";
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return t;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    char *const argv[] = {(char *)program, (char *)"-aifC", (char *)"-e", (char *)module.c_str(), nullptr};
    pid_t pid;
    int failed = posix_spawnp(&pid, program, &files, nullptr, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (failed) {
        fprintf(stderr, "simt: cannot start %s, so reports have no line numbers; install binutils\n", program);
        close(ends[0]);
        return t;
    }
    t.in = ends[0], t.out = fdopen(ends[0], "r");
    return t;
}

static bool read_line(FILE *f, std::string &line) {
    char *text = nullptr;
    size_t room = 0;
    ssize_t n = getline(&text, &room, f);
    line.assign(text ? text : "", n > 0 ? (size_t)n : 0);
    free(text);
    return n > 0;
}

// Asks for one address, and for address 0 after it: its answer tells where the first one's frames end.
static std::string ask(Tool &t, uintptr_t address) {
    std::string answer, function, place;
    char question[64];
    int n = snprintf(question, sizeof question, "0x%lx\n0x0\n", (unsigned long)address);
    if (send(t.in, question, (size_t)n, MSG_NOSIGNAL) != n || !read_line(t.out, place)) return answer;
    while (read_line(t.out, function) && function.compare(0, 2, "0x") != 0 && read_line(t.out, place))
        answer += function + place;
    read_line(t.out, function), read_line(t.out, place);  // the answer to 0x0
    return answer;
}

static std::string ask_here(const std::string &module, uintptr_t address) {
    static auto *tools = new std::map<std::string, Tool>;
    if (!tools->count(module)) (*tools)[module] = start(module);
    Tool &t = (*tools)[module];
    return t.out ? ask(t, address) : "";
}

// Questions and answers have lengths before them.
static bool tell(int to, const std::string &text) {
    const uint32_t n = (uint32_t)text.size();
    std::string all((const char *)&n, sizeof n);
    all += text;
    return send(to, all.data(), all.size(), MSG_NOSIGNAL) == (ssize_t)all.size();
}

static bool hear(int from, std::string &text) {
    uint32_t n = 0;
    if (recv(from, &n, sizeof n, MSG_WAITALL) != sizeof n || n > 1 << 20) return false;
    text.resize(n);
    return n == 0 || recv(from, &text[0], n, MSG_WAITALL) == (ssize_t)n;
}

// The clerk holds nothing of ours but its socket, and ends with us.
[[noreturn]] static void serve(int with) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "simt-clerk");
    const int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(null, i);
    dup2(with, 3);
    close_range(4, ~0u, 0);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    for (std::string question; hear(3, question);) {
        const size_t space = question.find(' ');
        if (space == std::string::npos) break;
        const uintptr_t address = strtoul(question.c_str(), nullptr, 16);
        if (!tell(3, ask_here(question.substr(space + 1), address))) break;
    }
    _exit(0);
}

void ask_through_clerk() {
    int ends[2];
    if (clerk >= 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return;
    const pid_t pid = fork();
    if (pid == 0) serve(ends[1]);
    close(ends[1]);
    if (pid > 0)
        clerk = ends[0];
    else
        close(ends[0]);
}

std::string ask_addr2line(const std::string &module, uintptr_t address) {
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    if (clerk < 0) return ask_here(module, address);
    char number[32];
    snprintf(number, sizeof number, "%lx ", (unsigned long)address);
    std::string answer;
    return tell(clerk, number + module) && hear(clerk, answer) ? answer : "";
}

}  // namespace simt
