"""test_fill.py: claims about a student's report: what the lab fills, and that it touches nothing else."""
import os
import re
import shutil

import variants
from tap import REPORT, SCRATCH, ok, read, report, run, scratch, skip
from test_page import broken_tables

with open(os.path.join(REPORT, "../../report_template/report.md"), "rb") as file:
    TEMPLATE = file.read()
MARKER = re.compile(rb"^ {0,3}<!--[ \t]*(/?)lab:([a-z0-9_ ]+?)[ \t]*-->[ \t]*\r?$")
BLOCK = b"<!-- lab:run -->\n<!-- /lab:run -->\n"


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


def results_of(name):
    path = os.path.join(SCRATCH, "fill", name, "results.json")
    return path if os.path.exists(path) else scratch(f"fill/{name}/results.json", variants.document(name))


def filled(name, text):
    """The bytes of a report that held text, filled from a variant of the results."""
    path = scratch("fill/report.md", text)
    status, _, error = report("fill", results_of(name), path)
    return read("fill/report.md") if status == 0 else f"exit {status}: {error.decode()}".encode()


def answered(newline=b"\n"):
    """The template after a student wrote into it: odd bytes, no newline at the end, a quotation of a table."""
    own = (
        b"Your answer: 10 < 20 & <b>bold</b>\t \xff\x00 | a | b | \xe2\x80\xa6  \n\n    indented -->\n<!-- mine -->\n")
    return (TEMPLATE.replace(b"Your answer:\n", own) + b"\nlast\x00line").replace(b"\n", newline)


def check_empty():
    path = scratch("fill/empty.md", TEMPLATE)
    said = report("fill", results_of("cpu"), path)[1]
    said = said.decode() if isinstance(said, bytes) else said
    list_of = said[said.find("  not written yet"):]
    ok("not written yet: 1.1, " in list_of and max(map(len, list_of.splitlines())) <= 80,
       "answers_that_are_not_written_are_listed_in_lines_that_fit", said)


def check_outside():
    for name, newline in (("lf", b"\n"), ("crlf", b"\r\n")):
        text = answered(newline)
        once = filled("cpu", text)
        again = filled("gpu", once)
        ok(
            split(once)[0] == split(again)[0] == split(text)[0] and once != again != text,
            f"{name}_text_outside_the_markers_is_the_same_after_two_runs", once[:300])
        path = scratch("fill/same.md", once)
        before = os.stat(path)
        status, out, error = report("fill", results_of("cpu"), path)
        ok(status == 0 and read("fill/same.md") == once and os.stat(path).st_ino == before.st_ino,
           f"{name}_second_run_changes_nothing", (status, out, error))
    ok(
        filled("cpu", answered(b"\r\n")) == filled("cpu", answered()).replace(b"\n", b"\r\n"),
        "crlf_stays_crlf_in_the_blocks_too")
    blocks = [
        b"<!-- lab:summary -->\nold\n<!-- /lab:summary -->\n", b"  <!-- lab:gap -->  \n<!-- /lab:gap -->",
        b"<!--lab:run-->\n<!-- /lab:run -->\n"
    ]
    text = blocks[2] + b"a\n" + blocks[0] + b"b" * 70000 + b"\n" + blocks[0] + blocks[1]
    out = filled("cpu", text)
    ok(
        b"\nold\n" not in out and out.count(b"| task | verdict |") == 2 and out.endswith(b"<!-- /lab:gap -->") and
        b"b" * 70000 in out and split(out)[0] == split(text)[0], "blocks_may_be_deleted_repeated_and_moved", out[:400])
    ok([filled("cpu", text) for text in (b"no block\r\n", b"")] == [b"no block\r\n", b""],
       "a_report_without_blocks_stays")


WHOLE = "".join(f"<!-- lab:{name} -->\n<!-- /lab:{name.split()[0]} -->\n" for name in (
    "counts all", "profile all", "demo", "benchmark task5", "benchmark task6", "benchmark all heads", "benchmark all seq",
    "method", "summary all", "gap all", "fusion all", "intensity")).encode()


