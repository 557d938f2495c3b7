// names.cpp: what a student calls the memory at an address. Shared and __device__ variables come with their name; a
// cudaMalloc'd buffer is called after the pointer in the source line of the call.
#include "reports.h"

#include <cctype>
#include <cstdlib>
#include <set>

namespace check {

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The identifiers of `line` that an index follows.
static std::vector<std::string> indexed(const std::string &line) {
    std::vector<std::string> names;
    for (size_t i = 1; i < line.size(); i++) {
        if (line[i] != '[' || !is_word(line[i - 1])) continue;
        size_t from = i;
        while (from > 0 && is_word(line[from - 1])) from--;
        names.push_back(line.substr(from, i - from));
    }
    return names;
}

// Is `name` declared as an array in this line? Something stands before it that is neither operator nor bracket.
static bool declares(const std::string &line, const std::string &name) {
    for (size_t at = 0; (at = line.find(name + "[", at)) != std::string::npos; at++) {
        size_t before = line.find_last_not_of(" \t", at - (at > 0));
        if (at > 0 && line[at - 1] == ' ' && before != std::string::npos && before < at &&
            (is_word(line[before]) || line[before] == ','))
            return line.compare(line.find_first_not_of(" \t"), 6, "return") != 0;
    }
    return false;
}

// The compiler's bounds check gives no name: the array of this line that is declared as one, nearest above.
std::string array_indexed_at(const std::string &file, int line) {
    std::vector<std::string> names = indexed(source_line(file, line));
    for (int above = line; above > 0; above--)
        for (const std::string &name : names)
            if (declares(source_line(file, above), name)) return name;
    return names.empty() ? "" : names[0];
}

// The name of `extern __shared__ float name[];`, or "".
static std::string dynamic_array_of(const std::string &line) {
    std::vector<std::string> names = indexed(line);
    const bool is = line.find("extern") != std::string::npos && line.find("__shared__") != std::string::npos;
    return is && !names.empty() ? names[0] : "";
}

// Does the line begin this function? It has its name before a parenthesis, and what calls it is further in.
static bool begins(const std::string &line, const std::string &function) {
    const size_t at = line.find(function + "(");
    return at != std::string::npos && line.find(';') == std::string::npos && (at == 0 || !is_word(line[at - 1]));
}

std::string dynamic_shared_name(const Where &near, const std::string &kernel) {
    const std::string function = kernel.substr(0, kernel.find_first_of("<("));
    const int last = source_lines(near.file);
    for (int from = 1; from <= last && !function.empty(); from++) {
        if (!begins(source_line(near.file, from), function)) continue;
        for (int line = from; line <= last && source_line(near.file, line)[0] != '}'; line++) {
            const std::string name = dynamic_array_of(source_line(near.file, line));
            if (!name.empty()) return name;
        }
    }
    for (int above = near.line; above > 0; above--) {
        const std::string name = dynamic_array_of(source_line(near.file, above));
        if (!name.empty()) return name;
    }
    return "";
}

// cudaMalloc(&d_x, ..), cudaMalloc((void **)&p->x, ..): the text of the first argument after its & and cast, in call
// number `call` of the line.
static std::string pointer_in(const std::string &line, int call) {
    size_t at = line.find("cudaMalloc");
    while (at != std::string::npos && call-- > 0) at = line.find("cudaMalloc", at + 1);
    if (at == std::string::npos || (at = line.find('(', at)) == std::string::npos) return "";
    size_t ampersand = line.find('&', at), comma = line.find(',', at);
    if (ampersand != std::string::npos && (comma == std::string::npos || ampersand < comma)) at = ampersand;
    size_t end = ++at;
    while (end < line.size() && (is_word(line[end]) || line[end] == '.' || line[end] == '-' || line[end] == '>' ||
                                 line[end] == '[' || line[end] == ']'))
        end++;
    return line.substr(at, end - at);
}

std::string allocation_place(const Region *r) { return r->alloc_pc ? place(where_is(r->alloc_pc)) : ""; }

// Of several calls in one line, which one is it? They stand in the code in the same order.
static int call_in_line(const void *pc, const Where &at) {
    std::set<const void *> earlier;
    for (const Region *r : global_regions())
        if (r->alloc_pc && r->alloc_pc < pc && r->name.empty() && place(where_is(r->alloc_pc)) == place(at))
            earlier.insert(r->alloc_pc);
    return (int)earlier.size();
}

std::string region_name(const Region *r) {
    if (!r->name.empty()) return r->name;
    Where w = where_is(r->alloc_pc);
    std::string pointer = pointer_in(source_line(w.file, w.line), call_in_line(r->alloc_pc, w));
    return pointer.empty() ? "cudaMalloc at " + place(w) : pointer;
}

// "tile[16][17]" -> 16, 17
static std::vector<long> dimensions(const std::string &extents) {
    std::vector<long> dims;
    for (size_t at = 0; (at = extents.find('[', at)) != std::string::npos; at++)
        dims.push_back(atol(extents.c_str() + at + 1));
    return dims;
}

static long product(const std::vector<long> &dims) {
    long n = 1;
    for (long d : dims) n *= d;
    return n;
}

// "tile[16][17]", element 39 -> "[2][5]". Only whole elements have such a name: not a float of a half's array.
static std::string subscripts(const std::string &extents, long i, size_t bytes, size_t element) {
    std::vector<long> dims = dimensions(extents);
    long n = product(dims);
    std::string plain = "[" + std::to_string(i) + "]", s;
    if (dims.size() < 2 || i < 0 || i >= n || (size_t)n * element != bytes) return plain;
    for (size_t k = dims.size(); k-- > 0; i /= dims[k]) s = "[" + std::to_string(i % dims[k]) + "]" + s;
    return s;
}

void name_memory(Report *report, const Region *r, long offset, size_t element) {
    static const char *const spaces[] = {"global", "constant", "shared", "shared", ""};
    // What the lab allocated for a stage has no name there, nor a line that the stage's author could look at.
    const bool of_the_lab = r->name.empty() && r->alloc_pc && simt_has_guests() && !simt_is_guest(r->alloc_pc);
    std::string name = of_the_lab ? "buffer" : region_name(r);
    size_t bracket =
        r->space == SHARED ? name.find('[') : std::string::npos;  // the runtime names arrays with their extents
    std::string extents = bracket == std::string::npos ? "" : name.substr(bracket);
    size_t of_struct = bracket == std::string::npos ? r->element : r->full_size / (size_t)product(dimensions(extents));
    if (of_struct > element) element = of_struct;  // a member: what counts is which struct
    long n = (long)element;
    report->variable = name.substr(0, bracket);
    report->space = spaces[r->space];
    report->index = offset >= 0 ? offset / n : -((-offset + n - 1) / n);
    report->subscript = subscripts(extents, report->index, r->full_size, element);
    if (bracket == std::string::npos && r->full_size == element && !offset) report->subscript = "";
    if (r->name.empty() && !of_the_lab) report->allocated = allocation_place(r);
}

}  // namespace check
