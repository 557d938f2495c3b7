"""test_report.py: claims about the student's report: what the lab fills, and that it touches nothing else."""
import json
import os
import re

from make_fixtures import gpu
from tap import REPORT, fixture, ok, report, scratch
import test_report_file
from test_page import broken_tables, cells, close, seconds

TEMPLATE = open(os.path.join(REPORT, "../../report_template/report.md"), "rb").read()
MARKER = re.compile(rb"^ {0,3}<!-- (/?)lab:([a-z0-9_ ]+) -->[ \t]*\r?$")
EVIL = "end --> <!-- /lab:summary -->\n<!-- /lab:summary -->\n--><!-- lab:run -->\n<!-- lab:gap -->\n"


def split(text):
    """(what the student owns: every line outside blocks and the markers, {marker: its block's text})."""
    own, blocks, name = [], {}, None
    for line in text.split(b"\n"):
        marker = MARKER.match(line)
        name = None if marker and marker[1] else name
        if name is None:
            own.append(line)
        else:
            blocks[name] += line + b"\n"
        if marker and not marker[1]:
            name = marker[2].decode()
            blocks[name] = b""
    return b"\n".join(own), {key: value.decode() for key, value in blocks.items()}


def filled(results, text, name="report.md"):
    """The bytes of a report that held text, filled from results."""
    path = scratch(name, text)
    status, _, error = report(results, path)
    return open(path, "rb").read() if status == 0 else f"exit {status}: {error.decode()}".encode()


def answered(newline=b"\n"):
    """The template after a student wrote into it: odd bytes, no newline at the end, a quotation of a table."""
    own = (b"Your answer: 10 < 20 & <b>bold</b>\t \xff\x00 | a | b | \xe2\x80\xa6  \n\n"
           b"    indented -->\n<!-- mine -->\n")
    text = TEMPLATE.replace(b"Your answer:\n", own) + b"\nlast\x00line"
    return text.replace(b"\n", newline)


def check_outside():
    for name, newline in (("lf", b"\n"), ("crlf", b"\r\n")):
        text = answered(newline)
        once = filled(fixture("full"), text)
        again = filled(fixture("gpu"), once)
        ok(split(once)[0] == split(text)[0] and split(again)[0] == split(text)[0] and once != again != text,
           f"{name}_text_outside_the_markers_is_the_same_after_two_runs", once[:300])
        path = scratch("same.md", once)
        before = os.stat(path)
        status, out, error = report(fixture("full"), path)
        ok(status == 0 and open(path, "rb").read() == once and os.stat(path).st_ino == before.st_ino,
           f"{name}_second_run_changes_nothing", (status, out, error))
    crlf = filled(fixture("full"), answered(b"\r\n"))
    ok(crlf == filled(fixture("full"), answered()).replace(b"\n", b"\r\n"), "crlf_stays_crlf_in_the_blocks_too",
       crlf[:200])


def check_moved():
    blocks = [b"<!-- lab:summary -->\nold\n<!-- /lab:summary -->\n", b"  <!-- lab:gap -->  \n<!-- /lab:gap -->",
              b"<!--lab:run-->\n<!-- /lab:run -->\n"]
    text = blocks[2] + b"a\n" + blocks[0] + b"b" * 70000 + b"\n" + blocks[0] + blocks[1]
    out = filled(fixture("full"), text)
    own = out.decode().split("\n")
    order = [line.strip() for line in own if "lab:" in line]
    ok(order == [line.strip().decode() for line in text.split(b"\n") if b"lab:" in line] and b"old" not in out and
       out.count(b"| task | verdict |") == 2 and out.endswith(b"<!-- /lab:gap -->") and b"b" * 70000 in out,
       "blocks_may_be_deleted_repeated_and_moved", out[:400])
    ok(filled(fixture("full"), b"no block\r\n") == b"no block\r\n", "a_report_without_blocks_stays")
    ok(filled(fixture("full"), b"") == b"", "an_empty_report_stays")


