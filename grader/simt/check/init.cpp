// init.cpp: memory has a value once its bytes have been written: by the host, or by any thread. Shared memory starts
// without one in every block.
#include "check.h"
#include "reports.h"

namespace check {

// As many elements as the block has threads, or a warp lanes.
static std::string one_of_each(size_t written, size_t threads) {
    const bool of_block = written == threads && written > 1;
    if (!of_block && (written != WARP || threads <= WARP)) return "";
    return std::string(", as many elements as ") + (of_block ? "the block has threads" : "a warp has lanes") +
           ": does each of them write one, and not go on to its next one?";
}

// Of float tile[32][33] the first rows have been written, and none behind them: ": of 32 rows the first 8 are".
static std::string first_written(const Region *r, size_t threads) {
    const size_t open = r->name.find('[');
    const long rows = r->space == SHARED && open != std::string::npos ? atol(r->name.c_str() + open + 1) : 0;
    if (rows < 2 || r->full_size % (size_t)rows) return "";
    const size_t bytes = r->full_size / (size_t)rows;
    long first = 0, all = 0;
    for (long k = 0; k < rows; k++) {
        bool written = false;
        for (size_t i = (size_t)k * bytes; i < (size_t)(k + 1) * bytes && !written; i++)
            written = r->init[i / 4] >> i % 4 & 1;
        all += written, first += written && first == k;
    }
    if (first != all || all == rows || all < 2) return "";
    const bool of_rows = r->name.find('[', open + 1) != std::string::npos;
    return ": of " + std::to_string(rows) + (of_rows ? " rows" : " elements") + " the first " + std::to_string(all) +
           " are" + one_of_each((size_t)all * bytes / 4, threads);
}

// Of dynamic shared memory just as many elements have been written before this one as the block has threads, or a warp
// lanes.
static std::string written_before(const Region *r, size_t offset, size_t threads) {
    size_t words = 0;
    if (r->space != DYNAMIC) return "";
    while (words < offset / 4 && (r->init[offset / 4 - 1 - words] & 0x0f) == 0x0f) words++;
    const std::string each = one_of_each(words, threads);
    return each.empty() ? each : ": the " + std::to_string(words) + " before it are written" + each;
}

// What they would have written is not there.
static std::string returned_before(size_t threads) {
    const int n = barriers_returned();
    if (!n) return "";
    return ": " + std::to_string(n) + " of its " + std::to_string(threads) + " threads had returned from the kernel" +
           " before, and wrote no more: do the others need what they would have loaded?";
}

static std::string sentence(const std::string &text) { return text.back() == '?' ? text : text + "."; }

static void report_uninitialised(Region *r, size_t offset, Site *site) {
    Report *report = new_report("uninitialised_read", ERROR, site->pc, nullptr);
    if (!report) return;
    const size_t threads = (size_t)report->block_dim.x * report->block_dim.y * report->block_dim.z;
    report->when = Report::AT_LAUNCH_END;
    const std::string returned = returned_before(threads);
    bool shared = r->space == SHARED || r->space == DYNAMIC;
    name_memory(report, r, (long)offset, site->size);
    add_access(report, "read", site, run.thread);
    report->message =
        shared
            ? sentence("It reads shared memory that no thread of this block has written" +
                       (returned.empty() ? first_written(r, threads) + written_before(r, offset, threads) : returned))
            : "It reads device memory that nobody has written since cudaMalloc.";
    if (gaps_carried) report->message += " Or a struct was copied there that lacked this member.";
    report->advice = shared
                         ? "Shared memory is not zero at the start of a block: write every element that is read later, "
                           "also where a tile sticks out over the edge of the matrix."
                         : "Fill the buffer with cudaMemcpy or cudaMemset, or write the element in a kernel first.";
}

// What cuBLAS reads at its call: one report a call and allocation, of the first element without a value.
void library_reads(const void *p, size_t n, size_t element, const char *function, const void *pc) {
    Region *r = find_region((uintptr_t)p);
    if (!r || !r->size) return;
    const size_t offset = (uintptr_t)p - r->base, end = offset + n < r->size ? offset + n : r->size;
    size_t i = offset;
    while (i < end && (r->init[i / 4] >> i % 4 & 1)) i += i % 4 == 0 && (r->init[i / 4] & 0x0f) == 0x0f ? 4 : 1;
    if (i >= end || written_unseen(r, i, 1)) return;
    Report *report = new_report("uninitialised_read", ERROR, pc, r->alloc_pc);
    if (!report) return;
    name_memory(report, r, (long)(i / element * element), element);
    add_place(report, "read", pc, -1);
    report->message = std::string(function) + " reads device memory that nobody has written since cudaMalloc.";
    report->advice = "Fill the buffer before the call. Are m, n, k and the leading dimensions those of the matrix?";
    flush_reports();
}

void check_init(Region *r, size_t offset, size_t n, Site *site) {
    bool writes = site->kind != LOAD, reads = site->kind == LOAD || site->kind == ATOMIC;
    while (n) {
        size_t word = offset / 4, from = offset % 4, bytes = n < 4 - from ? n : 4 - from;
        uint8_t mask = ((1 << bytes) - 1) << from;
        if (reads && (r->init[word] & mask) != mask) {
            if (!written_unseen(r, offset, bytes)) report_uninitialised(r, offset, site);
            r->init[word] |= mask;  // one wrong byte, one report
        }
        if (writes) r->init[word] |= mask;
        offset += bytes, n -= bytes;
    }
}

}  // namespace check
