#!/usr/bin/env python3
"""All rungs beside PyTorch and cuDNN, in one run on one GPU: grader/ladder/measure.py OUT NAME=LIBRARY.so ...

Writes OUT/ladder.json, OUT/ladder.md and OUT/ladder.png. Needs PyTorch with CUDA, and matplotlib for the plot. Rungs
and peers take turns, three rounds of each cell, so that heat and clocks are shared; a number is the median of rounds.
measure_half.py and measure_decode.py add what is not task 4: 16 bits in and out, and decoding; measure_gemm.py,
measure_cpu.py and measure_tokens.py add tasks 2, 3 and 6.
"""
import ctypes
import datetime
import json
import os
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

LENGTHS, SMALL, ROUNDS = (1024, 2048, 4096, 8192), (128, 512, 1024), 3
CLAIMS = ((2, 4, 128, 128, 64, 0), (1, 2, 512, 512, 64, 0), (2, 2, 65, 65, 64, 0), (1, 2, 65, 129, 64, 1),
          (1, 1, 32, 512, 64, 0), (2, 1, 131, 113, 96, 0), (1, 2, 128, 128, 128, 1))
MANY = ((16, 16, 100, 130, 64, 0), (16, 16, 300, 300, 128, 1))  # blocks: a rung may have another kernel for these


class Shape(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in ("batch", "heads", "seq_q", "seq_kv", "head_dim", "causal")]


def rung(path, entry="attn_flash"):
    attn_flash = getattr(ctypes.CDLL(path), entry)

    def call(q, k, v, causal):
        o = torch.empty_like(q)
        shape = Shape(q.shape[0], q.shape[1], q.shape[2], k.shape[2], q.shape[3], int(causal))
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        status = attn_flash(*(ctypes.c_void_p(t.data_ptr()) for t in (o, q, k, v)), shape, stream)
        assert status == 0, (path, status)
        return o

    return call


def peer(backend):
    def call(q, k, v, causal):
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))

    return call


def oracle(q, k, v, causal):
    s = q.double() @ k.double().transpose(-1, -2) / q.shape[-1]**0.5
    if causal:
        n, m = s.shape[-2:]
        s = s.masked_fill(torch.ones(n, m, device=s.device).triu(m - n + 1).bool(), -torch.inf)
    return s.softmax(-1) @ v.double()


def max_error(call, scale):
    """Over the shapes of some claims and two larger ones, five draws each. scale: of Q and K, as the claims on large logits have it."""
    worst = 0
    for b, h, n, m, d, causal in (CLAIMS + MANY) * 5:
        q, k, v = (torch.randn(b, h, s, d, device="cuda") * x for s, x in ((n, scale), (m, scale), (m, 1)))
        error = (call(q, k, v, causal).double() - oracle(q, k, v, causal)).abs().max().item()
        worst = max(worst, error) if error == error else float("nan")
    return worst