def check_filled():
    status, out, _ = report("--help")
    names = re.findall(r"lab:([a-z]+)", out.decode().split("\n", 2)[2])
    used = {name.split()[0] for name in split(TEMPLATE)[1]}
    ok(status == 0 and len(names) > 6 and set(names) == used, "the_template_uses_every_block_there_is", (names, used))
    text = filled(scratch("every.json", json.dumps(gpu())), TEMPLATE)
    blocks = split(text)[1]
    empty = [name for name, body in blocks.items() if len(body.strip()) < 40 or
             body.startswith(("\nNo ", "\nNot ", "\nTimes not")) or not body.startswith("\n") or "\n\n\n" in body]
    ok(len(blocks) >= 17 and not empty, "every_block_of_the_template_is_filled", empty or text[:200])
    wanted = {"run": "| GPU | Synthetic GPU |", "summary": "| task2: Naive attention | PASSED |",
              "intensity": "FLOP/byte**: a kernel left", "counts": "#### task2: counted memory traffic",
              "gap": "#### task4 against its baselines", "fusion": "4.17x faster", "speedups": "| B16 H32 S4096 D128 |",
              "profile": "| gemm_nt_kernel |", "demo": "yours **400 of 400**",
              "benchmark task5": "| GB/s | of bandwidth |", "benchmark task6": "time between tokens against KV length",
              "plots roofline_gpu": "roofline_gpu of the CUDA tasks", "plots traffic": "traffic of task2 and task4",
              "plots decode_bandwidth": "decode_bandwidth of task5", "method": "- **Ceilings** were measured",
              "benchmark all heads": "#### task3: time against heads", "benchmark all tiles": "| Br \\ Bc |",
              "plots roofline": "roofline of task3", "plots scaling_seq": "scaling_seq of task3"}
    missing = [name for name, what in wanted.items() if what not in blocks.get(name, "")]
    ok(not missing, "every_block_holds_what_it_says", missing)
    ok("roofline" not in blocks["plots scaling_seq"] and "time against batch" not in blocks["benchmark all heads"] and
       "### task" not in blocks["counts"].replace("#### task", ""), "a_block_holds_no_more_than_it_says")
    ok(not broken_tables(text.decode()), "tables_of_the_report_are_whole", "\n".join(broken_tables(text.decode())))


def is_right(cell, mine, its):
    """39.0 µs, 2.68x slower"""
    time, factor = cell.rsplit(", ", 1) if ", " in cell else (cell, "")
    ratio = max(mine / its, its / mine)
    good = "as fast" if ratio <= 1.005 else "faster" if its > mine else "slower"
    return close(seconds(time), its) and factor.endswith(good) and (ratio <= 1.005 or
                                                                    close(float(factor.split("x")[0]), ratio))


def check_gap(root, block):
    """Every cell of every task's table, against the document."""
    wrong, count = [], 0
    for task in root["tasks"]:
        table = [cells(line) for section in block.split("\n#### ") if section.startswith(task["id"] + " ")
                 for line in section.split("\n") if line.startswith("| ")]
        rows = {}
        for t in task["timings"]:
            if t["series"] == "kv" or t["series"] == "seq" and t["shape"]["seq_q"] in (128, 512, 1024):
                rows.setdefault(shape_text(t["shape"]), {})[t["implementation"]] = t["median_s"]
        if [row[0] for row in table[1:]] != list(rows):
            wrong.append((task["id"], [row[0] for row in table], list(rows)))
        for row in table[1:]:
            its = rows[row[0]]
            for name, cell in zip(table[0][2:], row[2:]):
                count += 1
                wrong += [] if is_right(cell, its["yours"], its[name]) else [(row[0], name, cell)]
    ok(not wrong and count == 92, "the_gap_has_every_baseline_and_its_factor", wrong or count)


def shape_text(s):
    length = f"S{s['seq_q']}" if s["seq_q"] == s["seq_kv"] else f"Sq{s['seq_q']} Sk{s['seq_kv']}"
    return f"B{s['batch']} H{s['heads']} {length} D{s['head_dim']}" + (" causal" if s["causal"] else "")


