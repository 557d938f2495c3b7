#!/usr/bin/env python3
"""PyTorch's scaled_dot_product_attention as a runner: it speaks grader/run/protocol.h in place of a C stage.

Descriptors: 3 requests, 4 replies, 5 the arena. Exits with 3 when there is no torch.
"""
import mmap
import os
import struct
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(3)

MAGIC, OK, BAD_SHAPE = 0x4C41424E, 0, 1
REQUEST = struct.Struct("@4I6i2iIQQ8Q")
REPLY = struct.Struct("@IIiI")


def tensor(arena, offset, *shape):
    count = 1
    for extent in shape:
        count *= extent
    return torch.frombuffer(arena, dtype=torch.float32, count=count, offset=offset).view(*shape)


def attention(arena, offset, shape):
    batch, heads, seq_q, seq_kv, head_dim, causal = shape
    out = tensor(arena, offset[0], batch, heads, seq_q, head_dim)
    q = tensor(arena, offset[1], batch, heads, seq_q, head_dim)
    k = tensor(arena, offset[2], batch, heads, seq_kv, head_dim)
    v = tensor(arena, offset[3], batch, heads, seq_kv, head_dim)
    with torch.inference_mode():
        out.copy_(F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal)))


def main():
    threads = int(os.environ.get("OMP_NUM_THREADS", 0))
    if threads:
        torch.set_num_threads(threads)
    arena = mmap.mmap(5, os.fstat(5).st_size)
    os.write(4, REPLY.pack(MAGIC, 0, OK, 0))
    while len(message := os.read(3, REQUEST.size)) == REQUEST.size:
        _, serial, _, sets, *rest = REQUEST.unpack(message)
        shape, stride, offset = rest[:6], rest[10], rest[11:]
        # is_causal aligns top-left; with seq_q < seq_kv that is another function than the lab's.
        status = BAD_SHAPE if shape[5] and shape[2] != shape[3] else OK
        for i in range(sets if status == OK else 0):
            attention(arena, [o + i * stride for o in offset], shape)
        os.write(4, REPLY.pack(MAGIC, serial, status, sets))


main()
