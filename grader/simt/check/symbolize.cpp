// symbolize.cpp: address -> file:line and function, with inlined calls, by addr2line (runtime/ask).
// Frames of the lab's CUDA headers and of the system's are left out: a student reads his own lines.
#include "../runtime/ask.h"
#include "reports.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <link.h>
#include <map>
#include <sstream>
#include <unistd.h>

namespace check {

#define EARLY __attribute__((init_priority(200)))

EARLY static std::map<const void *, std::vector<Where>> known;
EARLY static std::map<std::string, std::vector<std::string>> sources;

static bool is_ours(const std::string &file) {
    return file.find("/simt/include/") != std::string::npos || file.compare(0, 5, "/usr/") == 0 || file == "??";
}

static std::vector<Where> read_frames(const std::string &answer) {
    std::vector<Where> frames;
    std::istringstream lines(answer);
    for (std::string function, at; std::getline(lines, function) && std::getline(lines, at);) {
        size_t colon = at.rfind(':');
        std::string file = at.substr(0, colon);
        if (is_ours(file)) continue;
        frames.push_back({short_path(file), atoi(at.c_str() + colon + 1), simt::short_name(function)});
    }
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
        frames = read_frames(simt::ask_addr2line(module, (uintptr_t)pc - 1 - map->l_addr));
    }
    // An asm statement is a lambda (rewrite/asm.c): what the student wrote is the function around it.
    if (frames.size() > 1 && frames[0].function == "a lambda" && frames[1].line == frames[0].line &&
        frames[1].file == frames[0].file)
        frames.erase(frames.begin());
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

static const std::vector<std::string> &source_of(const std::string &file) {
    auto found = sources.find(file);
    if (found == sources.end()) {
        std::ifstream in(file);
        std::vector<std::string> lines;
        for (std::string s; std::getline(in, s);) lines.push_back(s);
        found = sources.emplace(file, lines).first;
    }
    return found->second;
}

int source_lines(const std::string &file) { return (int)source_of(file).size(); }

const std::string &source_line(const std::string &file, int line) {
    static const std::string none;
    return line >= 1 && line <= source_lines(file) ? source_of(file)[(size_t)line - 1] : none;
}

}  // namespace check