def check_numbers():
    root = gpu()
    blocks = split(filled(scratch("every.json", json.dumps(root)), TEMPLATE))[1]
    check_gap(root, blocks["gap"])
    naive, fused = ({shape_text(t["shape"]): t["median_s"] for t in root["tasks"][i]["timings"]
                     if t["series"] == "seq" and t["implementation"] == "yours" and t["median_s"]} for i in (1, 3))
    rows = [cells(line) for line in blocks["fusion"].split("\n") if line.startswith("| B")]
    wrong = [row for row in rows if not (close(seconds(row[1]), naive[row[0]]) and close(seconds(row[2]), fused[row[0]])
                                         and close(float(row[3].split("x faster")[0]), naive[row[0]] / fused[row[0]]))]
    ok(len(rows) == len(set(naive) & set(fused)) and not wrong and
       blocks["fusion"].count("| S=128 full | 3.19 MiB | 640 KiB | 5.1 |") == 1,
       "fusion_compares_task_2_with_task_4", wrong or rows)
    times = {(shape_text(t["shape"]), t["implementation"]): t["median_s"] for t in root["tasks"][3]["timings"]
             if t["series"] == "speedups"}
    rows = [cells(line) for line in blocks["speedups"].split("\n") if line.startswith("| B")]
    wrong = [row for row in rows if not close(float(row[3].split("x faster")[0]),
                                              times[row[0], "task 2"] / times[row[0], "yours"])]
    ok(not wrong and [row[0] for row in rows] == ["B4 H32 S128 D128", "B4 H32 S128 D128 causal", "B16 H32 S4096 D128",
                                                  "B16 H32 S4096 D128 causal"], "the_speedups_are_four", wrong or rows)


def check_unfilled():
    text = filled(fixture("full"), TEMPLATE)
    late = split(filled(fixture("no_bench"), text))[1]
    wanted = {"benchmark all seq": "No timing of series seq in these results.", "plots roofline": "No plot",
              "counts": "No memory traffic in these results", "gap": "Not measured: these results hold no baseline",
              "fusion": "Times not measured", "intensity": "ceilings were not measured"}
    missing = [name for name, what in wanted.items() if what not in late[name]]
    ok(not missing and not re.search(r"\d [mµ]s", str(late)), "without_a_benchmark_every_block_says_so", missing)
    body = split(filled(fixture("full"), b"<!-- lab:benchmark task4 seq -->\n<!-- /lab:benchmark -->\n"
                        b"<!-- lab:counts task4 -->\n<!-- /lab:counts -->"))[1]
    ok(all("task4 is not in these results" in b for b in body.values()), "a_task_that_was_not_graded_is_named", body)
    timed = split(text)[1]
    silent = [name for name in ("gap", "benchmark all seq", "benchmark all tiles")
              if "\nTasks not measured here: task1 (PASSED).\n" not in timed[name]]
    ok(not silent and "for nothing was timed: task1 (PASSED)." in timed["plots roofline"],
       "a_task_without_timings_is_named_beside_the_others", silent)
    body = split(filled(fixture("without_torch"), TEMPLATE))[1]["gap"]
    line = "Not measured, task3: PyTorch, SKIPPED, python3 has no module torch.\n"
    ok(body.count("PyTorch") == 1 and line in body, "a_baseline_that_is_missing_is_named_once", body)


