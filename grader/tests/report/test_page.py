"""test_page.py: claims about Results.md."""
import json
import os
import re

from tap import FIXTURES, fixture, ok, results_md, run, scratch, SCRATCH


def page(name):
    status, out, error = results_md(fixture(name))
    return out.decode() if status == 0 else f"exit {status}: {error.decode()}"


def cells(line):
    return [c.strip() for c in line.strip()[1:-1].split("|")]


def broken_tables(text):
    """Lines of a table whose number of cells is not that of its head."""
    bad, width = [], 0
    for line in text.split("\n"):
        if not line.startswith("|"):
            width = 0
            continue
        width = width or len(cells(line))
        if len(cells(line)) != width or not line.endswith("|"):
            bad.append(line)
    return bad


def seconds(text):
    """538 µs -> 538e-6"""
    value, unit = text.split()[:2]
    return float(value) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def close(a, b):
    return abs(a - b) <= 0.006 * abs(b)


def rows_of(text, timing):
    start = f"| {timing['case']} | {timing['threads'] or 'GPU'} |"
    return [cells(line) for line in text.split("\n")
            if line.startswith(start) and cells(line)[2].strip("*") == timing["implementation"]]


TITLES = {"seq": "time against sequence length", "heads": "time against heads", "batch": "time against batch",
          "dim": "head dimensions, at long sequences", "speedups": "a short and a long sequence",
          "threads": "time against threads",
          "queries": "before and after a block per query tile", "kernels": "the naive chain, kernel by kernel",
          "graph": "small shapes, replayed from a CUDA graph", "kv": "decode against KV length",
          "tokens": "a prompt of 1024, then 100 tokens: time per token",
          "tbt": "time between tokens against KV length"}


def expected_factor(t):
    if t["implementation"] == "yours":
        return ""
    if t["speedup"] is None:
        return "-"  # yours was not measured there
    speedup = t["speedup"]
    factor = max(speedup, 1 / speedup)
    if factor <= 1.005:
        return "as fast"
    return (f"{factor:.2f}" if factor < 9.995 else f"{factor:.1f}") + ("x faster" if speedup > 1 else "x slower")


def check_timings(name):
    text, wrong, count = page(name), [], 0
    for task in json.load(open(fixture(name)))["tasks"]:
        for t in task["timings"]:
            count += 1
            if t["series"] in ("tiles", "model"):
                continue
            title = f"{task['id']}: {TITLES[t['series']]}\n"
            section = "\n".join(s for s in text.split("\n### ") if s.startswith(title))
            if not any(o["median_s"] for o in task["timings"]
                       if (o["series"], o["implementation"]) == (t["series"], t["implementation"])):
                line = f"Not measured: {t['implementation']}, {t['verdict']}, {t.get('why')}."
                wrong += [] if line in section else [f"no line: {line}"]
                continue
            rows = rows_of(section, t)
            if len(rows) != 1:
                wrong.append(f"{t['case']} {t['implementation']}: {len(rows)} rows")
            elif t["median_s"] is None:
                if t["verdict"] not in rows[0][3] or t.get("why", "") not in rows[0][3]:
                    wrong.append(f"not measured, but: {rows[0]}")
            else:
                work = t["bytes"] if t["series"] in ("kv", "tokens", "tbt") else t["flops"]
                rate = work / t["median_s"] * 1e-9
                if not (close(seconds(rows[0][3]), t["median_s"]) and close(float(rows[0][5]), rate) and
                        rows[0][7] == expected_factor(t)):
                    wrong.append(f"{rows[0]} is not {t['median_s']} {rate} {expected_factor(t)}")
    ok(not wrong and count > 40, f"{name}_shows_every_timing_with_its_factor", "\n".join(wrong) or count)


