#!/usr/bin/env python3
"""Task 3's rungs beside PyTorch on the CPU, float32: grader/ladder/measure_cpu.py NAME=LIBRARY.so ...

1, 2 and all threads. Rungs and PyTorch take turns, and a number is the median of the rounds' medians. On a machine that
others use, too, BEST=1 takes the least instead, and with one thread the processor's seconds instead of the clock's.
"""
import ctypes
import os
import sys
import time

import torch
import torch.nn.functional as F

ROUNDS, TURN = 3, 0.02  # a turn lasts so many seconds, and at least three calls
LENGTHS, DIMS = (128, 512, 1024, 4096), (64, 128)
FEW = ((1, 32, 4096), (1, 32, 16384), (8, 1, 4096))  # heads, queries, keys: for all threads, full
BEST = "BEST" in os.environ
middle = min if BEST else lambda x: sorted(x)[len(x) // 2]


class Shape(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in ("batch", "heads", "seq_q", "seq_kv", "head_dim", "causal")]


class Tiles(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in ("Br", "Bc")]


def rung(path):
    attn_tiled = ctypes.CDLL(path).attn_tiled

    def call(q, k, v, causal):
        o, (b, h, s, d) = torch.empty_like(q), q.shape
        keys = k.shape[2]
        pointers = (ctypes.c_void_p(t.data_ptr()) for t in (o, q, k, v))
        assert attn_tiled(*pointers, Shape(b, h, s, keys, d, causal), Tiles(0, 0)) == 0, path
        return o

    return call


def pytorch(q, k, v, causal):
    return F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))


def error(call, scale):
    worst = 0
    for b, h, s, d, causal in ((2, 4, 128, 64, 0), (1, 2, 512, 64, 1), (1, 3, 131, 96, 1), (2, 2, 300, 128, 0)):
        q, k, v = (torch.randn(b, h, s, d) * x for x in (scale, scale, 1))
        want = pytorch(q.double(), k.double(), v.double(), causal)
        worst = max(worst, (call(q, k, v, causal).double() - want).abs().max().item())
    return worst


def turn(run, clock):
    """Seconds of a call, the median of a turn. What runs before warms up, until no thread of another turn spins."""
    start, times = time.perf_counter(), []
    while len(times) < 3 or time.perf_counter() - start < TURN:
        t = clock()
        run()
        times.append(clock() - t)
    return middle(times[len(times) // 3:])


def measure(paths, threads=(1, 2, len(os.sched_getaffinity(0))), lengths=LENGTHS, dims=DIMS):
    calls = {"PyTorch": pytorch, **{n: rung(p) for n, p in paths.items()}}
    gomp = ctypes.CDLL("libgomp.so.1")
    r = {"errors": {n: [error(c, 1), error(c, 16)] for n, c in calls.items()}, "cells": []}
    cells = [(t, 8 if s < 4096 or t > 2 else 1, s, s, d, c)
             for t in sorted(set(threads)) for d in dims for s in lengths for c in (0, 1)]
    cells += [(max(threads), *few, d, 0) for d in dims for few in FEW]
    with torch.inference_mode():
        for t, h, s, keys, d, causal in cells:
            torch.set_num_threads(t), gomp.omp_set_num_threads(t)
            q, k, v = (torch.randn(1, h, n, d) for n in (s, keys, keys))
            clock = time.thread_time if BEST and t == 1 else time.perf_counter
            rounds = [{n: turn(lambda: c(q, k, v, causal), clock) for n, c in calls.items()} for _ in range(ROUNDS)]
            times = {n: middle([x[n] for x in rounds]) for n in calls}
            r["cells"].append({"threads": t, "shape": (1, h, s, keys, d, causal), "seconds": times})
    return r


def flops(b, h, s, keys, d, causal):
    return 4 * b * h * d * (s * (s + 1) // 2 if causal else s * keys)


def tables(r):
    names = list(r["cells"][0]["seconds"])
    yield "\n## Task 3, on the CPU: GFLOP/s in float32, and beside it the ratio to PyTorch\n"
    yield "B = 1.\n\n| threads | H | D | queries | keys | mask | " + " | ".join(names) + " |"
    yield "|---|---|---|---|---|---|" + "---|" * len(names)
    for c in r["cells"]:
        _, h, s, keys, d, causal = c["shape"]
        base, work = c["seconds"]["PyTorch"], flops(*c["shape"])
        cells = (f"{work / t / 1e9:.0f} ({base / t:.2f}x)" for t in c["seconds"].values())
        row = (c["threads"], h, d, s, keys, "causal" if causal else "full", *cells)
        yield "| " + " | ".join(map(str, row)) + " |"
    said = "; ".join(f"{n} {plain:.1e}, {large:.1e}" for n, (plain, large) in r["errors"].items())
    yield f"\nLargest error against float64, N(0, 1), then with Q and K times 16: {said}."


def plot(r, axis):
    threads = max(c["threads"] for c in r["cells"])
    cells = [c for c in r["cells"] if c["threads"] == threads and c["shape"][2] > 32 and list(c["shape"][4:]) == [64, 0]]
    for name in cells[0]["seconds"]:
        rates = [flops(*c["shape"]) / c["seconds"][name] / 1e9 for c in cells]
        style = {"ls": ":", "c": "grey"} if name == "PyTorch" else {"marker": "o"}
        axis.plot([str(c["shape"][2]) for c in cells], rates, label=name, **style)
    axis.set_title(f"Task 3: D = 64, full, {threads} threads of the CPU"), axis.set_xlabel("S")
    axis.set_ylabel("GFLOP/s"), axis.set_ylim(0)


if __name__ == "__main__":
    print("\n".join(tables(measure(dict(s.split("=", 1) for s in sys.argv[1:])))))
