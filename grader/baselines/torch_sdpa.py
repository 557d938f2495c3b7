#!/usr/bin/env python3
"""PyTorch's scaled_dot_product_attention as a runner: it speaks grader/run/protocol.h in place of a compiled stage.

    torch_sdpa.py                              on the CPU
    torch_sdpa.py cuda [math] FILL.so          on the GPU; math: that backend, else the one PyTorch chooses

Descriptors: 3 requests, 4 replies, 5 the arena. Exits with 3 when there is no torch, or no GPU that it can use.
FILL.so is grader/run/device_fill.cu: inputs are the same bits as in every other runner.
"""
import contextlib
import ctypes
import mmap
import os
import select
import struct
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(3)

MAGIC, OK, BAD_SHAPE, NO_MEMORY = 0x4C41424E, 0, 1, 2
SDPA, DECODE, TOKENS = "sdpa", "decode", "tokens"  # names of operations, grader/core/ops.h
LOAD, FILL, CAPTURE, RUN, STORE = 1, 2, 4, 8, 16
REQUEST = struct.Struct("@4I24s96s6i2i4I160s8QQQ8Q8Q3QQ")
REPLY = struct.Struct("@IIiII16i")


class Request:
    def __init__(self, message):
        f = REQUEST.unpack(message)
        _, self.serial, self.sets, self.steps = f[:4]
        self.op = f[4].rstrip(b"\0").decode()
        self.batch, self.heads, self.seq_q, self.seq_kv, self.head_dim, self.causal = f[6:12]
        self.length, self.bytes, self.stride = f[13], f[27], f[28]
        self.offset, self.key, self.part = f[29:37], f[37:45], f[45:48]

    def shapes(self):
        """Of the tensors, the output first."""
        b, h, d = self.batch, self.heads, self.head_dim
        q, kv, token = (b, h, self.seq_q, d), (b, h, self.seq_kv, d), (self.seq_q, b, h, d)
        return {SDPA: [q, q, kv, kv], DECODE: [(b, h, d), (b, h, d), kv, kv], TOKENS: [token] * 4 + [kv, kv]}[self.op]

    def where(self, tensor, index):
        return self.offset[tensor] + index * self.stride


def view(memory, offset, shape):
    count = torch.Size(shape).numel()
    if isinstance(memory, torch.Tensor):
        return memory[offset:offset + 4 * count].view(torch.float32).view(*shape)
    return torch.frombuffer(memory, dtype=torch.float32, count=count, offset=offset).view(*shape)


def attend(r, tensors):
    """The output of one set, in a tensor of its own."""
    if r.op == SDPA:
        _, q, k, v = tensors
        return F.scaled_dot_product_attention(q, k, v, is_causal=bool(r.causal))
    if r.op == DECODE:
        _, q, k, v = tensors
        return F.scaled_dot_product_attention(q.unsqueeze(2), k[:, :, :r.length], v[:, :, :r.length]).squeeze(2)
    _, q, k_new, v_new, k_cache, v_cache = tensors
    outputs = []
    for i in range(r.seq_q):
        at = r.length + i
        k_cache[:, :, at] = k_new[i]
        v_cache[:, :, at] = v_new[i]
        outputs.append(
            F.scaled_dot_product_attention(q[i].unsqueeze(2), k_cache[:, :, :at + 1], v_cache[:, :, :at + 1]))
    return torch.stack(outputs).squeeze(3)


class Memory:
    """The tensors on the CPU: the arena itself."""

    def __init__(self, arena):
        self.arena, self.graph, self.outputs = arena, None, []

    def prepare(self, r):
        self.base = self.arena

    def run(self, r):
        for i in range(r.sets):
            self.outputs.append(attend(r, [view(self.base, r.where(t, i), s) for t, s in enumerate(r.shapes())]))

    def store(self, r):
        for i, output in enumerate(self.outputs):
            view(self.arena, r.where(0, i), r.shapes()[0]).copy_(output)
        self.outputs = []


class DeviceMemory(Memory):
    def __init__(self, arena, fill):
        super().__init__(arena)
        self.base, self.library = None, ctypes.CDLL(fill)
        self.library.lab_fill_normal.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_uint64]

    def prepare(self, r):
        self.graph, self.outputs = None, []
        if self.base is None or self.base.numel() < r.bytes:
            self.base = None
            torch.cuda.empty_cache()
            self.base = torch.empty(r.bytes, dtype=torch.uint8, device="cuda")
        for i in range(r.sets if r.steps & FILL else 0):
            for t, shape in enumerate(r.shapes()[1:], 1):
                count = torch.Size(shape).numel()
                at = self.base.data_ptr() + r.where(t, i)
                self.library.lab_fill_normal(at, count, r.key[t], i * count)
        torch.cuda.synchronize()
        self.library.lab_flush_caches()

    def capture(self, r):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            super().run(r)
        self.graph = graph

    def run(self, r):
        if self.graph:
            self.graph.replay()
        else:
            super().run(r)
        torch.cuda.synchronize()

    def store(self, r):
        index, first, count = r.part
        at = r.where(0, index) + 4 * first
        view(self.arena, at, (count,)).copy_(self.outputs[index].reshape(-1)[first:first + count])
        self.graph, self.outputs = None, []
        if self.base.numel() > 2 << 30:
            self.base = None
        torch.cuda.empty_cache()


def serve(memory, r):
    # is_causal aligns top-left; with seq_q < seq_kv that is another function than the lab's.
    if r.op not in (SDPA, DECODE, TOKENS) or (r.causal and r.seq_q != r.seq_kv):
        return BAD_SHAPE
    try:
        if r.steps & (LOAD | FILL):
            memory.prepare(r)
        if r.steps & CAPTURE:
            memory.capture(r)
        if r.steps & RUN:
            memory.run(r)
        if r.steps & STORE:
            memory.store(r)
    except torch.OutOfMemoryError:
        memory.graph, memory.outputs, memory.base = None, [], None
        return NO_MEMORY
    return OK


def next_request(spin):
    """Before a timed step it asks again and again instead of sleeping, as runner.c does."""
    go = select.poll()
    go.register(3, select.POLLIN)
    for _ in range(20000 if spin else 0):
        if go.poll(0):
            break
    return os.read(3, REQUEST.size)


def main():
    threads = int(os.environ.get("OMP_NUM_THREADS", 0))
    if threads:
        torch.set_num_threads(threads)
    arena = mmap.mmap(5, os.fstat(5).st_size)
    on_gpu, math = "cuda" in sys.argv, "math" in sys.argv
    if on_gpu and not torch.cuda.is_available():
        sys.exit(3)
    memory = DeviceMemory(arena, sys.argv[-1]) if on_gpu else Memory(arena)
    kernel = contextlib.nullcontext()
    if math:
        kernel = torch.nn.attention.sdpa_kernel([torch.nn.attention.SDPBackend.MATH])
    spin = False
    os.write(4, REPLY.pack(MAGIC, 0, OK, 0, 0, *[0] * 16))
    with torch.inference_mode(), kernel:
        while len(message := next_request(spin)) == REQUEST.size:
            r = Request(message)
            status = serve(memory, r)
            spin = r.steps & (FILL | CAPTURE) and not r.steps & RUN
            os.write(4, REPLY.pack(MAGIC, r.serial, status, r.sets, 0, *[0] * 16))


main()
