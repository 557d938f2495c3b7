"""latency.py: task 6: the time to the first token and between tokens, and the latter against the cache's length."""
import scaling
import scaling_gpu
import series
import style
from style import INK, plt

PANELS = (("TTFT", "time to first token (TTFT)"), ("TBT", "time between tokens (TBT), median and p99"))


def bars(axes, rows, table):
    """Horizontal bars, the first implementation on top, each with its time; a whisker up to the 99th percentile."""
    longest = max(max(t["median_s"], t.get("tbt_p99_s") or 0) for t in rows)
    for i, t in enumerate(rows):
        p99 = t.get("tbt_p99_s") or t["median_s"]
        axes.barh(i, t["median_s"], color=table[t["implementation"]][0], edgecolor=INK, linewidth=0.6, height=0.62)
        if p99 > t["median_s"]:
            axes.errorbar(t["median_s"], i, xerr=[[0], [p99 - t["median_s"]]], color=INK, capsize=4, linewidth=1.2)
        axes.text(p99 + 0.02 * longest, i, style.seconds(t["median_s"]), va="center", ha="left", fontsize=9)
    style.from_zero(axes.xaxis, longest * 1.3, lambda x: "0" if x == 0 else style.seconds(x))
    axes.set_yticks(range(len(rows)), [style.clean(t["implementation"], 20) for t in rows])
    axes.invert_yaxis()
    axes.grid(False, axis="y")


def draw_model(title, timings, table, folder, name):
    """A row of panels per run of a model: a case is "TTFT, dummy, prompt 1024"."""
    rows = series.all_measured(timings, "model")
    runs = list(dict.fromkeys(t["case"].partition(",")[2].strip() for t in rows))
    if not runs:
        return
    most = max(len({t["implementation"] for t in rows if t["case"].endswith(run)}) for run in runs)
    figure, grid = plt.subplots(len(runs), len(PANELS), figsize=(10.8, 0.4 + (1.5 + 0.55 * most) * len(runs)),
                                layout="constrained", squeeze=False)
    for axes, run in zip(grid, runs):
        for panel, (which, caption) in zip(axes, PANELS):
            chosen = [t for t in rows if t["case"].partition(",")[2].strip() == run and t["case"].startswith(which)]
            if not chosen:
                panel.set_axis_off()
                continue
            bars(panel, chosen, table)
            of_run = style.clean(run, 40) + "\n" if run else ""
            panel.set_title(f"{of_run}{caption}\n{style.shape(chosen[0]['shape'])}", fontsize=10)
    figure.suptitle(f"Latency, {style.clean(title, 64)}", fontsize=11)
    style.save(figure, folder, name)


def draw_tbt(title, timings, table, folder, name):
    rows = series.measured(timings, "tbt")
    figure, axes = plt.subplots(figsize=(7.0, 5.2), layout="constrained")
    scaling_gpu.lines(axes, rows, table, lambda t: t["shape"]["seq_kv"], lambda t: t["median_s"])
    scaling.log_axes(axes, [t["shape"]["seq_kv"] for t in rows], [t["median_s"] for t in rows], style.seconds)
    axes.set_xlabel("KV length, tokens in the cache")
    axes.set_ylabel("median time between tokens (TBT)")
    scaling_gpu.legend(figure, rows, table, None)
    axes.set_title(f"TBT against KV length\n{style.clean(title, 60)}")
    style.save(figure, folder, name)
