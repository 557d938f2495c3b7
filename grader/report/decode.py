"""decode.py: what a decode kernel gets out of memory: K and V read per second against the cache's length."""
import scaling_gpu
import series
import style
from style import ERROR, INK, plt


def bandwidth(t):
    """TB/s"""
    return t["bytes"] / t["median_s"] * 1e-12


def fill(axes, rows, table, ceiling):
    lengths = sorted({t["shape"]["seq_kv"] for t in rows})
    scaling_gpu.lines(axes, rows, table, lambda t: t["shape"]["seq_kv"], bandwidth)
    axes.set_xscale("log")
    style.value_ticks(axes.xaxis, lengths, lambda x: scaling_gpu.short(round(x)))
    axes.set_xlim(lengths[0] / 1.3, lengths[-1] * 1.3)
    if ceiling:
        axes.axhline(ceiling, color=INK, linewidth=2)
        above = [t for t in rows if bandwidth(t) > ceiling]
        axes.plot([t["shape"]["seq_kv"] for t in above], [bandwidth(t) for t in above], linestyle="none", marker="X",
                  markersize=11, color=ERROR, markeredgecolor="white", zorder=6)


def draw_kv(title, timings, table, ceiling, folder, name):
    """One panel per batch. ceiling: TB/s, None where it was not measured."""
    panels = sorted(series.families(timings, "kv", 1, ("batch", "heads", "head_dim")),
                    key=lambda rows: rows[0]["shape"]["batch"])
    everything = [t for rows in panels for t in rows]
    figure, axes = plt.subplots(1, len(panels), figsize=(max(6.0, 4.6 * len(panels)), 5.2), layout="constrained",
                                squeeze=False, sharey=True)
    for rows, panel in zip(panels, axes[0]):
        s = rows[0]["shape"]
        fill(panel, rows, table, ceiling)
        panel.set_title(f"B{s['batch']} H{s['heads']} D{s['head_dim']}")
        panel.set_xlabel("KV length, tokens in the cache")
    top = max([bandwidth(t) for t in everything] + [ceiling or 0]) * 1.08
    style.from_zero(axes[0][0].yaxis, top, style.number)
    axes[0][0].set_ylabel("K and V read, TB/s")
    used = [i for i in table if any(t["implementation"] == i for t in everything)]
    handles = [plt.Line2D([], [], **style.line(table[i], style.clean(i), i == "yours")) for i in used]
    if ceiling:
        handles.append(plt.Line2D([], [], color=INK, linewidth=2, label=f"measured bandwidth, {ceiling:.2f} TB/s"))
        if any(bandwidth(t) > ceiling for t in everything):
            handles.append(plt.Line2D([], [], color=ERROR, marker="X", linestyle="none",
                                      label="above the ceiling: wrong, or from a cache"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    figure.suptitle(f"Decode bandwidth against KV length\n{style.clean(title, 60)}", fontsize=11)
    style.save(figure, folder, name)
