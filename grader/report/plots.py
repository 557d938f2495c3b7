#!/usr/bin/env python3
"""plots.py: results.json -> roofline and scaling plots, SVG and PNG.

    plots.py RESULTS.json OUTDIR

Draws; never grades. A plot without data is not written, and Results.md (figures.c has the same rules) says why. The
CPU's task with the most timings has the plain names, every other one its id behind them: roofline.png,
roofline_task1.png, scaling_seq_task4.png. roofline_gpu.png and traffic.png set the CUDA tasks side by side.
Exit status: 0 written, 1 unreadable input, no matplotlib or nowhere to write, 2 wrong usage.
"""
import json
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the source tree


def draw_common(root, task, table, suffix, folder):
    """What a task on the CPU and a task on the GPU both have: the tile sweep, working memory against S."""
    import scaling
    import series
    import tiles
    title, timings = f"{task['id']}: {task['title']}", task["timings"]
    seq, unit = series.measured(timings, "seq"), ("TFLOP/s", 1e-3) if series.on_gpu(timings) else ("GFLOP/s", 1)
    if series.measured(timings, "tiles"):
        sweep = [t for t in timings if t["series"] == "tiles"]
        tiles.draw(title, sweep, series.measured(timings, "tiles"), unit, folder, "scaling_tiles" + suffix)
    if seq and (not series.on_gpu(timings) or any(t["extra_bytes"] for t in series.all_measured(timings, "seq"))):
        scaling.draw_memory(title, seq, table, folder, "scaling_memory" + suffix)


def draw_on_cpu(root, task, table, suffix, folder):
    import roofline
    import scaling
    import series
    title, timings = f"{task['id']}: {task['title']}", task["timings"]
    seq, ceilings = series.measured(timings, "seq"), series.ceilings_of(root, timings)
    heads, batch, threads = (series.measured(timings, which) for which in ("heads", "batch", "threads"))
    if seq and ceilings:
        roofline.draw(title, seq, table, ceilings, folder, "roofline" + suffix)
    if seq:
        scaling.draw_seq(title, seq, table, folder, "scaling_seq" + suffix)
    if heads or batch:
        scaling.draw_heads_batch(title, heads, batch, table, folder, "scaling_heads_batch" + suffix)
    if threads:
        peaks = root["machine"].get("fma_peaks", [])
        scaling.draw_threads(title, threads, table, peaks, folder, "scaling_threads" + suffix)


def draw_on_gpu(root, task, table, suffix, folder):
    import decode
    import latency
    import scaling_gpu
    import series
    title, timings = f"{task['id']}: {task['title']}", task["timings"]
    peak, bandwidth = series.ceilings_of(root, timings) or (None, None)
    has = {which for which in ("seq", "heads", "batch", "dim", "queries", "kv", "model", "tbt")
           if series.measured(timings, which)}
    if "seq" in has:
        scaling_gpu.draw_seq(title, timings, table, peak, folder, "scaling_seq" + suffix)
    if "dim" in has:
        scaling_gpu.draw_dim(title, timings, table, peak, folder, "scaling_dim" + suffix)
    if has & {"heads", "batch"}:
        scaling_gpu.draw_widths(title, timings, table, peak, folder, "scaling_heads_batch" + suffix)
    if "queries" in has:
        scaling_gpu.draw_queries(title, timings, table, peak, folder, "scaling_queries" + suffix)
    if "kv" in has:
        decode.draw_kv(title, timings, table, bandwidth and bandwidth * 1e-3, folder, "decode_bandwidth" + suffix)
    if "model" in has:
        latency.draw_model(title, timings, table, folder, "latency" + suffix)
    if "tbt" in has:
        latency.draw_tbt(title, timings, table, folder, "latency_kv" + suffix)


def draw_task(root, task, suffix, folder):
    import series
    import style
    table = style.styles(dict.fromkeys(t["implementation"] for t in task["timings"]))
    draw = draw_on_gpu if series.on_gpu(task["timings"]) else draw_on_cpu
    draw(root, task, table, suffix, folder)
    draw_common(root, task, table, suffix, folder)


def draw_all(root, folder):
    import roofline_gpu
    import series
    import traffic
    series.withdraw_kernel_times(root)
    timed = [t for t in root["tasks"] if t["timings"]]
    on_cpu = [t for t in timed if not series.on_gpu(t["timings"])]
    main_task = max(on_cpu, key=lambda task: len(task["timings"]), default=None)
    for task in timed:
        draw_task(root, task, "" if task is main_task else "_" + task["id"], folder)
    roofline_gpu.draw(root, folder, "roofline_gpu")
    traffic.draw(root, folder, "traffic")


def main():
    if len(sys.argv) != 3:
        print("usage: plots.py RESULTS.json OUTDIR", file=sys.stderr)
        return 2
    path, folder = sys.argv[1:]
    try:
        import matplotlib  # noqa: F401 (asked for here, so that its absence is one clear line)
    except ImportError:
        print("plots.py: this python3 has no matplotlib: run make setup", file=sys.stderr)
        return 1
    try:
        with open(path, encoding="utf-8") as file:
            root = json.load(file)
        os.makedirs(folder, exist_ok=True)
        draw_all(root, folder)
    except OSError as error:
        print(f"plots.py: {error}", file=sys.stderr)
        return 1
    except (ValueError, KeyError, TypeError) as error:
        what = f"no field {error}" if isinstance(error, KeyError) else error
        print(f"plots.py: {path} is no results.json: {what}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
