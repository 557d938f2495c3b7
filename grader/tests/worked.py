#!/usr/bin/env python3
"""worked.py: the examples that the READMEs work out by hand, computed again. TAP.

    grader/tests/worked.py           each line of each example must stand in its README
    grader/tests/worked.py --print   the lines, to be copied there
"""
import math
import pathlib
import sys

Q = [[2, 0, 0, 0], [0, 2, 0, 2], [2, 0, 2, 0], [0, 0, 2, 4]]
K = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]
V = [[8, 0, 0, 4], [0, 8, 0, 4], [0, 0, 8, 4], [8, 8, 8, 4]]
FOUR = range(4)
SCORES = [[sum(a * b for a, b in zip(q, k)) / math.sqrt(4) for k in K] for q in Q]


def number(x, digits=3):
    return "-inf" if x == -math.inf else f"{x:.{digits}f}".rstrip("0").rstrip(".") if x else "0"


def matrices(*named):
    """Lines of matrices side by side: the name stands in the first row."""
    lines = []
    for row in FOUR:
        parts = []
        for name, matrix, digits in named:
            cells = [[number(x, digits) for x in r] for r in matrix]
            width = max(len(c) for r in cells for c in r)
            parts.append((name if row == 0 else "").ljust(len(name)) + "[" + " ".join(c.rjust(width) for c in cells[row]) + "]")
        lines.append("    " + "     ".join(parts))
    return lines


def softmax(row):
    m = max(row)
    e = [math.exp(s - m) for s in row]
    return m, e, sum(e), [x / sum(e) for x in e]


def attention(causal):
    seen = [[s if j <= i or not causal else -math.inf for j, s in enumerate(row)] for i, row in enumerate(SCORES)]
    P = [softmax(row)[3] for row in seen]
    return P, [[sum(p[j] * V[j][d] for j in FOUR) for d in FOUR] for p in P]


def task1():
    (P, O), (Pc, Oc) = attention(False), attention(True)
    m, e, total, p = softmax(SCORES[3])
    return (matrices(("Q = ", Q, 0), ("K = ", K, 0), ("V = ", V, 0))
            + matrices(("S = ", SCORES, 0), ("P = ", P, 3), ("O = ", O, 2))
            + matrices(("causal P = ", Pc, 3), ("causal O = ", Oc, 2))
            + [f"| exp(s - {m:.0f}) | " + " | ".join(number(x) for x in e) + f" | l = {number(total)} |",
               "| divided by l | " + " | ".join(number(x) for x in p) + " | 1 |"])


def task3():
    lines = []
    for row in (2, 3):
        m, l, O = -math.inf, 0.0, [0.0] * 4
        for tile in (0, 2):
            s = SCORES[row][tile:tile + 2]
            new = max([m] + s)
            alpha, e = math.exp(m - new), [math.exp(x - new) for x in s]
            l = alpha * l + sum(e)
            O = [alpha * O[d] + sum(e[c] * V[tile + c][d] for c in range(2)) for d in FOUR]
            m = new
            cells = [f"q{row}, keys {tile} and {tile + 1}", ", ".join(number(x) for x in s), number(m), number(alpha),
                     ", ".join(number(x) for x in e), number(l), "(" + ", ".join(number(x, 2) for x in O) + ")"]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append(f"q{row}: O / l = (" + ", ".join(number(x / l, 2) for x in O) + ")")
    return lines


def task4():
    """The register tile of TODO 4.11: the sums after each d; and how many blocks fit onto a multiprocessor."""
    lines, sums = [], [[0] * 4 for _ in FOUR]
    after = []
    for d in FOUR:
        sums = [[sums[a][b] + Q[a][d] * K[b][d] for b in FOUR] for a in FOUR]
        after.append((f"d = {d}: ", [r[:] for r in sums], 0))
    lines += matrices(*after)
    for br, bc, threads, dim in ((32, 32, 256, 64), (32, 32, 256, 128), (64, 32, 128, 64), (64, 32, 128, 128), (64, 64, 128, 128)):
        size = 4 * ((br + 2 * bc) * (dim + 1) + br * (bc + 1))
        fit = [sm * 1024 // (size + 1024) for sm in (228, 164)]
        lines.append(f"| {br} x {bc}, D = {dim} | {threads} | {size:,} | {fit[0]} | {fit[0] * threads // 32} | {fit[1]} |"
                     f" {fit[1] * threads // 32} |")
    return lines


root = pathlib.Path(__file__).resolve().parent.parent.parent
status, n = 0, 0
for folder, lines in (("task1_reference", task1()), ("task3_tiled_cpu", task3()), ("task4_flash", task4())):
    if "--print" in sys.argv:
        print(folder, *lines, sep="\n")
        continue
    text = " ".join((root / folder / "README.md").read_text().split())
    missing = [line for line in lines if " ".join(line.split()) not in text]
    n += 1
    for line in missing:
        print("# not in the README:", line)
    print("not ok" if missing or not lines else "ok", n, f"- the_example_of_{folder}_is_what_a_script_computes")
    status |= bool(missing)
if n:
    print(f"1..{n}")
sys.exit(status)
