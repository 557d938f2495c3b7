"""roofline.py: the measured ceilings, their ridge, and where each implementation stands under them.

Full attention over S. A point above its roof is drawn red and said to be wrong: not a record.
"""
import math

import series
import style
from style import ERROR, FAINT, INK, plt


WRONG = {"marker": "X", "markersize": 11, "color": ERROR, "markeredgecolor": "white", "linestyle": "none", "zorder": 6}


def intensity(t):
    return t["flops"] / t["bytes"]


def chain_intensities(n, d):
    """FLOP per byte of each kernel of the naive chain, and of the fused kernel (per head, float32; see Results.md)."""
    gemm = 2 * n * n * d / (4 * (2 * n * d + n * n))
    return [("softmax", 0.5), ("naive chain", n * d / (4 * (n + d))), ("Q Kᵀ, P V", gemm), ("fused", n / 4)]


def along_slope(axes, text, bandwidth, start, ridge, points, named):
    """The text along the slope, as far left as it covers none of the points; far left where it always does."""
    renderer = axes.figure.canvas.get_renderer()
    at = [axes.transData.transform(p) for p in points]
    first, second = (axes.transData.transform((x, x * bandwidth)) for x in (start, ridge))
    angle = math.degrees(math.atan2(second[1] - first[1], second[0] - first[0]))
    for x in [start * 1.5 ** k for k in range(20) if start * 1.5 ** k < ridge / 4]:
        note = axes.annotate(text, (x, x * bandwidth), xytext=(-3, 5), rotation=angle, rotation_mode="anchor", **named)
        box = note.get_window_extent(renderer).padded(6)
        if not any(box.contains(*p) for p in at):
            return note
        note.remove()
    return axes.annotate(text, (start, start * bandwidth), xytext=(-3, 5), rotation=angle, rotation_mode="anchor",
                         **named)


def draw_ceilings(axes, peak, bandwidth, names=None, points=()):
    """The roof, its two labels and the ridge. Returns the boxes that point labels keep clear of.

    names: what the compute and the memory ceiling are called; points: what the latter's name keeps clear of.
    """
    low, high = axes.get_xlim()
    ridge = peak / bandwidth
    roof = [low, ridge, high], [low * bandwidth, peak, peak]
    axes.plot(*roof, color=INK, linewidth=2.2, zorder=2)
    axes.plot([ridge], [peak], marker="*", markersize=13, color=INK, zorder=5)
    start = max(low, axes.get_ylim()[0] / bandwidth) * 1.25
    named = {"textcoords": "offset points", "va": "bottom", "fontsize": 9,
             "bbox": {"facecolor": style.CARD, "edgecolor": "none", "pad": 0.4}}
    compute, memory = names or (f"compute: {style.number(peak)} GFLOP/s", f"memory: {style.number(bandwidth)} GB/s")
    notes = [axes.annotate(compute, (high, peak), xytext=(-4, 5), ha="right", **named),
             axes.annotate(f"ridge: {ridge:.1f} FLOP/byte", (ridge, peak), xytext=(0, 8), ha="center", **named),
             along_slope(axes, memory, bandwidth, start, ridge, points, named)]
    renderer = axes.figure.canvas.get_renderer()
    return style.line_boxes(axes, *roof) + [note.get_window_extent(renderer) for note in notes]


def draw_kernels(axes, n, d):
    """Dotted lines at the kernels' intensities, named on an axis of their own along the top."""
    kernels = chain_intensities(n, d)
    for _, x in kernels:
        axes.axvline(x, color=FAINT, linestyle=":", linewidth=1.1, zorder=1)
    top = axes.secondary_xaxis("top")
    top.set_xticks([x for _, x in kernels], [f"{name} {style.number(x)}" for name, x in kernels], fontsize=8,
                   rotation=22, rotation_mode="anchor", ha="left")
    top.minorticks_off()
    top.spines["top"].set_visible(False)


def draw_points(axes, rows, look, roof):
    """One implementation's line. Returns its labels: S at the line's ends, and between them where points lie apart."""
    xs, ys = [intensity(t) for t in rows], [series.rate(t) for t in rows]
    at = [axes.transData.transform(p) for p in zip(xs, ys)]
    axes.plot(xs, ys, **look)
    labels = []
    for i, t in enumerate(rows):
        wrong = ys[i] > roof(xs[i])
        end = i in (0, len(rows) - 1)
        apart = end or min(math.dist(at[i], at[i - 1]), math.dist(at[i], at[i + 1])) > 45
        if wrong:
            axes.plot([xs[i]], [ys[i]], **WRONG)
        if wrong or apart:
            labels.append((xs[i], ys[i], str(t["shape"]["seq_q"]), ERROR if wrong else INK, wrong or end))
    return labels


def draw(title, timings, table, ceilings, folder, name):
    full = [t for t in timings if not t["shape"]["causal"]] or timings
    full = sorted((t for t in full if t["flops"] and t["bytes"]), key=lambda t: t["shape"]["seq_q"])
    if not full:
        return
    peak, bandwidth = ceilings
    d, n = full[0]["shape"]["head_dim"], 1024
    figure, axes = plt.subplots(figsize=(8.6, 6.0), layout="constrained")
    spread = [intensity(t) for t in full] + [0.5, n / 4, peak / bandwidth]
    rates = [series.rate(t) for t in full] + [peak]
    style.log_ticks(axes.xaxis, min(spread) / 2.2, max(spread) * 2.2, style.number)
    style.log_ticks(axes.yaxis, min(rates + [peak / 30]) / 2.5, max(rates) * 2.2, style.number)
    axes.set_xlabel("arithmetic intensity, FLOP per byte")
    axes.set_ylabel("GFLOP/s")
    mask = "causal" if full[0]["shape"]["causal"] else "full"
    axes.set_title(f"Roofline, {style.clean(title, 60)}\n{mask} attention, D = {d}; numbers at the points: S; "
                   f"dotted: kernels' intensity at S = {n}")
    draw_kernels(axes, n, d)
    groups = {i: [t for t in full if t["implementation"] == i] for i in table}
    handles = [plt.Line2D([], [], **style.line(table[i], style.clean(i), i == "yours")) for i in groups if groups[i]]
    if any(series.rate(t) > min(peak, intensity(t) * bandwidth) for t in full):
        handles.append(plt.Line2D([], [], label="above the roof: wrong, or from a cache", **WRONG))
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    figure.canvas.draw()  # settles the layout: from here on labels are placed by pixels
    figure.set_layout_engine("none")
    taken, labels = draw_ceilings(axes, peak, bandwidth), []
    for i in groups:
        if groups[i]:
            labels += draw_points(axes, groups[i], style.line(table[i], None, i == "yours"),
                                  lambda x: min(peak, x * bandwidth))
            taken += style.line_boxes(axes, [intensity(t) for t in groups[i]], [series.rate(t) for t in groups[i]])
    style.place_labels(axes, sorted(labels, key=lambda label: not label[4]), taken)
    style.save(figure, folder, name)