def check_hostile():
    ok(split(filled(fixture("hostile"), TEMPLATE))[0] == split(TEMPLATE)[0], "hostile_fixture_leaves_the_markers_alone")
    root = json.loads(json.dumps(gpu()))

    def poison(value, key=""):
        if isinstance(value, dict):
            return {k: poison(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [poison(v, key) for v in value]
        fixed = ("id", "verdict", "series", "kind", "todo", "created", "backend", "source")
        return EVIL + value if isinstance(value, str) and key not in fixed and value != "yours" else value
    path = scratch("evil.json", json.dumps(poison(root)))
    text = filled(path, TEMPLATE)
    marks = [line for line in TEMPLATE.split(b"\n") if b"lab:" in line and line.startswith(b"<!--")]
    ok([line for line in text.split(b"\n") if b"-->" in line or b"<!--" in line] == marks and b"--&gt;" in text,
       "a_hostile_string_neither_closes_nor_opens_a_block",
       [line for line in text.split(b"\n") if b"-->" in line][:8])
    ok(filled(path, text) == text, "a_hostile_report_is_stable")


def check_wrong_markers():
    bad = {"is_not_closed": (2, b"x\n<!-- lab:run -->\ntext\n"),
           "is_nested": (4, b"x\n<!-- lab:run -->\n\n<!-- lab:gap -->\n<!-- /lab:gap -->\n<!-- /lab:run -->\n"),
           "is_closed_by_another": (3, b"<!-- lab:run -->\r\n\r\n<!-- /lab:gap -->\r\n"),
           "closes_nothing": (3, b"<!-- lab:run -->\n<!-- /lab:run -->\n<!-- /lab:run -->\n"),
           "closes_in_a_line_of_text": (1, b"<!-- lab:run -->\nmine <!-- /lab:run -->\n"),
           "has_no_end": (1, b"<!-- lab:run ->\n<!-- /lab:run -->\n"),
           "has_no_name": (1, b"<!-- lab: -->\n<!-- /lab: -->\n"),
           "has_a_capital": (1, b"<!-- lab:Run -->\n<!-- /lab:Run -->\n"),
           "stands_twice_on_a_line": (1, b"<!-- lab:run --><!-- /lab:run -->\n"),
           "closes_with_arguments": (2, b"<!-- lab:counts a -->\n<!-- /lab:counts a -->\n"),
           "is_too_long": (1, b"<!-- lab:" + b"a" * 999 + b" -->\n"),
           "has_too_many_words": (1, b"<!-- lab:benchmark a b c d e -->\n<!-- /lab:benchmark -->\n")}
    for what, (line, text) in bad.items():
        path = scratch("bad_markers/report.md", b"<!-- lab:summary -->\nkept\n<!-- /lab:summary -->\n" + text)
        before = open(path, "rb").read()
        status, out, error = report(fixture("full"), path)
        ok(status == 1 and error.count(b"\n") == 1 and error.startswith(f"report: {path}:{line + 3}: ".encode()) and
           open(path, "rb").read() == before and os.listdir(os.path.dirname(path)) == ["report.md"] and not out,
           f"a_marker_that_{what}_is_an_error_with_its_line", (status, error))
    for name in (b"speed", b"benchmark task3 speed", b"run now", b"plots roofing", b"gap seq"):
        block = b"<!-- lab:%s -->\nold\n<!-- /lab:%s -->\n" % (name, name.split()[0])
        path = scratch("unknown.md", block + b"<!-- lab:run -->\n<!-- /lab:run -->\n")
        status, _, error = report(fixture("full"), path)
        text = open(path, "rb").read()
        ok(status == 0 and text.startswith(block) and b"**Score" in text and error.count(b"\n") == 1 and
           b":1: warning: the lab has no block lab:" + name + b";" in error,
           f"lab_{name.decode().replace(' ', '_')}_is_a_warning_and_stays", (status, error))
    for text in (b"> <!-- lab:run -->\n> old\n> <!-- /lab:run -->\n", b"`<!-- lab:run -->`\n",
                 b"    <!-- lab:run -->\n    <!-- /lab:run -->\n"):
        path = scratch("inside.md", text)
        status, _, error = report(fixture("full"), path)
        ok(status == 0 and open(path, "rb").read() == text and error.count(b"\n") == text.count(b"lab:") and
           b"inside.md:1: warning: a marker inside a line" in error, "a_marker_inside_a_line_is_warned_about", error)


def main():
    check_outside()
    check_moved()
    check_filled()
    check_numbers()
    check_unfilled()
    check_hostile()
    check_wrong_markers()
    test_report_file.main()