def median(x):
    return sorted(x)[len(x) // 2]


def seconds(run):
    """The median of calls between events, as many as fit into 30 ms, at least 2. As many before them warm up: without
    them a run that follows a cool one is up to 9 % faster than one that follows its like."""
    def once():
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record(), run(), b.record(), torch.cuda.synchronize()
        return a.elapsed_time(b) / 1e3

    once()
    n = max(2, min(20, int(0.03 / once())))
    for _ in range(n): run()
    return median([once() for _ in range(n)])


def graph_seconds(run, calls=50):
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    torch.cuda.synchronize()  # the other stream finds its inputs written
    with torch.cuda.stream(stream):
        run()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(calls): run()
    return seconds(graph.replay) / calls


def turns(runs, clock):
    """Seconds of each run, by name: they take turns, so that heat and clocks are shared."""
    times = [{name: clock(run) for name, run in runs.items()} for _ in range(ROUNDS)]
    return {name: median([t[name] for t in times]) for name in runs}


def flops(b, h, s, d, causal):
    return 4 * b * h * d * (s * (s + 1) // 2 if causal else s * s)


def cell(calls, shape, clock):
    b, h, s, d, causal = shape
    q, k, v = (torch.randn(b, h, s, d, device="cuda") for _ in range(3))
    half = [t.half() for t in (q, k, v)]
    runs = {n: lambda c=c, x=half if "fp16" in n else (q, k, v): c(*x, causal) for n, c in calls.items()}
    return {"shape": shape, "flops": flops(b, h, s, d, causal), "seconds": turns(runs, clock)}


def tables(r):
    names = list(r["long"][0]["seconds"])
    yield f"# The ladder, measured\n\n{r['gpu']}, {r['date']}, PyTorch {r['torch']}: one run of `make ladder`."
    yield "It wrote this page. Seconds are in ladder.json.\n\n![TFLOP/s of each rung](ladder.png)\n"
    yield "## TFLOP/s, and beside it the ratio to PyTorch's fp32\n\nB = 16384 / S, H = 32 for D = 64, 16 for D = 128.\n"
    yield "| D | S | mask | " + " | ".join(names) + " |\n|---|---|---|" + "---|" * len(names)
    for c in r["long"]:
        _, _, s, d, causal = c["shape"]
        base = c["seconds"]["PyTorch fp32"]
        cells = (f"{c['flops'] / t / 1e12:.1f} ({base / t:.2f}x)" for t in c["seconds"].values())
        yield f"| {d} | {s} | {'causal' if causal else 'full'} | " + " | ".join(cells) + " |"
    names = list(r["small"][0]["seconds"])
    yield "\n## Microseconds, B = 1, H = 8, D = 64, in a CUDA graph\n"
    yield "| S | mask | " + " | ".join(names) + " |\n|---|---|" + "---|" * len(names)
    for c in r["small"]:
        mask = "causal" if c["shape"][4] else "full"
        yield f"| {c['shape'][2]} | {mask} | " + " | ".join(f"{t * 1e6:.1f}" for t in c["seconds"].values()) + " |"
    yield "\n## Largest error against float64, shapes of claims of task 4 and two larger (allowed: 1e-3)\n"
    yield "| | N(0, 1) | Q and K times 16 |\n|---|---|---|"
    for name, (plain, large) in r["errors"].items(): yield f"| {name} | {plain:.1e} | {large:.1e} |"


def plot(r, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(3, 2, figsize=(11, 12.6))
    for axis, d in zip(axes[0], (64, 128)):
        cells = {c["shape"][4]: c for c in r["long"] if c["shape"][2:4] == [4096, d]}
        names = [n for n in cells[0]["seconds"] if n[0].isdigit() or n in ("answer", "outer_products")]
        for causal, mark in ((0, "o-"), (1, "s--")):
            rates = {n: cells[causal]["flops"] / t / 1e12 for n, t in cells[causal]["seconds"].items()}
            axis.plot(names, [rates[n] for n in names], mark, label="causal" if causal else "full")
        for peer_name, style in (("PyTorch fp32", ":"), ("cuBLAS chain", "-.")):
            axis.axhline(cells[0]["flops"] / cells[0]["seconds"][peer_name] / 1e12, ls=style, c="grey", label=peer_name)
        axis.set_title(f"D = {d}, S = 4096, float32 in and out"), axis.set_xticks(names, names, rotation=30, ha="right")
        axis.set_ylim(0, 215), axis.set_ylabel("TFLOP/s")
    measure_half.plot(r["half"], axes[1][0])
    measure_decode.plot(r["decode"], axes[1][1])
    measure_gemm.plot(r["gemm"], axes[2][0]), measure_cpu.plot(r["cpu"], axes[2][1])
    for axis in axes.flat: axis.legend(fontsize=8), axis.grid(alpha=0.3)
    figure.tight_layout(), figure.savefig(path, dpi=110)


def keep(out, r):
    """After each part: a machine that is taken away takes no more than one with it."""
    json.dump(r, open(f"{out}/ladder.json", "w"), indent=1)


def main(out, *stages):
    torch.backends.cuda.matmul.allow_tf32 = False
    paths = dict(s.split("=", 1) for s in stages)
    half, decode = paths.pop("11_half"), {n: paths.pop(n) for n in ("12_decode", "split_kv")}
    gemm, cpu, tokens = ({n[2:]: paths.pop(n) for n in list(paths) if n.startswith(task)} for task in ("2:", "3:", "6:"))
    rungs = {name: rung(path) for name, path in paths.items()}
    fp32, fp16 = peer([SDPBackend.EFFICIENT_ATTENTION]), peer([SDPBackend.CUDNN_ATTENTION])
    calls = {**rungs, "PyTorch fp32": fp32, "cuBLAS chain": peer([SDPBackend.MATH]), "cuDNN fp16": fp16}
    r = {"gpu": torch.cuda.get_device_name(), "date": str(datetime.date.today()), "torch": torch.__version__}
    os.makedirs(out, exist_ok=True)
    r["errors"] = {n: [max_error(c, 1), max_error(c, 16)] for n, c in rungs.items()}
    driver, program = tokens.pop("driver"), tokens.pop("program")
    r["tokens"] = measure_tokens.measure(tokens, driver, program, paths["10_small_shapes"], decode["split_kv"])
    small = {n: c for n, c in calls.items() if n != "cuBLAS chain"}
    r["small"] = [cell(small, [1, 8, s, 64, c], graph_seconds) for s in SMALL for c in (0, 1)]
    keep(out, r)
    r["half"], r["decode"] = measure_half.measure(half), measure_decode.measure(decode)
    keep(out, r)
    shapes = [[16384 // s, 2048 // d, s, d, c] for d in (64, 128) for s in LENGTHS for c in (0, 1)]
    r["long"] = [cell(calls, shape, seconds) for shape in shapes]
    keep(out, r)
    r["gemm"], r["cpu"] = measure_gemm.measure(gemm), measure_cpu.measure(cpu)
    keep(out, r)
    pages = [*tables(r), *measure_half.tables(r["half"]), *measure_decode.tables(r["decode"]),
             *measure_gemm.tables(r["gemm"]), *measure_cpu.tables(r["cpu"]),
             *measure_tokens.tables(r["tokens"])]
    open(f"{out}/ladder.md", "w").write("\n".join(pages) + "\n")
    plot(r, f"{out}/ladder.png")


if __name__ == "__main__":
    sys.modules["measure"] = sys.modules["__main__"]  # some of the others import this one
    import measure_cpu
    import measure_decode
    import measure_gemm
    import measure_half
    import measure_tokens
    main(*sys.argv[1:])
