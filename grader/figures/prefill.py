"""prefill.py: who computes which row of the causal triangle: prefill all rows of the prompt, decode one row a call."""
from style import GREY, INK, PALE, Q, RED, canvas, cell, save, text, tint

WORDS = ["the", "cat", "sat", "on", "the", "mat"]
PROMPT, SIDE = 3, 4.6


def triangle(axes, left, top):
    for r in range(len(WORDS)):
        y = top - (r + 1) * SIDE
        color = Q if r < PROMPT else RED
        for c in range(len(WORDS)):
            seen = c <= r
            fresh = r < PROMPT or c == r  # computed in this call, not read from the cache
            cell(axes, left + c * SIDE, y, SIDE, SIDE, tint(color, 0.5 if fresh else 0.18) if seen else PALE)
        text(axes, left - 1.0, y + SIDE / 2, WORDS[r], 8.5, ha="right")
    for c, word in enumerate(WORDS):
        text(axes, left + (c + 0.5) * SIDE, top + 1.4, word, 8.5)
    cell(axes, left, top - PROMPT * SIDE, len(WORDS) * SIDE, PROMPT * SIDE, "none", edge=Q, line=2.0, zorder=5)
    for r in range(PROMPT, len(WORDS)):
        cell(axes, left, top - (r + 1) * SIDE, len(WORDS) * SIDE, SIDE, "none", edge=RED, line=2.0, zorder=5)


def draw(path):
    axes = canvas(96, 41)
    left, top = 13, 33.5
    right = left + len(WORDS) * SIDE
    text(axes, left + len(WORDS) * SIDE / 2, top + 4.4, "keys and values", 8.5, GREY)
    text(axes, left - 8.0, top - len(WORDS) * SIDE / 2, "queries", 8.5, GREY, rotation=90)
    triangle(axes, left, top)

    middle = top - PROMPT * SIDE / 2
    text(axes, right + 2.5, middle + 1.4, "prefill: one call, S queries", 9, Q, ha="left", weight="bold")
    text(axes, right + 2.5, middle - 1.4, "task 4's kernel; its K and V go to the cache", 8.5, ha="left")
    for r in range(PROMPT, len(WORDS)):
        y = top - (r + 0.5) * SIDE
        text(axes, right + 2.5, y, f"decode, call {r - PROMPT + 1}:", 9, RED, ha="left", weight="bold")
        text(axes, right + 15.5, y, f"1 query, {r} keys from the cache, 1 new", 8.5, ha="left")

    y = 1.6
    for x, color, strength, words in ((13, Q, 0.5, "computed in prefill"), (34, RED, 0.5, "computed in this call"),
                                      (56, RED, 0.18, "read from the cache"), (76, INK, 0.0, "not seen")):
        cell(axes, x, y, 1.8, 1.8, tint(color, strength) if strength else PALE)
        text(axes, x + 2.6, y + 0.9, words, 8, GREY, ha="left")
    save(axes, path)
