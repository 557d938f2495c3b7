// ptx_table.c: the instructions that simt knows, in the notation of the PTX manual, and the function of simt::ptx
// (include/simt/ptx/) that does each.
//
//     word      must stand there            (a|b)    one of these
//     <a|b>     one of these, and it becomes a template argument:  .f32 simt::ptx::f32,  .shared::cta simt::ptx::shared_cta
//     ...?      may be left out: then the template argument is simt::ptx::none
//
// TYPE: any type. SPACE: a state space. CACHE: any .L1:: or .L2:: hint. SHAPE: m64n128k16, as simt::ptx::shape<64, 128, 16>.
// "= name": a function whose value goes to the first operand.
#include "ptx.h"

#include <ctype.h>
#include <string.h>

#define ROUND "<rn|rz|rm|rp>?.(ftz)?.<sat>?"
#define SCOPE "(cta|cluster|gpu|sys)?"
#define ORDER "<weak|volatile|relaxed|acquire|release|acq_rel|mmio>?"
#define OPERATION "<add|min|max|exch|cas|and|or|xor|inc|dec>"
#define WHERE "<shared|shared::cta|shared::cluster>?"
#define ARRIVE "(release|relaxed|acquire)?.(cta|cluster)?." WHERE ".b64"
#define RANK "<1d|2d|3d|4d|5d>"
#define HINT "(L2::cache_hint)?"

