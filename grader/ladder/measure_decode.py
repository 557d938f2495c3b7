"""Rung 12: decoding, float32 and float16, tested against float64 and measured beside cuDNN, PyTorch and split_kv, and
beside the rate of a plain copy in the same run."""
import ctypes

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from measure import graph_seconds, seconds, turns

TYPES = {"fp32": (torch.float32, "attn_decode_f32", SDPBackend.EFFICIENT_ATTENTION, "PyTorch fp32"),
         "fp16": (torch.float16, "attn_decode_f16", SDPBackend.CUDNN_ATTENTION, "cuDNN fp16")}
SHAPES = ((1, 1, 1, 8), (1, 8, 1024, 64), (2, 3, 77, 40), (4, 5, 1000, 128), (1, 1, 5000, 96), (16, 32, 700, 64),
          (40, 7, 90, 64), (60, 7, 90, 64), (1, 32, 1300, 128), (2, 32, 650, 128), (5, 30, 400, 128), (2, 64, 400, 128),
          (2, 32, 4096, 128), (7, 32, 1030, 128), (2, 64, 4097, 64), (4, 16, 7000, 72))
CELLS = [(1, 8, 1024, 64), (1, 8, 16384, 64)] + [(b, 32, s, 128) for b in (1, 16) for s in (1024, 4096, 16384, 65536)]


class Cache(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in ("batch", "heads", "max_seq", "head_dim")]


def caller(path, entry, *splits):
    """f(q, k, v, lengths, workspace) of a library's entry point. splits: what attn_decode_split takes besides."""
    function = getattr(ctypes.CDLL(path), entry)

    def call(q, k, v, lengths, workspace):
        o = torch.empty_like(q)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        status = function(*(ctypes.c_void_p(t.data_ptr()) for t in (o, q, k, v, lengths, workspace)), *splits,
                          Cache(*k.shape), stream)
        assert status == 0, (path, status)
        return o

    return call


def workspace(b, h, d):
    """Enough for DECODE_WORKSPACE and for ATTN_SPLIT_FLOATS."""
    return torch.zeros(8 * b * h + 8 * 1024 * (d + 2) + 4 * b * h * 64 * (d + 2), dtype=torch.uint8, device="cuda")


def errors(call, name, dtype):
    """The largest error, N(0, 1), then Q and K times 16; of full caches, and of ragged ones with NaN beyond the end."""
    result = []
    for scale, allowed in ((1, 1e-5), (16, 1e-3)) if dtype == torch.float32 else ((1, 4e-3), (16, 4e-3)):
        worst = 0
        for b, h, s, d in SHAPES:
            for full in (True, False):
                q, k, v = ((torch.randn(b, h, n, d, device="cuda") * x).to(dtype)
                           for n, x in ((1, scale), (s, scale), (s, 1)))
                lengths = torch.full((b,), s) if full else torch.randint(0, s + 1, (b,))
                lengths = lengths.to(torch.int32).cuda()
                dead = (torch.arange(s, device="cuda") >= lengths[:, None])[:, None, None, :]
                scores = (q.double() @ k.double().transpose(-1, -2) / d**0.5).masked_fill(dead, -torch.inf)
                want = torch.nan_to_num(scores.softmax(-1)) @ v.double()  # without keys: 0
                for t in (k, v): t.masked_fill_(dead.transpose(-1, -2), torch.nan)
                room = workspace(b, h, d)
                for _ in range(2):  # the second call finds the workspace as the first one left it
                    error = (call(q, k, v, lengths, room).double() - want).abs().max().item()
                    if not error <= allowed: raise SystemExit(f"{name}: {(b, h, s, d, full, scale)}: {error}")
                    worst = max(worst, error)
        result.append(worst)
    return result


def measure(paths):
    x = torch.empty(1 << 31, dtype=torch.uint8, device="cuda")
    y = torch.empty_like(x)
    r = {"copy": 2 * x.numel() / seconds(lambda: y.copy_(x)), "errors": {}, "cells": []}
    del x, y
    for name, (dtype, entry, backend, peer) in TYPES.items():
        calls = {f"12_decode {name}": caller(paths["12_decode"], entry)}
        if name == "fp32": calls["split_kv fp32"] = caller(paths["split_kv"], "attn_decode_split", 0)
        for n, call in calls.items(): r["errors"][n] = errors(call, n, dtype)
        for b, h, s, d in CELLS:
            k, v = (torch.empty(b, h, s, d, device="cuda", dtype=dtype).normal_() for _ in range(2))
            q, room = torch.randn(b, h, 1, d, device="cuda").to(dtype), workspace(b, h, d)
            lengths = torch.full((b,), s, dtype=torch.int32, device="cuda")

            def other():
                with sdpa_kernel(backend): F.scaled_dot_product_attention(q, k, v)

            runs = {n: lambda c=c: c(q, k, v, lengths, room) for n, c in calls.items()}
            bytes = 2 * k.numel() * k.element_size()
            if name == "fp16" or bytes < 1e10: runs[peer] = other  # PyTorch's fp32 is ten times as slow
            times = turns(runs, lambda run: graph_seconds(run, max(2, min(50, int(2e9 / bytes)))))
            r["cells"].append({"shape": [b, h, s, d], "bytes": bytes, "type": name, "seconds": times})
            del k, v
    return r


def tables(r):
    yield "\n## Decoding, one query: TB/s of K and V read, microseconds in brackets, in a CUDA graph\n"
    yield f"A copy in the same run: {r['copy'] / 1e12:.2f} TB/s, read and written. K and V of up to 50 MB stay in L2.\n"
    yield "| B | H | D | keys | 12_decode fp16 | cuDNN fp16 | 12_decode fp32 | split_kv fp32 | PyTorch fp32 |"
    yield "|---|---|---|---|---|---|---|---|---|"
    names = ("12_decode fp16", "cuDNN fp16", "12_decode fp32", "split_kv fp32", "PyTorch fp32")
    for shape in CELLS:
        text = {}
        for c in r["cells"]:
            if c["shape"] == list(shape):
                text |= {n: f"{c['bytes'] / t / 1e12:.2f} ({t * 1e6:.1f})" for n, t in c["seconds"].items()}
        b, h, s, d = shape
        yield f"| {b} | {h} | {d} | {s} | " + " | ".join(text.get(n, "-") for n in names) + " |"
    yield "\nLargest error against float64 on the same inputs, full caches and ragged ones:\n"
    yield "| | N(0, 1) | Q and K times 16 |\n|---|---|---|"
    for name, e in r["errors"].items(): yield f"| {name} | " + " | ".join(f"{x:.1e}" for x in e) + " |"


def plot(r, axis):
    for b, mark in ((1, "o"), (16, "s")):
        for name, style in (("12_decode fp16", "C0-"), ("12_decode fp32", "C1-"), ("cuDNN fp16", "C0:")):
            cells = [c for c in r["cells"] if c["shape"][0] == b and c["shape"][3] == 128 and name in c["seconds"]]
            rates = [c["bytes"] / c["seconds"][name] / 1e12 for c in cells]
            axis.plot([str(c["shape"][2]) for c in cells], rates, mark + style, label=f"{name}, B = {b}")
    axis.axhline(r["copy"] / 1e12, ls="-.", c="grey", label="copy, read + write")
    axis.set_title("decoding, H = 32, D = 128"), axis.set_xlabel("keys"), axis.set_ylabel("TB/s"), axis.set_ylim(0)
