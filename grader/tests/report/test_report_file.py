"""test_report_file.py: claims about the report on disk: what is replaced and what never is, and where pictures are."""
import os
import re
import shutil

from tap import SCRATCH, fixture, ok, report, run, scratch

BLOCK = b"<!-- lab:run -->\n<!-- /lab:run -->\n"
PLOTS = b"<!-- lab:plots roofline -->\n<!-- /lab:plots -->\n"


def one_line(error, *parts):
    return error.count(b"\n") == 1 and error.startswith(b"report: ") and all(p.encode() in error for p in parts)


def check_arguments():
    report_md = scratch("args/report.md", BLOCK)
    missing = os.path.join(SCRATCH, "args/none.md")
    status, _, error = report(fixture("full"), missing)
    ok(status == 1 and one_line(error, missing, "report_template/report.md"), "a_missing_report_is_one_clear_line",
       error)
    status, _, error = report(fixture("full"), SCRATCH)
    ok(status == 1 and one_line(error, SCRATCH), "a_folder_is_no_report", error)
    for what, results in (("no_results", "/nonexistent/results.json"), ("broken_results", scratch("half.json", "{"))):
        status, _, error = report(results, report_md)
        ok(status == 1 and one_line(error, results) and open(report_md, "rb").read() == BLOCK,
           f"{what}_leave_the_report_as_it_is", error)
    for arguments in ((), ("a",), ("a", "b", "c", "d")):
        status, out, error = report(*arguments)
        ok(status == 2 and not out and error.startswith(b"usage:"), f"{len(arguments)}_arguments_are_wrong_usage",
           error)


def check_out():
    source, out = scratch("out/template.md", BLOCK), os.path.join(SCRATCH, "out/report.md")
    status, _, error = report(fixture("full"), source, out)
    ok(status == 0 and b"**Score" in open(out, "rb").read() and open(source, "rb").read() == BLOCK,
       "a_new_report_is_written_and_its_template_is_left", error)
    umask = os.umask(0)
    os.umask(umask)
    ok(os.stat(out).st_mode & 0o777 == 0o666 & ~umask, "a_new_report_has_the_usual_mode", oct(os.stat(out).st_mode))
    open(out, "wb").write(b"the student's text\n")
    status, _, error = report(fixture("full"), source, out)
    ok(status == 1 and one_line(error, out) and open(out, "rb").read() == b"the student's text\n",
       "a_report_that_is_there_is_not_replaced_by_the_template", error)
    shutil.copy(source, out)
    status, _, error = report(fixture("full"), out, out)
    ok(status == 0 and b"**Score" in open(out, "rb").read(), "a_report_may_be_filled_into_itself", error)
    status, _, error = report(fixture("full"), source, "/nonexistent/folder/report.md")
    ok(status == 1 and one_line(error, "/nonexistent/folder"), "a_folder_that_is_not_there_is_one_clear_line", error)


def check_replaced():
    real, link = scratch("real/report.md", BLOCK), os.path.join(SCRATCH, "link.md")
    os.chmod(real, 0o640)
    os.symlink("real/report.md", link)
    before = os.stat(real).st_ino
    status, _, error = report(fixture("full"), link)
    ok(status == 0 and os.path.islink(link) and b"**Score" in open(real, "rb").read() and
       os.stat(real).st_mode & 0o777 == 0o640, "a_link_stays_a_link_and_the_mode_stays", error)
    ok(os.stat(real).st_ino != before and os.listdir(os.path.dirname(real)) == ["report.md"],
       "the_report_is_replaced_in_one_step_and_nothing_is_left_over", os.listdir(os.path.dirname(real)))
    text = b"x" * 100000 + b"\n" + BLOCK
    full = scratch("limited/report.md", text)
    limited = run("bash", "-c", 'ulimit -f 8; trap "" XFSZ; "$REPORT" "$0" "$1"', fixture("full"), full)
    ok(limited[0] == 1 and one_line(limited[2], full) and open(full, "rb").read() == text and
       os.listdir(os.path.dirname(full)) == ["report.md"], "a_full_disk_leaves_the_old_report_whole", limited)


def check_links():
    places = {"next_to_the_results": ("", ""), "above": ("", "graded/me"), "below": ("reports/mine", ""),
              "beside": ("reports", "reports2"), "strangely_named": ("a", "a (b) [c](d) %20 \u00e4\"<e>")}
    for name, (page, results) in places.items():
        folder = os.path.join("links", name)
        data = scratch(os.path.join(folder, results, "results.json"), open(fixture("full"), "rb").read())
        for picture in ("roofline.png", "roofline.svg"):
            scratch(os.path.join(folder, results, picture), "x")
        path = scratch(os.path.join(folder, page, "report.md"), PLOTS)
        status, _, error = report(data, path)
        text = open(path, "rb").read().decode()
        found = re.findall(r"\]\(([^)]*)\)", text)
        plain = [re.sub("(%[0-9A-F]{2})+", lambda m: bytes.fromhex(m[0].replace("%", "")).decode(), f) for f in found]
        there = [os.path.isfile(os.path.join(os.path.dirname(path), p)) for p in plain]
        ok(status == 0 and there == [True, True] and all(re.fullmatch(r"[\w./%-]+", f, re.A) for f in found) and
           not found[0].startswith("/"), f"pictures_are_linked_from_a_report_{name}", error + text.encode())


def main():
    check_arguments()
    check_out()
    check_replaced()
    check_links()
