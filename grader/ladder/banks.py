#!/usr/bin/env python3
"""Cycles of a multiply-add by what it reads, for each block of machine code with many: nvdisasm -c FILE.cubin | banks.py

The count assumes that registers lie in two banks, n % 2, that each gives one number a cycle, and that what is marked
.reuse is at hand for the next instruction in the same place. NVIDIA does not say so: ../outer_products compares it with
what was measured. `nvcc -cubin -arch=sm_90` makes the file.
"""
import re
import sys

LEAST = 60  # multiply-adds that make a block worth a line


def blocks(lines):
    """(function, label, instructions) of what is between labels and branches."""
    function, label, block = "", "", []
    for line in lines:
        head = re.match(r"\s*\.section\s+\.text\.(\S+?),", line)
        target = re.match(r"(\.L_\w+):", line)
        code = re.search(r"/\*[0-9a-f]{4,}\*/\s+(.*?);", line)
        if head or target:
            yield function, label, block
            function, label, block = (head[1], "", []) if head else (function, target[1], [])
        elif code:
            block.append(code[1].strip())
            if re.search(r"\bBRA\b", code[1]):
                yield function, label, block
                block = []
    yield function, label, block


def cycles(block):
    """Of each multiply-add: the more read of its two banks."""
    kept = {}
    for instruction in block:
        operands = instruction.split(" ", 1)[-1].split(",")
        registers = {place: re.match(r"\s*-?\|?R(\d+)(\.reuse)?", x) for place, x in enumerate(operands[1:4])}
        registers = {place: m for place, m in registers.items() if m}
        if re.match(r"FFMA\b", instruction):
            read = {int(m[1]) for place, m in registers.items() if kept.get(place) != int(m[1])}
            odd = sum(n % 2 for n in read)
            yield max(1, odd, len(read) - odd)
        kept = {place: int(m[1]) for place, m in registers.items() if m[2]}


for function, label, block in blocks(sys.stdin):
    taken = list(cycles(block))
    if len(taken) < LEAST: continue
    loads = sum(x.startswith("LDS") for x in block)
    print(f"{function} {label}: {len(taken)} multiply-adds, {sum(taken) / len(taken):.2f} cycles each; {loads} loads, "
          f"{len(block) - len(taken) - loads} others")
