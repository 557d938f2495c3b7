"""series.py: which timings of results.json make which plot."""

# What stays the same along a series: only timings that share it with the
# first one make one line. The page shows them all.
FIXED = {"seq": ("batch", "heads", "head_dim"), "heads": ("batch", "seq_q", "seq_kv", "head_dim", "causal"),
         "batch": ("heads", "seq_q", "seq_kv", "head_dim", "causal"),
         "threads": ("batch", "heads", "seq_q", "seq_kv", "head_dim", "causal"), "tbt": ("batch", "heads", "head_dim")}

OF_GPU = ("kv", "tokens", "graph", "kernels", "queries", "speedups", "model", "tbt")


def withdraw_kernel_times(root):
    """A CUDA kernel on the CPU (simt) has no speed: a time that stands there all the same is not drawn (results.c)."""
    for task in root["tasks"] if root["backend"] != "cuda" else ():
        for t in task["timings"]:
            if t["threads"] is None or t["series"] in OF_GPU:
                t["median_s"] = None


def all_measured(timings, series):
    """The timings of this series that hold the time of a right answer."""
    return [t for t in timings if t["series"] == series and t["median_s"] and
            t["verdict"] in ("PASSED", "TIMING_SUSPECT") and (series != "tiles" or t["tiles"])]


def measured(timings, series):
    """The same, of one shape but for what the series varies."""
    rows = all_measured(timings, series)
    return [t for t in rows if all(t["shape"][key] == rows[0]["shape"][key] for key in FIXED.get(series, ()))]


def families(timings, series, least, keys):
    """The timings by the shape's keys, in their order; only families that hold at least so many lengths."""
    rows, found = all_measured(timings, series), {}
    for t in rows:
        found.setdefault(tuple(t["shape"][key] for key in keys), []).append(t)
    return [rows for rows in found.values() if len({t["shape"]["seq_kv"] for t in rows}) >= least]


def on_gpu(timings):
    return bool(timings) and all(t["threads"] is None for t in timings)


def rate(t):
    """GFLOP/s"""
    return t["flops"] / t["median_s"] * 1e-9


def ceilings_of(root, timings):
    """(GFLOP/s, GB/s) of the machine the timings ran on, all its threads; None where they were not measured.

    With backend cuda, machine.ceilings are the GPU's; a task on the CPU then stands under the CPU's own peaks.
    """
    machine = root["machine"]
    if "ceilings" in machine and (root["backend"] == "cuda") == on_gpu(timings):
        return machine["ceilings"]["gflop_s"], machine["ceilings"]["bandwidth_gb_s"]
    peaks = [p["gflop_s"] for p in machine.get("fma_peaks", [])]
    rates = [b["gb_s"] for b in machine.get("bandwidths", [])]
    return (max(peaks), max(rates)) if peaks and rates and not on_gpu(timings) else None
