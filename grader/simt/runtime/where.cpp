// where.cpp: from a return address to the student's file and line, through addr2line and the module's debug information.
#include "ask.h"
#include "runtime.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <unistd.h>

namespace simt {

struct Module {
    std::string path;
    uintptr_t bias = 0;
};

static int match_module(dl_phdr_info *info, size_t, void *argument) {
    auto *query = (std::pair<uintptr_t, Module *> *)argument;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const auto &segment = info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && query->first >= start && query->first < start + segment.p_memsz) {
            query->second->bias = info->dlpi_addr;
            query->second->path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
            return 1;
        }
    }
    return 0;
}

static bool find_module(const void *pc, Module *module) {
    std::pair<uintptr_t, Module *> query{(uintptr_t)pc, module};
    if (!dl_iterate_phdr(match_module, &query)) return false;
    if (module->path == "/proc/self/exe") {
        char path[4096];
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        if (n > 0) module->path.assign(path, (size_t)n);
    }
    return true;
}

bool is_user_code(const void *pc) {
    static const void *const anchors[] = {(const void *)&match_module,
                                          (const void *)&printf,
                                          (const void *)&dl_iterate_phdr,
                                          (const void *)(double (*)(double)) & std::tgamma,
                                          dlsym(RTLD_DEFAULT, "_ZSt9terminatev"),
                                          dlsym(RTLD_DEFAULT, "__tls_get_addr")};
    Dl_info mine, other;
    if (!dladdr(pc, &mine) || !mine.dli_fbase) return false;
    for (const void *anchor : anchors)
        if (anchor && dladdr(anchor, &other) && other.dli_fbase == mine.dli_fbase) return false;
    return true;
}

bool is_runtime_code(const void *pc) {
    Dl_info mine, here;
    return dladdr(pc, &mine) && dladdr((const void *)&match_module, &here) && mine.dli_fbase == here.dli_fbase;
}

// "void gemm<16>(float*, ...)" -> "gemm<16>". clang++ calls a lambda $_3, and puts the function around it before that.
std::string short_name(std::string function) {
    static const std::string nameless = "(anonymous namespace)::";
    if (function.find("{lambda") != std::string::npos || function.find("$_") != std::string::npos ||
        !function.compare(0, 10, "operator()") || function.find("_FUN") != std::string::npos)
        return "a lambda";
    for (size_t at; (at = function.find(nameless)) != std::string::npos;) function.erase(at, nameless.size());
    size_t end = 0;
    for (int depth = 0; end < function.size() && (depth > 0 || function[end] != '('); end++) {
        if (function[end] == '<' && (end < 8 || function.compare(end - 8, 8, "operator"))) depth++;
        if (function[end] == '>' && depth > 0) depth--;
    }
    std::string name = function.substr(0, end);
    size_t space = name.find(' ');
    return space != std::string::npos && space < name.find('<') ? name.substr(space + 1) : name;
}

// The first frame that is not of simt's or the system's headers. An asm statement is a lambda (rewrite/asm.c): what the
// student wrote is the function around it.
static std::string first_user_frame(const std::string &text) {
    std::string inner;  // where a lambda stands, until the frame around it is known
    size_t at = 0;
    while (at < text.size()) {
        size_t end = text.find('\n', at), next = text.find('\n', end + 1);
        if (end == std::string::npos || next == std::string::npos) break;
        std::string function = short_name(text.substr(at, end - at)), place = text.substr(end + 1, next - end - 1);
        at = next + 1;
        if (place.find("/simt/include/") != std::string::npos || !place.compare(0, 5, "/usr/") ||
            place.find("??") != std::string::npos)
            continue;
        place = place.substr(0, place.find(" (discriminator"));
        place = place.substr(place.rfind('/') + 1);
        if (!inner.empty()) return inner + " in " + (inner == place ? function : "a lambda");
        if (function != "a lambda") return place + " in " + function;
        inner = place;
    }
    return inner.empty() ? "" : inner + " in a lambda";
}

std::string where(const void *pc) {
    if (config().trying) return "a line that nobody asks for";  // and addr2line takes longer than a hundred calls
    static std::map<const void *, std::string> cache;
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    auto known = cache.find(pc);
    if (known != cache.end()) return known->second;
    Module module;
    std::string result = "an unknown address";
    if (find_module(pc, &module)) {
        result = first_user_frame(ask_addr2line(module.path, (uintptr_t)pc - 1 - module.bias));
        if (result.empty()) {
            char text[4200];
            snprintf(text, sizeof text, "%s+0x%zx (no line known: compile with -g, install addr2line)",
                     module.path.c_str(), (size_t)((uintptr_t)pc - module.bias));
            result = text;
        }
    }
    return cache[pc] = result;
}

}  // namespace simt