def check_filled():
    status, out, _ = report("--help")
    names = set(re.findall(r"^    lab:([a-z]+)", out.decode(), re.M))
    used = {name.split()[0] for name in split(TEMPLATE)[1]}
    ok(status == 0 and len(used) > 6 and used <= names, "the_template_uses_blocks_that_there_are", used - names)
    text = filled("gpu", TEMPLATE)
    blocks = split(text)[1]
    drawn = {name: body for name, body in blocks.items() if not name.startswith("plots")}
    hollow = [name for name, body in drawn.items()
              if len(body.strip()) < 40 or not body.startswith("\n") or "\n\n\n" in body]
    ok(
        len(drawn) >= 8 and not hollow and not broken_tables(text.decode()), "every_block_of_the_template_is_filled",
        hollow or text[:200])
    wanted = {
        "run": "| GPU | ", "summary": "| task | verdict |", "intensity": "FLOP/byte**: a kernel left",
        "gap": "faster than", "counts": "| task2 |", "fusion": "than the naive chain",
        "speedups": "| B16 H32 S4096 D128 causal |", "profile": "(ptxas)"
    }
    ok(not [n for n, what in wanted.items() if what not in blocks.get(n, "")], "every_block_holds_what_it_says",
       [n for n, what in wanted.items() if what not in blocks.get(n, "")])
    ok("rise" not in blocks["intensity"] and "S/4" not in blocks["intensity"], "no_block_answers_question_1_2")
    lines = [line for line in text.decode().split("\n") if line.strip() and not line.startswith("<!--")]
    ok(len(lines) <= 200, "a_filled_template_has_at_most_200_lines", len(lines))


def check_whole():
    """Blocks with arguments are whole, and say so when they have nothing to show; those of the template vanish."""
    text = filled("gpu", WHOLE)
    blocks = split(text)[1]
    wanted = {
        "counts all": "#### task2: bytes moved", "profile all": "#### task4: ptxas", "demo": "> ",
        "benchmark task5": "B/s |", "method": "- **Ceilings** were measured",
        "benchmark task6": "tokens/s | attention: ", "benchmark all heads": "#### task3: time against heads",
        "summary all": "| task | criterion |"
    }
    ok(not broken_tables(text.decode()) and not [n for n, what in wanted.items() if what not in blocks.get(n, "")],
       "a_block_with_arguments_is_whole", [n for n, what in wanted.items() if what not in blocks.get(n, "")])
    ok(
        "time against batch" not in blocks["benchmark all heads"] and "latency" not in blocks["benchmark all seq"] and
        "time against" not in blocks["counts all"], "a_block_holds_no_more_than_it_says")
    late = split(filled("no_bench", text))[1]
    wanted = {
        "benchmark all seq": "No timing of series seq in these results.", "gap all": "Not measured: these results hold",
        "counts all": "No memory traffic in these results", "fusion all": "Times not measured",
        "intensity": "ceilings were not measured"
    }
    ok(not [n for n, what in wanted.items() if what not in late[n]] and not re.search(r"\d [mµ]s", str(late)),
       "without_a_benchmark_a_whole_block_says_so", [n for n, what in wanted.items() if what not in late[n]])
    late = split(filled("no_bench", TEMPLATE))[1]
    said = [name for name in ("gap", "counts", "fusion", "plots scaling_seq", "speedups") if late[name].strip()]
    ok(not said, "what_does_not_apply_vanishes_from_the_template", (said, late[said[0]] if said else ""))
    body = split(filled("cpu", b"<!-- lab:counts task4 -->\n<!-- /lab:counts -->"))[1]["counts task4"]
    ok("task4 is not in these results: it was not graded." in body, "a_task_that_was_not_graded_is_named", body)


def check_hostile():
    text = filled("hostile", TEMPLATE)
    marks = [line for line in TEMPLATE.split(b"\n") if b"lab:" in line and line.startswith(b"<!--")]
    ok([line for line in text.split(b"\n") if b"-->" in line or b"<!--" in line] == marks and b"--&gt;" in text and
       filled("hostile", text) == text, "a_hostile_string_neither_closes_nor_opens_a_block", text[:300])


