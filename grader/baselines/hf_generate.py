#!/usr/bin/env python3
"""Hugging Face's generate on a GPT-2 with random weights, as a runner: it speaks grader/run/protocol.h.

    hf_generate.py random:layers=24,hidden=1024,heads=16,vocab=8192,positions=2048,seed=1 cuda|cpu

Eager PyTorch in float32, attention as PyTorch dispatches it, greedy decoding with its KV cache. A token goes to the
checker as soon as its id is on the host. The weights are not the lab's: the tokens are others, the work is the same.

Descriptors: 3 requests, 4 replies, 5 the arena. Exits with 3 when torch or transformers is missing, or the GPU.
"""
import mmap
import os
import struct
import sys

from request import BAD_SHAPE, NO_MEMORY, OK, reply, requests

try:
    import torch
    import transformers
except ImportError:
    sys.exit(3)

GENERATE = "generate"  # an operation's name, grader/core/ops.h
CACHED = 0     # lab_mode, grader/model/model.h
LOAD, RUN = 1, 8


class Streamer:
    """What generate hands every token to; the first that comes is the prompt."""

    def __init__(self, serial):
        self.serial, self.step = serial, -1

    def put(self, ids):
        if self.step >= 0:
            reply(self.serial, OK, self.step, 1, ids.reshape(-1).tolist())
        self.step += 1

    def end(self):
        pass


def open_model(text, device):
    sizes = {name: int(value) for name, value in (pair.split("=") for pair in text.removeprefix("random:").split(","))}
    config = transformers.GPT2Config(vocab_size=sizes["vocab"], n_positions=sizes["positions"], n_embd=sizes["hidden"],
                                     n_layer=sizes["layers"], n_head=sizes["heads"], bos_token_id=None,
                                     eos_token_id=None, pad_token_id=None)
    torch.manual_seed(sizes["seed"])
    with torch.device(device):
        return transformers.GPT2LMHeadModel(config).eval()


class Runner:
    def __init__(self, model, arena, device):
        self.model, self.arena, self.device, self.ids = model, arena, device, None

    def serve(self, r):
        serial, steps, (batch, n, prompt), offset = r["serial"], r["steps"], r["shape"][:3], r["offset"]
        if r["op"] != GENERATE or struct.unpack_from("i", self.arena, offset[3] + 16)[0] != CACHED:
            return reply(serial, BAD_SHAPE, 0)
        try:
            if steps & LOAD:
                ids = torch.frombuffer(self.arena, dtype=torch.int32, count=batch * prompt, offset=offset[1])
                self.ids = ids.view(batch, prompt).to(self.device, torch.int64)
                self.mask = torch.ones_like(self.ids)
                self.synchronize()
            if steps & RUN:
                self.model.generate(self.ids, attention_mask=self.mask, do_sample=False, max_new_tokens=n,
                                    min_new_tokens=n, streamer=Streamer(serial))
                self.synchronize()
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
            return reply(serial, NO_MEMORY, 0)
        reply(serial, OK, 1)

    def synchronize(self):
        if self.device == "cuda":
            torch.cuda.synchronize()


def main():
    text, device = sys.argv[1:]
    if device == "cuda" and not torch.cuda.is_available():
        sys.exit(3)
    transformers.logging.set_verbosity_error()
    runner = Runner(open_model(text, device), mmap.mmap(5, os.fstat(5).st_size), device)
    reply(0, OK, 0)
    with torch.inference_mode():
        for fields in requests(lambda size: os.read(3, size)):
            runner.serve(fields)


main()
