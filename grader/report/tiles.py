"""tiles.py: the Br x Bc sweep as a heat map of GFLOP/s. A tile that could not run is hatched and says why."""
import style
from style import CARD, INK, plt


def rate(t):
    return t["flops"] / t["median_s"] * 1e-9


def rate_text(x):
    return f"{x:.1f}" if x < 100 else style.number(x)


def fill_cell(axes, image, i, j, t, is_measured, is_best):
    """The cell in row i, column j: its rate in ink that can be read on its colour, or why there is none."""
    if is_measured:
        red, green, blue, _ = image.cmap(image.norm(rate(t)))
        is_dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        axes.text(j, i, rate_text(rate(t)), ha="center", va="center", color="white" if is_dark else INK,
                  fontweight="bold" if is_best else "normal")
    else:
        why = style.clean(t.get("why") or t["verdict"], 16).replace(" ", "\n", 1) if t else "not run"
        axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=CARD, edgecolor="#9a9a9a", hatch="///",
                                     linewidth=0))
        axes.text(j, i, why, ha="center", va="center", fontsize=7,
                  bbox={"facecolor": CARD, "edgecolor": "none", "pad": 1})
    if is_best:
        axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor="#d55e00", linewidth=3, zorder=5))


def draw(title, timings, measured, folder, name):
    """timings: the whole series; measured: those with a time. Drawn: shape and implementation of the first of these."""
    first = measured[0]
    cells = {tuple(t["tiles"]): t for t in timings
             if t["tiles"] and (t["shape"], t["implementation"]) == (first["shape"], first["implementation"])}
    rates = {key: rate(t) for key, t in cells.items() if t in measured}
    rows, columns = (sorted({key[side] for key in cells}) for side in (0, 1))
    best, low, high = max(rates, key=rates.get), min(rates.values()), max(rates.values())
    figure, axes = plt.subplots(figsize=(max(5.4, 1.6 + len(columns)), max(3.6, 1.9 + 0.62 * len(rows))),
                                layout="constrained")
    grid = [[rates.get((r, c), float("nan")) for c in columns] for r in rows]
    # The scale starts below the slowest tile: the darkest end of the map is too dark to tell cells apart.
    bottom = max(0, low - 0.25 * (high - low))
    image = axes.imshow(grid, cmap="cividis", aspect="auto", origin="lower", vmin=bottom, vmax=high or 1)
    for i, r in enumerate(rows):
        for j, c in enumerate(columns):
            fill_cell(axes, image, i, j, cells.get((r, c)), (r, c) in rates, (r, c) == best)
    axes.grid(False)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlabel("Bc, keys per tile")
    axes.set_ylabel("Br, queries per tile")
    figure.colorbar(image, ax=axes, label="GFLOP/s")
    axes.set_title(f"{style.clean('Tile sweep, ' + title, 60)}\n{style.shape(first['shape'])}; "
                   f"best: Br = {best[0]}, Bc = {best[1]}")
    style.save(figure, folder, name)