WRONG = {
    "is_not_closed": (2, b"x\n<!-- lab:run -->\ntext\n"),
    "is_nested": (4, b"x\n<!-- lab:run -->\n\n<!-- lab:gap -->\n<!-- /lab:gap -->\n<!-- /lab:run -->\n"),
    "is_closed_by_another": (3, b"<!-- lab:run -->\r\n\r\n<!-- /lab:gap -->\r\n"),
    "closes_nothing": (3, b"<!-- lab:run -->\n<!-- /lab:run -->\n<!-- /lab:run -->\n"),
    "closes_in_a_line_of_text": (1, b"<!-- lab:run -->\nmine <!-- /lab:run -->\n"),
    "has_no_end": (1, b"<!-- lab:run ->\n<!-- /lab:run -->\n"), "has_no_name": (1, b"<!-- lab: -->\n<!-- /lab: -->\n"),
    "has_a_capital": (1, b"<!-- lab:Run -->\n<!-- /lab:Run -->\n"),
    "stands_twice_on_a_line": (1, b"<!-- lab:run --><!-- /lab:run -->\n"),
    "closes_with_arguments": (2, b"<!-- lab:counts a -->\n<!-- /lab:counts a -->\n"),
    "is_too_long": (1, b"<!-- lab:" + b"a" * 999 + b" -->\n"),
    "has_too_many_words": (1, b"<!-- lab:benchmark a b c d e -->\n<!-- /lab:benchmark -->\n")
}


def check_wrong_markers():
    for what, (line, text) in WRONG.items():
        path = scratch("bad/report.md", b"<!-- lab:summary -->\nkept\n<!-- /lab:summary -->\n" + text)
        before = read("bad/report.md")
        status, out, error = report("fill", results_of("cpu"), path)
        ok(
            status == 1 and error.count(b"\n") == 1 and error.startswith(f"report: {path}:{line + 3}: ".encode()) and
            not out and read("bad/report.md") == before and os.listdir(os.path.dirname(path)) == ["report.md"],
            f"a_marker_that_{what}_is_an_error_with_its_line", (status, error))
    for name in (b"speed", b"benchmark task3 speed", b"run now", b"plots roofing", b"gap seq"):
        block = b"<!-- lab:%s -->\nold\n<!-- /lab:%s -->\n" % (name, name.split()[0])
        path = scratch("unknown.md", block + BLOCK)
        status, _, error = report("fill", results_of("cpu"), path)
        ok(
            status == 0 and read("unknown.md").startswith(block) and b"| backend |" in read("unknown.md") and
            error.count(b"\n") == 1 and b":1: warning: the lab has no block lab:" + name + b";" in error,
            f"lab_{name.decode().replace(' ', '_')}_is_a_warning_and_stays", (status, error))
    for text in (b"> <!-- lab:run -->\n> old\n> <!-- /lab:run -->\n", b"`<!-- lab:run -->`\n",
                 b"    <!-- lab:run -->\n    <!-- /lab:run -->\n"):
        path = scratch("inside.md", text)
        status, _, error = report("fill", results_of("cpu"), path)
        ok(
            status == 0 and read("inside.md") == text and error.count(b"\n") == text.count(b"lab:") and
            b"inside.md:1: warning: a marker inside a line" in error, "a_marker_inside_a_line_is_warned_about", error)


def one_line(error, *parts):
    return error.count(b"\n") == 1 and error.startswith(b"report: ") and all(p.encode() in error for p in parts)


