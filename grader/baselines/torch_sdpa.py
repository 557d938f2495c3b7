#!/usr/bin/env python3
"""PyTorch's scaled_dot_product_attention as a runner: it speaks grader/run/protocol.h in place of a compiled stage.

    torch_sdpa.py cpu
    torch_sdpa.py cuda|math FILL.so          on the GPU; math: by that backend, otherwise by the one PyTorch chooses

Descriptors: 3 requests, 4 replies, 5 the arena. Exits with 3 when there is no torch, or no GPU that it can use.
FILL.so is grader/run/device_fill.cu: inputs are the same bits as in every other runner.
"""
import contextlib
import ctypes
import mmap
import os
import select
import sys

from request import BAD_SHAPE, NO_MEMORY, OK, reply, requests

os.environ["NVIDIA_TF32_OVERRIDE"] = "0"  # the comparison is in fp32
try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(3)

SDPA, DECODE, TOKENS = "sdpa", "decode", "tokens"  # names of operations, grader/core/ops.h
LOAD, FILL, CAPTURE, RUN, STORE, FREE = 1, 2, 4, 8, 16, 128
CHUNK = 16 << 10  # grader/core/inputs.h


class Request:
    def __init__(self, fields):
        self.__dict__ |= fields
        self.batch, self.heads, self.seq_q, self.seq_kv, self.head_dim, self.causal = self.shape
        self.length = self.extra[1]
        # A part: tensor, set, first, n.
        self.parts = [self.part[i:i + 4] for i in range(0, len(self.part), 4) if self.part[i + 3]]
        self.digests = self.sets * -(-self.elements[0] // CHUNK)

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

    def link(self, index):
        pass

    def run(self, r):
        for i in range(r.sets):
            if r.link and i:
                self.link(i)
            self.outputs.append(attend(r, [view(self.base, r.where(t, i), s) for t, s in enumerate(r.shapes())]))

    def store(self, r):
        for i, output in enumerate(self.outputs):
            view(self.arena, r.where(0, i), r.shapes()[0]).copy_(output)
        self.outputs = []


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


class DeviceMemory(Memory):
    """As grader/run/memory_device.cu; its outputs are where PyTorch puts them, and it has no digests."""

    def __init__(self, arena, fill):
        super().__init__(arena)
        pointer, size, word = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32
        self.base, self.library = None, ctypes.CDLL(fill)
        self.library.lab_fill_normal.argtypes = [pointer, size, ctypes.c_uint64, word, size, pointer]
        self.library.lab_fill_constant.argtypes = [pointer, size, ctypes.c_int, word, size, pointer]
        self.library.lab_fill_large.argtypes = [pointer, size, pointer]
        self.library.lab_link.argtypes = [pointer, pointer, ctypes.c_int, pointer, size, word] + 3 * [pointer]
        self.library.lab_digest_all.argtypes = [pointer, size, ctypes.c_uint64, word, size, pointer, pointer]
        self.library.lab_flush_caches.argtypes = [pointer]

    def allocate(self, r):
        bytes = self.noted(r) + 512 + 8 * r.digests + 4 * r.sets
        if self.base is None or self.base.numel() < bytes:
            self.base = None
            torch.cuda.empty_cache()
            self.base = torch.empty(bytes, dtype=torch.uint8, device="cuda")
        self.library.lab_free_caches()

    def noted(self, r):
        """Where the key of links, the digests, and what the links saw stand."""
        return -(-r.bytes // 256) * 256

    def prepare(self, r):
        if not r.steps & RUN:
            self.graph, self.outputs = None, []
            self.allocate(r)
            self.link_arguments(r)
            return
        base, counts = self.base.data_ptr(), [torch.Size(s).numel() for s in r.shapes()]
        for t, count in enumerate(counts):
            if r.key[t]:
                self.library.lab_fill_normal(base + r.offset[t], count, r.key[t], r.sets, r.stride, stream())
            elif t == 0:
                self.library.lab_fill_constant(base + r.offset[t], count, -1, r.sets, r.stride, stream())
        which, first, count = r.large
        if count:
            self.library.lab_fill_large(base + r.where(1, which) + 4 * first, count, stream())
        at = base + self.noted(r)
        for i in range(2):
            half = ctypes.c_int32(r.link >> 32 * i & 0xffffffff).value
            self.library.lab_fill_constant(at + 4 * i, 1, half, 1, 0, stream())
        self.library.lab_flush_caches(stream())

    def link_arguments(self, r):
        """Made before the window: Python is slow."""
        base, counts = self.base.data_ptr(), [torch.Size(s).numel() for s in r.shapes()]
        at = base + self.noted(r)
        seen, sizes = at + 8 + 8 * r.digests, (ctypes.c_size_t * 8)(0, *counts[1:])
        pointers = [(ctypes.c_void_p * 8)(*[base + r.where(t, i) for t in range(len(counts))]) for i in range(r.sets)]
        self.links = [(p, sizes, len(counts), counts[0], i, at, seen) for i, p in enumerate(pointers)]
        torch.cuda.synchronize()

    def link(self, index):
        pointers, sizes, n, count, index, key, seen = self.links[index]
        self.library.lab_link(pointers, sizes, n, self.outputs[-1].data_ptr(), count, index, key, seen, stream())

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
        at, base, count = self.noted(r) + 8, self.base.data_ptr(), torch.Size(r.shapes()[0]).numel()
        if r.notes:  # the digests are of no use, but take their time
            n = 8 * r.digests + 4 * r.sets
            self.library.lab_digest_all(base + r.offset[0], count, r.link, r.sets, r.stride, base + at, stream())
            torch.frombuffer(self.arena, dtype=torch.uint8, count=n, offset=r.notes).copy_(self.base[at:at + n])

    def store(self, r):
        for tensor, index, first, count in r.parts:
            at = r.where(tensor, index) + 4 * first
            source = self.outputs[index].reshape(-1)[first:first + count] if tensor == 0 else view(
                self.base, at, (count,))
            view(self.arena, at, (count,)).copy_(source)
        self.graph, self.outputs = None, []

    def free(self):
        self.graph, self.outputs, self.base = None, [], None
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
        if r.steps & FREE:
            memory.free()
    except torch.OutOfMemoryError:
        memory.graph, memory.outputs, memory.base = None, [], None
        return NO_MEMORY
    return OK


def next_request(size, spin):
    """Before a timed step it asks again and again instead of sleeping, as runner.c does."""
    go = select.poll()
    go.register(3, select.POLLIN)
    for _ in range(20000 if spin else 0):
        if go.poll(0):
            break
    return os.read(3, size)


def main():
    threads = int(os.environ.get("OMP_NUM_THREADS", 0))
    if threads:
        torch.set_num_threads(threads)
    arena = mmap.mmap(5, os.fstat(5).st_size)
    math = "math" in sys.argv
    on_gpu = math or "cuda" in sys.argv
    if on_gpu and not torch.cuda.is_available():
        sys.exit(3)
    memory = DeviceMemory(arena, sys.argv[-1]) if on_gpu else Memory(arena)
    torch.set_float32_matmul_precision("highest")  # some images let it round to TF32
    kernel = contextlib.nullcontext()
    if math:
        kernel = torch.nn.attention.sdpa_kernel([torch.nn.attention.SDPBackend.MATH])
    spin = False
    reply(0, OK, 0)
    with torch.inference_mode(), kernel:
        for fields in requests(lambda size: next_request(size, spin)):
            r = Request(fields)
            status = serve(memory, r)
            spin = r.steps & (FILL | CAPTURE) and not r.steps & RUN
            reply(r.serial, status, r.sets)


main()