static const struct {
    const char *pattern, *function;
} instructions[] = {
    // ---- numbers (ptx/scalar.h)
    {"mov.<TYPE>", "= mov"},
    {"add." ROUND ".<TYPE>", "= add"},
    {"sub." ROUND ".<TYPE>", "= sub"},
    {"mul.<lo|hi|wide>.<TYPE>", "= mul_part"},
    {"mul." ROUND ".<TYPE>", "= mul"},
    {"mad.<lo|hi|wide>.<TYPE>", "= mad_part"},
    {"mad." ROUND ".<TYPE>", "= fma"},
    {"add.cc.<TYPE>", "= add_cc"},
    {"addc.cc.<TYPE>", "= addc_cc"},
    {"addc.<TYPE>", "= addc"},
    {"sub.cc.<TYPE>", "= sub_cc"},
    {"subc.cc.<TYPE>", "= subc_cc"},
    {"subc.<TYPE>", "= subc"},
    {"mad.<lo|hi>.cc.<TYPE>", "= mad_cc"},
    {"madc.<lo|hi>.cc.<TYPE>", "= madc_cc"},
    {"madc.<lo|hi>.<TYPE>", "= madc"},
    {"mul24.lo.<TYPE>", "= mul24"},
    {"mad24.lo.<TYPE>", "= mad24"},
    {"dp4a.<u32|s32>.<u32|s32>", "= dp4a"},
    {"fma." ROUND ".<TYPE>", "= fma"},
    {"div.(approx|full)?.<rn|rz|rm|rp>?.(ftz)?.<TYPE>", "= div"},
    {"rem.<TYPE>", "= rem"},
    {"abs.(ftz)?.<TYPE>", "= abs"},
    {"neg.(ftz)?.<TYPE>", "= neg"},
    {"min.(ftz)?.<NaN>?.<TYPE>", "= min"},
    {"max.(ftz)?.<NaN>?.<TYPE>", "= max"},
    {"and.<TYPE>", "= and_"},
    {"or.<TYPE>", "= or_"},
    {"xor.<TYPE>", "= xor_"},
    {"not.<TYPE>", "= not_"},
    {"shl.<TYPE>", "= shl"},
    {"shr.<TYPE>", "= shr"},
    {"shf.<l|r>.<wrap|clamp>.b32", "= shf"},
    {"lop3.b32", "= lop3"},
    {"prmt.b32", "= prmt"},
    {"bfe.<TYPE>", "= bfe"},
    {"bfi.<TYPE>", "= bfi"},
    {"popc.<TYPE>", "= popc"},
    {"clz.<TYPE>", "= clz"},
    {"bfind.<shiftamt>?.<TYPE>", "= bfind"},
    {"sad.<TYPE>", "= sad"},
    {"slct.(ftz)?.<TYPE>.<s32|f32>", "= slct"},
    {"copysign.<TYPE>", "= copysign_"},
    {"brev.<TYPE>", "= brev"},
    {"selp.<TYPE>", "= selp"},
    {"setp.<eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan>.(ftz)?.<TYPE>", "= setp"},
    {"setp.<eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu>.<and|or|xor>.(ftz)?.<TYPE>", "= setp_with"},
    {"ex2.approx.(ftz)?.<TYPE>", "= ex2"},
    {"lg2.approx.(ftz)?.<TYPE>", "= lg2"},
    {"rcp.(approx)?.<rn|rz|rm|rp>?.(ftz)?.<TYPE>", "= rcp"},
    {"sqrt.(approx)?.<rn|rz|rm|rp>?.(ftz)?.<TYPE>", "= sqrt"},
    {"rsqrt.approx.(ftz)?.<TYPE>", "= rsqrt"},
    {"sin.approx.(ftz)?.<TYPE>", "= sin"},
    {"cos.approx.(ftz)?.<TYPE>", "= cos"},
    {"tanh.approx.<TYPE>", "= tanh"},
    {"cvt.<rn|rz|rm|rp|rna|rni|rzi|rmi|rpi>?.(ftz)?.<sat|relu|satfinite>?.<TYPE>.<TYPE>", "= cvt"},
    // ---- memory (ptx/memory.h)
    {"ld." ORDER "." SCOPE ".<SPACE>?.(nc)?.(ca|cg|cs|lu|cv|nc)?.(CACHE)?.(CACHE)?.(CACHE)?.<v2|v4|v8>?.<TYPE>",
     "= ld"},
    {"ldu.<SPACE>?.<v2|v4>?.<TYPE>", "= ldu"},
    {"st." ORDER "." SCOPE ".<SPACE>?.(wb|cg|cs|wt)?.(CACHE)?.(CACHE)?.(CACHE)?.<v2|v4|v8>?.<TYPE>", "st"},
    {"atom." ORDER "." SCOPE ".<SPACE>?." OPERATION ".(noftz)?.(CACHE)?.<TYPE>", "= atom"},
    {"atom." ORDER ".<SPACE>." SCOPE "." OPERATION ".(noftz)?.(CACHE)?.<TYPE>", "= atom"},
    {"atom." OPERATION "." ORDER "." SCOPE ".<SPACE>?.<TYPE>", "= atom_by"},
    {"red.(async)?." ORDER "." SCOPE ".<SPACE>?." OPERATION ".(noftz)?.(CACHE)?.<TYPE>", "red"},
    {"red." ORDER ".<SPACE>." SCOPE "." OPERATION ".(noftz)?.(CACHE)?.<TYPE>", "red"},
    {"prefetch.<SPACE>?.(L1|L2|tensormap)", "hint"},
    {"prefetch.<SPACE>?.(CACHE)", "hint"},
    {"prefetchu.L1", "hint"},
    {"cvta.<SPACE>.(u64|u32)", "= cvta"},
    {"cvta.to.<SPACE>.(u64|u32)", "= cvta_to"},
    {"mapa.<shared::cluster>?.(u32|u64)", "= mapa"},
    {"getctarank.<shared::cluster>?.(u32|u64)", "= getctarank"},
    {"isspacep.<SPACE>", "= isspacep"},
    {"createpolicy.fractional.(CACHE).(CACHE)?.b64", "= policy"},
    {"createpolicy.range.(global)?.(CACHE).(CACHE)?.b64", "= policy"},
    // ---- warps, blocks and fences (ptx/sync.h)
    {"shfl.sync.<up|down|bfly|idx>.b32", "= shfl"},
    {"vote.sync.<all|any|uni|ballot>.(pred|b32)", "= vote"},
    {"match.<any|all>.sync.<TYPE>", "= match"},
    {"redux.sync.<add|min|max|and|or|xor>.<TYPE>", "= redux"},
    {"activemask.b32", "= activemask"},
    {"elect.sync", "elect"},
    {"bar.sync", "bar_sync"},
    {"barrier.sync.(aligned)?", "bar_sync"},
    {"barrier.cta.sync.(aligned)?", "bar_sync"},
    {"bar.arrive", "bar_arrive"},
    {"barrier.arrive.(aligned)?", "bar_arrive"},
    {"barrier.cta.arrive.(aligned)?", "bar_arrive"},
    {"(bar|barrier).red.popc.(aligned)?.u32", "= bar_red_popc"},
    {"(bar|barrier).red.and.(aligned)?.pred", "= bar_red_and"},
    {"(bar|barrier).red.or.(aligned)?.pred", "= bar_red_or"},
    {"barrier.cta.red.popc.(aligned)?.u32", "= bar_red_popc"},
    {"barrier.cta.red.and.(aligned)?.pred", "= bar_red_and"},
    {"barrier.cta.red.or.(aligned)?.pred", "= bar_red_or"},
    {"bar.warp.sync", "bar_warp"},
    {"membar.<cta|gl|sys>", "membar"},
    {"fence.(sc|acq_rel|acquire|release)?.<cta|cluster|gpu|sys>", "fence"},
    {"fence.mbarrier_init.release.cluster", "fence_mbarrier_init"},
    {"fence.proxy.async.(global|shared::cta|shared::cluster|shared)?", "fence_proxy_async"},
    {"fence.proxy.alias", "fence_proxy_alias"},
    {"fence.proxy.tensormap::generic.(acquire|release|acq_rel)." SCOPE, "fence_proxy_alias"},
    {"griddepcontrol.(wait|launch_dependents)", "no_op"},
    {"setmaxnreg.(inc|dec).sync.aligned.u32", "setmaxnreg"},
    {"nanosleep.u32", "nanosleep"},
    {"trap", "trap"},
    {"brkpt", "no_op"},
    {"pmevent", "hint"},
    {"st.async.(weak)?.(shared::cluster)?.mbarrier::complete_tx::bytes.(shared::cluster)?.<v2|v4>?.<TYPE>", "st_async"},
    {"barrier.cluster.arrive.(release|relaxed)?.(aligned)?", "cluster_arrive"},
    {"barrier.cluster.wait.(acquire)?.(aligned)?", "cluster_wait"},
    // ---- matrices (ptx/matrix.h)
    {"ldmatrix.sync.aligned.m8n8.<x1|x2|x4>.<trans>?.(shared|shared::cta)?.b16", "ldmatrix"},
    {"ldmatrix.sync.aligned.<x1|x2|x4>.<trans>?.m8n8.(shared|shared::cta)?.b16", "ldmatrix"},  // ptxas takes it, too
    {"stmatrix.sync.aligned.m8n8.<x1|x2|x4>.<trans>?.(shared|shared::cta)?.b16", "stmatrix"},
    {"mma.sync.aligned.<SHAPE>.row.col.<TYPE>.<TYPE>.<TYPE>.<TYPE>", "mma"},
    {"movmatrix.sync.aligned.m8n8.trans.b16", "= movmatrix"},
    {"wmma.load.a.sync.(aligned)?.<row|col>.<SHAPE>.<SPACE>?.<TYPE>", "warp_load_a"},
    {"wmma.load.b.sync.(aligned)?.<row|col>.<SHAPE>.<SPACE>?.<TYPE>", "warp_load_b"},
    {"wmma.load.c.sync.(aligned)?.<row|col>.<SHAPE>.<SPACE>?.<TYPE>", "warp_load_c"},
    {"wmma.store.d.sync.(aligned)?.<row|col>.<SHAPE>.<SPACE>?.<TYPE>", "warp_store"},
    {"wmma.mma.sync.(aligned)?.(row|col).(row|col).<SHAPE>.<f32|f16>.<f32|f16>", "warp_mma_half"},
    {"wmma.mma.sync.(aligned)?.(row|col).(row|col).<SHAPE>.<f32|s32>.<TYPE>.<TYPE>.<f32|s32>.<satfinite>?", "warp_mma"},
    // ---- copies in the background (ptx/async.h)
    {"cp.async.(ca|cg).(shared|shared::cta).global.(CACHE)?.(CACHE)?", "cp_async"},
    {"cp.async.commit_group", "cp_async_commit"},
    {"cp.async.wait_group", "cp_async_wait"},
    {"cp.async.wait_all", "cp_async_wait_all"},
    {"cp.async.mbarrier.arrive.<noinc>?." WHERE ".b64", "cp_async_arrive"},
    {"mbarrier.init." WHERE ".b64", "mbarrier_init"},
    {"mbarrier.inval." WHERE ".b64", "mbarrier_inval"},
    {"mbarrier.arrive." ARRIVE, "= mbarrier_arrive"},
    {"mbarrier.arrive.expect_tx." ARRIVE, "= mbarrier_arrive_expect"},
    {"mbarrier.arrive_drop." ARRIVE, "= mbarrier_drop"},
    {"mbarrier.expect_tx." ARRIVE, "mbarrier_expect"},
    {"mbarrier.complete_tx." ARRIVE, "mbarrier_complete"},
    {"mbarrier.try_wait.<parity>?." ARRIVE, "= mbarrier_try"},
    {"mbarrier.test_wait.<parity>?." ARRIVE, "= mbarrier_test"},
    {"cp.async.bulk.<shared::cluster|shared::cta>.global.mbarrier::complete_tx::bytes." HINT, "bulk_load"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster." HINT, "bulk_multicast"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "bulk_between"},
    {"cp.async.bulk.global.shared::cta.bulk_group." HINT, "bulk_store"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group." HINT "." OPERATION ".(noftz)?.<TYPE>", "bulk_reduce"},
    {"cp.async.bulk.commit_group", "bulk_commit"},
    {"cp.async.bulk.wait_group.(read)?", "bulk_wait"},
    {"cp.async.bulk.prefetch.L2.global." HINT, "hint"},
    // ---- tensors
    {"cp.async.bulk.tensor." RANK ".(shared::cluster|shared::cta).global.(tile)?.mbarrier::complete_tx::bytes." HINT,
     "tensor_load"},
    {"cp.async.bulk.tensor." RANK
     ".shared::cluster.global.(tile)?.mbarrier::complete_tx::bytes.multicast::cluster." HINT,
     "tensor_multicast"},
    {"cp.async.bulk.tensor." RANK ".global.shared::cta.(tile)?.bulk_group." HINT, "tensor_store"},
    {"cp.reduce.async.bulk.tensor." RANK ".global.shared::cta." OPERATION ".(tile)?.bulk_group." HINT, "tensor_reduce"},
    {"cp.async.bulk.prefetch.tensor." RANK ".L2.global.(tile)?." HINT, "tensor_prefetch"},
    // ---- products of a warpgroup (ptx/wgmma.h)
    {"wgmma.mma_async.sync.aligned.<SHAPE>.<TYPE>.<TYPE>.<TYPE>", "wgmma"},
    {"wgmma.fence.sync.aligned", "wgmma_fence"},
    {"wgmma.commit_group.sync.aligned", "wgmma_commit"},
    {"wgmma.wait_group.sync.aligned", "wgmma_wait"},
};

enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

static const struct {
    const char *name, *type;
} types[] = {
    {"pred", "bool"},     {"b8", "uint8_t"},   {"u8", "uint8_t"},   {"s8", "int8_t"},      {"b16", "uint16_t"},
    {"u16", "uint16_t"},  {"s16", "int16_t"},  {"f16", "uint16_t"}, {"bf16", "uint16_t"},  {"b32", "uint32_t"},
    {"u32", "uint32_t"},  {"s32", "int32_t"},  {"f32", "float"},    {"f16x2", "uint32_t"}, {"bf16x2", "uint32_t"},
    {"tf32", "uint32_t"}, {"b64", "uint64_t"}, {"u64", "uint64_t"}, {"s64", "int64_t"},    {"f64", "double"},
};
static const char *const spaces[] = {"global", "shared", "shared::cta", "shared::cluster",
                                     "local",  "const",  "param",       NULL};

const char *ptx_type(const char *name, int length) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((int)strlen(types[i].name) == length && !strncmp(types[i].name, name, (size_t)length)) return types[i].type;
    return NULL;
}

const char *ptx_special_register(const char *name, int length) {
    static const struct {
        const char *name, *value;
    } registers[] = {
        {"laneid", "simt::ptx::lane()"},
        {"warpid", "simt::ptx::warp()"},
        {"nwarpid", "simt::ptx::imm(64)"},
        {"WARP_SZ", "simt::ptx::imm(32)"},
        {"tid.x", "simt::ptx::imm(simt::thread_idx().x)"},
        {"tid.y", "simt::ptx::imm(simt::thread_idx().y)"},
        {"tid.z", "simt::ptx::imm(simt::thread_idx().z)"},
        {"ntid.x", "simt::ptx::imm(simt::block_dim().x)"},
        {"ntid.y", "simt::ptx::imm(simt::block_dim().y)"},
        {"ntid.z", "simt::ptx::imm(simt::block_dim().z)"},
        {"ctaid.x", "simt::ptx::imm(simt::block_idx().x)"},
        {"ctaid.y", "simt::ptx::imm(simt::block_idx().y)"},
        {"ctaid.z", "simt::ptx::imm(simt::block_idx().z)"},
        {"nctaid.x", "simt::ptx::imm(simt::grid_dim().x)"},
        {"nctaid.y", "simt::ptx::imm(simt::grid_dim().y)"},
        {"nctaid.z", "simt::ptx::imm(simt::grid_dim().z)"},
        {"smid", "simt::ptx::multiprocessor()"},
        {"nsmid", "simt::ptx::multiprocessors()"},
        {"gridid", "simt::ptx::imm(1)"},
        {"clock", "simt::ptx::imm((uint32_t)simt_clock())"},
        {"clock64", "simt::ptx::imm(simt_clock())"},
        {"clock_hi", "simt::ptx::imm((uint32_t)(simt_clock() >> 32))"},
        {"globaltimer", "simt::ptx::imm(simt_globaltimer())"},
        {"globaltimer_lo", "simt::ptx::imm((uint32_t)simt_globaltimer())"},
        {"globaltimer_hi", "simt::ptx::imm((uint32_t)(simt_globaltimer() >> 32))"},
        {"lanemask_eq", "simt::ptx::lane_mask(0, 1)"},
        {"lanemask_lt", "simt::ptx::lane_mask(-1, 0)"},
        {"lanemask_le", "simt::ptx::lane_mask(-1, 1)"},
        {"lanemask_gt", "simt::ptx::lane_mask(1, 0)"},
        {"lanemask_ge", "simt::ptx::lane_mask(1, 1)"},
        {"cluster_ctarank", "simt::ptx::imm(simt_cluster_rank())"},
        {"cluster_nctarank", "simt::ptx::cluster_blocks()"},
        {"cluster_nctaid.x", "simt::ptx::imm(simt_cluster_dim().x)"},
        {"cluster_nctaid.y", "simt::ptx::imm(simt_cluster_dim().y)"},
        {"cluster_nctaid.z", "simt::ptx::imm(simt_cluster_dim().z)"},
        {"cluster_ctaid.x", "simt::ptx::imm(simt::block_idx().x % simt_cluster_dim().x)"},
        {"cluster_ctaid.y", "simt::ptx::imm(simt::block_idx().y % simt_cluster_dim().y)"},
        {"cluster_ctaid.z", "simt::ptx::imm(simt::block_idx().z % simt_cluster_dim().z)"},
        {"clusterid.x", "simt::ptx::imm(simt::block_idx().x / simt_cluster_dim().x)"},
        {"clusterid.y", "simt::ptx::imm(simt::block_idx().y / simt_cluster_dim().y)"},
        {"clusterid.z", "simt::ptx::imm(simt::block_idx().z / simt_cluster_dim().z)"},
        {"nclusterid.x", "simt::ptx::imm(simt::grid_dim().x / simt_cluster_dim().x)"},
        {"nclusterid.y", "simt::ptx::imm(simt::grid_dim().y / simt_cluster_dim().y)"},
        {"nclusterid.z", "simt::ptx::imm(simt::grid_dim().z / simt_cluster_dim().z)"},
        {"dynamic_smem_size", "simt::ptx::dynamic_bytes()"},
        {"total_smem_size", "simt::ptx::dynamic_bytes()"},
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if ((int)strlen(registers[i].name) == length && !strncmp(registers[i].name, name, (size_t)length))
            return registers[i].value;
    return NULL;
}

// ---- Patterns ----------------------------------------------------------------------------------------------------------

// The modifiers of an opcode: words between dots. mbarrier::complete_tx::bytes is one.
static int word_length(const char *p) { return (int)strcspn(p, "."); }

static bool equal(const char *p, int n, const char *word, int length) {
    return n == length && !memcmp(p, word, (size_t)n);
}

static bool is_shape(const char *p, int n) {
    return n > 5 && p[0] == 'm' && isdigit((unsigned char)p[1]) && memchr(p, 'n', (size_t)n) &&
           memchr(p, 'k', (size_t)n);
}

static bool word_matches(const char *p, int n, const char *word, int length) {
    if (equal(word, length, "TYPE", 4)) return ptx_type(p, n) != NULL;
    if (equal(word, length, "CACHE", 5)) return n > 4 && p[0] == 'L' && !memcmp(p + 2, "::", 2);
    if (equal(word, length, "SHAPE", 5)) return is_shape(p, n);
    for (int i = 0; equal(word, length, "SPACE", 5) && spaces[i]; i++)
        if (equal(p, n, spaces[i], (int)strlen(spaces[i]))) return true;
    return equal(p, n, word, length);
}

static bool one_of(const char *p, int n, const char *words, const char *end) {
    while (words < end) {
        const char *bar = memchr(words, '|', (size_t)(end - words));
        int length = (int)((bar ? bar : end) - words);
        if (word_matches(p, n, words, length)) return true;
        words += length + 1;
    }
    return false;
}

static const char *template_argument(unit *u, const char *p, int n) {
    if (is_shape(p, n)) {
        int size[3] = {0};
        sscanf(p, "m%dn%dk%d", &size[0], &size[1], &size[2]);
        return format(u, "simt::ptx::shape<%d, %d, %d>", size[0], size[1], size[2]);
    }
    char name[64];
    int k = 0;
    for (int i = 0; i < n && k < 62; i++)
        if (p[i] != ':')
            name[k++] = p[i];
        else if (p[i - 1] != ':')
            name[k++] = '_';
    name[k] = 0;
    static const char *const operations[] = {"add",  "min", "max", "and", "or", "xor",
                                             "exch", "cas", "inc", "dec", NULL};
    const char *prefix =
        isdigit((unsigned char)*name) || !strcmp(name, "const") || !strcmp(name, "volatile") ? "_" : "";
    for (int i = 0; operations[i]; i++)
        if (!strcmp(name, operations[i])) prefix = "op_";  // the functions of these names are arithmetic
    return format(u, "simt::ptx::%s%s", prefix, name);
}

// The template arguments when `opcode` fits, else NULL.
static const char *match_pattern(unit *u, const char *opcode, const char *pattern) {
    const char *arguments = "";
    while (*pattern) {
        int n = word_length(opcode);
        bool choice = *pattern == '(' || *pattern == '<';
        const char *words = pattern + choice, *end = words;
        end += choice ? (int)strcspn(words, *pattern == '(' ? ")" : ">") : word_length(words);
        bool captured = *pattern == '<', optional = choice && end[1] == '?';
        bool fits = n && one_of(opcode, n, words, end);
        if (!fits && !optional) return NULL;
        if (captured)
            arguments = format(u, "%s%s%s", arguments, *arguments ? ", " : "",
                               fits ? template_argument(u, opcode, n) : "simt::ptx::none");
        if (fits) opcode += n + (opcode[n] == '.');
        pattern = end + choice + optional;
        if (*pattern == '.') pattern++;
    }
    return *opcode ? NULL : arguments;
}

bool find_instruction(unit *u, const char *opcode, ptx_call *call) {
    for (int i = 0; i < INSTRUCTIONS; i++) {
        const char *arguments = match_pattern(u, opcode, instructions[i].pattern);
        if (!arguments) continue;
        const char *name = instructions[i].function;
        call->gives_value = *name == '=';
        call->function = name + (call->gives_value ? 2 : 0);
        call->arguments = *arguments ? format(u, "<%s>", arguments) : "";
        return true;
    }
    return false;
}
