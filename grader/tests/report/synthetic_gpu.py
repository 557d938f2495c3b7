"""synthetic_gpu.py: made-up results of the CUDA tasks: timings by formula, counted traffic, profiles, a demo."""
from synthetic import add_speedups, case, shape

PEAK, READ, COPY = 60000.0, 4600.0, 4250.0  # GFLOP/s and GB/s of a synthetic GPU

# name: (share of the FMA peak for long sequences, does it store S x S, seconds before the first FLOP)
KERNELS = {"yours": (0.42, False, 4e-6), "task 2": (0.10, True, 12e-6), "cuBLAS chain": (0.33, True, 11e-6),
           "PyTorch": (0.58, False, 9e-6), "PyTorch math": (0.30, True, 25e-6),
           "simple": (0.2, False, 4e-6), "simple, one block per head": (0.2, False, 4e-6)}


def row(series, name, case_name, s, median, flops, size, **more):
    result = {"series": series, "case": case_name, "shape": s, "threads": None, "tiles": None, "implementation": name,
              "verdict": "PASSED", "runs": 30, "median_s": median, "iqr_s": median * 0.013, "flops": flops,
              "bytes": size, "extra_bytes": None, "speedup": None}
    return result | more


def skipped(r, verdict, why):
    return r | {"verdict": verdict, "runs": 0, "median_s": None, "iqr_s": None, "why": why}


def attention(series, name, case_name, s, naive=False, slower=1.0, blocks=None):
    share, stores, start = KERNELS["task 2" if naive and name == "yours" else name]
    bh, n, d = s["batch"] * s["heads"], s["seq_q"], s["head_dim"]
    pairs = n * (n + 1) // 2 if s["causal"] else n * n
    tensors, scores = 16 * bh * n * d, 4 * bh * n * n if stores else 0
    full = min(1, (blocks or bh * n / 64) / 264)  # how much of the GPU the blocks fill
    done = 4 * bh * d * (n * n if stores else pairs)
    median = start + slower * max(done / (share * full * (1.18 if d == 128 else 1) * PEAK * 1e9),
                                  (tensors + 4 * scores) / (READ * 0.85e9))
    return row(series, name, case_name, s, median, 4 * bh * pairs * d, tensors + 4 * scores)


def name_of(s):
    return f"S={s['seq_q']} {'causal' if s['causal'] else 'full'}"


def pairs(series, case, shapes, names, naive=False):
    """Full and causal. The longest sequence is too much for what stores S x S."""
    rows = []
    for s in (full | {"causal": causal} for full in shapes for causal in (False, True)):
        for name in names:
            r = attention(series, name, f"{case(s)}{name_of(s)}", s, naive)
            is_long = s["seq_q"] == 16384 and (naive and name == "yours" or KERNELS[name][1])
            rows.append(skipped(r, "SKIPPED", "over its time budget") if is_long else r)
    return rows


def seq(names, naive, longest):
    lengths = [n for n in (128, 512, 1024, 2048, 4096, 8192, 16384) if n <= longest]
    return pairs("seq", lambda s: "", [shape(sq=n) for n in lengths], names, naive)


def across(series, values, s_of, names, naive=False):
    return [attention(series, name, f"{series[0].upper()}={v}", s_of(v), naive) for v in values for name in names]


