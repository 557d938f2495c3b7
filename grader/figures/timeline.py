"""timeline.py: what TTFT and TBT are made of. Widths are drawn to be read, not to scale."""
from style import CARD, GREEN, GREY, INK, ORANGE, PURPLE, Q, RED, SKY, arrow, canvas, cell, save, text, tint

PREFILL = [("embed", SKY, 4.0), ("matrices: S rows, weights read once", ORANGE, 21.0), ("attention, S × S", Q, 10.5),
           ("logits", PURPLE, 4.5)]
STEP = [(SKY, 0.8), (ORANGE, 6.0), (RED, 1.9), (PURPLE, 1.8)]


def span(axes, x0, x1, y, words):
    arrow(axes, (x0, y), (x1, y), INK, 1.2, "<|-|>")
    text(axes, (x0 + x1) / 2, y, words, 9, weight="bold", bbox={"facecolor": CARD, "edgecolor": "none", "pad": 1.5})


def draw(path):
    axes = canvas(100, 26.5)
    x, y, height = 5.0, 13.0, 5.0
    start = x
    text(axes, x, y + height + 2.0, "prompt arrives", 8.5, GREY, ha="left")
    for words, color, width in PREFILL:
        cell(axes, x, y, width, height, tint(color, 0.45), words=words, size=7.5)
        x += width
    ends = [x]
    for n in range(4):
        for color, width in STEP:
            cell(axes, x, y, width, height, tint(color, 0.45))
            x += width + 0.02 * n  # the cache grows
        ends.append(x)
    text(axes, x + 2.2, y + height / 2, "...", 12)
    for n, end in enumerate(ends):
        arrow(axes, (end, y + height + 0.2), (end, y + height + 3.4), GREEN)
        text(axes, end, y + height + 4.8, f"token {n + 1}", 8, GREEN)
    span(axes, start, ends[0], 9.8, "TTFT")
    for a, b in zip(ends, ends[1:]):
        span(axes, a, b, 9.8, "TBT")
    text(axes, (start + ends[0]) / 2, 6.6, "prefill: bound by arithmetic", 8.5)
    text(axes, (ends[0] + ends[-1]) / 2, 6.6, "decode: bound by memory; each step reads all weights, and the cache",
         8.5)
    for left, color, words in ((9, SKY, "embedding"), (24, ORANGE, "matrices"), (38, Q, "attention, task 4"),
                               (58, RED, "attention, task 5"), (78, PURPLE, "logits and the choice")):
        cell(axes, left, 2.3, 1.8, 1.8, tint(color, 0.45))
        text(axes, left + 2.5, 3.2, words, 8, GREY, ha="left")
    save(axes, path)
