"""decode.py: one query against a cache: the slots, the splits, and how their results become one."""
from style import GREY, INK, K, O, PALE, Q, STATE, arrow, box, canvas, cell, save, text, tint

SLOTS, LENGTH, SIDE = 16, 11, 4.4
SPLITS = [(0, 3), (3, 7), (7, 11)]  # 11 s / 3, rounded down


def draw(path):
    axes = canvas(92, 47)
    left, top = 11, 37
    for j in range(SLOTS):
        x = left + j * SIDE
        if j < LENGTH:
            cell(axes, x, top, SIDE, SIDE, tint(K, 0.35), words=f"{j}")
        else:
            cell(axes, x, top, SIDE, SIDE, PALE, words="?", ink=GREY)
    cell(axes, left + LENGTH * SIDE, top, SIDE, SIDE, "none", edge=INK, line=1.6, zorder=5)
    text(axes, left - 1.5, top + SIDE / 2, "K, V", 9.5, ha="right", weight="bold")
    text(axes, left + LENGTH * SIDE / 2, top + SIDE + 1.7, "slots 0 .. lengths[b] - 1: read by decode", 8.5, GREY)
    text(axes, left + (LENGTH + 2.5) * SIDE, top + SIDE + 1.7, "free: never read", 8.5, GREY)
    text(axes, left + (LENGTH + 2.9) * SIDE, top - 6.4, "the next token goes here:\nslot lengths[b]  (5.1)", 8.5)
    arrow(axes, (left + (LENGTH + 0.5) * SIDE, top - 4.0), (left + (LENGTH + 0.5) * SIDE, top - 0.3))

    middle, width, height = 22.5, 12.8, 6.2
    for s, (begin, end) in enumerate(SPLITS):
        x0, x1 = left + begin * SIDE, left + end * SIDE
        axes.plot([x0 + 0.4, x0 + 0.4, x1 - 0.4, x1 - 0.4], [top - 0.6, top - 1.6, top - 1.6, top - 0.6], color=STATE,
                  linewidth=1.4)
        center = (x0 + x1) / 2
        arrow(axes, (center, top - 1.8), (center, middle + height + 0.2))
        box(axes, center - width / 2, middle, width, height, f"split {s}", [f"O_{s}, L_{s}"], STATE)
        arrow(axes, (center, middle - 0.2), (left + LENGTH * SIDE / 2 + (s - 1) * 6, 13.2))
    text(axes, left + LENGTH * SIDE + 3.0, middle + height / 2, "a block each: its 8 warps share the\n"
         "keys (5.3 to 5.5), then are joined\n(5.6, 5.7) as the splits are below", 8.5, ha="left")
    cell(axes, 2.3, middle + 1.4, 4.6, 3.4, tint(Q, 0.35), words="q", size=9.5)
    arrow(axes, (7.0, middle + 3.1), (10.9, middle + 3.1), Q)
    text(axes, 4.6, middle - 1.4, "the same q\nfor every\nsplit", 7.5, GREY)

    box(axes, left + LENGTH * SIDE / 2 - 16, 6.6, 32, 6.4, "combine (5.10)",
        [r"$L=\log\,\Sigma_s\, e^{L_s}\,,\quad O=\Sigma_s\, e^{L_s-L}\, O_s$"], O)
    text(axes, 46, 3.0, "Without the bonus there is one split, and its O is the answer.", 8.5, GREY)
    save(axes, path)
