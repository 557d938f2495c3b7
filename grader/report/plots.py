#!/usr/bin/env python3
"""plots.py: results.json -> roofline and scaling plots, SVG and PNG.

    plots.py RESULTS.json OUTDIR

Draws; never grades. A plot without data is not written, and Results.md (figures.c has the same rules) says why. The
task with the most timings has the plain names, every other one its id behind them: roofline.png, roofline_task1.png.
Exit status: 0 written, 1 unreadable input, no matplotlib or nowhere to write, 2 wrong usage.
"""
import json
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the source tree


# What stays the same along a series: only timings that share it with the
# first one make one line. The page shows them all.
FIXED = {"seq": ("batch", "heads", "head_dim"), "heads": ("batch", "seq_q", "seq_kv", "head_dim", "causal"),
         "batch": ("heads", "seq_q", "seq_kv", "head_dim", "causal"),
         "threads": ("batch", "heads", "seq_q", "seq_kv", "head_dim", "causal"), "tiles": ()}


def measured(timings, series):
    """The timings of this series that hold the time of a right answer, of one shape but for what the series varies."""
    rows = [t for t in timings if t["series"] == series and t["median_s"] and
            t["verdict"] in ("PASSED", "TIMING_SUSPECT") and (series != "tiles" or t["tiles"])]
    return [t for t in rows if all(t["shape"][key] == rows[0]["shape"][key] for key in FIXED[series])]


def ceilings_of(root, timings):
    """(GFLOP/s, GB/s) of the machine the timings ran on, all its threads; None where they were not measured.

    With backend cuda, machine.ceilings are the GPU's; a task on the CPU then stands under the CPU's own peaks.
    """
    machine = root["machine"]
    if "ceilings" in machine and (root["backend"] != "cuda" or all(t["threads"] is None for t in timings)):
        return machine["ceilings"]["gflop_s"], machine["ceilings"]["bandwidth_gb_s"]
    peaks = [p["gflop_s"] for p in machine.get("fma_peaks", [])]
    rates = [b["gb_s"] for b in machine.get("bandwidths", [])]
    return (max(peaks), max(rates)) if peaks and rates else None


def draw_task(root, task, suffix, folder):
    import roofline
    import scaling
    import style
    import tiles
    timings = task["timings"]
    title = f"{task['id']}: {task['title']}"
    table = style.styles(dict.fromkeys(t["implementation"] for t in timings))
    seq, ceilings = measured(timings, "seq"), ceilings_of(root, timings)
    if seq and ceilings:
        roofline.draw(title, seq, table, ceilings, folder, "roofline" + suffix)
    if seq:
        scaling.draw_seq(title, seq, table, folder, "scaling_seq" + suffix)
        scaling.draw_memory(title, seq, table, folder, "scaling_memory" + suffix)
    heads, batch = measured(timings, "heads"), measured(timings, "batch")
    if heads or batch:
        scaling.draw_heads_batch(title, heads, batch, table, folder, "scaling_heads_batch" + suffix)
    if measured(timings, "threads"):
        peaks = root["machine"].get("fma_peaks", [])
        scaling.draw_threads(title, measured(timings, "threads"), table, peaks, folder, "scaling_threads" + suffix)
    if measured(timings, "tiles"):
        sweep = [t for t in timings if t["series"] == "tiles"]
        tiles.draw(title, sweep, measured(timings, "tiles"), folder, "scaling_tiles" + suffix)


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
        timed = [t for t in root["tasks"] if t["timings"]]
        main_task = max(timed, key=lambda task: len(task["timings"]), default=None)
        for task in timed:
            draw_task(root, task, "" if task is main_task else "_" + task["id"], folder)
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