def check_tiles():
    text, wrong = page("slow"), []
    timings = [t for t in json.load(open(fixture("slow")))["tasks"][1]["timings"] if t["series"] == "tiles"]
    lines = text.split("\n")
    head = next(i for i, line in enumerate(lines) if line.startswith("| Br \\ Bc"))
    grid = {cells(line)[0].strip("*"): dict(zip(cells(lines[head])[1:], cells(line)[1:]))
                  for line in lines[head + 2:head + 6]}
    for t in timings:
        cell = grid[str(t["tiles"][0])][str(t["tiles"][1])]
        if t["median_s"] is None:
            good = "LAUNCH_FAILURE: tile too large" in cell
        else:
            good = close(seconds(re.search(r"\((.*)\)", cell).group(1)), t["median_s"])
        wrong += [] if good else [f"{t['tiles']}: {cell}"]
    ok(not wrong, "every_tile_stands_in_the_grid", "\n".join(wrong))


def check_content():
    contents = {
        "full": ["**Score: 5 of 5**", "Nothing: every graded task passed", "S D / 4 (S + D)", "rises from 10.7 to 15.1",
                 "from 32.0 to 256", "**6.43 FLOP/byte**", "(roofline.png)](roofline.svg)",
                 "ragged_last_tile_is_masked", "| FMA, avx512 | 2 | 148 GFLOP/s |", "compute-bound", "memory-bound"],
        "skeleton": ["**Score: 0 of 5**", "write TODO 1.1", "`make task1 hint TODO=1.1`", "write TODO 3.1",
                     "No plot: no benchmark was run", "ceilings were not measured"],
        "failing": ["the last tile is not masked", "4096 wrong elements, first at (0, 1, 32, 5)",
                    "    tiled_cpu.c:41:17: error:", "       41 |     float s[Bcc];",
                    "Mend the compiler's first error"],
        "no_bench": ["No benchmark was run", "No plot", "not measured: --no-bench"],
        "without_torch": ["Not measured: PyTorch, SKIPPED, python3 has no module torch.",
                          "not measured: SKIPPED, over its time budget"],
        "slow": ["**above the peak: error**", "TIMING_SUSPECT", "1 timing(s) of task3 spread",
                 "slower than a baseline somewhere",
                 "points are left in speed S=1024 (0.5x, full points from 8x)"],
        "one_timing": ["scaling_tiles of task3 is left out: nothing of its series was measured", "(scaling_seq.png)"],
        "gpu": ["(roofline_gpu.png)", "(traffic.png)", "(decode_bandwidth_task5.png)", "(latency_task6.png)",
                "(latency_kv_task6.png)", "(scaling_queries_task4.png)", "bonus 2", "GPU | **yours**",
                "this machine's GPU is 60000 GFLOP/s / 4600 GB/s", "| GPU, memory, read | | 4600 GB/s |",
                "| S=128 full | K | 256 KiB | 0 B | 64.0 KiB | 4x | 12288 | 6x | 0 |",
                "| S=128 full | **global memory** | 576 KiB | 64.0 KiB | 256 KiB | 2.5x | 24576 | 3x | |",
                "| S=128 full | shared | - | - | - | - | - | - | 1536 |",
                "LAUNCH_FAILURE: needs 260 KB of shared memory; 227 KB are there",
                "| gemm_nn_kernel | 160 | 8 | 12.0 KiB |",
                "| flash_kernel&lt;64&gt; | B1 H8 S1024 D64 | 91.0 µs | 61.5 % |",
                "ncu measured nothing: no permission: ERR_NVGPUCTRPERM.", "yours **400 of 400**, reference 400 of 400",
                "> Bob: 555-0178\\\n> Bob?", "| **yours** | 7.9 ms |  | 1.9 ms | 2.05 ms |  | 526 | 31 % |",
                "| Hugging Face | 9.7 ms | 1.23x faster | 3.7 ms | 4 ms | 1.95x faster | 270 | - |",
                "| B1 H8 S1024 D64 | 750 µs | 235 µs, 3.20x slower | 136 µs, 5.51x slower |",
                "| B16 H32 Sq1 Sk4096 D128 | 548 µs |",
                "| B16 H32 S4096 D128 causal | 74.0 ms | 621 ms | 8.40x faster | 188 ms | 2.54x faster | 53.6 ms |"],
        "simt": ["(traffic.png)", "roofline_gpu of the CUDA tasks is left out: there is no GPU",
                 "SKIPPED, no GPU: a time on the CPU is no kernel's speed", "| S=128 full | 3.19 MiB | 640 KiB | 5.1 |",
                 "| gemm_nt_kernel | 40 | 0 | 4 KiB |"],
        "empty": ["No task was graded"],
    }
    for name, wanted in contents.items():
        text = page(name)
        missing = [w for w in wanted if w not in text]
        ok(not missing, f"{name}_page_says_what_it_must", f"missing: {missing}")
    text = page("simt")
    ok(not re.search(r"\d (ns|µs|ms|s)\b", text), "without_a_gpu_no_kernel_has_a_time",
       re.findall(r".*\d (?:ns|µs|ms|s)\b.*", text))
    text = page("failing").split("### task1")[1].split("###")[0]
    order = [cells(line)[0] for line in text.split("\n") if line.startswith("|")][2:]
    ok(order[-1] == "PASSED" and order[-2] == "SKIPPED" and len(order) == 23, "failing_claims_come_first", order)


