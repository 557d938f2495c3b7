// symbolize.cpp: address -> file:line and function, with inlined calls, by an addr2line that stays open per module.
// Frames of the lab's CUDA headers and of the system's are left out: a student reads his own lines.
#include "reports.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <link.h>
#include <map>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

namespace check {

#define EARLY __attribute__((init_priority(200)))

struct Tool {
    int in = -1;
    FILE *out = nullptr;
};  // an addr2line for one module
EARLY static std::map<std::string, Tool> tools;
EARLY static std::map<const void *, std::vector<Where>> known;
EARLY static std::map<std::string, std::vector<std::string>> sources;

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

static bool is_ours(const std::string &file) {
    return file.find("/simt/include/") != std::string::npos || file.compare(0, 5, "/usr/") == 0 || file == "??";
}

static bool read_line(FILE *f, std::string &line) {
    char *text = nullptr;
    size_t room = 0;
    ssize_t n = getline(&text, &room, f);
    line.assign(text ? text : "", n > 0 ? (size_t)n - (text[n - 1] == '\n') : 0);
    free(text);
    return n > 0;
}

// "void gemm<16>(float*, ...)" -> "gemm<16>".
static std::string short_name(const std::string &function) {
    if (function.find("{lambda") != std::string::npos) return "a lambda";
    std::string name = function.substr(0, function.find('('));
    size_t space = name.find(' ');
    return space != std::string::npos && space < name.find('<') ? name.substr(space + 1) : name;
}

// Asks for one address, and for address 0 after it: its answer tells where the first one's frames end.
static std::vector<Where> ask(Tool &t, uintptr_t address) {
    std::vector<Where> frames;
    std::string function, at;
    char question[64];
    int n = snprintf(question, sizeof question, "0x%lx\n0x0\n", (unsigned long)address);
    if (send(t.in, question, (size_t)n, MSG_NOSIGNAL) != n || !read_line(t.out, at)) return frames;
    while (read_line(t.out, function) && function.compare(0, 2, "0x") != 0 && read_line(t.out, at)) {
        size_t colon = at.rfind(':');
        std::string file = at.substr(0, colon);
        if (is_ours(file)) continue;
        frames.push_back({short_path(file), atoi(at.c_str() + colon + 1), short_name(function)});
    }
    read_line(t.out, function), read_line(t.out, at);  // the answer to 0x0
    return frames;
}

std::vector<Where> frames_of(const void *pc) {
    auto found = known.find(pc);
    if (found != known.end()) return found->second;
    Dl_info info;
    struct link_map *map = nullptr;
    std::vector<Where> frames;
    if (pc && dladdr1(pc, &info, (void **)&map, RTLD_DL_LINKMAP)) {
        std::string module = map->l_name[0] ? map->l_name : "/proc/self/exe";
        if (module.compare(0, 11, "/proc/self/") == 0) module = "/proc/" + std::to_string(getpid()) + module.substr(10);
        if (!tools.count(module)) tools[module] = start(module);
        Tool &t = tools[module];
        if (t.out) frames = ask(t, (uintptr_t)pc - 1 - map->l_addr);
    }
    return known[pc] = frames;
}

Where where_is(const void *pc) {
    std::vector<Where> frames = frames_of(pc);
    return frames.empty() ? Where{} : frames[0];
}

std::string short_path(const std::string &path) {
    char here[4096];
    if (!getcwd(here, sizeof here)) return path;
    std::string prefix = std::string(here) + "/", rest = path;
    if (rest.compare(0, prefix.size(), prefix) == 0) rest.erase(0, prefix.size());
    while (rest.compare(0, 2, "./") == 0) rest.erase(0, 2);
    return rest;
}

std::string place(const Where &w) {
    return w.file.empty() ? "an unknown place (compile with -g)" : w.file + ":" + std::to_string(w.line);
}

const std::string &source_line(const std::string &file, int line) {
    static const std::string none;
    auto found = sources.find(file);
    if (found == sources.end()) {
        std::ifstream in(file);
        std::vector<std::string> lines;
        for (std::string s; std::getline(in, s);) lines.push_back(s);
        found = sources.emplace(file, lines).first;
    }
    return line >= 1 && (size_t)line <= found->second.size() ? found->second[(size_t)line - 1] : none;
}

}  // namespace check