def widths():
    names = ("yours", "PyTorch")
    dims = [shape(16384 // n, 2048 // d, n, d=d) for d in (64, 128) for n in (1024, 4096, 16384)]
    return (pairs("speedups", lambda s: f"B{s['batch']} ", [shape(4, 32, 128, d=128), shape(16, 32, 4096, d=128)],
                  ("yours", "task 2", "cuBLAS chain", "PyTorch")) +
            across("heads", (1, 2, 4, 8, 16, 32), lambda h: shape(h=h, sq=1024), names) +
            across("batch", (1, 2, 4, 8, 16), lambda b: shape(b=b, sq=1024), names) +
            pairs("dim", lambda s: f"D={s['head_dim']} ", dims, names))


def kernels():
    """The naive chain's for B1 H8 S=1024 D64, with the shapes that they are called with."""
    rows, cells = [], 8 * 1024 * 1024
    for name, s, flops, size, rate in (
            ("GEMM_NT", shape(8, 1, 1024), 2 * cells * 64, 4 * (cells + 16 * 65536), 6000.0),
            ("softmax", shape(1, 1, 8192, 1024, 8), 4 * cells, 8 * cells, 1500.0),
            ("GEMM_NN", shape(8, 1, 1024, 64, 1024), 2 * cells * 64, 4 * (cells + 16 * 65536), 5000.0)):
        for implementation, slower in (("yours", 1), ("cuBLAS chain", 0.4)):
            rows.append(row("kernels", implementation, f"{name} S=1024", s, slower * flops / rate * 1e-9, flops, size))
    return rows


def tiles():
    rows, s = [], shape(h=32, sq=2048, d=128)
    for br in (16, 32, 64, 128, 256):
        for bc in (16, 32, 64, 128):
            slower = 1 + 0.35 * abs(br - 64) / 64 + 0.2 * abs(bc - 64) / 64
            r = attention("tiles", "yours", f"Br={br} Bc={bc}", s, slower=slower) | {"tiles": [br, bc]}
            shared = 4 * (br * 128 + 2 * bc * 132 + br * bc) // 1024
            if shared > 227:
                why = f"needs {shared} KB of shared memory; 227 KB are there"
                r = skipped(r, "LAUNCH_FAILURE", why)
            elif br == 256 and bc == 16:
                r = skipped(r, "LAUNCH_FAILURE", "the launch was refused: its shared memory (tiles of Q, K and V "
                            "alone: 144 KB), threads or registers are more than a block can have")
            elif br == 256:
                r = skipped(r, "SKIPPED", "needs 300 registers a thread; 255 are there")
            rows.append(r)
    return rows


def queries():
    rows = []
    for n in (256, 1024, 4096):
        s = shape(sq=n)
        rows.append(attention("queries", "yours", f"S={n}", s))
        rows.append(attention("queries", "simple", f"S={n}", s))
        rows.append(attention("queries", "simple, one block per head", f"S={n}", s, blocks=8))
    return rows


def graph(names):
    rows = [attention("graph", name, name_of(s), s) for s in (shape(sq=128), shape(sq=512)) for name in names]
    return [r | {"median_s": r["median_s"] * 0.7} for r in rows]


DECODERS = {"yours": (0.86, 40, 5e-6), "yours, split": (0.9, 1, 8e-6), "unsplit": (0.5, 60, 6e-6),
            "PyTorch": (0.4, 4, 16e-6), "PyTorch math": (0.45, 2, 30e-6)}


def decode(series, case_name, b, n, name):
    share, few, start = DECODERS[name]
    size = 8 * 32 * 128 * b * (n + 1)
    median = start + size / (READ * 1e9 * share * min(1, b * 32 / (8 * few)))
    return row(series, name, case_name, shape(b, 32, 1, n, 128), median, 4 * 32 * 128 * b * n, size)


def decoding():
    rows = [decode("kv", f"B{b} KV={n}", b, n, name) for b in (1, 16) for n in (1024, 4096, 16384, 65536)
            for name in DECODERS]
    rows += [decode("tokens", f"B={b}, 1024 + 100 tokens", b, 1074, name) for b in (1, 16) for name in DECODERS]
    return rows


def model():
    s, rows = shape(1, 16, 1024, 1024, 64), []
    for name, ttft, tbt, share in (("yours", 7.9e-3, 1.9e-3, 0.31), ("reference kernels", 6.2e-3, 1.5e-3, 0.22),
                                   ("no cache", 6.2e-3, 6.4e-3, 0.35), ("Hugging Face", 9.7e-3, 3.7e-3, None)):
        more = {} if share is None else {"attention_share": share}
        rows.append(row("model", name, "TTFT", s, ttft, 7.3e11, 1.2e9, tokens_per_s=1024 / ttft))
        rows.append(row("model", name, "TBT", shape(1, 16, 1, 1074, 64), tbt, 7.1e8, 1.4e9, tbt_p99_s=tbt * 1.08,
                        tokens_per_s=1 / tbt, **more))
        for n in (128, 256, 512, 1024, 2048):
            rising = 4 if name == "no cache" else 0.4
            rows.append(row("tbt", name, f"KV={n}", shape(1, 16, 1, n, 64), tbt * (0.6 + rising * n / 4096), 7.1e8,
                            1.2e9 + 2e5 * n))
    return rows


def counts(naive):
    rows, bh, d = [], 2, 64
    for n in (32, 64, 96, 128):
        tensor, scores, tile = 4 * bh * n * d, 4 * bh * n * n, 16 if naive else 32
        again, name = -(-n // tile), f"chain S={n}" if naive else f"S={n} full"
        sizes = [("O", 0, tensor, tensor), ("Q", tensor * (again if naive else 1), 0, tensor),
                 ("K", tensor * again, 0, tensor), ("V", tensor * again, 0, tensor)]
        sizes += [("scores", scores * (2 + 2 * d // 16), 3 * scores, 6 * scores)] if naive else [("other", 0, 0, 0)]
        for buffer, loaded, stored, least in sizes:
            rows.append({"case": name, "buffer": buffer, "bytes_loaded": loaded, "bytes_stored": stored,
                         "sectors": (loaded + stored) // 32 + (loaded // 64 if buffer == "K" else 0),
                         "bank_conflicts": 0, "least_bytes": least, "shape": shape(h=2, sq=n)})
        rows.append({"case": name, "buffer": "shared", "bytes_loaded": 0, "bytes_stored": 0, "sectors": 0,
                     "bank_conflicts": 12 * n, "least_bytes": 0, "shape": shape(h=2, sq=n)})
    return rows


def profile(names, gpu):
    rows = [{"kernel": name, "source": "ptxas", "registers": 40 + 60 * i, "spill_bytes": 8 * (i == 2),
             "shared_bytes": 4096 * (i + 1)} for i, (name, _, _) in enumerate(names)]
    for name, seconds, flops in names if gpu else ():
        rows.append({"kernel": name, "source": "ncu", "case": "S=1024 full", "shape": shape(sq=1024), "registers": 96,
                     "shared_bytes": 16384, "seconds": seconds, "dram_bytes": 9.5e6, "memory_pct": 61.5,
                     "sm_pct": 48.25, "occupancy_pct": 49.7, "bank_conflicts": 1200, "flops": flops})
    return rows


def task(number, title, timings, **more):
    cases = [case("ragged_last_tile_is_masked", "tiles", shape(h=3, sq=131)),
             case("large_logits_stay_finite", "tiles", shape(sq=64))]
    criteria = [{"name": "tiles", "kind": "correctness", "points": 3, "max_points": 3, "why": "2 of 2 cases"}]
    add_speedups(timings)
    return {"id": f"task{number}", "title": title, "verdict": "PASSED", "score": 3, "max_score": 3,
            "criteria": criteria, "cases": cases, "timings": timings, "counts": []} | more


def cuda_tasks(gpu=True):
    """Tasks 2, 4, 5 and 6: timed and profiled on a GPU, or only counted."""
    chain = ("yours", "cuBLAS chain", "PyTorch", "PyTorch math")
    fused = ("yours", "task 2", "cuBLAS chain", "PyTorch", "PyTorch math")
    names2 = [("gemm_nt_kernel", 1.8e-4, 1.07e9), ("softmax_kernel", 2.3e-5, 3.4e7), ("gemm_nn_kernel", 2.1e-4, 1.07e9)]
    names4 = [("flash_kernel<64>", 9.1e-5, 2.15e9)]
    demo = {"prompt": "Ann: 555-0134\nBob: 555-0178\nBob?", "text": "555-0178", "reference_text": "555-0178",
            "recall": {"asked": 400, "yours": 400, "reference": 400}}
    heads = across("heads", (1, 4, 16), lambda h: shape(h=h, sq=1024), ("yours", "PyTorch"), True)
    two = seq(chain, True, 4096) + heads + kernels()
    four = seq(fused, False, 16384) + widths() + tiles() + queries() + graph(("yours", "PyTorch"))
    note = {} if gpu else {"profile_note": "no ncu: there is no GPU here"}
    return [task(2, "Naive attention", two if gpu else [], counts=counts(True), profile=profile(names2, gpu), **note),
            task(4, "Flash attention", four if gpu else [], counts=counts(False), profile=profile(names4, gpu), **note),
            task(5, "Decoding", decoding() if gpu else [], profile=[],
                 profile_note="no permission: ERR_NVGPUCTRPERM" if gpu else "no ncu: there is no GPU here"),
            task(6, "The pipeline", model() if gpu else [], demo=demo)]
