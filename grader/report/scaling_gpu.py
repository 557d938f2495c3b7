"""scaling_gpu.py: time and TFLOP/s of CUDA kernels against S, heads and batch, by head_dim; before and after blocks per
query tile. A column for each thing that is varied, time above, rate below."""
import scaling
import series
import style
from style import INK, plt

def tflops(t):
    return series.rate(t) * 1e-3


def lines(axes, rows, table, x_of, y_of):
    for name in table:
        points = sorted((x_of(t), y_of(t)) for t in rows if t["implementation"] == name)
        axes.plot([x for x, _ in points], [y for _, y in points], **style.line(table[name], None, name == "yours"))


def legend(figure, rows, table, peak):
    used = [name for name in table if any(t["implementation"] == name for t in rows)]
    handles = [plt.Line2D([], [], **style.line(table[name], style.clean(name), name == "yours")) for name in used]
    if peak:
        handles.append(plt.Line2D([], [], color=INK, linewidth=1.6, label="measured fp32 FMA rate"))
    fit = int(figure.get_size_inches()[0] / 2.4)
    figure.legend(handles=handles, loc="outside lower center", ncols=max(1, min(len(handles), fit)))


def short(x):
    return f"{x // 1024}k" if x >= 1024 and x % 1024 == 0 else str(x)


def grid(columns, what, title, table, peak, folder, name):
    """columns: (caption, label of x, x of a timing, timings). The peak is drawn where it is near enough to be seen."""
    everything = [t for *_, rows in columns for t in rows]
    times, best = [t["median_s"] for t in everything], max(tflops(t) for t in everything)
    peak = peak if peak and peak * 1e-3 < 4 * best else None
    figure, axes = plt.subplots(2, len(columns), figsize=(max(6.0, 3.4 * len(columns)), 7.2), layout="constrained",
                                squeeze=False, sharex="col", sharey="row")
    for (caption, label, x_of, rows), upper, lower in zip(columns, axes[0], axes[1]):
        scaling.log_axes(upper, [x_of(t) for t in rows], times, style.seconds)
        lines(upper, rows, table, x_of, lambda t: t["median_s"])
        lines(lower, rows, table, x_of, tflops)
        if peak:
            lower.axhline(peak * 1e-3, color=INK, linewidth=1.6)
        style.value_ticks(lower.xaxis, [x_of(t) for t in rows], lambda x: short(round(x)))
        lower.tick_params("x", labelrotation=45 if len({x_of(t) for t in rows}) > 6 else 0)
        upper.set_title(caption, fontsize=10)
        lower.set_xlabel(label)
    style.from_zero(axes[1][0].yaxis, max(best, (peak or 0) * 1e-3) * 1.08, style.number)
    axes[0][0].set_ylabel("median time")
    axes[1][0].set_ylabel("TFLOP/s")
    legend(figure, everything, table, peak)
    figure.suptitle(f"{what}\n{style.clean(title, 60)}", fontsize=11)
    style.save(figure, folder, name)


def slope_from(rows, x_of, least):
    """The slope of yours in time from x = least on, as a line of a caption."""
    points = [(x_of(t), t["median_s"]) for t in rows if t["implementation"] == "yours" and x_of(t) >= least]
    slope = scaling.slope_of(points) if len(points) > 1 else None
    return "" if slope is None else f"\nyours: slope {slope:.2f} from S = {least} on"


def length(t):
    return t["shape"]["seq_q"]


def draw_seq(title, timings, table, peak, folder, name):
    found = series.families(timings, "seq", 3, ("batch", "heads", "head_dim", "causal")) or \
        series.families(timings, "seq", 1, ("batch", "heads", "head_dim", "causal"))
    columns = []
    for rows in sorted(found, key=lambda rows: -len(rows))[:4]:
        s = rows[0]["shape"]
        caption = f"{'causal' if s['causal'] else 'full'}, B{s['batch']} H{s['heads']} D{s['head_dim']}"
        columns.append((caption + slope_from(rows, length, 1024), "sequence length S", length, rows))
    columns.sort(key=lambda c: (c[3][0]["shape"]["head_dim"], c[3][0]["shape"]["causal"]))
    grid(columns, "Time and rate against sequence length", title, table, peak, folder, name)


def draw_dim(title, timings, table, peak, folder, name):
    """A column per head dimension and mask, over S; the batch falls as S rises, so that B S stays the same."""
    columns = []
    for rows in series.families(timings, "dim", 1, ("heads", "head_dim", "causal"))[:4]:
        s = rows[0]["shape"]
        tokens = {t["shape"]["batch"] * length(t) for t in rows}
        caption = f"{'causal' if s['causal'] else 'full'}, H{s['heads']} D{s['head_dim']}"
        columns.append((caption + (f", B·S = {tokens.pop()}" if len(tokens) == 1 else ""), "sequence length S", length,
                        rows))
    columns.sort(key=lambda c: (c[3][0]["shape"]["head_dim"], c[3][0]["shape"]["causal"]))
    grid(columns, "Time and rate by head dimension", title, table, peak, folder, name)


WIDTHS = (("heads", "heads H", "heads"), ("batch", "batch B", "batch"))


def draw_widths(title, timings, table, peak, folder, name):
    columns = []
    for which, label, key in WIDTHS:
        rows = series.measured(timings, which)
        if rows:
            fixed = " ".join(part for part in style.shape(rows[0]["shape"]).split() if part[0] != label[-1])
            columns.append((fixed, label, lambda t, key=key: t["shape"][key], rows))
    names = " and ".join(label.rsplit(" ", 1)[0] for _, label, *_ in columns)
    grid(columns, f"Time and rate against {names}", title, table, peak, folder, name)


def draw_queries(title, timings, table, peak, folder, name):
    """Along whichever size varies most."""
    rows = series.all_measured(timings, "queries")
    sizes = {"seq_q": "sequence length S", "heads": "heads H", "batch": "batch B"}
    key = max(sizes, key=lambda k: len({t["shape"][k] for t in rows}))
    s = rows[0]["shape"]
    fixed = " ".join(part for part in style.shape(s).split() if part[0] != sizes[key][-1])
    column = fixed, sizes[key], lambda t: t["shape"][key], rows
    grid([column], "Before and after a block per query tile", title, table, peak, folder, name)
