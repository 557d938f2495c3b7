// json.cpp: reports and counts as JSON, schema 1 (README.md documents it).
#include "kernels.h"
#include "reports.h"

#include <cstdio>

namespace check {

struct Writer {
    std::string out;
    bool comma = false;

    void raw(const char *s) { out += s; }
    void next() {
        if (comma) out += ',';
        comma = true;
    }
    void open(char c) { next(), out += c, comma = false; }
    void close(char c) { out += c, comma = true; }
    void key(const char *k) { string(k), out += ':', comma = false; }
    void string(const std::string &s) {
        next();
        out += '"';
        for (unsigned char c : s) {
            char escaped[8];
            if (c == '"' || c == '\\')
                out += '\\', out += (char)c;
            else if (c < 0x20)
                snprintf(escaped, sizeof escaped, "\\u%04x", c), out += escaped;
            else
                out += (char)c;
        }
        out += '"';
    }
    void number(long long n) { next(), out += std::to_string(n); }
    void field(const char *k, const std::string &s) { key(k), string(s); }
    void field(const char *k, const char *s) { key(k), string(s); }
    template <class Number> void field(const char *k, Number n) { key(k), number((long long)n); }
    void triple(const char *k, simt_uint3 v) {
        if (k) key(k);
        open('['), number(v.x), number(v.y), number(v.z), close(']');
    }
};

static void write_access(Writer &w, const Report &r, const Access &a) {
    w.open('{');
    w.field("what", a.what), w.field("file", a.where.file), w.field("line", a.where.line);
    w.field("function", a.where.function);
    if (a.thread >= 0) w.triple("thread", thread_of(r, a.thread));
    if (a.other_block) w.key("other_block"), w.next(), w.raw("true");
    w.close('}');
}

static void write_report(Writer &w, const Report &r) {
    w.raw("\n  "), w.open('{');
    w.field("kind", r.kind), w.field("severity", r.severity == ERROR ? "error" : "warning");
    if (!r.kernel.empty()) {
        w.field("kernel", r.kernel);
        w.key("launch"), w.open('{'), w.field("file", r.launch.file), w.field("line", r.launch.line), w.close('}');
        w.triple("block", r.block);
    }
    w.key("threads"), w.open('[');
    for (const Access &a : r.accesses)
        if (a.thread >= 0) w.triple(nullptr, thread_of(r, a.thread));
    w.close(']');
    w.field("variable", r.variable), w.field("subscript", r.subscript), w.field("index", r.index);
    w.field("space", r.space);
    if (!r.allocated.empty()) w.field("allocated", r.allocated);
    w.key("accesses"), w.open('[');
    for (const Access &a : r.accesses) write_access(w, r, a);
    w.close(']');
    w.field("count", r.count), w.field("message", r.message), w.field("advice", r.advice);
    w.close('}');
}

static void write_buffer(Writer &w, const BufferCounts &b) {
    w.raw("\n    "), w.open('{');
    w.field("name", region_name(b.region)), w.field("allocated", allocation_place(b.region));
    w.field("bytes", b.region->full_size);
    w.field("loaded", b.counts.loaded), w.field("stored", b.counts.stored), w.field("atomic", b.counts.atomic);
    w.field("sectors_loaded", b.counts.sectors_loaded), w.field("sectors_stored", b.counts.sectors_stored);
    w.field("unique_sectors_loaded", b.unique_sectors_loaded);
    w.field("unique_sectors_stored", b.unique_sectors_stored);
    w.close('}');
}

static void write_line(Writer &w, const LineRow &l) {
    w.raw("\n    "), w.open('{');
    w.field("file", l.file), w.field("line", l.line), w.field("space", l.space), w.field("op", l.op);
    w.field("bytes_per_lane", l.bytes_per_lane), w.field("requests", l.c.requests), w.field("lanes", l.c.lanes);
    w.field("sectors", l.c.sectors), w.field("ideal_sectors", l.c.ideal_sectors);
    w.field("wavefronts", l.c.wavefronts), w.field("ideal_wavefronts", l.c.ideal_wavefronts);
    w.field("bank_conflicts", l.c.wavefronts - l.c.ideal_wavefronts);
    w.close('}');
}

static void write_kernel(Writer &w, const KernelCounts &k) {
    w.raw("\n  "), w.open('{');
    w.field("kernel", k.kernel), w.triple("grid", k.grid), w.triple("block", k.block);
    w.field("shared_bytes", k.shared_bytes), w.field("launches", k.launches);
    if (k.tensor_flops) w.field("tensor_flops", k.tensor_flops);
    if (k.truncated) w.key("truncated"), w.next(), w.raw("true");
    w.key("buffers"), w.open('[');
    for (const BufferCounts &b : k.buffers) write_buffer(w, b);
    w.close(']');
    w.key("lines"), w.open('[');
    for (const LineRow &l : line_rows(k)) write_line(w, l);
    w.close(']'), w.close('}');
}

std::string to_json() {
    Writer w;
    w.open('{');
    w.field("schema", 1);
    w.key("reports"), w.open('[');
    for (const Report *r : all_reports()) write_report(w, *r);
    w.close(']'), w.key("kernels"), w.open('[');
    for (const KernelCounts *k : kernel_counts()) write_kernel(w, *k);
    w.close(']'), w.close('}');
    return w.out + "\n";
}

}  // namespace check
