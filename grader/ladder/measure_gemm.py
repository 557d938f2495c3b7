"""Task 2's rungs: their matrix products beside cuBLAS's in float32, in turns, on one GPU."""
import ctypes

import torch

from measure import seconds, turns

# batch, m, n, k, transposed: square ones, and the two products of attention at S = 2048
CELLS = [(1, n, n, n, t) for n in (1024, 2048, 4096, 8192) for t in (1, 0)] + [
    (2048 // d, 2048, *((2048, d, 1) if t else (d, 2048, 0))) for d in (64, 128) for t in (1, 0)]
SMALL = ((1, 1, 1, 1), (3, 128, 128, 64), (2, 131, 113, 97), (1, 512, 512, 512), (2, 300, 64, 1000), (40, 257, 300, 72))


def rung(path):
    library = ctypes.CDLL(path)

    def call(a, b, transposed):
        batch, m, k = a.shape
        n = b.shape[1 if transposed else 2]
        c = torch.empty(batch, m, n, device="cuda")
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        status = (library.attn_gemm_nt if transposed else library.attn_gemm_nn)(
            *(ctypes.c_void_p(t.data_ptr()) for t in (c, a, b)), batch, m, n, k, stream)
        assert status == 0, (path, status)
        return c

    return call


def cublas(a, b, transposed):
    return torch.bmm(a, b.transpose(1, 2) if transposed else b)


def operands(batch, m, n, k, transposed):
    return (torch.randn(batch, m, k, device="cuda"),
            torch.randn(batch, *((n, k) if transposed else (k, n)), device="cuda"))


def error(call):
    """The largest, over small shapes, N(0, 1), in units of sqrt(k)."""
    worst = 0
    for shape in SMALL:
        for transposed in (1, 0):
            a, b = operands(*shape, transposed)
            e = (call(a, b, transposed).double() - cublas(a.double(), b.double(), transposed)).abs().max().item()
            worst = max(worst, e / shape[3]**0.5) if e == e else float("nan")
    if not worst < 1e-4: raise SystemExit(f"a GEMM is wrong: {worst}")
    return worst


def measure(paths):
    torch.backends.cuda.matmul.allow_tf32 = False
    calls = {**{n: rung(p) for n, p in paths.items()}, "cuBLAS fp32": cublas}
    r = {"errors": {n: error(c) for n, c in calls.items()}, "cells": []}
    for shape in CELLS:
        a, b = operands(*shape)
        times = turns({n: lambda c=c: c(a, b, shape[4]) for n, c in calls.items()}, seconds)
        r["cells"].append({"shape": shape, "seconds": times})
    return r


def tables(r):
    names = list(r["cells"][0]["seconds"])
    yield "\n## Task 2: matrix products in float32, TFLOP/s, and beside it the ratio to cuBLAS\n"
    yield "| batch | m | n | k | B | " + " | ".join(names) + " |\n|---|---|---|---|---|" + "---|" * len(names)
    for c in r["cells"]:
        batch, m, n, k, transposed = c["shape"]
        base, flops = c["seconds"]["cuBLAS fp32"], 2 * batch * m * n * k
        cells = (f"{flops / t / 1e12:.1f} ({base / t:.2f}x)" for t in c["seconds"].values())
        yield f"| {batch} | {m} | {n} | {k} | {'transposed' if transposed else 'plain'} | " + " | ".join(cells) + " |"
    said = ", ".join(f"{n} {e:.1e}" for n, e in r["errors"].items())
    yield f"\nLargest error against float64, N(0, 1), over sqrt(k): {said}."


def plot(r, axis):
    squares = [c for c in r["cells"] if c["shape"][0] == 1 and c["shape"][4]]
    for name in squares[0]["seconds"]:
        rates = [2 * c["shape"][1]**3 / c["seconds"][name] / 1e12 for c in squares]
        style = {"ls": ":", "c": "grey"} if name.startswith("cuBLAS") else {"marker": "o"}
        axis.plot([str(c["shape"][1]) for c in squares], rates, label=name, **style)
    axis.set_title("Task 2: m = n = k, C = A B^T, float32 in and out")
    axis.set_ylabel("TFLOP/s"), axis.set_ylim(0, 160)  # room for the legend
