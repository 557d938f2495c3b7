"""tiles.py: the Br x Bc sweep as a heat map of GFLOP/s. A tile that could not run is hatched and says why."""
import re

import series
import style
from style import CARD, INK, plt

KEY = {"smem": "smem = too little shared memory", "regs": "regs = too few registers",
       "refused": "refused = shared memory, registers or threads\n(KB: its tiles of Q, K and V alone)"}
MOST = 227  # KB of shared memory a block can have on any GPU of today


def rate_text(x):
    return f"{x:.1f}" if x < 100 else style.number(x)


def short_why(t):
    """needs 266 KB of shared memory; 227 KB are there -> smem, 266 KB. Else the reason's first words."""
    why = t.get("why") or t["verdict"]
    need = re.search(r"(?:needs|alone:) ([0-9.]+(?: KB)?)", why)
    memory, registers = "shared memory" in why, "register" in why
    if memory and registers:  # the driver has not said which of the two
        tag = "smem" if need and float(need[1].split()[0]) > MOST else "refused"
    else:
        tag = "smem" if memory else "regs" if registers else None
    if not tag and t["verdict"] == "COMPILE_ERROR":
        return "does not\ncompile"
    if tag:
        return tag + ("\n" + need[1] if need else "")
    return style.clean(why, 16).replace(" ", "\n", 1)


def fill_cell(axes, image, i, j, t, value, is_best):
    """The cell in row i, column j: its rate in ink that can be read on its colour, or why there is none."""
    if value is not None:
        red, green, blue, _ = image.cmap(image.norm(value))
        is_dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        axes.text(j, i, rate_text(value), ha="center", va="center", color="white" if is_dark else INK,
                  fontweight="bold" if is_best else "normal")
    else:
        why = short_why(t) if t else "not run"
        axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=CARD, edgecolor="#9a9a9a", hatch="///",
                                     linewidth=0))
        axes.text(j, i, why, ha="center", va="center", fontsize=7,
                  bbox={"facecolor": CARD, "edgecolor": "none", "pad": 1})
    if is_best:
        axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor="#d55e00", linewidth=3, zorder=5))


def draw(title, timings, measured, unit, folder, name):
    """timings: the whole series; measured: those with a time. Drawn: shape and implementation of the first of these.
    unit: its name, and its size per GFLOP/s."""
    first = measured[0]
    cells = {tuple(t["tiles"]): t for t in timings
             if t["tiles"] and (t["shape"], t["implementation"]) == (first["shape"], first["implementation"])}
    rates = {key: series.rate(t) * unit[1] for key, t in cells.items() if t in measured}
    rows, columns = (sorted({key[side] for key in cells}) for side in (0, 1))
    best, low, high = max(rates, key=rates.get), min(rates.values()), max(rates.values())
    figure, axes = plt.subplots(figsize=(max(5.4, 1.6 + len(columns)), max(3.6, 2.3 + 0.62 * len(rows))),
                                layout="constrained")
    grid = [[rates.get((r, c), float("nan")) for c in columns] for r in rows]
    # The scale starts below the slowest tile: the darkest end of the map is too dark to tell cells apart.
    bottom = max(0, low - 0.25 * (high - low))
    image = axes.imshow(grid, cmap="cividis", aspect="auto", origin="lower", vmin=bottom, vmax=high or 1)
    for i, r in enumerate(rows):
        for j, c in enumerate(columns):
            fill_cell(axes, image, i, j, cells.get((r, c)), rates.get((r, c)), (r, c) == best)
    axes.grid(False)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    tags = {short_why(t).split("\n")[0] for key, t in cells.items() if key not in rates}
    axes.set_xlabel("\n".join(["Bc, keys per tile"] + [text for tag, text in KEY.items() if tag in tags]))
    axes.set_ylabel("Br, queries per tile")
    figure.colorbar(image, ax=axes, label=unit[0])
    axes.set_title(f"{style.clean('Tile sweep, ' + title, 60)}\n{style.shape(first['shape'])}; "
                   f"best: Br = {best[0]}, Bc = {best[1]}")
    style.save(figure, folder, name)