def check_hostile():
    text = page("hostile")
    controls = sorted({hex(ord(c)) for c in text if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) <= 0x9f or
                       c in "\u00ad\u200b\u202e\u2066\ufeff"})
    ok(not controls, "no_control_character_reaches_the_page", controls)
    prose = "\n".join(line for line in text.split("\n") if not line.startswith("    "))
    found = [s for s in ("<script", "![x]", "http://", "www.evil", "@all", " `code`", "[l](") if s in prose]
    ok(not found, "hostile_strings_make_no_html_link_or_picture", found)
    heads = [line for line in text.split("\n") if line.startswith("#") and "heading" in line][1:]  # one is the title
    ok(not heads, "hostile_strings_make_no_heading", heads)
    ok("evil" in text and "| not | a row |" in text, "hostile_strings_are_still_shown")


def check_bad_input():
    full = open(fixture("full"), "rb").read()
    bad = {"no file": "/nonexistent/results.json", "a folder": SCRATCH, "an empty file": scratch("empty.json", ""),
           "half a file": scratch("half.json", full[:len(full) // 2]),
           "no UTF-8": scratch("latin1.json", b'{"schema":"\xff"}'),
           "not a number": scratch("nan.json", full.replace(b'"score": 5', b'"score": NaN', 1)),
           "a number twice": scratch("twice.json", full.replace(b'"score": 5', b'"score": 5, "score": 6', 1)),
           "another schema": scratch("two.json", full.replace(b'"schema": 1', b'"schema": 2', 1)),
           "a list": scratch("list.json", "[]"), "deep nesting": scratch("deep.json", "[" * 100000)}
    for what, path in bad.items():
        status, out, error = results_md(path)
        one_line = error.count(b"\n") == 1 and error.startswith(b"results_md: ") and path.encode() in error
        ok(status == 1 and not out and one_line,
           f"{what.replace(' ', '_')}_is_one_clear_line_and_exit_1", (status, out, error))
    error = results_md(bad["another schema"])[2]
    ok(error.endswith(b"schema: must be 1\n"), "the_line_names_the_field", error)
    ok(results_md()[0] == 2, "no_argument_is_wrong_usage")
    if os.path.exists("/dev/full"):
        status, _, error = run("sh", "-c", '"$RESULTS_MD" "$0" >/dev/full', fixture("full"))
        ok(status == 1 and b"cannot write" in error, "a_full_disk_is_exit_1", (status, error))


def check_plots_option():
    folder = os.path.dirname(scratch("plots/roofline.png", "x"))
    text = results_md("--plots", folder, fixture("full"))[1].decode()
    ok("(roofline.png)" in text and "(scaling_seq.png)" not in text and
       "scaling_seq of task3 is left out: its picture" in text, "a_plot_that_was_not_drawn_is_named", text[-1500:])


def main():
    for name in FIXTURES:
        text = page(name)
        ok(text.startswith("# Attention Lab") and not broken_tables(text), f"{name}_page_has_whole_tables",
           "\n".join(broken_tables(text)) or text[:200])
    ok(all(page(n) == page(n) for n in FIXTURES), "same_input_gives_same_bytes")
    for name in ("full", "slow", "without_torch", "gpu"):
        check_timings(name)
    check_tiles()
    check_content()
    check_hostile()
    check_bad_input()
    check_plots_option()
