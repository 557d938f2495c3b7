"""chain.py: task 2. Four kernels, the scores in device memory between them; a tile of a product; a reduction's tree."""
from style import GREY, INK, K, O, PALE, Q, S, V, arrow, box, canvas, cell, save, text, tint

KERNELS = ((14.5, "gemm_nt", "$Q K^T$"), (38.5, "scale_and_causal_mask", "$/\\sqrt{D}$, hide the future"),
           (62.5, "softmax", "a block per row"), (86.5, "gemm_nn", "$P\\,V$"))
STORED = (3, 1, 4, 1, 5, 9, 2, 6)  # one number per thread


def chain(axes, top):
    memory = top - 15
    cell(axes, 2.5, memory - 2, 96, 8.6, tint(GREY, 0.1), "#c9c9c4")
    text(axes, 50.5, memory - 0.6, "device memory", 8, GREY)
    for x, name, what in KERNELS:
        box(axes, x - 10, top - 6, 20, 6, name, (what,))
    for x, color, name, width in ((4, Q, "Q", 4), (8.4, K, "K", 4), (20.5, S, "scores", 12), (44.5, S, "scores", 12),
                                  (68.5, S, "P", 12), (89, V, "V", 4), (93.4, O, "O", 4)):
        cell(axes, x, memory + 1, width, 4.4, tint(color, 0.45), words=name, size=9)
    for x, kind in ((8.2, "read"), (22.5, "write"), (30.5, "read"), (46.5, "write"), (54.5, "read"), (70.5, "write"),
                    (78.5, "read"), (90.8, "read"), (95.4, "write")):
        low, high = memory + 5.7, top - 6.5
        arrow(axes, (x, low) if kind == "read" else (x, high), (x, high) if kind == "read" else (x, low))
        if 20 < x < 80:
            text(axes, x + (1 if kind == "write" else -1), (low + high) / 2, "S²", 8, GREY,
                 ha="left" if kind == "write" else "right")


def matrix(axes, x, y, color, name, strip, tile):
    """14 x 14; strip: the row of tiles that is walked along; tile: the one that is loaded."""
    cell(axes, x, y, 14, 14, tint(color, 0.12), "#b9b9b4", line=0.8)
    if strip:
        cell(axes, x, y + 5, 14, 3.5, tint(color, 0.3), "#b9b9b4", line=0.8)
    cell(axes, x + tile, y + 5, 3.5, 3.5, tint(color, 0.85), INK, line=1.2)
    text(axes, x + 7, y - 1.6, name, 8, GREY)


def product(axes, x, y):
    text(axes, x + 24, y + 18.6, "gemm_nt: a block makes a tile of C", 9.5, weight="bold")
    matrix(axes, x, y, Q, "A, m × k", True, 5)
    matrix(axes, x + 17, y, K, "B, n × k", True, 5)
    matrix(axes, x + 34, y, S, "C, m × n", False, 5)
    for at in (x, x + 17):
        text(axes, at + 6.75, y + 15.2, "k0", 8, GREY)
        arrow(axes, (at + 9.2, y + 6.75), (at + 13.4, y + 6.75), INK, 1.1)
    text(axes, x + 24, y - 4.2, "Each step loads a tile of A and a tile of B into shared memory.", 8, GREY)


def tree(axes, x, y, side=4.2):
    text(axes, x + 4 * side, y + 18.6, "softmax: a tree joins one number per thread", 9.5, weight="bold")
    row, width = list(STORED), len(STORED)
    for step in range(4):
        line = y + 12.4 - step * 4.2
        for t in range(len(STORED)):
            live = t < width
            cell(axes, x + t * side, line, side, 2.8, tint(S, 0.45) if live else tint(PALE, 0.6),
                 words=f"{row[t]}" if live else None, size=8)
        label = "stored" if step == 0 else f"half = {width}"
        text(axes, x - 1, line + 1.4, label, 8, GREY, ha="right")
        width //= 2
        for t in range(width):
            arrow(axes, (x + (t + width + 0.5) * side, line), (x + (t + 0.5) * side + 0.8, line - 1.4), GREY, 0.8)
            row[t] += row[t + width]
    text(axes, x + 4 * side, y - 4.2, "A barrier lies between any two steps.", 8, GREY)


def draw(path):
    axes = canvas(102, 51)
    chain(axes, 48)
    product(axes, 4, 7.5)
    tree(axes, 64, 7.5)
    save(axes, path)
