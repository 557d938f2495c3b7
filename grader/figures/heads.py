"""heads.py: where split and merge move each element."""
from style import BLUE, GREEN, GREY, ORANGE, arrow, canvas, cell, grid, save, text, tint

HEADS, TOKENS, DIM = 3, 4, 2
COLORS = [BLUE, ORANGE, GREEN]
SIDE = 3.2


def strip(axes, x, y, offsets, head_of, label):
    """Memory, from the lowest address to the highest."""
    width = 2.55
    for n, offset in enumerate(offsets):
        cell(axes, x + n * width, y, width, 2.4, tint(COLORS[head_of(n)], 0.35), words=f"{offset}", size=7)
    text(axes, x - 1, y + 1.2, label, 8.5, ha="right")


def draw(path):
    axes = canvas(84, 39)
    wide = HEADS * DIM
    x_rows = [[s * wide + e for e in range(wide)] for s in range(TOKENS)]
    y_heads = [[[s * wide + h * DIM + d for d in range(DIM)] for s in range(TOKENS)] for h in range(HEADS)]
    top = 30.5

    left = 11
    grid(axes, left, top, x_rows, lambda r, c: COLORS[c // DIM], SIDE)
    text(axes, left + wide * SIDE / 2, top + 4.6, "X  [S, E]", 10, weight="bold")
    for h in range(HEADS):
        text(axes, left + (h + 0.5) * DIM * SIDE, top + 1.6, f"h = {h}", 7.5, GREY)
    for s in range(TOKENS):
        text(axes, left - 0.8, top - (s + 0.5) * SIDE, f"s = {s}", 7.5, GREY, ha="right")

    arrow(axes, (33, top - 1.4 * SIDE), (43, top - 1.4 * SIDE))
    text(axes, 38, top - 1.4 * SIDE + 1.7, "split (1.4)", 9)
    arrow(axes, (43, top - 2.6 * SIDE), (33, top - 2.6 * SIDE))
    text(axes, 38, top - 2.6 * SIDE - 1.8, "merge (1.5)", 9)

    right = 48
    for h, rows in enumerate(y_heads):
        at = right + h * (DIM * SIDE + 3.4)
        grid(axes, at, top, rows, COLORS[h], SIDE)
        text(axes, at + DIM * SIDE / 2, top + 1.6, f"h = {h}", 7.5, GREY)
    text(axes, right + (3 * DIM * SIDE + 6.8) / 2, top + 4.6, "Y  [H, S, D]", 10, weight="bold")

    flat_y = [offset for rows in y_heads for row in rows for offset in row]
    text(axes, 13.5, 13.1, "In memory:", 8.5, GREY, ha="left")
    strip(axes, 13.5, 9.6, range(TOKENS * wide), lambda n: n % wide // DIM, "X")
    strip(axes, 13.5, 6.0, flat_y, lambda n: n // (TOKENS * DIM), "Y")
    text(axes, 42, 3.1, "One batch, S = 4 tokens, H = 3 heads, D = 2. "
         "A number is the element's offset in X; it keeps it in Y.", 8.5, GREY)
    save(axes, path)
