"""synthetic.py: the parts of a made-up results.json: timings by formula, cases, tasks, the document."""
import copy

PEAK, BANDWIDTH = 74.0, 11.5  # GFLOP/s and GB/s of one synthetic thread

# name: (share of the FMA peak, does it store S x S, can it use threads)
IMPLEMENTATIONS = {"yours": (0.72, False, True), "task 1": (0.02, True, False), "OpenBLAS chain": (0.34, True, True),
                   "PyTorch": (0.58, False, True)}


def shape(b=1, h=8, sq=128, sk=None, d=64, causal=False):
    return {"batch": b, "heads": h, "seq_q": sq, "seq_kv": sk or sq, "head_dim": d, "causal": causal}


def timing(series, case, s, name, threads=2, tiles=None, scale=1.0):
    share, stores_scores, parallel = IMPLEMENTATIONS[name]
    heads, n, d = s["batch"] * s["heads"], s["seq_q"], s["head_dim"]
    pairs = n * (n + 1) // 2 if s["causal"] else n * n
    flops = 4 * heads * pairs * d
    size = 16 * heads * n * d + (16 * heads * n * n if stores_scores else 0)
    used = threads if parallel else 1
    rate = share * scale * PEAK * used ** 0.93 * n / (n + 90) * (0.85 if s["causal"] else 1)
    if stores_scores:
        extra = 4 * heads * n * n + 500000 * share
    else:
        extra = 0 if n < 200 else 400000 * share + 9 * heads * n
    median = flops / rate * 1e-9 + 2e-6
    return {"series": series, "case": case, "shape": s, "threads": threads, "tiles": tiles, "implementation": name,
            "verdict": "PASSED", "runs": 15, "median_s": median, "iqr_s": median * 0.021, "flops": flops, "bytes": size,
            "extra_bytes": int(extra), "speedup": None}


def all_timings():
    rows = []
    for causal in (False, True):
        for n in (128, 256, 512, 1024, 2048, 4096):
            case = f"S={n} {'causal' if causal else 'full'}"
            rows += [timing("seq", case, shape(sq=n, causal=causal), name) for name in IMPLEMENTATIONS]
    for h in (1, 2, 4, 8, 16):
        rows += [timing("heads", f"H={h} S=512", shape(h=h, sq=512), name) for name in ("yours", "PyTorch")]
    for b in (1, 2, 4, 8):
        rows += [timing("batch", f"B={b} S=512", shape(b=b, sq=512), name) for name in ("yours", "PyTorch")]
    for threads in (1, 2):
        rows += [timing("threads", f"S=1024, {threads} threads", shape(sq=1024), name, threads)
                 for name in ("yours", "OpenBLAS chain", "PyTorch")]
    for br in (16, 32, 64, 128):
        for bc in (32, 64, 128, 256, 512):
            scale = 1 - 0.09 * abs(br - 64) / 64 - 0.0007 * abs(bc - 256)
            rows.append(timing("tiles", f"Br={br} Bc={bc}", shape(sq=1024), "yours", 2, [br, bc], scale))
    add_speedups(rows)
    return rows


def add_speedups(rows):
    def key(r):
        return r["series"], r["case"], r["threads"], str(r["tiles"])
    yours = {key(r): r["median_s"] for r in rows if r["implementation"] == "yours"}
    for r in rows:
        if r["median_s"] and yours.get(key(r)):
            r["speedup"] = round(r["median_s"] / yours[key(r)], 4)


def case(name, criterion, s, verdict="PASSED", **more):
    passed = verdict == "PASSED"
    row = {"name": name, "criterion": criterion, "shape": s, "verdict": verdict, "max_err": 3.1e-7 if passed else None,
           "tolerance": 0.001, "rms_rel_err": 8.4e-7 if passed else None, "first_bad": None, "bad_elements": 0,
           "diagnosis": None, "seconds": 0.004}
    row.update(more)
    return row


def missing(task, todos):
    """The task as an untouched skeleton leaves it: every case waits for its TODO."""
    task = copy.deepcopy(task)
    task.update(verdict="MISSING", score=0, timings=[], message="TODO %s is open: start there." % todos[0])
    for i, row in enumerate(task["cases"]):
        row.update(verdict="MISSING", max_err=None, rms_rel_err=None, todo=todos[min(i, len(todos) - 1)])
    for c in task["criteria"]:
        c.update(points=0, why="0 of 1 cases" if c["kind"] ==
                 "correctness" else "not measured: the task is not correct yet")
    return task


def task1():
    cases = [case("rows_sum_to_one", "softmax", shape(h=4, sq=128)),
             case("large_logits_stay_finite", "softmax", shape(h=4, sq=64)),
             case("split_then_merge_is_the_identity", "heads", shape(b=2, h=4, sq=37)),
             case("matches_the_golden_vectors", "attention", shape(sq=64)),
             case("causal_is_aligned_bottom_right", "attention", shape(b=2, h=4, sq=33, sk=77, causal=True)),
             case("projections_match", "multi-head", shape(b=2, h=8, sq=128))]
    names = ["softmax", "heads", "attention", "multi-head"]
    criteria = [{"name": n, "kind": "correctness", "points": 0.5, "max_points": 0.5, "why": "all cases"} for n in names]
    return {"id": "task1", "title": "Reference attention", "verdict": "PASSED", "score": 2, "max_score": 2,
            "criteria": criteria, "cases": cases, "timings": [], "counts": []}


def task3():
    cases = [case(f"tiles_{br}x{bc}_agree", "tiled", shape(b=2, h=4, sq=n, causal=c))
             for br, bc, n, c in ((16, 16, 128, False), (64, 32, 97, True), (1, 1, 5, True))]
    cases += [case("ragged_last_tile_is_masked", "tiled", shape(h=3, sq=131)),
              case("one_query_many_keys", "tiled", shape(sq=1, sk=1024)),
              case("head_dim_80", "tiled", shape(sq=96, d=80)),
              case("threads_agree", "threads", shape(sq=512))]
    criteria = [{"name": "tiled", "kind": "correctness", "points": 1.5, "max_points": 1.5, "why": "6 of 6 cases"},
                {"name": "threads", "kind": "correctness", "points": 0.5, "max_points": 0.5, "why": "1 of 1 cases"},
                {"name": "speed S=1024", "kind": "speed", "points": 1, "max_points": 1,
                 "why": "68.4x, full points from 8x"}]
    return {"id": "task3", "title": "Attention in tiles on the CPU", "verdict": "PASSED", "score": 3, "max_score": 3,
            "criteria": criteria, "cases": cases, "timings": all_timings(), "counts": []}


def document(name, tasks, bench=True):
    machine = {"cpu": "Synthetic CPU, two cores", "cores": 2, "gpu": None, "compiler": "gcc 12.2.0"}
    if bench:
        machine["ceilings"] = {"bandwidth_gb_s": 2 * BANDWIDTH, "gflop_s": 2 * PEAK}
        machine["fma_peaks"] = [{"isa": isa, "threads": t, "gflop_s": share * PEAK * t}
                                for isa, share in (("sse2", 0.22), ("avx2", 0.61), ("avx512", 1)) for t in (1, 2)]
        machine["bandwidths"] = [{"threads": t, "gb_s": BANDWIDTH * t} for t in (1, 2)]
    return {"schema": 1, "submission": "synthetic fixture: " + name, "created": "2030-01-31T12:00:00Z",
            "lab_commit": "0123456789ab", "backend": "cpu", "machine": machine,
            "score": sum(t["score"] for t in tasks), "max_score": sum(t["max_score"] for t in tasks), "bonus": 0,
            "tasks": tasks}