def check_files():
    source = scratch("out/report.md", BLOCK)
    bad = {
        "a_missing_report": (results_of("cpu"), SCRATCH + "/none.md", "none.md"),
        "a_folder": (results_of("cpu"), SCRATCH, SCRATCH),
        "no_results": ("/nonexistent/r.json", source, "/nonexistent"),
        "broken_results": (scratch("half.json", "{"), source, "half.json")
    }
    for what, (results, path, part) in bad.items():
        status, _, error = report("fill", results, path)
        ok(status == 1 and one_line(error, part) and read("out/report.md") == BLOCK, f"{what}_is_one_clear_line", error)
    real, link = scratch("real/report.md", BLOCK), os.path.join(SCRATCH, "link.md")
    os.chmod(real, 0o640)
    os.symlink("real/report.md", link)
    status, _, error = report("fill", results_of("cpu"), link)
    ok(
        status == 0 and os.path.islink(link) and b"| backend |" in read("real/report.md") and
        os.stat(real).st_mode & 0o777 == 0o640 and os.listdir(os.path.dirname(real)) == ["report.md"],
        "a_link_stays_a_link_and_the_mode_stays", error)
    text = b"x" * 100000 + b"\n" + BLOCK
    full = scratch("limited/report.md", text)
    limited = run("bash", "-c", 'ulimit -f 8; trap "" XFSZ; "$REPORT" fill "$0" "$1"', results_of("cpu"), full)
    ok(
        limited[0] == 1 and one_line(limited[2], full) and read("limited/report.md") == text and
        os.listdir(os.path.dirname(full)) == ["report.md"], "a_full_disk_leaves_the_old_report_whole", limited)


def check_links():
    places = {
        "next_to_the_results": ("", ""), "above": ("", "graded/me"), "below": ("reports/mine", ""),
        "beside": ("reports", "reports2"), "strangely_named": ("a", "a (b) [c](d) %20 \u00e4\"<e>")
    }
    for name, (page, results) in places.items():
        folder = os.path.join("links", name)
        data = scratch(os.path.join(folder, results, "results.json"), variants.document("cpu"))
        scratch(os.path.join(folder, results, "roofline.png"), "x")
        path = scratch(os.path.join(folder, page, "report.md"), b"<!-- lab:plots roofline -->\n<!-- /lab:plots -->\n")
        status, _, error = report("fill", data, path)
        found = re.findall(r"\]\(([^)]*)\)", read(path).decode())
        plain = [re.sub("(%[0-9A-F]{2})+", lambda m: bytes.fromhex(m[0].replace("%", "")).decode(), f) for f in found]
        there = [os.path.isfile(os.path.join(os.path.dirname(path), p)) for p in plain]
        ok(
            status == 0 and there == [True] and all(re.fullmatch(r"[\w./%-]+", f, re.A) for f in found) and
            not found[0].startswith("/"), f"pictures_are_linked_from_a_report_{name}", error + read(path))


def check_published():
    """report.html stands alone; report.pdf is a PDF; without pandoc it says so, and nothing fails."""
    path = scratch("published/report.md", filled("gpu", TEMPLATE) + b"\n<script>alert(1)</script>\n")
    publish = [os.path.join(REPORT, "publish"), path]
    if shutil.which("pandoc"):
        status, out, error = run(*publish)
        page = read("published/report.html").decode()
        ok(
            status == 0 and "<h1" in page and "<table>" in page and "lab:run" not in page and "default-src &#39;none&#39;" in page.replace("'", "&#39;") and
            not re.search(r'(src|href)="(?!data:|#|[^"]*details.md)', page), "the_html_stands_alone", (status, out, error))
    else:
        skip("the_html_stands_alone", "there is no pandoc")
    if shutil.which("pandoc") and any(shutil.which(p) for p in ("weasyprint", "chromium", "google-chrome")):
        ok(read("published/report.pdf").startswith(b"%PDF"), "the_pdf_is_one", out)
    else:
        skip("the_pdf_is_one", "there is no pandoc, or nothing that prints a page")
    tools = os.path.join(SCRATCH, "tools")
    os.makedirs(tools)
    for tool in ("bash", "sed", "head", "dirname", "mktemp", "rm"):
        os.symlink(shutil.which(tool), os.path.join(tools, tool))
    status, out, error = run("env", "PATH=" + tools, *publish)
    short = max(map(len, out.replace(SCRATCH.encode(), b"").splitlines())) <= 80
    ok(status == 0 and b"no pandoc here" in out and short, "without_pandoc_it_says_what_to_install", (status, out, error))


def main():
    check_outside()
    check_empty()
    check_published()
    check_filled()
    check_whole()
    check_hostile()
    check_wrong_markers()
    check_files()
    check_links()
