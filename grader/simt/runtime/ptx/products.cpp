// products.cpp: wgmma under a checker. A product is computed when its group has been waited for; until then its sums are NaN in the
// lanes' registers, so that who reads them too early gets no right number by luck.
//
//     wgmma  ->  sums taken out of the registers, NaN put there  ->  commit: its group  ->  wait: computed, written back
//
// Blocks run on one OS thread, several by turns where they run at the same time: what each has under way is kept here.
#include "together.h"
#include "wgmma.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace simt {

namespace {
struct Sums {                    // of one warp
    int warp, registers, users;  // users: products under way that add to them; 0: they are the lanes' again
    simt_wgmma_kind kind;
    uint32_t *at[32][128];
    uint32_t left[32][128];  // what stood there when they were given back
    float x[sums_of_a_warp];
};
struct Late {
    Product product;
    Sums *sums;
    uint64_t id;
    int group;
};
struct Warp {
    int group;            // commits so far
    bool fenced, lately;  // ever; since the last wait
};
struct Wait : Together::Operands {
    uint32_t newest_groups_left;
};
}  // namespace
namespace {
struct OfBlock {
    std::vector<std::unique_ptr<Sums>> all_sums;
    std::vector<std::unique_ptr<Late>> under_way;
    Warp warps[32] = {};
};
}  // namespace
static std::unordered_map<const Worker *, OfBlock> blocks;
static uint64_t products_so_far;

static OfBlock &here() { return blocks[this_worker]; }

void products_reset(const Worker &w) { blocks.erase(&w); }

static uint32_t unknown(const Sums &s) { return s.kind.d == SIMT_MATRIX_F32 ? 0x7fffdeadu : 0x7fff7fffu; }

static bool overlap(const Sums &s, uint32_t *const *lane0, int n) {
    for (int i = 0; i < n; i++)
        if (std::find(s.at[0], s.at[0] + s.registers, lane0[i]) != s.at[0] + s.registers) return true;
    return false;
}

// Sums that other products under way add to, too, or NULL. Those that are the lanes' again make room: `before` is how they left.
static Sums *find_sums(const Product &p, const SumRegisters &lanes, int n, std::unique_ptr<Sums> &before) {
    auto &all_sums = here().all_sums;
    for (size_t i = 0; i < all_sums.size(); i++) {
        Sums &s = *all_sums[i];
        if (s.warp != p.warp || !overlap(s, lanes[0], n)) continue;
        const bool same = s.registers == n && std::equal(lanes[0], lanes[0] + n, s.at[0]);
        if (s.users && same) return &s;
        if (s.users)
            stop_kernel(
                719, p.pc,
                "some sums of this wgmma are those of another one under way, of another shape or order: wait for that "
                "one first");
        if (same) before = std::move(all_sums[i]);
        all_sums.erase(all_sums.begin() + (long)i--);
    }
    return nullptr;
}

static bool changed(const Sums &before) {
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < before.registers; i++)
            if (*before.at[lane][i] != before.left[lane][i]) return true;
    return false;
}

static Sums *take_sums(const Product &p, const SumRegisters &lanes, int n) {
    here().all_sums.emplace_back(new Sums);
    Sums &s = *here().all_sums.back();
    s.warp = p.warp, s.registers = n, s.users = 0, s.kind = p.kind;
    if (p.kind.add) read_sums(s.x, lanes, p.kind);
    for (int lane = 0; lane < 32; lane++) {
        std::copy(lanes[lane], lanes[lane] + n, s.at[lane]);
        for (int i = 0; i < n; i++) *s.at[lane][i] = unknown(s);
        simt_hooks->sums_taken(p.warp * 32 + lane, s.at[lane], n, p.pc);
    }
    return &s;
}

void product_later(Worker &w, const Product &p, const SumRegisters &lanes) {
    const int n = p.kind.n / (p.kind.d == SIMT_MATRIX_F32 ? 2 : 4);
    Warp &warp = here().warps[p.warp];
    std::unique_ptr<Sums> before;
    w.ptx.touched = true;
    Sums *s = find_sums(p, lanes, n, before);
    const bool stale = before && p.kind.add && !warp.lately && changed(*before);
    if (!warp.fenced || stale) simt_hooks->product_unfenced(stale, p.pc);
    warp.fenced = true;  // once is enough to say it
    if (!s) s = take_sums(p, lanes, n);
    s->users++;
    const Pieces pieces = pieces_of(p);
    here().under_way.emplace_back(new Late{p, s, ++products_so_far, warp.group});
    const size_t of_a = p.in_registers ? 0 : 32;  // B comes once for four warps
    simt_hooks->product_begins(products_so_far, (const void *const *)pieces.data(), pieces.size(),
                               p.warp % 4 ? of_a : pieces.size(), p.pc);
    simt_hooks->tensor_flops(2 * 16 * (uint64_t)p.kind.n * (uint64_t)p.kind.k);
}

// The lanes may have them again. What somebody has written over stays: those may be other variables by now.
static void give_back(Sums &s) {
    float x[sums_of_a_warp];
    std::copy(s.x, s.x + sums_of_a_warp, x);
    SumRegisters result;
    uint32_t *pointers[32][128];
    for (int lane = 0; lane < 32; lane++) {
        for (int i = 0; i < s.registers; i++) pointers[lane][i] = &s.left[lane][i];
        result[lane] = pointers[lane];
    }
    write_sums(x, result, s.kind);
    for (int lane = 0; lane < 32; lane++) {
        for (int i = 0; i < s.registers; i++)
            if (*s.at[lane][i] == unknown(s)) *s.at[lane][i] = s.left[lane][i];
        simt_hooks->sums_given_back(s.warp * 32 + lane, s.at[lane], s.registers);
    }
}

static void wait_for(Worker &, int number, Together::Operands *const *lanes) {
    Warp &warp = here().warps[number];
    const int done = warp.group - (int)((const Wait *)lanes[0])->newest_groups_left;
    auto &under_way = here().under_way;
    for (auto &late : under_way) {
        if (late->product.warp != number || late->group >= done) continue;
        multiply_add(late->sums->x, late->product);
        simt_hooks->product_ends(late->id);
        if (!--late->sums->users) give_back(*late->sums);
        late.reset();
    }
    under_way.erase(std::remove(under_way.begin(), under_way.end(), nullptr), under_way.end());
    warp.lately = false;
    simt_hooks->products_waited(number);
}

}  // namespace simt

using namespace simt;

static int lane_of(Worker &w) { return w.fiber->thread & 31; }

void simt_wgmma_fence(void) {
    Worker &w = *this_worker;
    if (!simt_hooks || lane_of(w)) return;
    Warp &warp = here().warps[w.fiber->thread >> 5];
    warp.fenced = warp.lately = true;
    w.ptx.touched = true;
}

void simt_wgmma_commit(void) {
    Worker &w = *this_worker;
    if (simt_hooks && !lane_of(w)) here().warps[w.fiber->thread >> 5].group++;
}

void simt_wgmma_wait(uint32_t newest_groups_left) {
    static const Together waiting = {"wgmma.wait_group", wait_for};
    if (!simt_hooks) return;
    Wait mine;
    mine.instruction = &waiting;
    mine.newest_groups_left = newest_groups_left;
    together(&mine, __builtin_return_address(0));
}
