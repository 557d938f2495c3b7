"""Rung 11: float16 and bfloat16 in and out. Its contract is not a task's, so that no claims of the lab hold it: this
file tests it, against float64 on the same 16-bit inputs, and measures it beside cuDNN and PyTorch's flash kernel, and
beside FlashAttention-3 where the package fa3-fwd is there. Calls are in a CUDA graph: a peer's way through PyTorch takes
a host longer than the smallest shapes take the device."""
import torch
from torch.nn.attention import SDPBackend

from measure import flops, graph_seconds, oracle, peer, rung, turns

try:
    import fa3_fwd_interface as fa3  # it has bfloat16 alone
except ImportError:
    fa3 = None

TYPES = {"fp16": (torch.float16, "attn_flash_f16", 1e-3), "bf16": (torch.bfloat16, "attn_flash_bf16", 8e-3)}
SHAPES = ((1, 1, 64, 64), (1, 1, 1, 1), (2, 2, 5, 7), (1, 2, 97, 64), (2, 2, 17, 77), (2, 2, 65, 65), (1, 2, 65, 129),
          (3, 2, 160, 224), (1, 2, 1000, 1300), (1, 8, 1024, 1024), (3, 50, 300, 300), (1, 1, 700, 2049))
LENGTHS = (1024, 2048, 4096, 8192, 16384)


def inputs(b, h, n, m, d, scale, dtype):
    return [(torch.randn(b, h, s, d, device="cuda") * x).to(dtype) for s, x in ((n, scale), (m, scale), (m, 1))]


def errors(call, name, dtype, allowed, dims=(8, 40, 64, 96, 128)):
    """The largest error, and the largest |out - want| / |want|, N(0, 1) and with Q and K times 16."""
    result = []
    for scale in (1, 16):
        worst = relative = 0
        for b, h, n, m in SHAPES:
            for d in dims:
                for causal in (0, 1) if n <= m else (0,):
                    q, k, v = inputs(b, h, n, m, d, scale, dtype)
                    want, got = oracle(q, k, v, causal), call(q, k, v, causal).double()
                    error = ((got - want).norm() / want.norm()).item()
                    if not error <= allowed: raise SystemExit(f"{name}: {(b, h, n, m, d, causal, scale)}: {error}")
                    worst, relative = max(worst, (got - want).abs().max().item()), max(relative, error)
        result += [worst, relative]
    return result


def measure(path):
    cudnn, flash = peer([SDPBackend.CUDNN_ATTENTION]), peer([SDPBackend.FLASH_ATTENTION])
    r = {"errors": {}, "cells": []}
    for name, (dtype, entry, allowed) in TYPES.items():
        r["errors"][f"11_half {name}"] = errors(rung(path, entry), name, dtype, allowed)
        takes = lambda q, k: q.shape[2] == k.shape[2] >= 64  # of the others, the oracle itself: no error
        other = lambda q, k, v, c: cudnn(q, k, v, c) if takes(q, k) else oracle(q, k, v, c)
        r["errors"][f"cuDNN {name}"] = errors(other, f"cuDNN {name}", dtype, 1, (64, 128))
    for d in (64, 128):
        for s in LENGTHS:
            for causal in (0, 1):
                shape, runs = [16384 // s, 2048 // d, s, d, causal], {}
                for name, (dtype, entry, _) in TYPES.items():
                    x = inputs(*shape[:2], s, s, d, 1, dtype)
                    runs[f"11_half {name}"] = lambda x=x, f=rung(path, entry), c=causal: f(*x, c)
                    runs[f"cuDNN {name}"] = lambda x=x, c=causal: cudnn(*x, c)
                    if name == "fp16": runs["flash fp16"] = lambda x=x, c=causal: flash(*x, c)
                    if name == "bf16" and fa3:  # in its own layout: [batch][row][head][dim]
                        y = [t.transpose(1, 2).contiguous() for t in x]
                        runs["FA3 bf16"] = lambda y=y, c=causal: fa3.flash_attn_func(*y, causal=bool(c))
                calls = max(2, int(3e12 / flops(*shape)))
                times = turns(runs, lambda run: graph_seconds(run, calls))
                r["cells"].append({"shape": shape, "flops": flops(*shape), "seconds": times})
    return r


def tables(r):
    yield "\n## Float16 and bfloat16 in and out: TFLOP/s, and beside it the ratio to cuDNN\n"
    names = list(r["cells"][0]["seconds"])
    yield "Shapes as above, in a CUDA graph. flash: PyTorch's FlashAttention-2. FA3: of the package fa3-fwd.\n"
    yield "| D | S | mask | " + " | ".join(names) + " |\n|---|---|---|" + "---|" * len(names)
    for c in r["cells"]:
        _, _, s, d, causal = c["shape"]
        t, rate = c["seconds"], {n: f"{c['flops'] / t / 1e12:.1f}" for n, t in c["seconds"].items()}
        for n in TYPES: rate[f"11_half {n}"] += f" ({t[f'cuDNN {n}'] / t[f'11_half {n}']:.2f}x)"
        yield f"| {d} | {s} | {'causal' if causal else 'full'} | " + " | ".join(rate.values()) + " |"
    yield "\nErrors against float64 on the same inputs: the largest, and |out - want| / |want|; the run fails above "
    yield "1e-3 (float16) and 8e-3 (bfloat16) of the latter. cuDNN: only where keys are as many as queries, 64 or more.\n"
    yield "| | N(0, 1): largest | relative | Q and K times 16: largest | relative |\n|---|---|---|---|---|"
    for name, e in r["errors"].items(): yield f"| {name} | " + " | ".join(f"{x:.1e}" for x in e) + " |"


def plot(r, axis):
    for d, colour in ((64, "C0"), (128, "C1")):
        for causal, mark in ((0, "o"), (1, "s")):
            cells = [c for c in r["cells"] if c["shape"][3:] == [d, causal]]
            for name, style in (("11_half fp16", "-"), ("cuDNN fp16", ":")):
                rates = [c["flops"] / c["seconds"][name] / 1e12 for c in cells]
                label = f"{name}, D = {d}, {'causal' if causal else 'full'}"
                axis.plot([str(c["shape"][2]) for c in cells], rates, mark + style, c=colour, label=label)
    axis.set_title("float16 in and out"), axis.set_xlabel("S"), axis.set_ylabel("TFLOP/s"), axis.set_ylim(0)
